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
    if skip(";"), let value = isHex ? hexDecoded(digits) : base64Decoded(padded(digits)) { return value }
    position = start
    return nil
  }

  private func padded(_ digits: String) -> String {
    let count = digits.utf8.count % 4
    return count < 2 ? digits : digits + String(repeating: "=", count: 4 - count)
  }

  private func hexDecoded(_ digits: String) -> [UInt8]? {
    let values = digits.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard values.count.isMultiple(of: 2) else { return nil }
    var result: [UInt8] = []
    for index in stride(from: 0, to: values.count, by: 2) {
      guard let high = values[index], let low = values[index + 1] else { return nil }
      result.append(UInt8(high * 16 + low))
    }
    return result
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
