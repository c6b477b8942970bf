/// Reads a literal: in `'…'` only `''` is an escape, as in YAML; `"…"` has JSON's escapes.
struct StringLiteralReader {
  private let bytes: [UInt8]
  private let start: Int
  private(set) var position: Int

  init(bytes: [UInt8], start: Int) {
    self.bytes = bytes
    self.start = start
    position = start
  }

  mutating func read() throws(SyntaxProblem) -> String {
    let quote = bytes[start]
    position = start + 1
    var result: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      if byte == quote {
        position += 1
        guard quote == UInt8(ascii: "'"), position < bytes.count, bytes[position] == quote else {
          return String(decoding: result, as: UTF8.self)
        }
        result.append(quote)
        position += 1
      } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        result += Array(String(try escape()).utf8)
      } else {
        result.append(byte)
        position += 1
      }
    }
    throw SyntaxProblem("this quote is never closed", at: start..<start + 1)
  }

  private mutating func escape() throws(SyntaxProblem) -> Unicode.Scalar {
    let begin = position
    position += 2
    guard position <= bytes.count else { throw SyntaxProblem("this quote is never closed", at: start..<start + 1) }
    switch bytes[position - 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "u"): return try codePoint(from: begin)
    default:
      while position < bytes.count, bytes[position] & 0xC0 == 0x80 { position += 1 }
      let text = String(decoding: bytes[begin..<position], as: UTF8.self)
      throw SyntaxProblem(
        "`\(text)` is not an escape", at: begin..<position,
        help: "write `\\\\` for a backslash, or put the text in '…', where a backslash is itself")
    }
  }

  private mutating func codePoint(from begin: Int) throws(SyntaxProblem) -> Unicode.Scalar {
    let help = "write four hexadecimal digits, or the character itself"
    guard let first = unit() else {
      throw SyntaxProblem("`\\u` wants four hexadecimal digits", at: begin..<begin + 2, help: help)
    }
    if let scalar = Unicode.Scalar(first) { return scalar }
    // A surrogate pair, JSON's form of characters beyond the basic plane.
    if first < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      if let second = unit(), (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
      {
        return scalar
      }
    }
    throw SyntaxProblem("half of a surrogate pair is not a character", at: begin..<begin + 6, help: help)
  }

  private mutating func unit() -> UInt16? {
    guard position + 4 <= bytes.count else { return nil }
    let digits = bytes[position..<position + 4]
    let isHexadecimal = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    guard isHexadecimal, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
    position += 4
    return unit
  }
}
