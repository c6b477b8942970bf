import Matching
import Templates
import Values

/// A predicate in a file; its operand may contain templates.
package indirect enum PredicateSpec: Sendable {
  /// A predicate without templates: made once, when the file is loaded.
  case fixed(Predicate)
  case operand(PredicateKind, ValueTemplate, OperandUnit)
  /// `count`, `every`, `any`, `none`, `not`.
  case nested(PredicateKind, [PredicateSpec])
  /// An operand with tags in place of values, or whose lists may be in any order.
  case shaped(ShapedOperand)

  package func resolve(in scope: any TemplateScope) throws(TemplateError) -> Predicate {
    switch self {
    case .fixed(let predicate): return predicate
    case .operand(let kind, let operand, let unit):
      let value = try operand.resolve(in: scope)
      do {
        return try makePredicate(kind, operand: value, unit: unit)
      } catch {
        throw TemplateError(error, at: operand.range)
      }
    case .nested(let kind, let specs):
      var predicates: [Predicate] = []
      for spec in specs { predicates.append(try spec.resolve(in: scope)) }
      return Predicate(kind, .predicates(predicates))
    case .shaped(let operand): return try operand.resolve(in: scope)
    }
  }

  /// Indicates whether it applies to a header's lines, not only to its text.
  var countsLines: Bool {
    switch self {
    case .fixed(let predicate): predicate.countsLines
    case .operand(let kind, _, _): kind.countsLines
    case .nested(let kind, let inner):
      kind.countsLines || kind === PredicateKind.not && inner.contains(where: \.countsLines)
    case .shaped: false
    }
  }

  package var templates: [Template] {
    switch self {
    case .fixed: []
    case .operand(_, let operand, _): operand.templates
    case .nested(_, let specs): specs.flatMap(\.templates)
    case .shaped(let operand): operand.shape.templates
    }
  }
}

extension Predicate {
  fileprivate var countsLines: Bool {
    guard kind === PredicateKind.not, case .predicates(let inner) = operand else { return kind.countsLines }
    return inner.contains(where: \.countsLines)
  }
}

/// The unit of a subject's operands: durations become milliseconds, sizes bytes, scalars beside a text become text.
package enum OperandUnit: Sendable {
  case plain, duration, size, text
}
