import Values

extension RegularExpression {
  /// Compiles a pattern of ECMA-262 with its `u` flag, such as JSON Schema's `pattern`.
  ///
  /// Escaped punctuation that needs no escape is accepted too, and so are inline flags such as `(?i)`.
  package static func ecmaScript(_ pattern: String) throws(RegularExpressionError) -> RegularExpression {
    var expression: RegularExpression?
    var count = 0
    var pending = [pattern]
    while let part = pending.popLast() {
      do throws(RegularExpressionError) {
        expression = try compiled(part, of: pattern, other: expression)
        count += 1
      } catch {
        guard error.isTooLarge, count + pending.count < 64, let halves = PatternAlternatives(part).halves else {
          throw error
        }
        pending += [halves.0, halves.1]
      }
    }
    guard let expression else { throw RegularExpressionError(message: "it has no parts", offset: 0) }
    return expression
  }

  private static func compiled(
    _ part: String, of pattern: String, other: RegularExpression?
  ) throws(RegularExpressionError) -> RegularExpression {
    var translation = ECMAScriptTranslation(part)
    let translated = try translation.translated()
    do throws(RegularExpressionError) {
      return try RegularExpression(translated: translated, from: pattern, other: other)
    } catch {
      throw RegularExpressionError(
        message: error.isTooLarge ? "it is too large: PCRE2 makes more than 64 KiB of it" : error.message,
        offset: min(error.offset, pattern.utf8.count), isTooLarge: error.isTooLarge)
    }
  }
}

/// Returns whether a text is strictly a pattern of ECMA-262, even if PCRE2 cannot run it.
package func isECMAScriptPattern(_ text: String) -> Bool {
  var translation = ECMAScriptTranslation(text, isStrict: true)
  do throws(RegularExpressionError) {
    _ = try RegularExpression(translated: try translation.translated(), from: text)
    return true
  } catch {
    return error.isTooLarge
  }
}

/// Translates a pattern of ECMA-262 to PCRE2's syntax.
private struct ECMAScriptTranslation {
  /// True if only the grammar matters: groups are those of ECMA-262, and lookbehinds, for which PCRE2 requires a fixed
  /// length, become lookaheads.
  private let isStrict: Bool
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var result = ""

  /// The characters of `\s`: ECMA-262's WhiteSpace and LineTerminator.
  private static let space =
    #"\t\n\x{b}\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}"#

  init(_ pattern: String, isStrict: Bool = false) {
    scalars = Array(pattern.unicodeScalars)
    self.isStrict = isStrict
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }
  private func peek(_ offset: Int) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  mutating func translated() throws(RegularExpressionError) -> String {
    while let scalar = next {
      switch scalar {
      case "\\": try escape(inClass: false)
      case "[": try characterClass()
      case "(" where isStrict && peek(1) == "?": try group()
      case ".":
        result += #"[^\n\r\x{2028}\x{2029}]"#
        position += 1
      default:
        result.unicodeScalars.append(scalar)
        position += 1
      }
    }
    return result
  }

  /// Translates the beginning of a group with `?`.
  private mutating func group() throws(RegularExpressionError) {
    switch (peek(2), peek(3)) {
    case (":", _), ("=", _), ("!", _): emit("(?", 2)
    case ("<", "="), ("<", "!"): emit("(?", 3)
    case ("<", _): emit("(?<", 3)
    default:
      // Flags are only valid if a colon ends them.
      var end = 2
      while let scalar = peek(end), "ims-".unicodeScalars.contains(scalar) { end += 1 }
      guard end > 2, peek(end) == ":" else { throw error("ECMA-262 has no such group") }
      emit("(?", 2)
    }
  }

  private func error(_ message: String) -> RegularExpressionError {
    RegularExpressionError(
      message: message, offset: scalars[..<min(position, scalars.count)].reduce(0) { $0 + UTF8.width($1) })
  }

  private mutating func characterClass() throws(RegularExpressionError) {
    let start = position
    position += 1
    let isNegated = next == "^"
    if isNegated { position += 1 }
    if next == "]" {
      // Nothing, or anything.
      result += isNegated ? #"[\s\S]"# : "(?!)"
      position += 1
      return
    }
    result += isNegated ? "[^" : "["
    while let scalar = next {
      switch scalar {
      case "]":
        result += "]"
        position += 1
        return
      case "\\": try escape(inClass: true)
      case "[":
        result += #"\["#
        position += 1
      default:
        result.unicodeScalars.append(scalar)
        position += 1
      }
    }
    position = start
    throw error("the character class that begins here has no closing `]`")
  }

