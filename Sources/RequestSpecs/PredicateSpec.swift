import Matching
import Templates
import Values

/// A predicate as a file has it; its operand may hold templates.
package indirect enum PredicateSpec: Sendable {
  /// Nothing to resolve: made once, when the file is loaded.
  case fixed(Predicate)
  case operand(PredicateName, ValueTemplate, OperandUnit)
  /// `count`, `every`, `any`, `none`, `not`.
  case nested(PredicateName, [PredicateSpec])
  /// An operand with kinds that stand for values, or whose lists may be in any order.
  case shaped(ShapedOperand)

  package func resolve(in scope: any TemplateScope) throws(TemplateError) -> Predicate {
    switch self {
    case .fixed(let predicate): return predicate
    case .operand(let name, let operand, let unit):
      let value = try operand.resolve(in: scope)
      do {
        return try makePredicate(name, operand: value, unit: unit)
      } catch {
        throw TemplateError(error, at: operand.range)
      }
    case .nested(let name, let specs):
      var predicates: [Predicate] = []
      for spec in specs { predicates.append(try spec.resolve(in: scope)) }
      return nestedPredicate(name, predicates)
    case .shaped(let operand): return try operand.resolve(in: scope)
    }
  }

  /// Whether it looks at a header's lines, and not at its text alone.
  var countsLines: Bool {
    let name: PredicateName
    switch self {
    case .fixed(.not(let inner)): return inner.contains { PredicateSpec.fixed($0).countsLines }
    case .nested(.not, let inner): return inner.contains(where: \.countsLines)
    case .fixed(let predicate): name = predicate.name
    case .operand(let operandName, _, _): name = operandName
    case .nested(let nestedName, _): name = nestedName
    case .shaped: return false
    }
    return [.count, .every, .any, .none, .unique].contains(name)
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

/// What the operands of a subject are: durations become milliseconds, sizes bytes, scalars beside a text are text.
package enum OperandUnit: Sendable {
  case plain, duration, size, text
}
