/// A URI reference (RFC 3986) split into its parts, as written.
package struct URIReference: Hashable {
  package var scheme: String?
  package var authority: String?
  package var path = ""
  package var query: String?
  package var fragment: String?

  /// Splits any text, without checking the parts.
  package init(_ text: String) {
    var rest = text[...]
    if let hash = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: ":"), URIReference.isScheme(rest[..<colon].utf8) {
      scheme = String(rest[..<colon])
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  /// Matches a letter, then letters, digits, `+`, `-` and `.`.
  package static func isScheme(_ bytes: some Collection<UInt8>) -> Bool {
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy { isAlphanumeric($0) || "+-.".utf8.contains($0) }
  }

  /// All but the fragment.
  package var withoutFragment: String {
    (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
  }

  /// The URI that a reference resolves to at a base (section 5.2.2).
  package func resolved(against base: URIReference) -> URIReference {
    var result = self
    if scheme != nil {
      result.path = removingDotSegments(path)
      return result
    }
    result.scheme = base.scheme
    if authority != nil {
      result.path = removingDotSegments(path)
      return result
    }
    result.authority = base.authority
    if path.isEmpty {
      result.path = base.path
      result.query = query ?? base.query
    } else if path.hasPrefix("/") {
      result.path = removingDotSegments(path)
    } else if base.authority != nil, base.path.isEmpty {
      result.path = removingDotSegments("/" + path)
    } else {
      let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? ""
      result.path = removingDotSegments(folder + path)
    }
    return result
  }

  /// The percent-decoded text; nil for an invalid percent sign or UTF-8.
  package static func percentDecoded(_ text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    var result: [UInt8] = []
    var bytes = Array(text.utf8)[...]
    while let byte = bytes.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        result.append(byte)
        continue
      }
      guard let high = bytes.popFirst().flatMap(hexDigitValue), let low = bytes.popFirst().flatMap(hexDigitValue) else {
        return nil
      }
      result.append(high << 4 | low)
    }
    return String(validating: result, as: UTF8.self)
  }
}
