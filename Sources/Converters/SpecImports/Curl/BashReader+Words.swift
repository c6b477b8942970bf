import Values

/// Quotes, variables and substitutions within words.
extension BashReader {
  mutating func readBackslash() {
    place += 1
    guard let escaped = next else { return begin() }
    if skipLineBreak() { return }
    begin()
    isQuoted = true
    text.append(escaped)
    place += 1
  }

  /// Skips a line break after a backslash.
  private mutating func skipLineBreak() -> Bool {
    if next == UInt8(ascii: "\n") {
      place += 1
    } else if next == UInt8(ascii: "\r"), peek() == UInt8(ascii: "\n") {
      place += 2
    } else {
      return false
    }
    return true
  }

  mutating func readSingleQuotes() {
    begin()
    isQuoted = true
    place += 1
    let end = bytes[min(place, bytes.count)...].firstIndex(of: UInt8(ascii: "'")) ?? bytes.count
    if end == bytes.count { script.openQuote = script.openQuote ?? place - 1 }
    text += bytes[min(place, end)..<end].filter { $0 != UInt8(ascii: "\r") }
    place = end + 1
  }

  mutating func readDoubleQuotes() {
    begin()
    isQuoted = true
    let start = place
    place += 1
    while let byte = next, byte != UInt8(ascii: "\"") { readQuoted(byte) }
    if place >= bytes.count { script.openQuote = script.openQuote ?? start }
    place += 1
  }

  /// Reads a piece of text within double quotes.
  mutating func readQuoted(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\\"):
      place += 1
      guard let escaped = next else { return text.append(byte) }
      if skipLineBreak() { return }
      if !"$`\"\\".utf8.contains(escaped) { text.append(byte) }
      text.append(escaped)
      place += 1
    case UInt8(ascii: "$"): readDollar(isInQuotes: true)
    case UInt8(ascii: "`"): readBackquotes()
    case UInt8(ascii: "\r"): place += 1
    default:
      text.append(byte)
      place += 1
    }
  }

  /// Reads `$'…'`, with the escapes of C.
  private mutating func readEscapedQuotes() {
    begin()
    place += 2
    while let byte = next, byte != UInt8(ascii: "'") {
      place += 1
      guard byte == UInt8(ascii: "\\"), let escaped = next else {
        text.append(byte)
        continue
      }
      place += 1
      readEscape(escaped)
    }
    place += 1
  }

  private mutating func readEscape(_ escaped: UInt8) {
    switch escaped {
    case UInt8(ascii: "a"): text.append(0x07)
    case UInt8(ascii: "e"), UInt8(ascii: "E"): text.append(0x1B)
    case UInt8(ascii: "x"): text.append(UInt8(truncatingIfNeeded: number(radix: 16, upTo: 2)))
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let value = number(radix: 16, upTo: escaped == UInt8(ascii: "u") ? 4 : 8)
      text += Array(String(Unicode.Scalar(value).map { Character($0) } ?? "\u{FFFD}").utf8)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      place -= 1
      text.append(UInt8(truncatingIfNeeded: number(radix: 8, upTo: 3)))
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "?"): text.append(escaped)
    default:
      if let control = controlCharacter(escapedBy: escaped) {
        text.append(control)
      } else {
        text += [UInt8(ascii: "\\"), escaped]
      }
    }
  }

  private mutating func number(radix: UInt32, upTo digits: Int) -> UInt32 {
    var value: UInt32 = 0
    var count = 0
    while count < digits, let digit = next.flatMap(hexDigitValue), digit < radix {
      value = value << (radix == 16 ? 4 : 3) | UInt32(digit)
      place += 1
      count += 1
    }
    return value
  }

  // MARK: variables and substitutions

  mutating func readDollar(isInQuotes: Bool) {
    guard let after = peek() else {
      begin()
      text.append(UInt8(ascii: "$"))
      place += 1
      return
    }
    switch after {
    case UInt8(ascii: "'") where !isInQuotes: readEscapedQuotes()
    case UInt8(ascii: "\"") where !isInQuotes: place += 1
    case UInt8(ascii: "("): readSubstitution()
    case UInt8(ascii: "{"): readBraces()
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "@"), UInt8(ascii: "*"), UInt8(ascii: "#"),
      UInt8(ascii: "?"), UInt8(ascii: "$"), UInt8(ascii: "!"):
      add(.unknown(String(decoding: [UInt8(ascii: "$"), after], as: UTF8.self)))
      place += 2
    case let byte where isShellNameByte(byte):
      begin()
      place += 1
      let start = place
      while let byte = next, isShellNameByte(byte) { place += 1 }
      add(.variable(string(from: start)))
    default:
      begin()
      text.append(UInt8(ascii: "$"))
      place += 1
    }
  }

  /// Reads `${name}`, and `${name:-value}`; with other operators it is unknown.
  private mutating func readBraces() {
    begin()
    let start = place
    skipBraces()
    let source = string(from: start)
    guard source.hasSuffix("}") else { return add(.unknown(source)) }
    let inner = source.dropFirst(2).dropLast()
    let name = inner.prefix { $0.isASCII && isShellNameByte($0.asciiValue ?? 0) }
    let rest = inner[name.endIndex...]
    let fallback = rest.dropFirst(rest.hasPrefix(":") ? 2 : 1)
    if !isShellName(name) {
      add(.unknown(source))
    } else if rest.isEmpty || rest.hasPrefix(":?") || rest.hasPrefix("?") {
      add(.variable(String(name)))
    } else if rest.hasPrefix(":-") || rest.hasPrefix("-") || rest.hasPrefix(":=") || rest.hasPrefix("="),
      !fallback.contains(where: { "$`\"'\\".contains($0) })
    {
      add(.expression("default(env.\(name), '\(fallback)')"))
    } else {
      add(.unknown(source))
    }
  }

  /// Reads `$(…)`, and `<(…)`.
  mutating func readSubstitution() {
    begin()
    let start = place
    place += 1
    skipParentheses()
    add(.unknown(string(from: start)))
  }

  mutating func readBackquotes() {
    begin()
    let start = place
    skipQuoted(UInt8(ascii: "`"))
    add(.unknown(string(from: start)))
  }
}
