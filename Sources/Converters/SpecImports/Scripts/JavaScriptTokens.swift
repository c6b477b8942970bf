import Values

/// A token of JavaScript, with its place.
struct JavaScriptToken {
  enum Kind: Equatable {
    /// A name or a keyword.
    case word(String)
    case number(String)
    case text(String)
    /// The texts of a template literal, and between each two of them the bytes of an expression.
    case template([String], [Range<Int>])
    case regex(pattern: String, flags: String)
    case sign(String)
    case end
  }

  let kind: Kind
  let range: Range<Int>
  /// Indicates that a line break stands before it, where a statement may end.
  let isAfterLineBreak: Bool
}

/// The tokens of scripts, for patterns in them: nothing is executed.
struct JavaScriptTokenizer {
  private let bytes: [UInt8]
  private let end: Int
  private var position: Int
  private var tokens: [JavaScriptToken] = []

  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// Returns the tokens of a part of a script; nil if a text, a comment or a pattern has no end.
  static func tokens(of bytes: [UInt8], in range: Range<Int>) -> [JavaScriptToken]? {
    var tokenizer = JavaScriptTokenizer(bytes, range)
    return tokenizer.read() ? tokenizer.tokens : nil
  }

  private mutating func read() -> Bool {
    while true {
      guard let hasLineBreak = skipBlanks() else { return false }
      let start = position
      guard position < end else {
        tokens.append(JavaScriptToken(kind: .end, range: start..<start, isAfterLineBreak: true))
        return true
      }
      guard let kind = next() else { return false }
      tokens.append(JavaScriptToken(kind: kind, range: start..<position, isAfterLineBreak: hasLineBreak))
    }
  }

  private func byte(_ offset: Int = 0) -> UInt8 { position + offset < end ? bytes[position + offset] : 0 }

  /// Skips blanks and comments; returns whether a line ended there, nil for a comment without an end.
  private mutating func skipBlanks() -> Bool? {
    var hasLineBreak = false
    while position < end {
      switch byte() {
      case 0x0A, 0x0D:
        hasLineBreak = true
        position += 1
      case 0x09, 0x0B, 0x0C, 0x20: position += 1
      // The no-break space and the byte order mark, which editors leave.
      case 0xC2 where byte(1) == 0xA0: position += 2
      case 0xEF where byte(1) == 0xBB && byte(2) == 0xBF: position += 3
      case 0x2F where byte(1) == 0x2F: while position < end, byte() != 0x0A { position += 1 }
      case 0x2F where byte(1) == 0x2A:
        position += 2
        while !(byte() == 0x2A && byte(1) == 0x2F) {
          guard position < end else { return nil }
          if byte() == 0x0A { hasLineBreak = true }
          position += 1
        }
        position += 2
      default: return hasLineBreak
      }
    }
    return hasLineBreak
  }

