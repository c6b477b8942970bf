import Values

/// Returns whether a text has the format of a kind.
package func hasForm(_ kind: MatchKind, _ text: String) -> Bool {
  switch kind {
  case .uuid: isUUID(text.utf8)
  case .date: isRFC3339Date(text.utf8)
  case .datetime: isRFC3339DateTime(text.utf8)
  case .email: isMailbox(text, allowsUnicode: false)
  case .url: isURL(text)
  case .ipv4: isIPv4(text.utf8)
  case .ipv6: isIPv6(text.utf8)
  case .base64: isBase64(text)
  case .json: isJSON(text)
  case .string, .integer, .number, .boolean, .array, .object, .null, .empty: false
  }
}

/// An absolute URL in any script, with the host that a URL of a file need not have.
private func isURL(_ text: String) -> Bool {
  let parts = URIReference(text)
  guard let authority = parts.authority, isURI(text, allowsUnicode: true, mayBeRelative: false) else { return false }
  let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
  guard !(host.isEmpty || host.hasPrefix(":")) || parts.scheme == "file" else { return false }
  let port = host[(host.firstIndex(of: "]") ?? host.startIndex)...].split(separator: ":").dropFirst().first
  return port.map { (Int($0) ?? .max) <= 65_535 } ?? true
}

private func isBase64(_ text: String) -> Bool {
  !text.isEmpty && !text.utf8.contains(where: isSpace) && base64Decoded(text) != nil
}
