import Values

extension JSONPathParser {
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let next = peek, UInt32(next) == character.value else { return false }
    position += 1
    return true
  }

  mutating func skipWhitespace() {
    while let next = peek, isWhitespace(next) { position += 1 }
  }

  func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  /// Returns whether there is a letter, `_` or a character beyond ASCII at the offset.
  func isNameStart(at offset: Int) -> Bool {
    guard offset < bytes.count else { return false }
    let byte = bytes[offset]
    return byte >= 0x80 || byte == UInt8(ascii: "_") || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
  }

  /// The offset after the character that starts at an offset.
  func characterEnd(at offset: Int) -> Int {
    var end = offset + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return min(end, bytes.count)
  }

  /// Reads an index or a part of a slice, within the integers that every JSON parser represents exactly.
  mutating func integer() throws(JSONPathError) -> Int {
    let start = position
    let isNegative = skip("-")
    let digitStart = position
    while let next = peek, isDigit(next) { position += 1 }
    let digits = bytes[digitStart..<position]
    let range = start..<position
    guard let first = digits.first else { throw expected("a digit after `-`") }
    if first == UInt8(ascii: "0"), digits.count > 1 || isNegative {
      throw error(isNegative && digits.count == 1 ? "-0 is not an index" : "an index has no leading zeros", range)
    }
    guard digits.count <= 16, let value = Int(String(decoding: digits, as: UTF8.self)), value < 1 << 53 else {
      throw error("the index is beyond ±9007199254740991", range)
    }
    if let next = peek, next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") {
      throw error("an index is an integer", start..<position + 1)
    }
    return isNegative ? -value : value
  }

  /// Reads a number in a filter.
  mutating func numberLiteral() throws(JSONPathError) -> JSONPathValue {
    let start = position
    while let next = peek,
      isDigit(next) || next == UInt8(ascii: ".") || next == UInt8(ascii: "-") || next == UInt8(ascii: "+")
        || next | 0x20 == UInt8(ascii: "e")
    { position += 1 }
    let lexeme = bytes[start..<position]
    guard Number(parsing: String(decoding: lexeme, as: UTF8.self)) != nil else {
      throw error(
        "`\(String(decoding: lexeme, as: UTF8.self))` is not a number", start..<position,
        help: "numbers are written as in JSON: `-1`, `0.5`, `1e3`")
    }
    return .number(lexeme: lexeme)
  }

  /// Reads a string in single or double quotes.
  mutating func stringLiteral() throws(JSONPathError) -> String {
    let start = position
    let quote = bytes[position]
    position += 1
    var result: [UInt8] = []
    while let byte = peek {
      if byte == quote {
        position += 1
        return String(decoding: result, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        result += Array(String(try escape(quote: quote)).utf8)
      } else if byte < 0x20 {
        throw error(
          "the control character \(codePoint(UInt32(byte))) cannot stand in a string as it is",
          position..<position + 1, help: "write it as an escape, such as `\\n` or `\\u000a`")
      } else {
        result.append(byte)
        position += 1
      }
    }
    throw error("the string that starts here has no closing `\(Character(Unicode.Scalar(quote)))`", start..<start + 1)
  }

  private mutating func escape(quote: UInt8) throws(JSONPathError) -> Unicode.Scalar {
    let start = position
    guard position + 1 < bytes.count else {
      position = bytes.count
      throw error("an escape is not finished", start..<position)
    }
    let escape = bytes[position + 1]
    position += 2
    switch escape {
    case quote, UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(escape)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape(from: start)
    default:
      let end = characterEnd(at: start + 1)
      let isOtherQuote = escape == UInt8(ascii: "'") || escape == UInt8(ascii: "\"")
      throw error(
        "`\(String(decoding: bytes[start..<end], as: UTF8.self))` is not an escape of JSONPath", start..<end,
        help: isOtherQuote ? "the other kind of quote needs no backslash" : "a backslash itself is written `\\\\`")
    }
  }

  private mutating func unicodeEscape(from start: Int) throws(JSONPathError) -> Unicode.Scalar {
    let first = try codeUnit(from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let secondStart = position
    if first & 0xFC00 == 0xD800, skip("\\"), skip("u") {
      let second = try codeUnit(from: secondStart)
      if second & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF) {
        return scalar
      }
    }
    throw error(
      "an escaped surrogate needs its partner", start..<position,
      help: "a character beyond U+FFFF is a high and a low one, such as `\\ud83d\\ude00`")
  }

  private mutating func codeUnit(from start: Int) throws(JSONPathError) -> UInt32 {
    let digits = bytes[position...].prefix(4)
    let isHex = digits.allSatisfy { isDigit($0) || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x66 }
    guard digits.count == 4, isHex, let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
      throw error("`\\u` needs four hexadecimal digits, as in `\\u00e9`", start..<position)
    }
    position += 4
    return unit
  }

  func error(_ message: String, _ range: Range<Int>, help: String? = nil) -> JSONPathError {
    JSONPathError(message: message, range: range, help: help)
  }

  /// The error that names the text at the position and what was expected.
  func expected(_ what: String, help: String? = nil) -> JSONPathError {
    guard position < bytes.count else {
      return error("expected \(what), found the end of the path", position..<position, help: help)
    }
    let byte = bytes[position]
    let range = position..<characterEnd(at: position)
    let found =
      isWhitespace(byte)
      ? "white space"
      : byte < 0x20 ? codePoint(UInt32(byte)) : "`\(String(decoding: bytes[range], as: UTF8.self))`"
    return error("expected \(what), found \(found)", range, help: help)
  }
}
