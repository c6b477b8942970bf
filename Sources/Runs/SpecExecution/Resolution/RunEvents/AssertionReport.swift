import Matching
import Values

package struct PassedAssertion: Sendable {
  /// The subject, such as `json $.user.id`.
  package var subject: String
  /// The predicates that hold, such as `equals 1`; empty for an assertion without any.
  package var predicate: String
  package var range: SourceRange?

  package init(subject: String, predicate: String = "", range: SourceRange?) {
    self.subject = subject
    self.predicate = predicate
    self.range = range
  }
}

/// Assertions that were not evaluated, since their `when` does not hold.
package struct SkippedAssertions: Sendable {
  /// The subjects, such as `json $.user.id`.
  package var subjects: [String]
  /// The place of the condition.
  package var range: SourceRange?

  package init(subjects: [String], range: SourceRange?) {
    self.subjects = subjects
    self.range = range
  }

  /// The group in one line.
  package var message: String {
    let place = range.map { " (\($0.location))" } ?? ""
    return "skipped, since `when` does not hold\(place): \(subjects.joined(separator: ", "))"
  }
}

/// A failed assertion. All its text is masked.
package struct AssertionReport: Sendable {
  /// The subject, such as `json $.user.id`.
  package var subject: String
  /// The place of the expected value.
  package var range: SourceRange?
  /// Notes on how a value defined elsewhere applies to the request.
  package var notes: [Diagnostic.Note] = []
  package var mismatch: Mismatch<String>
  /// The place in another file that contains the expectation: file, line and JSON Pointer.
  package var place: String?
  /// The beginning of the body of an error response.
  package var body: String?
  /// The cause, if others may fail for it as well.
  package var cause: Cause?
  /// The subjects that were not evaluated because of it.
  package var dependents: [String] = []

  package enum Cause: Hashable {
    /// The status, or `errors` of GraphQL: the response is another one than what the rest is about.
    case status
    case contentType
    /// The response has an error, and lacks what is asked for.
    case absent
    /// The body cannot be read in that format.
    case unreadable(String)
  }

  package init(
    subject: String, range: SourceRange?, mismatch: Mismatch<String>, place: String? = nil, body: String? = nil
  ) {
    self.subject = subject
    self.range = range
    self.mismatch = mismatch
    self.place = place
    self.body = body
  }

  package init(
    subject: String, range: SourceRange?, predicate: String = "", expected: String, actual: String,
    mark: Mark? = nil, summary: String? = nil, differences: [Mismatch<String>.Difference] = [],
    moreDifferences: Int = 0, place: String? = nil, body: String? = nil, hint: String? = nil
  ) {
    var mismatch = Mismatch(
      predicate: predicate, expected: expected, actual: actual, differences: differences,
      moreDifferences: moreDifferences, hint: hint, mark: mark)
    mismatch.summary = summary
    self.init(subject: subject, range: range, mismatch: mismatch, place: place, body: body)
  }
}

extension AssertionReport {
  /// Indicates whether the differences are more helpful than the two values.
  package var isExplainedByDifferences: Bool {
    mismatch.differences.count > 1 || mismatch.differences.first.map { $0.path != "$" } ?? false
  }

  /// The failure in one line.
  package var message: String {
    guard isExplainedByDifferences, let first = mismatch.differences.first, mismatch.summary == nil else {
      return "\(subject): expected \(mismatch.expected), actual \(mismatch.actual)"
    }
    let differing = mismatch.differences.count + mismatch.moreDifferences
    let place = differing == 1 ? "it differs at \(first.path)" : "\(differing) differences, the first at \(first.path)"
    switch (first.expected, first.actual) {
    case (let expected?, let actual?): return "\(subject): \(place): expected \(expected), actual \(actual)"
    case (let expected?, nil): return "\(subject): \(place): expected \(expected), actual nothing"
    case (nil, let actual?): return "\(subject): \(place): expected nothing, actual \(actual)"
    case (nil, nil): return "\(subject): \(place)"
    }
  }
}
