import Diagnostics

/// One expectation that was not met.
package struct AssertionReport: Sendable {
  /// Such as `json $.user.id`.
  package let subject: String
  /// Where the expected value stands.
  package let range: SourceRange?
  /// How what stands there comes to the request, where it stands elsewhere.
  package var notes: [Diagnostic.Note] = []
  /// Such as `equals 1`.
  package let predicate: String
  package let expected: String
  package let actual: String
  /// The part of ``actual`` that is meant.
  package let mark: MarkReport?
  /// How much differs, in one line above the differences.
  package let summary: String?
  package let differences: [DifferenceReport]
  package let moreDifferences: Int
  /// Where another file says what was expected: file, line and JSON Pointer.
  package let place: String?
  /// How the body of an answer that is an error begins.
  package let body: String?
  /// What to write instead, or to look at, each in a line of its own.
  package let hint: String?
  /// By what it fails, where others may fail for no other reason.
  var cause: Cause?
  /// The subjects of those that were not looked at because of it.
  package var dependents: [String] = []

  enum Cause: Hashable {
    case status, contentType
    /// The body cannot be read as that.
    case unreadable(String)
  }

  package init(
    subject: String, range: SourceRange?, predicate: String = "", expected: String, actual: String,
    mark: MarkReport? = nil, summary: String? = nil, differences: [DifferenceReport] = [], moreDifferences: Int = 0,
    place: String? = nil, body: String? = nil, hint: String? = nil
  ) {
    self.subject = subject
    self.range = range
    self.predicate = predicate
    self.expected = expected
    self.actual = actual
    self.mark = mark
    self.summary = summary
    self.differences = differences
    self.moreDifferences = moreDifferences
    self.place = place
    self.body = body
    self.hint = hint
  }
}

/// The part of a shown text that is meant.
package struct MarkReport: Sendable {
  /// In bytes of the text's UTF-8; an empty one is a place where something is missing.
  package let range: Range<Int>
  package let label: String?

  package init(range: Range<Int>, label: String?) {
    self.range = range
    self.label = label
  }
}

/// One place where a structure, or a text of several lines, differs.
package struct DifferenceReport: Sendable {
  /// A line of one text or of both.
  package struct Line: Sendable {
    package enum Side: Sendable { case same, expected, actual }

    package let side: Side
    package let text: String

    package init(side: Side, text: String) {
      self.side = side
      self.text = text
    }
  }

  package let path: String
  package let expected: String?
  package let actual: String?
  /// The part of ``actual`` that is meant.
  package let mark: MarkReport?
  /// What is known of the difference.
  package let note: String?
  /// How often the same is missing.
  package let count: Int
  /// In place of the rest, where texts are compared by lines.
  package let lines: [Line]

  package init(
    path: String, expected: String?, actual: String?, mark: MarkReport? = nil, note: String? = nil, count: Int = 1,
    lines: [Line] = []
  ) {
    self.path = path
    self.expected = expected
    self.actual = actual
    self.mark = mark
    self.note = note
    self.count = count
    self.lines = lines
  }
}
