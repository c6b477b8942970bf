/// The predicates by the words of `expect`.
package enum PredicateName: String, Sendable, Hashable, CaseIterable {
  case equals
  case notEquals = "not_equals"
  case greaterThan = "greater_than"
  case atLeast = "at_least"
  case lessThan = "less_than"
  case atMost = "at_most"
  case between
  case closeTo = "close_to"
  case contains
  case notContains = "not_contains"
  case startsWith = "starts_with"
  case endsWith = "ends_with"
  case matches
  case notMatches = "not_matches"
  case isKind = "is"
  case isNotKind = "is_not"
  case exists
  case count
  case oneOf = "one_of"
  case includes
  case every
  case any
  case none
  case unique
  case sorted
  case before
  case after
  case not

  /// What the predicate takes, for the errors of a spec: `at_least takes a number or a date`.
  package var operandPhrase: String {
    switch self {
    case .equals, .notEquals: "any value"
    case .greaterThan, .atLeast, .lessThan, .atMost: "a number or a date"
    case .between: "a list of two numbers or two dates, the lower one first"
    case .closeTo: "a mapping of two numbers, `{value: …, within: …}`"
    case .contains, .notContains: "part of a text, an item of a list or a key of an object"
    case .startsWith, .endsWith: "text"
    case .matches, .notMatches: "a regular expression"
    case .isKind, .isNotKind: "one of " + MatchKind.allCases.map(\.rawValue).joined(separator: ", ")
    case .exists, .unique: "true or false"
    case .count: "a number or a mapping of predicates"
    case .oneOf: "a list of values"
    case .includes: "a mapping or a list"
    case .every, .any, .none: "a value or a mapping of predicates"
    case .sorted: "true, ascending or descending"
    case .before, .after: "a date, such as 2024-05-01T10:00:00Z"
    case .not: "a mapping of predicates"
    }
  }
}
