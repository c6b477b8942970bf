import Values

/// A failed predicate, in short texts for a report.
///
/// Evaluation creates it with `Text`, whose secret parts stay marked; in events it has `String`, in which these are
/// masked.
package struct Mismatch<Content: Sendable & Hashable>: Sendable, Hashable {
  /// The position of the predicate among those that were evaluated together.
  package var index = 0
  /// The predicate in one line: `contains "admin"`, `equals 1`.
  package var predicate: Content
  package var expected: Content
  package var actual: Content
  /// The relevant part of ``actual``.
  package var mark: Mark?
  /// A summary of the differences in one line above them.
  package var summary: String?
  /// The places where structures differ, at most ``DifferenceList/limit``.
  package var differences: [Difference]
  /// The number of further differences.
  package var moreDifferences: Int
  /// Advice on what to write or to check.
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

    /// The place in the actual structure as a JSONPath, `$.user.roles[1]`; the intended place of a missing value.
    package var path: String
    /// The place in the expected structure, as far as it exists; nil if the two are not compared item by item.
    package var expectedPath: String?
    package var kind: Kind
    package var expected: Content?
    package var actual: Content?
    /// The relevant part of ``actual``.
    package var mark: Mark?
    /// A remark on the difference, such as that only letter case differs.
    package var note: String?
    /// The number of equal missing items.
    package var count = 1
    /// The differing lines of texts, with a few around them; instead of the rest.
    package var lines: [Line] = []
    /// The number of the first line in the expected text, counted from 1.
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

package enum DifferenceKind: String, Sendable, Hashable, CaseIterable {
  /// Expected, but missing.
  case missing
  /// Present, but unexpected.
  case unexpected
  case changed
}

/// The text that a line of a difference belongs to.
package enum LineSide: String, Sendable, Hashable, CaseIterable { case same, expected, actual }

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

/// The relevant part of a shown text.
package struct Mark: Sendable, Hashable {
  /// The range in bytes of the text's UTF-8; an empty one is a position at which something is missing.
  package var range: Range<Int>
  /// A remark, such as `from character 512`.
  package var label: String?

  package init(range: Range<Int>, label: String? = nil) {
    self.range = range
    self.label = label
  }
}

/// The first differences, and the number of further ones.
package struct DifferenceList: Sendable, Hashable {
  /// The maximum number of differences in a report.
  package static let limit = 12

  package var listed: [Difference]
  package var more: Int

  package init(listed: [Difference] = [], more: Int = 0) {
    self.listed = listed
    self.more = more
  }

  package var isEmpty: Bool { listed.isEmpty && more == 0 }
}
