/// Whether a header's value can have the text.
func isHeaderText(_ text: String) -> Bool {
  text.utf8.allSatisfy { ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F }
}

/// A server's words as a message may show them: without control characters, and not at any length.
func shown(_ text: String, limit: Int) -> String {
  let scalars = text.unicodeScalars
  let start = scalars.prefix(limit).map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : String($0) }.joined()
  return scalars.count > limit ? start + "…" : start
}
