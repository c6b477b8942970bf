import Values

extension Value {
  /// An XPath number; one that JSON can't express becomes the text of `string()`.
  package init(xpathNumber number: Double) {
    if number.isNaN {
      self = .text("NaN")
    } else if number.isInfinite {
      self = .text(number > 0 ? "Infinity" : "-Infinity")
    } else if let integer = Int(exactly: number), integer.magnitude < 1 << 53 {
      self = .integer(integer)
    } else {
      self = .number(Number(lexeme: "\(number)"))
    }
  }
}

/// Returns whether a text begins like a page.
package func looksLikeHTML(_ beginning: [UInt8]) -> Bool {
  let text = String(decoding: beginning.prefix(1024), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    .prefix(20).lowercased()
  return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
}
