import HTTPSemantics

/// A strong validator that shows whether the server's file is unchanged, as `If-Range` requires (RFC 9110, section
/// 13.1.5).
package enum RangeValidator: Sendable, Hashable {
  /// An entity tag as written, with its quotes.
  case entityTag(String)
  /// A date as written.
  case lastModified(String)

  /// Nil if the response has no reliable validator. A weak entity tag rules out the date too.
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

  /// Returns whether the headers of a response contradict it.
  package func isContradicted(by headers: HeaderFields) -> Bool {
    switch self {
    case .entityTag(let tag): headers.first("ETag").map { $0 != tag } ?? false
    case .lastModified(let date): headers.first("Last-Modified").map { $0 != date } ?? false
    }
  }
}
