import Templates
import Values

/// A value to capture from a response.
///
/// A class, since layers pass it on.
package final class CaptureSpec: Sendable {
  package let subject: ResponseSubject
  /// The part of the subject's value that is taken; nil is all of it.
  package let extraction: Extraction?
  package let defaultValue: ValueTemplate?
  package let isSecret: Bool
  package let range: SourceRange
  /// The subject's name in messages, such as `json $.token`.
  package let label: String

  init(
    subject: ResponseSubject, extraction: Extraction? = nil, defaultValue: ValueTemplate? = nil,
    isSecret: Bool = false, range: SourceRange, label: String
  ) {
    self.subject = subject
    self.extraction = extraction
    self.defaultValue = defaultValue
    self.isSecret = isSecret
    self.range = range
    self.label = label
  }

  /// Indicates whether the value is an absolute URL.
  package var yieldsURL: Bool {
    if let extraction { return extraction.conversion == .url }
    switch subject {
    case .link, .url: return true
    default: return false
    }
  }
}
