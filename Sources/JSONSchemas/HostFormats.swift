/// A host name (RFC 1123, section 2.1), its labels in Punycode sound too (RFC 5891).
func isHostname(_ text: String) -> Bool {
  text.utf8.allSatisfy { $0 < 0x80 } && isHost(text)
}

/// A host name with labels in any script (RFC 5890).
func isInternationalHostname(_ text: String) -> Bool {
  let separators: [Character] = ["\u{3002}", "\u{FF0E}", "\u{FF61}"]
  return isHost(String(text.map { separators.contains($0) ? "." : $0 }))
}

private func isHost(_ text: String) -> Bool {
  let labels = text.split(separator: ".", omittingEmptySubsequences: false)
  return !labels.isEmpty && labels.allSatisfy { !$0.isEmpty && $0.utf8.count <= 63 }
}
