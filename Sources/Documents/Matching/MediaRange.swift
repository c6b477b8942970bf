import Values

/// A media type or media range, `application/json` or `image/*`, without its parameters.
///
/// Parsed as in Alamofire; compared regardless of letter case (RFC 9110, section 8.3.1).
package struct MediaRange: Sendable, Hashable {
  package let type: String
  package let subtype: String

  /// Nil if there are not exactly two parts around a `/`.
  package init?(parsing text: String) {
    let essence = text.utf8.prefix { $0 != UInt8(ascii: ";") }.trimming { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let slash = essence.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let rest = essence[slash...].dropFirst()
    guard !rest.contains(UInt8(ascii: "/")) else { return nil }
    type = String(Substring(essence[..<slash]))
    subtype = String(Substring(rest))
  }

  /// Indicates whether this is `*/*`.
  package var isWildcard: Bool { type == "*" && subtype == "*" }

  /// Returns whether a media type matches this range.
  package func contains(_ other: MediaRange) -> Bool {
    MediaRange.part(type, accepts: other.type) && MediaRange.part(subtype, accepts: other.subtype)
  }

  private static func part(_ range: String, accepts part: String) -> Bool {
    range == "*" || equalsIgnoringCase(range, part)
  }
}

/// Returns whether a content type is acceptable: parameters and surrounding white space are ignored on both sides, and
/// an invalid media type matches `*/*` alone.
package func mediaType(_ type: String, matches acceptable: String) -> Bool {
  guard let range = MediaRange(parsing: acceptable) else { return false }
  guard let type = MediaRange(parsing: type) else { return range.isWildcard }
  return range.contains(type)
}
