import DocumentQueries
import Values

/// An expectation of a value: a predicate of the table, with its operand.
///
/// A predicate that cannot be applied to a value fails and names both types. On a missing value every predicate fails
/// except `exists: false`. The result of a query that isn't singular is a list: predicates on single values cannot be
/// applied to it, even negated, since `not_equals` would hold for every list.
package struct Predicate: Sendable {
  /// The operand of a predicate, as its ``PredicateKind/operand`` requires.
  package indirect enum Operand: Sendable {
    case value(Value)
    case values([Value])
    /// Two inclusive bounds.
    case bounds(Value, Value)
    case distance(from: Number, within: Number)
    case text(Text)
    case pattern(RegularExpression)
    case kind(MatchKind)
    case flag(Bool)
    case order(SortOrder)
    case predicates([Predicate])
    /// Tags in place of values, or lists in any order.
    case shape(ShapedPredicate)
  }

  package let kind: PredicateKind
  package let operand: Operand

  package init(_ kind: PredicateKind, _ operand: Operand) {
    self.kind = kind
    self.operand = operand
  }

  package static func shaped(_ operand: ShapedPredicate) -> Predicate { Predicate(operand.kind, .shape(operand)) }
}

extension Predicate {
  /// Indicates whether it may hold for an object with duplicate names by one of the members alone.
  package var takesMembersByName: Bool {
    switch operand {
    case .shape: true
    case .predicates(let inner): inner.contains(where: \.takesMembersByName)
    default: kind === PredicateKind.includes
    }
  }

  /// Indicates whether it is a pattern that matches any text, such as `x*`, or `^.*$` for any line.
  package var matchesAnything: Bool {
    if kind === PredicateKind.matches, case .pattern(let pattern) = operand { pattern.matchesAnything } else { false }
  }

  /// Indicates whether it holds for whatever is not empty.
  package var deniesEmptiness: Bool {
    switch operand {
    case .kind(.empty): kind.isNegation
    case .predicates(let inner):
      if kind === PredicateKind.not, inner.count == 1, case .kind(.empty) = inner[0].operand {
        !inner[0].kind.isNegation
      } else {
        false
      }
    default: false
    }
  }

  /// The texts that it compares with, and whether each with a whole one.
  package var comparedTexts: [(text: Text, isWhole: Bool)] {
    switch operand {
    case .value(.text(let text)): [(text, kind.operand == .anyValue)]
    case .text(let text): [(text, false)]
    case .predicates(let inner): inner.flatMap(\.comparedTexts)
    default: []
    }
  }

  /// The value of a predicate that compares with just one.
  package func value(of kind: PredicateKind) -> Value? {
    if self.kind === kind, case .value(let value) = operand { value } else { nil }
  }

  // MARK: the operand, in the form that the kind requires

  var value: Value {
    guard case .value(let value) = operand else { mismatch() }
    return value
  }

  var values: [Value] {
    guard case .values(let values) = operand else { mismatch() }
    return values
  }

  var text: Text {
    guard case .text(let text) = operand else { mismatch() }
    return text
  }

  var pattern: RegularExpression {
    guard case .pattern(let pattern) = operand else { mismatch() }
    return pattern
  }

  var matchKind: MatchKind {
    guard case .kind(let kind) = operand else { mismatch() }
    return kind
  }

  var flag: Bool {
    guard case .flag(let flag) = operand else { mismatch() }
    return flag
  }

  var inner: [Predicate] {
    guard case .predicates(let inner) = operand else { mismatch() }
    return inner
  }

  func mismatch() -> Never { preconditionFailure("`\(kind.name)` has an operand of another form") }
}

/// The order for `sorted`; `sorted: true` is ascending.
package enum SortOrder: String, Sendable, Hashable, CaseIterable {
  case ascending
  case descending
}
