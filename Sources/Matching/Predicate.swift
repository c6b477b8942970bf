package import RegularExpressions
package import Values

/// What an expectation demands of a value.
///
/// | predicate | applies to | notes |
/// | --- | --- | --- |
/// | `equals`, `not_equals`, `one_of` | anything | typed: 1 is not "1", `1.0` is 1; members in any order; a date equals an RFC 3339 or HTTP date text of the same instant; data equal their base64 or hex text |
/// | `greater_than`, `at_least`, `less_than`, `at_most`, `between` | numbers; dates, and texts that are dates, if the operand is a date | exact decimals; text never compares with a number |
/// | `close_to` | numbers | the border belongs to it |
/// | `contains`, `not_contains` | part of a text, item of an array, key of an object, bytes of data | an empty text is refused, for it is part of every text |
/// | `starts_with`, `ends_with`, `matches`, `not_matches` | texts | byte by byte; `matches` finds the pattern anywhere |
/// | `is`, `is_not` | anything | `empty` texts, arrays, objects and data alone |
/// | `exists` | anything | null exists; an empty result of a query that isn't singular does not |
/// | `count` | Unicode scalars of a text, items, members, bytes, lines of a header | as JSON Schema and RFC 9535 count characters |
/// | `includes` | objects, arrays | partial and deep: named members match, each listed item matches a different item |
/// | `every`, `any`, `none`, `unique`, `sorted` | arrays | all but `any` fail on an empty array, which has nothing to check |
/// | `before`, `after` | dates, texts that are RFC 3339 or HTTP dates | compared as instants |
/// | `not` | what its predicates apply to | fails where they cannot be applied |
///
/// A predicate that cannot be applied to what is there fails and names both types. On what is missing every predicate
/// fails but `exists: false`. The result of a query that isn't singular is a list: what compares single values cannot
/// be applied to it, also in the negative, for `not_equals` would hold for every list.
package indirect enum Predicate: Sendable {
  case equals(Value)
  case notEquals(Value)
  case greaterThan(Value)
  case atLeast(Value)
  case lessThan(Value)
  case atMost(Value)
  /// Both borders belong to it.
  case between(Value, Value)
  case closeTo(value: Number, within: Number)
  case contains(Value)
  case notContains(Value)
  case startsWith(Text)
  case endsWith(Text)
  case matches(RegularExpression)
  case notMatches(RegularExpression)
  case isKind(MatchKind)
  case isNotKind(MatchKind)
  case exists(Bool)
  case count([Predicate])
  case oneOf([Value])
  case includes(Value)
  case every([Predicate])
  case any([Predicate])
  case none([Predicate])
  case unique(Bool)
  case sorted(SortOrder)
  case before(Timestamp)
  case after(Timestamp)
  case not([Predicate])
  /// `equals`, `includes`, `contains` or `one_of` with kinds that stand for values, or in any order.
  case shaped(ShapedPredicate)
}

extension Predicate {
  /// Whether it may hold for an object that has a name twice by looking at one of the members.
  package var takesMembersByName: Bool {
    switch self {
    case .includes, .shaped: true
    case .every(let predicates), .any(let predicates), .none(let predicates), .not(let predicates):
      predicates.contains(where: \.takesMembersByName)
    default: false
    }
  }
}

/// The order that `sorted` demands; `sorted: true` is ascending.
package enum SortOrder: String, Sendable, Hashable, CaseIterable {
  case ascending
  case descending
}

extension Predicate {
  package var name: PredicateName {
    switch self {
    case .equals: .equals
    case .notEquals: .notEquals
    case .greaterThan: .greaterThan
    case .atLeast: .atLeast
    case .lessThan: .lessThan
    case .atMost: .atMost
    case .between: .between
    case .closeTo: .closeTo
    case .contains: .contains
    case .notContains: .notContains
    case .startsWith: .startsWith
    case .endsWith: .endsWith
    case .matches: .matches
    case .notMatches: .notMatches
    case .isKind: .isKind
    case .isNotKind: .isNotKind
    case .exists: .exists
    case .count: .count
    case .oneOf: .oneOf
    case .includes: .includes
    case .every: .every
    case .any: .any
    case .none: .none
    case .unique: .unique
    case .sorted: .sorted
    case .before: .before
    case .after: .after
    case .not: .not
    case .shaped(let operand): operand.name
    }
  }
}
