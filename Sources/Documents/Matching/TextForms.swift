internal import HTTPMessages
internal import URLs
internal import Values

/// Returns whether a text has the format of a kind.
func hasForm(_ kind: MatchKind, _ text: String) -> Bool {
  switch kind {
  case .uuid: isUUID(text)
  case .date: text.utf8.count == 10 && Timestamp(rfc3339: text) != nil
  case .datetime: isDateTime(text)
  case .email: isEmailAddress(text)
  case .url: isURL(text)
  case .ipv4: dottedDecimal(text.utf8) != nil
  case .ipv6: IPv6Address(text.utf8) != nil
  case .base64: isBase64(text)
  case .json: isJSON(text)
  case .string, .integer, .number, .boolean, .array, .object, .null, .empty: false
  }
}

private func isUUID(_ text: String) -> Bool {
  let bytes = Array(text.utf8)
  return bytes.count == 36
    && bytes.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : isHexDigit(byte)
    }
}

/// RFC 3339, section 5.6, for which `Timestamp` is more lenient.
private func isDateTime(_ text: String) -> Bool {
  let bytes = Array(text.utf8)
  guard bytes.count >= 20, bytes[10] | 0x20 == UInt8(ascii: "t"), Timestamp(rfc3339: text) != nil else { return false }
  return bytes[bytes.count - 1] | 0x20 == UInt8(ascii: "z") || bytes[bytes.count - 3] == UInt8(ascii: ":")
}

/// https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
private func isEmailAddress(_ text: String) -> Bool {
  let parts = text.split(separator: "@", omittingEmptySubsequences: false)
  guard parts.count == 2, !parts[0].isEmpty else { return false }
  return parts[0].utf8.allSatisfy { isAlphanumeric($0) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains($0) }
    && parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
        && label.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
    }
}

private func isURL(_ text: String) -> Bool {
  guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return false }
  let scheme = text[..<colon].utf8
  guard let first = scheme.first, isLetter(first),
    scheme.allSatisfy({ isAlphanumeric($0) || "+-.".utf8.contains($0) })
  else { return false }
  let rest = text[colon...].dropFirst(3)
  let authority = rest.prefix { !"/?#".contains($0) }
  var host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
  if host.first == "[" {
    guard let end = host.firstIndex(of: "]"), IPv6Address(host[..<end].dropFirst().utf8) != nil else { return false }
    host = "v6" + host[host.index(after: end)...]
  }
  let parts = host.split(separator: ":", omittingEmptySubsequences: false)
  guard parts.count <= 2, !parts[0].isEmpty || text[..<colon] == "file" else { return false }
  if parts.count == 2 {
    guard parts[1].utf8.allSatisfy(isDigit), parts[1].isEmpty || (Int(parts[1]) ?? .max) <= 65_535 else { return false }
  }
  return rest.unicodeScalars.allSatisfy { scalar in
    scalar.value > 0x20 && scalar.value != 0x7F && !(0x80..<0xA0).contains(scalar.value)
      && !"\"<>\\^`{|}".unicodeScalars.contains(scalar)
  } && hasSoundPercentEncoding(rest)
}

private func hasSoundPercentEncoding(_ text: Substring) -> Bool {
  var pieces = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)[...]
  pieces.removeFirst()
  return pieces.allSatisfy { $0.count >= 2 && $0.prefix(2).allSatisfy(isHexDigit) }
}

private func isBase64(_ text: String) -> Bool {
  let bytes = Array(text.utf8)
  guard !bytes.isEmpty, bytes.count % 4 == 0 else { return false }
  let padding = bytes.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
  return bytes.dropLast(padding).allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
}

func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
private func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }
func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte | 0x20) }
