package import Values

/// A predicate that does not hold, in short texts for a report.
///
/// Evaluation makes it of `Text`, whose secret parts stay marked; events have it of `String`, in which these are masked.
package struct Mismatch<Content: Sendable & Hashable>: Sendable, Hashable {
  /// The position of the predicate among those that were evaluated together.
  package var index = 0
  /// The predicate in one line: `contains "admin"`, `equals 1`.
  package var predicate: Content
  package var expected: Content
  package var actual: Content
  /// The part of ``actual`` that is meant.
  package var mark: Mark?
  /// How much differs, in one line above the differences.
  package var summary: String?
  /// The places where structures differ, at most ``DifferenceList/limit``.
  package var differences: [Difference]
  /// How many more there are.
  package var moreDifferences: Int
  /// What to write instead, or what to look at.
  package var hint: String?

  package init(
    predicate: Content, expected: Content, actual: Content, differences: [Difference] = [], moreDifferences: Int = 0,
    hint: String? = nil, mark: Mark? = nil
  ) {
    self.predicate = predicate
    self.expected = expected
    self.actual = actual
    self.differences = differences
    self.moreDifferences = moreDifferences
    self.hint = hint
    self.mark = mark
  }

  /// One place where two structures, or texts of several lines, differ.
  package struct Difference: Sendable, Hashable {
    package typealias Kind = DifferenceKind

    /// The place in the actual structure as a JSONPath, `$.user.roles[1]`; of what is missing, where it belongs.
    package var path: String
    /// The place in the expected structure, as far as it is there; nil where the two are not compared item by item.
    package var expectedPath: String?
    package var kind: Kind
    package var expected: Content?
    package var actual: Content?
    /// The part of ``actual`` that is meant.
    package var mark: Mark?
    /// More about the difference, such as that only letter case differs.
    package var note: String?
    /// How many alike are missing.
    package var count = 1
    /// The lines of texts that differ, and a few around them; in place of the rest.
    package var lines: [Line] = []
    /// The first of them in the expected text, from 1.
    package var expectedLine: Int?

    package init(path: String, kind: Kind, expected: Content? = nil, actual: Content? = nil) {
      self.path = path
      self.kind = kind
      self.expected = expected
      self.actual = actual
    }
  }

  /// A line of one text or of both.
  package struct Line: Sendable, Hashable {
    package typealias Side = LineSide

    package var side: Side
    package var text: Content

    package init(_ side: Side, _ text: Content) {
      self.side = side
      self.text = text
    }
  }
}

package enum DifferenceKind: Sendable, Hashable {
  /// Expected, and absent.
  case missing
  /// Present, and not expected.
  case unexpected
  case changed
}

/// The text that a line of a difference is of.
package enum LineSide: Sendable, Hashable { case same, expected, actual }

package typealias MatchFailure = Mismatch<Text>
package typealias Difference = MatchFailure.Difference
package typealias DifferenceLine = MatchFailure.Line

extension MatchFailure {
  var differenceCount: Int { differences.count + moreDifferences }
}

extension Difference {
  /// The difference as part of a sentence, secrets masked.
  var statement: String {
    switch (expected?.masked, actual?.masked) {
    case (let expected?, let actual?): "\(path) is \(actual), not \(expected)"
    case (let expected?, nil): "\(path) is missing, expected \(expected)"
    case (nil, let actual?): "\(path) is \(actual), which was not expected"
    case (nil, nil): "\(path) differs"
    }
  }
}

/// The part of a shown text that is meant.
package struct Mark: Sendable, Hashable {
  /// In bytes of the text's UTF-8; an empty one is a place where something is missing.
  package var range: Range<Int>
  /// What is said of it, such as `from character 512`.
  package var label: String?

  package init(range: Range<Int>, label: String? = nil) {
    self.range = range
    self.label = label
  }
}

/// The first differences, and how many more there are.
package struct DifferenceList: Sendable, Hashable {
  /// How many differences a report lists.
  package static let limit = 12

  package var listed: [Difference]
  package var more: Int

  package init(listed: [Difference] = [], more: Int = 0) {
    self.listed = listed
    self.more = more
  }

  package var isEmpty: Bool { listed.isEmpty && more == 0 }
}
