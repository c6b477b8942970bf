import Values

/// The `Content-Range` of a response in bytes (RFC 9110, section 14.4).
package struct ContentRange: Sendable, Hashable {
  /// The range; nil for `*`, in a response that no range satisfies.
  package var bytes: Range<Int64>?
  /// The total length; nil for `*`, if it was unknown when the response began.
  package var total: Int64?

  package init(bytes: Range<Int64>?, total: Int64?) {
    self.bytes = bytes
    self.total = total
  }

  /// Reads `bytes 0-99/1000`, `bytes 0-99/*` or `bytes */1000`; nil for other or inconsistent texts.
  package init?(parsing text: String) {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
    guard words.count == 2, equalsIgnoringCase(String(words[0]), "bytes") else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if parts[1] != "*" {
      guard let total = digitsValue(parts[1]) else { return nil }
      self.total = total
    }
    if parts[0] == "*" {
      guard total != nil else { return nil }
      return
    }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = digitsValue(ends[0]), let last = digitsValue(ends[1]), first <= last,
      last < Int64.max, total.map({ last < $0 }) ?? true
    else { return nil }
    bytes = first..<last + 1
  }
}

/// A number of digits only; nil for anything else, and for too large numbers.
private func digitsValue(_ text: Substring) -> Int64? {
  text.isEmpty || !text.utf8.allSatisfy(isDigit) ? nil : Int64(text)
}
