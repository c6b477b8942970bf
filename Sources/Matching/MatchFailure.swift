package import Values

/// A predicate that does not hold, in short texts for a report; secret parts stay marked in them.
package struct MatchFailure: Sendable, Hashable {
  /// The predicate in one line: `contains "admin"`, `equals 1`.
  package var predicate: Text
  package var expected: Text
  package var actual: Text
  /// Where structures differ, at most ``DifferenceList/limit``.
  package var differences: [Difference]
  /// How many more there are.
  package var moreDifferences: Int
  /// What to write instead, or what to look at.
  package var hint: String?

  package init(
    predicate: Text, expected: Text, actual: Text, differences: [Difference] = [], moreDifferences: Int = 0,
    hint: String? = nil
  ) {
    self.predicate = predicate
    self.expected = expected
    self.actual = actual
    self.differences = differences
    self.moreDifferences = moreDifferences
    self.hint = hint
  }
}

/// One place where two structures differ.
package struct Difference: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// Expected, and not there.
    case missing
    /// There, and not expected.
    case unexpected
    case changed
  }

  /// The place in the actual structure as a JSONPath, `$.user.roles[1]`; of what is missing, where it belongs.
  package var path: String
  package var kind: Kind
  package var expected: Text?
  package var actual: Text?
  /// Where it is asked for, and what to look at.
  package var note: String?

  package init(path: String, kind: Kind, expected: Text? = nil, actual: Text? = nil) {
    self.path = path
    self.kind = kind
    self.expected = expected
    self.actual = actual
  }
}

/// The first differences, and how many more there are.
package struct DifferenceList: Sendable, Hashable {
  /// How many differences a report lists.
  package static let limit = 20

  package var listed: [Difference]
  package var more: Int

  package init(listed: [Difference] = [], more: Int = 0) {
    self.listed = listed
    self.more = more
  }

  package var isEmpty: Bool { listed.isEmpty && more == 0 }
}
