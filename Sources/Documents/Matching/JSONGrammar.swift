import DocumentQueries

/// Returns whether a text is JSON (RFC 8259) without a byte order mark, nested no deeper than 512.
func isJSON(_ text: String) -> Bool {
  text.unicodeScalars.first != "\u{FEFF}" && (try? JSONDocument(parsing: text)) != nil
}
