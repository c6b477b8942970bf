import HTTPMessages
import HTTPSemantics

/// By what a server tells that a file is still the one that a part was taken of: a strong validator, as `If-Range` must
/// have it (RFC 9110, section 13.1.5).
package enum RangeValidator: Sendable, Hashable {
  /// As written, with its quotes.
  case entityTag(String)
  /// As written.
  case lastModified(String)

  /// Nil where the answer has nothing that can be relied on. A weak entity tag rules out the date too.
  package init?(_ headers: HeaderFields) {
    if let tag = headers.first("ETag") {
      guard tag.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
      self = .entityTag(tag)
      return
    }
    // A file that was changed twice within a second has the same date for both.
    guard let modified = headers.first("Last-Modified"), let instant = cookieDate(modified),
      let date = headers.first("Date").flatMap(cookieDate), date.seconds > instant.seconds
    else { return nil }
    self = .lastModified(modified)
  }

  /// The value of `If-Range`.
  package var text: String {
    switch self {
    case .entityTag(let text), .lastModified(let text): text
    }
  }

  /// Whether what an answer says of its file contradicts it.
  package func isContradicted(by headers: HeaderFields) -> Bool {
    switch self {
    case .entityTag(let tag): headers.first("ETag").map { $0 != tag } ?? false
    case .lastModified(let date): headers.first("Last-Modified").map { $0 != date } ?? false
    }
  }
}
