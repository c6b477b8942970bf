import Values

/// Reads the tokens of a Hurl file.
struct HurlReader {
  /// The end of a text, and how it escapes characters.
  enum TextForm {
    /// The text to the end of the line or a comment, without blanks at its end.
    case line
    case quoted, backtick
    case filename
    /// Up to three backticks, with escapes only if it says so.
    case multiline(escapes: Bool, placeholders: Bool)
  }

  let bytes: [UInt8]
  var position = 0
  /// The names of variables that were read.
  var names: Set<String> = []
  /// The place of the next `}}`, at or after which nothing has been searched; nil before the first search.
  var nextClosing: Int?

  var isAtEnd: Bool { position >= bytes.count }
  var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  func byte(after count: Int) -> UInt8? { position + count < bytes.count ? bytes[position + count] : nil }

  func isAt(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    return (0..<count).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
  }

  mutating func skip(_ text: StaticString) -> Bool {
    guard isAt(text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  mutating func skipBlanks() {
    while let byte, isBlank(byte) { position += 1 }
  }

  /// Skips blanks, a comment and the end of the line; false, without a change, if anything else is there.
  mutating func skipLineEnd() -> Bool {
    let start = position
    skipBlanks()
    if byte == UInt8(ascii: "#") { position = lineEnd }
    if isAtEnd || skip("\r\n") || skip("\n") { return true }
    position = start
    return false
  }

  /// The end of the current line, before its break.
  var lineEnd: Int {
    var end = position
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    return end > position && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
  }

  mutating func skipLine() {
    position = lineEnd
    _ = skip("\r\n") || skip("\n")
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The letters and digits at the position.
  mutating func word() -> String {
    let start = position
    while let byte, isAlphanumeric(byte) { position += 1 }
    return text(start..<position)
  }

  // MARK: texts

  /// A text with its placeholders, up to its end, which is skipped if it is a delimiter; nil without its end.
  mutating func text(_ form: TextForm) -> ImportedText? {
    var result = ImportedText()
    var known: [UInt8] = []
    func flush() {
      result.append(String(decoding: known, as: UTF8.self))
      known = []
    }
    while let byte, !isAtEnd(of: form) {
      if case .multiline(let escapes, let placeholders) = form,
        byte == UInt8(ascii: "\\") ? !escapes : !placeholders
      {
        known.append(byte)
        position += 1
      } else if byte == UInt8(ascii: "\\") {
        known += escapedCharacter()
      } else if byte == UInt8(ascii: "{"), let part = placeholder() {
        flush()
        result.append(part)
      } else {
        known.append(byte)
        position += 1
      }
    }
    flush()
    switch form {
    case .line: return result.trimmedAtEnd
    case .filename: return result
    case .quoted: return skip("\"") ? result : nil
    case .backtick: return skip("`") ? result : nil
    case .multiline: return skip("```") ? result : nil
    }
  }

  private func isAtEnd(of form: TextForm) -> Bool {
    switch form {
    case .line: isAt("#") || isAt("\n") || isAt("\r\n")
    case .quoted: isAt("\"") || isAt("\n")
    case .backtick: isAt("`") || isAt("\n")
    case .filename: byte.map("#; \n\r".utf8.contains) ?? true
    case .multiline: isAt("```")
    }
  }

  /// The UTF-8 of an escaped character.
  private mutating func escapedCharacter() -> [UInt8] {
    position += 1
    guard let byte else { return [UInt8(ascii: "\\")] }
    position += 1
    let start = position
    guard byte == UInt8(ascii: "u"), skip("{") else { return [controlCharacter(escapedBy: byte) ?? byte] }
    while let byte = self.byte, byte != UInt8(ascii: "}"), position < start + 9 { position += 1 }
    let digits = text((start + 1)..<position)
    if skip("}"), let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) {
      return Array(String(Character(scalar)).utf8)
    }
    position = start
    return [byte]
  }

  /// A placeholder at the position; nil, without a change, if there is none.
  mutating func placeholder() -> ImportedText.Part? {
    guard isAt("{{"), let end = closing(from: position + 2), end - position < 1000,
      !bytes[position..<end].contains(UInt8(ascii: "\n"))
    else { return nil }
    let source = text((position + 2)..<end)
    position = end + 2
    let (part, names) = HurlExpression.part(of: source)
    self.names.formUnion(names)
    return part
  }

  private mutating func closing(from start: Int) -> Int? {
    if let nextClosing, nextClosing >= start { return nextClosing < bytes.count ? nextClosing : nil }
    var index = start
    while index + 1 < bytes.count, bytes[index] != UInt8(ascii: "}") || bytes[index + 1] != UInt8(ascii: "}") {
      index += 1
    }
    if index + 1 >= bytes.count { index = bytes.count }
    nextClosing = index
    return index < bytes.count ? index : nil
  }

  /// A name and the colon after it; nil, without a change, if there is none.
  mutating func key() -> ImportedText? {
    let start = position
    var result = ImportedText()
    var known: [UInt8] = []
    skipBlanks()
    let first = byte
    while let byte {
      if byte == UInt8(ascii: "\\") {
        known += escapedCharacter()
      } else if byte == UInt8(ascii: "{"), let part = placeholder() {
        result.append(String(decoding: known, as: UTF8.self))
        known = []
        result.append(part)
      } else if isAlphanumeric(byte) || byte >= 0x80 || "_-.[]@$/+~!*'&%".utf8.contains(byte) {
        known.append(byte)
        position += 1
      } else {
        break
      }
    }
    result.append(String(decoding: known, as: UTF8.self))
    skipBlanks()
    guard !result.isEmpty, first != UInt8(ascii: "["), skip(":") else {
      position = start
      return nil
    }
    return result
  }
}

extension ImportedText {
  /// The text without blanks at its end.
  fileprivate var trimmedAtEnd: ImportedText {
    guard case .text(let text)? = parts.last else { return self }
    return ImportedText(parts: parts.dropLast() + [.text(text.trimmedAtEnd)])
  }
}
