import Values

/// Functions, and what quotes and braces enclose.
extension BashReader {
  /// Reads `name() { … }`; returns whether one begins here.
  mutating func readFunction() -> Bool {
    guard command.words.isEmpty, redirection == nil, word?.isEmpty ?? false, peek() == UInt8(ascii: ")") else {
      return false
    }
    let name = String(decoding: text, as: UTF8.self)
    var start = place + 2
    while start < bytes.count, bytes[start] <= 0x20 { start += 1 }
    guard !name.isEmpty, start < bytes.count, bytes[start] == UInt8(ascii: "{") else { return false }
    place = start + 1
    skipBody()
    script.functions[name] = String(
      decoding: bytes[(start + 1)..<max(start + 1, min(place - 1, bytes.count))], as: UTF8.self)
    word = nil
    text = []
    comments = []
    return true
  }

  /// Skips what is in braces, with others in it, up to the one that ends it.
  mutating func skipBody() {
    var depth = 1
    var isAtStart = true
    while let byte = next {
      let wasAtStart = isAtStart
      isAtStart = byte <= 0x20 || ";&|()".utf8.contains(byte)
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "\\"): skipQuoted(byte)
      case UInt8(ascii: "$") where peek() == UInt8(ascii: "{"): skipBraces()
      case UInt8(ascii: "#") where wasAtStart:
        skipLine()
      case UInt8(ascii: "{") where wasAtStart:
        depth += 1
        place += 1
      case UInt8(ascii: "}") where wasAtStart:
        depth -= 1
        place += 1
        if depth == 0 { return }
      default: place += 1
      }
    }
    place = bytes.count + 1
  }

  /// Skips a quote with what it quotes.
  mutating func skipQuoted(_ quote: UInt8) {
    place += 1
    if quote == UInt8(ascii: "\\") {
      place += 1
      return
    }
    while let byte = next, byte != quote {
      place += byte == UInt8(ascii: "\\") && quote != UInt8(ascii: "'") ? 2 : 1
    }
    place += 1
  }

  /// Skips what is in braces or parentheses, with quotes and others in it.
  mutating func skipNested(_ open: UInt8, _ close: UInt8) {
    var depth = 0
    while let byte = next {
      if "'\"\\".utf8.contains(byte) {
        skipQuoted(byte)
        continue
      }
      place += 1
      if byte == open { depth += 1 }
      if byte == close {
        depth -= 1
        if depth == 0 { return }
      }
    }
  }

  mutating func skipBraces() { skipNested(UInt8(ascii: "{"), UInt8(ascii: "}")) }
  mutating func skipParentheses() { skipNested(UInt8(ascii: "("), UInt8(ascii: ")")) }
}
