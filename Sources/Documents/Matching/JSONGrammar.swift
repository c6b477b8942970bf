import Values

/// Returns whether a text is JSON (RFC 8259), nested no deeper than 512.
func isJSON(_ text: String) -> Bool {
  var reader = JSONGrammarReader(Array(text.utf8))
  return reader.readDocument()
}

private struct JSONGrammarReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func readDocument() -> Bool {
    guard readValue(depth: 0) else { return false }
    skipWhiteSpace()
    return position == bytes.count
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let next, UInt32(next) == character.value else { return false }
    position += 1
    return true
  }

  private mutating func skipWhiteSpace() {
    while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { position += 1 }
  }

  private mutating func readValue(depth: Int) -> Bool {
    guard depth <= 512 else { return false }
    skipWhiteSpace()
    switch next {
    case UInt8(ascii: "{"): return readItems(until: "}", depth: depth, isObject: true)
    case UInt8(ascii: "["): return readItems(until: "]", depth: depth, isObject: false)
    case UInt8(ascii: "\""): return readString()
    case UInt8(ascii: "t"): return readWord("true")
    case UInt8(ascii: "f"): return readWord("false")
    case UInt8(ascii: "n"): return readWord("null")
    default: return readNumber()
    }
  }

  private mutating func readItems(until end: Unicode.Scalar, depth: Int, isObject: Bool) -> Bool {
    position += 1
    skipWhiteSpace()
    if skip(end) { return true }
    while true {
      if isObject {
        skipWhiteSpace()
        guard next == UInt8(ascii: "\""), readString() else { return false }
        skipWhiteSpace()
        guard skip(":") else { return false }
      }
      guard readValue(depth: depth + 1) else { return false }
      skipWhiteSpace()
      if skip(end) { return true }
      guard skip(",") else { return false }
    }
  }

  private mutating func readWord(_ word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  private mutating func readString() -> Bool {
    position += 1
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return true
      case 0..<0x20: return false
      case UInt8(ascii: "\\"):
        guard let escape = next else { return false }
        position += 1
        if escape == UInt8(ascii: "u") {
          guard bytes.count - position >= 4, bytes[position..<position + 4].allSatisfy(isHexDigit) else { return false }
          position += 4
        } else if !"\"\\/bfnrt".utf8.contains(escape) {
          return false
        }
      default: break
      }
    }
    return false
  }

  private mutating func readNumber() -> Bool {
    _ = skip("-")
    if !skip("0"), !readDigits() { return false }
    if skip("."), !readDigits() { return false }
    if skip("e") || skip("E") {
      _ = skip("-") || skip("+")
      return readDigits()
    }
    return true
  }

  private mutating func readDigits() -> Bool {
    let start = position
    while let next, isDigit(next) { position += 1 }
    return position > start
  }
}
