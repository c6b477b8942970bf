/// Matches a URI (RFC 3986) or IRI (RFC 3987), absolute unless it may be relative.
package func isURI(_ text: String, allowsUnicode: Bool, mayBeRelative: Bool) -> Bool {
  let parts = URIReference(text)
  guard parts.scheme != nil || mayBeRelative else { return false }
  // Otherwise a colon in the first segment would end a scheme.
  if parts.scheme == nil, parts.authority == nil,
    parts.path.prefix(while: { $0 != "/" }).utf8.contains(UInt8(ascii: ":"))
  {
    return false
  }
  let characters = URICharacters(allowsUnicode: allowsUnicode)
  return parts.authority.map { isAuthority($0, characters) } ?? true
    && characters.contain(parts.path, beside: "/:@")
    && parts.query.map { characters.contain($0, beside: "/:@?", allowsPrivateUse: true) } ?? true
    && parts.fragment.map { characters.contain($0, beside: "/:@?") } ?? true
}

private func isAuthority(_ text: String, _ characters: URICharacters) -> Bool {
  var rest = text[...]
  if let at = rest.firstIndex(of: "@") {
    guard characters.contain(String(rest[..<at]), beside: ":") else { return false }
    rest = rest[rest.index(after: at)...]
  }
  var host = rest
  if rest.hasPrefix("[") {
    guard let end = rest.firstIndex(of: "]") else { return false }
    let literal = rest[..<end].dropFirst()
    guard isIPv6(literal.utf8) || isFutureAddress(literal, characters) else { return false }
    rest = rest[rest.index(after: end)...]
    guard rest.isEmpty || rest.hasPrefix(":") else { return false }
    return rest.dropFirst().utf8.allSatisfy(isDigit)
  }
  if let colon = rest.lastIndex(of: ":") {
    host = rest[..<colon]
    guard rest[rest.index(after: colon)...].utf8.allSatisfy(isDigit) else { return false }
  }
  return characters.contain(String(host), beside: "")
}

/// `v1.…` (section 3.2.2).
private func isFutureAddress(_ text: Substring, _ characters: URICharacters) -> Bool {
  guard text.hasPrefix("v") || text.hasPrefix("V"), let dot = text.firstIndex(of: ".") else { return false }
  let version = text[..<dot].dropFirst()
  let address = String(text[text.index(after: dot)...])
  return !version.isEmpty && version.utf8.allSatisfy { hexDigitValue($0) != nil } && !address.isEmpty
    && !address.utf8.contains(UInt8(ascii: "%")) && characters.contain(address, beside: ":")
}

/// The characters allowed in the parts of a URI.
private struct URICharacters {
  let allowsUnicode: Bool

  /// Returns whether a part consists of unreserved characters, sub-delimiters, percent-encoded bytes and the given
  /// others.
  func contain(_ text: String, beside others: String, allowsPrivateUse: Bool = false) -> Bool {
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      if scalar == "%" {
        guard scalars.popHexDigit(), scalars.popHexDigit() else { return false }
        continue
      }
      if scalar.isASCII {
        let byte = UInt8(scalar.value)
        guard
          isAlphanumeric(byte) || "-._~!$&'()*+,;=".utf8.contains(byte)
            || others.utf8.contains(byte)
        else { return false }
      } else if !allowsUnicode || !isUCSCharacter(scalar.value, allowsPrivateUse) {
        return false
      }
    }
    return true
  }

  /// `ucschar` of RFC 3987, and `iprivate` in a query.
  private func isUCSCharacter(_ value: UInt32, _ allowsPrivateUse: Bool) -> Bool {
    switch value {
    case 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: true
    case 0xE000...0xF8FF, 0xF0000...0x10FFFF: allowsPrivateUse && value & 0xFFFE != 0xFFFE
    case 0x10000...0xEFFFF: value & 0xFFFE != 0xFFFE && !(0xE0000...0xE0FFF).contains(value)
    default: false
    }
  }
}

extension Substring.UnicodeScalarView {
  fileprivate mutating func popHexDigit() -> Bool {
    guard let digit = popFirst() else { return false }
    return digit.isASCII && hexDigitValue(UInt8(digit.value)) != nil
  }
}

/// RFC 6570.
package func isURITemplate(_ text: String) -> Bool {
  var rest = text[...]
  while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
    guard isTemplateLiteral(rest[..<open]), rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
      return false
    }
    guard isTemplateExpression(rest[rest.index(after: open)..<close]) else { return false }
    rest = rest[rest.index(after: close)...]
  }
  return isTemplateLiteral(rest)
}

/// Matches literal text, outside expressions (section 2.1).
private func isTemplateLiteral(_ text: Substring) -> Bool {
  var scalars = text.unicodeScalars
  while let scalar = scalars.popFirst() {
    if scalar == "%" {
      guard scalars.popHexDigit(), scalars.popHexDigit() else { return false }
      continue
    }
    guard scalar.isASCII else {
      if (0x80..<0xA0).contains(scalar.value) { return false }
      continue
    }
    if scalar.value <= 0x20 || scalar.value == 0x7F || "\"<>\\^`{|}".unicodeScalars.contains(scalar) { return false }
  }
  return true
}

/// Matches an operator, then variables with their modifiers (section 2.2).
private func isTemplateExpression(_ text: Substring) -> Bool {
  var rest = text
  // The operators of the second row are reserved.
  if let first = rest.first, "+#./;?&=,!@|".contains(first) {
    if "=,!@|".contains(first) { return false }
    rest.removeFirst()
  }
  let variables = rest.split(separator: ",", omittingEmptySubsequences: false)
  return variables.allSatisfy { variable in
    var name = variable
    if name.hasSuffix("*") {
      name.removeLast()
    } else if let colon = name.firstIndex(of: ":") {
      let length = name[name.index(after: colon)...]
      guard (1...4).contains(length.utf8.count), length.utf8.allSatisfy(isDigit), length.first != "0" else {
        return false
      }
      name = name[..<colon]
    }
    return isVariableName(name)
  }
}

private func isVariableName(_ text: Substring) -> Bool {
  text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
    var bytes = part.utf8
    guard !bytes.isEmpty else { return false }
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "%") {
        for _ in 0..<2 { guard let digit = bytes.popFirst(), hexDigitValue(digit) != nil else { return false } }
      } else if !isAlphanumeric(byte), byte != UInt8(ascii: "_") {
        return false
      }
    }
    return true
  }
}
