import Values

/// A media type or media range, `application/json` or `image/*`, without its parameters.
///
/// Parsed as in Alamofire; compared regardless of letter case (RFC 9110, section 8.3.1).
package struct MediaRange: Sendable, Hashable {
  package let type: String
  package let subtype: String

  /// Nil if there are not exactly two parts around a `/`.
  package init?(parsing text: String) {
    let essence = text.prefix { $0 != ";" }
    let parts = essence.trimming(while: \.isWhitespace).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    type = String(parts[0])
    subtype = String(parts[1])
  }

  /// Indicates whether this is `*/*`.
  package var isWildcard: Bool { type == "*" && subtype == "*" }

  /// Returns whether a media type matches this range.
  package func contains(_ other: MediaRange) -> Bool {
    MediaRange.part(type, accepts: other.type) && MediaRange.part(subtype, accepts: other.subtype)
  }

  private static func part(_ range: String, accepts part: String) -> Bool {
    range == "*" || range.lowercased() == part.lowercased()
  }
}

/// Returns whether a content type is acceptable: parameters and surrounding white space are ignored on both sides, and
/// an invalid media type matches `*/*` alone.
package func mediaType(_ type: String, matches acceptable: String) -> Bool {
  guard let range = MediaRange(parsing: acceptable) else { return false }
  guard let type = MediaRange(parsing: type) else { return range.isWildcard }
  return range.contains(type)
}
