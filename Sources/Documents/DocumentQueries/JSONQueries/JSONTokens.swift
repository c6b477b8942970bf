import Values

/// The tokens of JSON: strings, numbers, literals.
extension JSONParser {
  /// Skips a string; true if it has escapes.
  mutating func skipString() throws(JSONParseFault) -> Bool {
    let start = position
    var hasEscapes = false
    position += 1
    skipPlain()
    var plain = 0
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        return hasEscapes
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        try skipEscape(ofStringAt: start)
      } else if byte < 0x20 {
        throw controlCharacter(byte)
      } else if byte < 0x80 {
        position += 1
        plain += 1
        // Others of them often follow.
        if plain & 7 == 0 { skipPlain() }
      } else if let length = sequenceLength(at: position) {
        position += length
      } else {
        throw JSONParseFault(message: "the byte \(byteName(byte)) is not valid UTF-8", offset: position)
      }
    }
    throw unclosedString(at: start)
  }

  /// Skips characters of ASCII that stand for themselves, eight at a time as long as there are as many.
  @inline(__always)
  private mutating func skipPlain() {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let text = UnsafeRawBufferPointer(bytes)
    var offset = position
    while offset + 8 <= bytes.count {
      let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      // The highest bit of each byte that is 0 in one of these, that is less than a blank, or that is beyond ASCII; the
      // lowest of them is exact.
      let quote = word ^ 0x22 * ones
      let backslash = word ^ 0x5C * ones
      let found =
        (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (word &- 0x20 * ones) | word
      let marked = found & (0x80 * ones)
      if marked != 0 {
        position = offset + marked.trailingZeroBitCount / 8
        return
      }
      offset += 8
    }
    position = offset
  }

  private mutating func skipEscape(ofStringAt start: Int) throws(JSONParseFault) {
    guard let escape = byte(at: position + 1) else { throw unclosedString(at: start) }
    switch escape {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      for offset in 2..<6 {
        guard let digit = byte(at: position + offset) else { throw unclosedString(at: start) }
        guard isHexDigit(digit) else {
          throw JSONParseFault(message: "`\\u` needs four hexadecimal digits, as in `\\u00e9`", offset: position)
        }
      }
      position += 6
    default:
      let isPrintable = escape > 0x20 && escape < 0x7F
      let name = isPrintable ? "`\\\(Character(Unicode.Scalar(escape)))`" : "a backslash before \(byteName(escape))"
      throw JSONParseFault(
        message: "\(name) is not an escape of JSON; a backslash itself is written `\\\\`", offset: position)
    }
  }

  private func unclosedString(at start: Int) -> JSONParseFault {
    JSONParseFault(message: "the string that starts here has no closing `\"`", offset: start)
  }

  private func controlCharacter(_ byte: UInt8) -> JSONParseFault {
    let escape =
      switch byte {
      case 0x08: "\\b"
      case 0x09: "\\t"
      case 0x0A: "\\n"
      case 0x0C: "\\f"
      case 0x0D: "\\r"
      default: (byte < 16 ? "\\u000" : "\\u00") + String(byte, radix: 16)
      }
    let name = codePoint(UInt32(byte))
    return JSONParseFault(
      message: "the control character \(name) cannot stand in a string as it is; write `\(escape)`", offset: position)
  }

  mutating func skipNumber() throws(JSONParseFault) {
    if bytes[position] == UInt8(ascii: "-") {
      position += 1
      guard isDigit(at: position) else { throw expected("a digit after `-`") }
    }
    if bytes[position] == UInt8(ascii: "0"), isDigit(at: position + 1) {
      throw JSONParseFault(message: "a number has no leading zeros", offset: position)
    }
    skipDigits()
    if byte(at: position) == UInt8(ascii: ".") {
      position += 1
      guard isDigit(at: position) else { throw expected("a digit after `.`") }
      skipDigits()
    }
    if let byte = byte(at: position), byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      if let sign = self.byte(at: position), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
      guard isDigit(at: position) else { throw expected("a digit in the exponent") }
      skipDigits()
    }
  }

  @inline(__always)
  private mutating func skipDigits() {
    var offset = position
    while isDigit(at: offset) { offset += 1 }
    position = offset
  }

  @inline(__always)
  private func isDigit(at offset: Int) -> Bool {
    offset < bytes.count && Values.isDigit(bytes[offset])
  }

  /// Skips a literal if it is here.
  @inline(__always)
  mutating func skipWord(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard position + length <= bytes.count else { return false }
    for index in 0..<length where bytes[position + index] != word.utf8Start[index] { return false }
    position += length
    return true
  }

  /// The length of the well-formed UTF-8 sequence of a character beyond ASCII (Unicode, table 3-7); nil if ill-formed.
  @inline(__always)
  func sequenceLength(at offset: Int) -> Int? {
    let lead = bytes[offset]
    var second: ClosedRange<UInt8> = 0x80...0xBF
    let length: Int
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if lead == 0xE0 { second = 0xA0...0xBF }
      if lead == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if lead == 0xF0 { second = 0x90...0xBF }
      if lead == 0xF4 { second = 0x80...0x8F }
    default: return nil
    }
    guard offset + length <= bytes.count, second.contains(bytes[offset + 1]) else { return nil }
    for index in offset + 2..<offset + length where bytes[index] & 0xC0 != 0x80 { return nil }
    return length
  }
}
