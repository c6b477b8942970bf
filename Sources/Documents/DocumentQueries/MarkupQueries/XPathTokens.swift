import Values

extension XPathParser {
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skipWhitespace() {
    while let next = peek, isXMLSpace(next) { position += 1 }
  }

  /// Skips a symbol if it comes next, with white space before it.
  mutating func skip(_ symbol: StaticString) -> Bool {
    guard stands(symbol) else { return false }
    position += symbol.utf8CodeUnitCount
    return true
  }

  /// Skips white space; returns whether the symbol follows.
  mutating func stands(_ symbol: StaticString) -> Bool {
    skipWhitespace()
    return occurs(symbol, at: position)
  }

  func occurs(_ symbol: StaticString, at offset: Int) -> Bool {
    bytes.has(symbol, at: offset)
  }

  /// Skips an operator that is a word, such as `and`.
  mutating func skipWord(_ word: StaticString) -> Bool {
    guard stands(word) else { return false }
    let end = position + word.utf8CodeUnitCount
    if end < bytes.count, isNameByte(bytes[end]) { return false }
    position = end
    return true
  }

  var startsName: Bool { peek.map { isNameStart($0) } ?? false }

  /// A name without a colon (Namespaces in XML, NCName); nil if there is none here.
  mutating func name() -> String? {
    guard startsName else { return nil }
    let start = position
    while let next = peek, isNameByte(next) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// The offset of the next token.
  func offsetBehindWhitespace(from offset: Int) -> Int {
    var offset = offset
    while offset < bytes.count, isXMLSpace(bytes[offset]) { offset += 1 }
    return offset
  }

  mutating func number() -> Double {
    let start = position
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { $0 >= 0x30 && $0 <= 0x39 } ?? false }
    while isDigit(peek) { position += 1 }
    if peek == UInt8(ascii: ".") {
      position += 1
      while isDigit(peek) { position += 1 }
    }
    return xpathNumber(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  var startsNumber: Bool {
    guard let next = peek else { return false }
    if next >= 0x30, next <= 0x39 { return true }
    return next == UInt8(ascii: ".") && position + 1 < bytes.count && (0x30...0x39).contains(bytes[position + 1])
  }

  mutating func stringLiteral() throws(XPathError) -> String {
    let start = position
    let quote = bytes[position]
    position += 1
    while let next = peek {
      position += 1
      if next == quote { return String(decoding: bytes[start + 1..<position - 1], as: UTF8.self) }
    }
    throw XPathError(
      "the string that starts here has no closing `\(Character(Unicode.Scalar(quote)))`", start..<start + 1)
  }

  private func isNameStart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
  }

  func isNameByte(_ byte: UInt8) -> Bool {
    isNameStart(byte) || byte >= 0x30 && byte <= 0x39 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  /// The error that names the text at the position and what was expected.
  func expected(_ what: String, help: String? = nil) -> XPathError {
    let help = help ?? hint
    guard position < bytes.count else {
      return XPathError("expected \(what), found the end of the expression", position..<position, help: help)
    }
    var end = position + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    if isNameStart(bytes[position]) {
      while end < bytes.count, isNameByte(bytes[end]) { end += 1 }
    }
    let found = String(decoding: bytes[position..<end], as: UTF8.self)
    return XPathError("expected \(what), found `\(found)`", position..<end, help: help)
  }

  /// The probable intention of the author.
  private var hint: String? {
    if occurs("==", at: position) || position > 0 && occurs("==", at: position - 1) { return "XPath compares with `=`" }
    if occurs("&", at: position) { return "write `and`" }
    if position > 0, occurs("||", at: position - 1) { return "write `or`" }
    if occurs("]", at: position) { return "there is no `[` that it closes" }
    if occurs(")", at: position) { return "there is no `(` that it closes" }
    return nil
  }
}
