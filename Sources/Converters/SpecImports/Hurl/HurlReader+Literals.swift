import Values

/// Literals.
extension HurlReader {
  /// The bytes of `hex,…;` or `base64,…;`; nil, without a change, if they are none.
  mutating func literalBytes() -> [UInt8]? {
    let start = position
    let isHex = isAt("hex,")
    guard skip("hex,") || skip("base64,") else { return nil }
    let content = position
    while let byte, byte != UInt8(ascii: ";") { position += 1 }
    let digits = text(content..<position).filter { !$0.isWhitespace }
    let padding = String(repeating: "=", count: -digits.utf8.count & 3)
    if skip(";"), let value = isHex ? hexDecoded(digits) : base64Decoded(digits + padding) { return value }
    position = start
    return nil
  }

  private func hexDecoded(_ digits: String) -> [UInt8]? {
    let values = digits.utf8.compactMap(hexDigitValue)
    guard values.count == digits.utf8.count, values.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  /// A path of `file,…;`; nil, without a change, if it is none.
  mutating func literalFile() -> ImportedText? {
    let start = position
    guard skip("file,") else { return nil }
    skipBlanks()
    if let path = text(.filename) {
      skipBlanks()
      if skip(";") { return path }
    }
    position = start
    return nil
  }

  /// A pattern between slashes; nil, without a change, if there is none.
  mutating func regex() -> String? {
    let start = position
    guard skip("/") else { return nil }
    var pattern: [UInt8] = []
    while let byte, byte != UInt8(ascii: "\n") {
      position += 1
      if byte == UInt8(ascii: "/") { return String(decoding: pattern, as: UTF8.self) }
      if byte == UInt8(ascii: "\\"), let next = self.byte, next != UInt8(ascii: "\n") {
        if next != UInt8(ascii: "/") { pattern.append(byte) }
        pattern.append(next)
        position += 1
      } else {
        pattern.append(byte)
      }
    }
    position = start
    return nil
  }

  /// A number as it is written; nil, without a change, if there is none.
  mutating func number() -> String? {
    let start = position
    _ = skip("-")
    let digits = position
    while let byte, isDigit(byte) { position += 1 }
    guard position > digits else {
      position = start
      return nil
    }
    if byte == UInt8(ascii: "."), byte(after: 1).map(isDigit) ?? false {
      position += 1
      while let byte, isDigit(byte) { position += 1 }
    }
    return text(start..<position)
  }
}
