import Templates
import Values

/// A value to capture from a response.
///
/// A class, since layers pass it on.
package final class CaptureSpec: Sendable {
  package struct Source: Sendable {
    package let subject: ResponseSubject
    /// The part of the subject's value that is taken; nil is all of it.
    package let extraction: Extraction?
    package let range: SourceRange
    /// The subject's name in messages, such as `json $.token`.
    package let label: String

    /// Indicates whether the value is an absolute URL.
    fileprivate var yieldsURL: Bool {
      if let extraction { return extraction.conversion == .url }
      switch subject {
      case .link, .url: return true
      default: return false
      }
    }
  }

  /// The sources; the first that is found gives the value.
  package let sources: [Source]
  package let defaultValue: ValueTemplate?
  package let isSecret: Bool
  package let range: SourceRange

  init(sources: [Source], defaultValue: ValueTemplate? = nil, isSecret: Bool = false, range: SourceRange) {
    self.sources = sources
    self.defaultValue = defaultValue
    self.isSecret = isSecret
    self.range = range
  }

  /// The only source; nil if there are several.
  package var onlySource: Source? { sources.count == 1 ? sources[0] : nil }

  /// The name of its sources in messages.
  package var label: String {
    if let onlySource { return onlySource.label }
    return sources.dropLast().map(\.label).joined(separator: ", ") + " or " + (sources.last?.label ?? "")
  }

  /// Indicates whether the value is an absolute URL.
  package var yieldsURL: Bool { sources.allSatisfy(\.yieldsURL) }
}
