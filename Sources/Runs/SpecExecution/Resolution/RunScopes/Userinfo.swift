import Values

/// The UTF-8 range of a URL's userinfo without its `@`; nil if there is none.
package func userinfoRange(_ url: String) -> Range<Int>? {
  guard url.contains(byte: UInt8(ascii: "@")), let scheme = url.firstRange(of: "://") else { return nil }
  let rest = url[scheme.upperBound...]
  let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
  guard let at = rest[..<end].lastIndex(of: "@") else { return nil }
  let start = url.utf8.distance(from: url.utf8.startIndex, to: scheme.upperBound)
  return start..<url.utf8.distance(from: url.utf8.startIndex, to: at)
}

package func withoutUserinfo(_ url: Text) -> Text {
  guard let range = userinfoRange(url.string) else { return url }
  return url.prefix(utf8: range.lowerBound) + url.dropping(first: range.upperBound + 1)
}

/// A URL without its credentials.
package func withoutUserinfo(_ url: String) -> String { withoutUserinfo(Text(url)).string }
