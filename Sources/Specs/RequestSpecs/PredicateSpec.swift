import Matching
import Templates
import Values

/// A predicate as a file has it; its operand may hold templates.
package indirect enum PredicateSpec: Sendable {
  /// Nothing to resolve: made once, when the file is loaded.
  case fixed(Predicate)
  case operand(PredicateKind, ValueTemplate, OperandUnit)
  /// `count`, `every`, `any`, `none`, `not`.
  case nested(PredicateKind, [PredicateSpec])
  /// An operand with kinds that stand for values, or whose lists may be in any order.
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

  /// Whether it looks at a header's lines, and not at its text alone.
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

/// What the operands of a subject are: durations become milliseconds, sizes bytes, scalars beside a text are text.
package enum OperandUnit: Sendable {
  case plain, duration, size, text
}
