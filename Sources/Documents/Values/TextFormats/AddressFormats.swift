/// RFC 2673, section 3.2: four numbers of up to three digits, without leading zeros.
package func isIPv4(_ text: some Collection<UInt8>) -> Bool { dottedDecimal(text) != nil }

/// The forms of RFC 4291, section 2.2, without a zone.
package func isIPv6(_ text: some Collection<UInt8>) -> Bool { IPv6Address(text) != nil }

/// A mailbox of RFC 5321, section 4.1.2 (RFC 6531 where Unicode is allowed).
package func isMailbox(_ text: String, allowsUnicode: Bool) -> Bool {
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
        return isAlphanumeric(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
      }
  }
}
