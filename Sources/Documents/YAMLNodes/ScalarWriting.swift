import Values

/// Writes texts as scalars, with as few quotes as YAML 1.2 and its readers allow.
enum ScalarWriting {
  /// A text on one line: plain if that cannot be misread, else in quotes.
  static func line(_ text: String, inFlow: Bool) -> String {
    if isPlain(text, inFlow: inFlow) { return text }
    let needsEscapes = text.unicodeScalars.contains { isEscaped($0) }
    if needsEscapes || !(text.contains("\"") || text.contains("\\")) || text.contains("'") { return doubleQuoted(text) }
    return "'\(text)'"
  }

  static func doubleQuoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where isEscaped(scalar):
        let code = scalar.value
        result +=
          code < 0x100
          ? "\\x" + hexadecimal(code, digits: 2)
          : code < 0x10000 ? "\\u" + hexadecimal(code, digits: 4) : "\\U" + hexadecimal(code, digits: 8)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns whether a text needs no quotes, since neither another parser nor a person takes it for something else.
  static func isPlain(_ text: String, inFlow: Bool) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return false }
    if first == " " || last == " " || last == ":" || isIndicator(first) { return false }
    if text.unicodeScalars.contains(where: { isEscaped($0) }) || isTypographicQuote(first) { return false }
    if text.hasPrefix("---") || text.hasPrefix("...") { return false }
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch (previous, byte) {
      case (UInt8(ascii: ":"), UInt8(ascii: " ")), (UInt8(ascii: " "), UInt8(ascii: "#")): return false
      // Escapes depend on the quotes: without any, their meaning would be unclear.
      case (_, UInt8(ascii: "\\")): return false
      default: previous = byte
      }
    }
    // PyYAML ends a plain text in brackets at a `?`.
    if inFlow, text.utf8.contains(where: { NodeProperty.isFlowIndicator($0) || $0 == UInt8(ascii: "?") }) {
      return false
    }
    return isText(plain: text) && !isMisread(text)
  }

  /// Returns whether the core schema reads a plain scalar as text.
  static func isText(plain text: String) -> Bool {
    if case .text? = try? CoreSchema.meaning(ofPlain: text) { true } else { false }
  }

  private static func isIndicator(_ scalar: Unicode.Scalar) -> Bool {
    "-?:,[]{}#&*!|>'\"%@`=<~".unicodeScalars.contains(scalar)
  }

  /// Returns whether a scalar is invisible, breaks the line, or isn't one of YAML's characters.
  static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    // The joiner in emoji.
    guard isInvisible(scalar) else { return scalar.value > 0x7F && isUnassigned(scalar) }
    return scalar.value != 0x200D
  }

  private static func isUnassigned(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .privateUse, .unassigned: true
    default: false
    }
  }

  private static func isTypographicQuote(_ scalar: Unicode.Scalar) -> Bool {
    (0x2018...0x201F).contains(scalar.value)
  }

  /// Returns whether YAML 1.1, which many parsers still use, takes a text for a keyword, a date, a time, or a number
  /// with underscores.
  private static func isMisread(_ text: String) -> Bool {
    if text.utf8.count <= 5, words.contains(text.lowercased()) { return true }
    let bytes = text.utf8.drop { $0 == UInt8(ascii: "+") }
    guard let first = bytes.first, isDigit(first) || first == UInt8(ascii: ".") else { return false }
    let afterYear = bytes.dropFirst(4)
    if afterYear.first == UInt8(ascii: "-"), afterYear.dropFirst().first.map(isDigit) ?? false,
      bytes.prefix(4).allSatisfy(isDigit)
    {
      return true
    }
    if text.hasPrefix("0b") { return true }
    let points = bytes.count { $0 == UInt8(ascii: ".") }
    return points < 2 && bytes.allSatisfy { isDigit($0) || "_:.,".utf8.contains($0) }
  }

  private static let words: Set<String> = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"]
}
