/// Four numbers of up to three digits, without leading zeros (RFC 2673, section 3.2).
func isIPv4(_ text: some Collection<UInt8>) -> Bool {
  let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  return parts.count == 4
    && parts.allSatisfy { part in
      guard (1...3).contains(part.count), part.allSatisfy(isASCIIDigit) else { return false }
      let value = part.reduce(0) { $0 * 10 + Int($1 & 15) }
      return value < 256 && (part.count == 1 || part.first != UInt8(ascii: "0"))
    }
}

/// The forms of RFC 4291, section 2.2, without a zone.
func isIPv6(_ text: some Collection<UInt8>) -> Bool {
  let colon = UInt8(ascii: ":")
  let bytes = Array(text)
  /// How many pieces stand in a row; nil if one is wrong.
  func pieces(_ text: ArraySlice<UInt8>, isEnd: Bool) -> Int? {
    if text.isEmpty { return 0 }
    let parts = text.split(separator: colon, omittingEmptySubsequences: false)
    var count = 0
    for (index, part) in parts.enumerated() {
      if isEnd, index == parts.count - 1, isIPv4(part) {
        count += 2
      } else if (1...4).contains(part.count), part.allSatisfy({ hexDigit($0) != nil }) {
        count += 1
      } else {
        return nil
      }
    }
    return count
  }
  guard let gap = bytes.indices.dropLast().first(where: { bytes[$0] == colon && bytes[$0 + 1] == colon }) else {
    return pieces(bytes[...], isEnd: true) == 8
  }
  guard let before = pieces(bytes[..<gap], isEnd: false), let after = pieces(bytes[(gap + 2)...], isEnd: true) else {
    return false
  }
  return before + after <= 7
}

/// A mailbox of RFC 5321, section 4.1.2 (RFC 6531 where Unicode is allowed).
func isMailbox(_ text: String, allowsUnicode: Bool) -> Bool {
  guard let at = text.lastIndex(of: "@"), at > text.startIndex else { return false }
  let local = text[..<at]
  let domain = text[text.index(after: at)...]
  guard local.utf8.count <= 64, isLocalPart(local, allowsUnicode) else { return false }
  if domain.hasPrefix("["), domain.hasSuffix("]") {
    let literal = domain.dropFirst().dropLast()
    return literal.lowercased().hasPrefix("ipv6:") ? isIPv6(literal.utf8.dropFirst(5)) : isIPv4(literal.utf8)
  }
  return allowsUnicode ? isInternationalHostname(String(domain)) : isHostname(String(domain))
}

private func isLocalPart(_ text: Substring, _ allowsUnicode: Bool) -> Bool {
  if text.hasPrefix("\"") {
    guard text.utf8.count >= 2, text.hasSuffix("\"") else { return false }
    var isEscaped = false
    for scalar in text.dropFirst().dropLast().unicodeScalars {
      guard scalar.value >= 0x20, scalar.value != 0x7F, scalar.isASCII || allowsUnicode else { return false }
      if !isEscaped, scalar == "\"" { return false }
      isEscaped = !isEscaped && scalar == "\\"
    }
    return !isEscaped
  }
  return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
    !atom.isEmpty
      && atom.unicodeScalars.allSatisfy { scalar in
        guard scalar.isASCII else { return allowsUnicode }
        let byte = UInt8(scalar.value)
        return isASCIILetter(byte) || isASCIIDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
      }
  }
}
