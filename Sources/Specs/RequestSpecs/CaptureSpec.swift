import Diagnostics
import Templates
import Values

/// Which of a pattern's groups a capture takes.
package enum CaptureGroup: Sendable {
  /// 0 is the whole match.
  case number(Int)
  case name(String)
  /// Several, as a mapping by their names.
  case names([String])
}

/// What to take from a response.
package struct CaptureSpec: Sendable {
  package enum Conversion: String, Sendable, CaseIterable {
    case integer, number, boolean, string, date, url, json, first
  }

  package let subject: ResponseSubject
  package let regex: Field<PatternSpec>?
  /// Of the pattern; nil takes the first, or the whole match where there is none.
  package let group: CaptureGroup?
  package let conversion: Conversion?
  package let defaultValue: ValueTemplate?
  package let isSecret: Bool
  package let range: SourceRange
  /// How messages name the subject, such as `json $.token`.
  package let label: String

  /// Whether the value is an absolute URL.
  package var yieldsURL: Bool {
    if conversion == .url { return true }
    guard regex == nil, conversion == nil else { return false }
    switch subject {
    case .link, .url: return true
    default: return false
    }
  }
}