  private mutating func escape(inClass: Bool) throws(RegularExpressionError) {
    guard let escaped = peek(1) else { throw error("a backslash stands at the end") }
    switch escaped {
    case "s": emit(inClass ? Self.space : "[\(Self.space)]", 2)
    case "S": emit(inClass ? #"\S"# : "[^\(Self.space)]", 2)
    case "d", "D", "w", "W", "f", "n", "r", "t": emit("\\\(escaped)", 2)
    case "v": emit(#"\x{b}"#, 2)
    case "b": emit(inClass ? #"\x{8}"# : #"\b"#, 2)
    case "B" where !inClass: emit(#"\B"#, 2)
    case "0" where !isDigit(peek(2)): emit(#"\x{0}"#, 2)
    case "1"..."9" where !inClass:
      var end = 2
      while isDigit(peek(end)) { end += 1 }
      let digits = String(String.UnicodeScalarView(scalars[position + 1..<position + end]))
      emit("\\g{\(digits)}", end)
    case "c":
      guard let letter = peek(2), isLetter(letter) else { throw error("`\\c` needs a letter, as in `\\cJ`") }
      emit("\\x{\(String(letter.value & 0x1F, radix: 16))}", 3)
    case "x":
      guard let value = hexadecimal(from: 2, count: 2) else { throw error("`\\x` needs two hexadecimal digits") }
      emit("\\x{\(String(value, radix: 16))}", 4)
    case "u": try unicodeEscape()
    case "k" where !inClass && peek(2) == "<": emit(#"\k"#, 2)
    case "p", "P": try property()
    case _ where escaped.isASCII && (isLetter(escaped) || isDigit(escaped)):
      throw error(
        "ECMA-262 has no escape `\\\(escaped)`" + (Self.replacements[escaped].map { "; write `\($0)`" } ?? ""))
    case _ where escaped.isASCII: emit("\\\(escaped)", 2)
    default: emit(String(Character(escaped)), 2)
    }
  }

  /// Replacements for the syntax of other dialects.
  private static let replacements: [Unicode.Scalar: String] = [
    "A": "^", "Z": "$", "z": "$", "h": "[ \\t]", "R": "\\r?\\n", "e": "\\x1b", "a": "\\x07",
  ]

  private mutating func emit(_ text: String, _ count: Int) {
    result += text
    position += count
  }

  private mutating func unicodeEscape() throws(RegularExpressionError) {
    if peek(2) == "{" {
      var end = 3
      while let scalar = peek(end), scalar != "}" { end += 1 }
      guard peek(end) == "}", let value = hexadecimal(from: 3, count: end - 3), Unicode.Scalar(value) != nil else {
        throw error("`\\u{…}` needs the number of a character, in hexadecimal")
      }
      emit("\\x{\(String(value, radix: 16))}", end + 1)
      return
    }
    guard let first = hexadecimal(from: 2, count: 4) else {
      throw error("`\\u` needs four hexadecimal digits, as in `\\u00e9`")
    }
    if first & 0xFC00 == 0xD800, peek(6) == "\\", peek(7) == "u", let second = hexadecimal(from: 8, count: 4),
      second & 0xFC00 == 0xDC00
    {
      emit("\\x{\(String(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF, radix: 16))}", 12)
      return
    }
    guard Unicode.Scalar(first) != nil else { throw error("half a surrogate pair is not a character") }
    emit("\\x{\(String(first, radix: 16))}", 6)
  }

  private func hexadecimal(from offset: Int, count: Int) -> UInt32? {
    guard (1...8).contains(count), position + offset + count <= scalars.count else { return nil }
    var value: UInt32 = 0
    for scalar in scalars[position + offset..<position + offset + count] {
      guard let digit = Character(scalar).hexDigitValue, scalar.isASCII else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Translates `\p{…}`, whose long names PCRE2 doesn't know.
  private mutating func property() throws(RegularExpressionError) {
    let letter = peek(1) == "p" ? "p" : "P"
    var end = 3
    while let scalar = peek(end), scalar != "}" { end += 1 }
    guard peek(2) == "{", peek(end) == "}", end > 3 else {
      throw error("`\\\(letter)` needs a property in braces, as in `\\\(letter){L}`")
    }
    let parts = String(String.UnicodeScalarView(scalars[position + 3..<position + end])).split(
      separator: "=", maxSplits: 1)
    let name = String(parts[0])
    let value = parts.count > 1 ? String(parts[1]) : nil
    switch (name, value) {
    case ("General_Category", let value?), ("gc", let value?):
      emit("\\\(letter){\(generalCategories[value] ?? value)}", end + 1)
    case ("Script", let value?), ("sc", let value?): emit("\\\(letter){sc:\(value)}", end + 1)
    case ("Script_Extensions", let value?), ("scx", let value?): emit("\\\(letter){scx:\(value)}", end + 1)
    case (_, nil): emit("\\\(letter){\(generalCategories[name] ?? name)}", end + 1)
    default: throw error("there is no property `\(name)`")
    }
  }

  private func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { Values.isDigit($0) } ?? false }
}

/// The long names of general categories (UAX 44, table 12), and similar names in Unicode.
private let generalCategories: [String: String] = [
  "Letter": "L", "Cased_Letter": "L&", "LC": "L&", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
  "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M",
  "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd",
  "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Symbol": "S", "Math_Symbol": "Sm",
  "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Punctuation": "P", "punct": "P",
  "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe",
  "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Separator": "Z",
  "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc",
  "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
]