  private mutating func next() -> JavaScriptToken.Kind? {
    let first = byte()
    if isWordStart(first) { return .word(take(while: isWordPart)) }
    if isDigit(first) || first == UInt8(ascii: ".") && isDigit(byte(1)) { return .number(number()) }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return text().map { .text($0) }
    case UInt8(ascii: "`"): return template()
    case UInt8(ascii: "/") where isPatternExpected: return pattern()
    default: break
    }
    for length in [4, 3, 2] where position + length <= end {
      let sign = String(decoding: bytes[position..<position + length], as: UTF8.self)
      if longSigns.contains(sign) {
        position += length
        return .sign(sign)
      }
    }
    // A character of several bytes is one sign.
    repeat { position += 1 } while position < end && bytes[position] & 0xC0 == 0x80
    return first < 0x80 ? .sign(String(UnicodeScalar(first))) : .sign("?")
  }

  private mutating func take(while accepts: (UInt8) -> Bool) -> String {
    let start = position
    while position < end, accepts(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func number() -> String {
    let start = position
    while position < end {
      let isExponent = byte() | 0x20 == UInt8(ascii: "e") && [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(byte(1))
      guard isWordPart(byte()) || byte() == UInt8(ascii: ".") else { break }
      position += isExponent ? 2 : 1
    }
    return String(decoding: bytes[start..<min(position, end)], as: UTF8.self)
  }

  /// Indicates that a `/` here begins a pattern, and does not divide.
  private var isPatternExpected: Bool {
    switch tokens.last?.kind {
    case .number, .text, .template, .regex: false
    case .word(let word): ["return", "typeof", "case", "in", "of", "delete", "void", "throw", "new"].contains(word)
    case .sign(let sign): ![")", "]", "}"].contains(sign)
    case .end, nil: true
    }
  }

  private mutating func pattern() -> JavaScriptToken.Kind? {
    let start = position + 1
    position += 1
    var isInClass = false
    while byte() != UInt8(ascii: "/") || isInClass {
      guard position < end, byte() != 0x0A else { return nil }
      if byte() == UInt8(ascii: "\\") { position += 1 }
      if byte() == UInt8(ascii: "[") { isInClass = true }
      if byte() == UInt8(ascii: "]") { isInClass = false }
      position += 1
    }
    guard position < end else { return nil }
    let pattern = String(decoding: bytes[start..<position], as: UTF8.self)
    position += 1
    return .regex(pattern: pattern, flags: take(while: isWordPart))
  }

  private mutating func text() -> String? {
    let quote = byte()
    position += 1
    var result: [UInt8] = []
    while byte() != quote {
      guard position < end, byte() != 0x0A else { return nil }
      character(into: &result)
    }
    guard position < end else { return nil }
    position += 1
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func template() -> JavaScriptToken.Kind? {
    var (texts, expressions): ([String], [Range<Int>]) = ([], [])
    var result: [UInt8] = []
    position += 1
    while byte() != UInt8(ascii: "`") {
      guard position < end else { return nil }
      guard byte() == UInt8(ascii: "$"), byte(1) == UInt8(ascii: "{") else {
        character(into: &result)
        continue
      }
      position += 2
      let start = position
      var depth = 1
      while depth > 0 {
        guard position < end else { return nil }
        if byte() == UInt8(ascii: "{") { depth += 1 }
        if byte() == UInt8(ascii: "}") { depth -= 1 }
        position += 1
      }
      texts.append(String(decoding: result, as: UTF8.self))
      expressions.append(start..<position - 1)
      result = []
    }
    guard position < end else { return nil }
    position += 1
    return .template(texts + [String(decoding: result, as: UTF8.self)], expressions)
  }

  /// Reads a character of a text, with its escape.
  private mutating func character(into result: inout [UInt8]) {
    guard byte() == UInt8(ascii: "\\"), position + 1 < end else {
      result.append(byte())
      position += 1
      return
    }
    let escaped = byte(1)
    position += 2
    switch escaped {
    case UInt8(ascii: "0"): result.append(0)
    case 0x0A: break
    case UInt8(ascii: "x"): appendCode(digits: 2, to: &result)
    case UInt8(ascii: "u") where byte() == UInt8(ascii: "{"):
      position += 1
      let count = (0..<8).first { byte($0) == UInt8(ascii: "}") } ?? 0
      appendCode(digits: count, to: &result)
      if byte() == UInt8(ascii: "}") { position += 1 }
    case UInt8(ascii: "u"): appendCode(digits: 4, to: &result)
    default: result.append(controlCharacter(escapedBy: escaped) ?? escaped)
    }
  }

  private mutating func appendCode(digits: Int, to result: inout [UInt8]) {
    let text = String(decoding: bytes[position..<min(position + digits, end)], as: UTF8.self)
    position = min(position + digits, end)
    var code = UInt32(text, radix: 16) ?? 0xFFFD
    // Two halves of a character beyond the basic plane.
    if (0xD800..<0xDC00).contains(code), byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u"),
      position + 6 <= end,
      let low = UInt32(String(decoding: bytes[position + 2..<position + 6], as: UTF8.self), radix: 16),
      (0xDC00..<0xE000).contains(low)
    {
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      position += 6
    }
    result.append(contentsOf: String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
  }
}

private let longSigns: Set<String> = [
  ">>>=", "===", "!==", "**=", "...", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=", "&&",
  "||",
  "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "**", "<<", ">>", "&=", "|=", "^=",
]

private func isWordStart(_ byte: UInt8) -> Bool {
  (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0xC3
}

private func isWordPart(_ byte: UInt8) -> Bool { isWordStart(byte) || isDigit(byte) || byte >= 0x80 }
