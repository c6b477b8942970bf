import DocumentQueries
import Matching
import Values

/// Predicates as tables write them: `.at_least(3)` by the names that specs have.
extension Predicate {
  static func named(_ name: String, _ operand: Operand) -> Predicate {
    guard let kind = PredicateKind.named(name) else { preconditionFailure("no predicate \(name)") }
    return Predicate(kind, operand)
  }

  static func equals(_ value: Value) -> Predicate { named("equals", .value(value)) }
  static func notEquals(_ value: Value) -> Predicate { named("not_equals", .value(value)) }
  static func greaterThan(_ value: Value) -> Predicate { named("greater_than", .value(value)) }
  static func atLeast(_ value: Value) -> Predicate { named("at_least", .value(value)) }
  static func lessThan(_ value: Value) -> Predicate { named("less_than", .value(value)) }
  static func atMost(_ value: Value) -> Predicate { named("at_most", .value(value)) }
  static func between(_ low: Value, _ high: Value) -> Predicate { named("between", .bounds(low, high)) }
  static func closeTo(value: Number, within: Number) -> Predicate {
    named("close_to", .distance(from: value, within: within))
  }
  static func divisibleBy(_ value: Value) -> Predicate { named("divisible_by", .value(value)) }
  static func contains(_ value: Value) -> Predicate { named("contains", .value(value)) }
  static func notContains(_ value: Value) -> Predicate { named("not_contains", .value(value)) }
  static func startsWith(_ text: Text) -> Predicate { named("starts_with", .text(text)) }
  static func endsWith(_ text: Text) -> Predicate { named("ends_with", .text(text)) }
  static func matches(_ pattern: RegularExpression) -> Predicate { named("matches", .pattern(pattern)) }
  static func notMatches(_ pattern: RegularExpression) -> Predicate { named("not_matches", .pattern(pattern)) }
  static func isKind(_ kind: MatchKind) -> Predicate { named("is", .kind(kind)) }
  static func isNotKind(_ kind: MatchKind) -> Predicate { named("is_not", .kind(kind)) }
  static func exists(_ wanted: Bool) -> Predicate { named("exists", .flag(wanted)) }
  static func count(_ inner: [Predicate]) -> Predicate { named("count", .predicates(inner)) }
  static func oneOf(_ values: [Value]) -> Predicate { named("one_of", .values(values)) }
  static func includes(_ value: Value) -> Predicate { named("includes", .value(value)) }
  static func every(_ inner: [Predicate]) -> Predicate { named("every", .predicates(inner)) }
  static func any(_ inner: [Predicate]) -> Predicate { named("any", .predicates(inner)) }
  static func none(_ inner: [Predicate]) -> Predicate { named("none", .predicates(inner)) }
  static func unique(_ wanted: Bool) -> Predicate { named("unique", .flag(wanted)) }
  static func sorted(_ order: SortOrder) -> Predicate { named("sorted", .order(order)) }
  static func before(_ date: Timestamp) -> Predicate { named("before", .value(.date(date))) }
  static func after(_ date: Timestamp) -> Predicate { named("after", .value(.date(date))) }
  static func not(_ inner: [Predicate]) -> Predicate { named("not", .predicates(inner)) }
}
