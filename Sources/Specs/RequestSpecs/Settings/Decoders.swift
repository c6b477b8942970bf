import DocumentQueries
import HTTPSemantics
import Matching
import Values
import YAMLNodes

extension ValueDecoder where Output: RawRepresentable & CaseIterable, Output.RawValue == String {
  /// One of a fixed set of keywords.
  ///
  /// - Parameter instead: suggests a keyword for other values that people try here.
  package static func word(instead: @escaping @Sendable (Value) -> String? = { _ in nil }) -> ValueDecoder {
    let words = Output.allCases.map(\.rawValue)
    let expected = "one of \(words.joined(separator: ", "))"
    return ValueDecoder(expected, .words(words)) { value throws(DecodingProblem) in
      guard case .text(let text) = value else {
        guard let help = instead(value) else { return nil }
        throw DecodingProblem(.wrongType, "expected \(expected), found \(value.phrase)", help: "write \(help)")
      }
      if let word = Output(rawValue: text.string) { return word }
      throw unknownWord(text, among: words, instead: text.isSecret ? nil : instead(value))
    }
  }
}

extension ValueDecoder where Output == [TransportFailure] {
  /// A failure, or a list of those that may occur.
  static var failures: ValueDecoder {
    let word = ValueDecoder<TransportFailure>.word()
    return ValueDecoder("\(word.expected), or a list of these", word.shape.or(.list(of: word.shape, atLeast: 1))) {
      value throws(DecodingProblem) in
      guard case .list(let items) = value else { return [try word.decode(value)] }
      if items.isEmpty { throw DecodingProblem(.emptyValue, "a list of no errors expects nothing") }
      var failures: [TransportFailure] = []
      for item in items { failures.append(try word.decode(item)) }
      return failures
    }
  }
}

/// The problem of an unknown keyword, with the nearest one.
func unknownWord(_ word: Text, among words: [String], instead: String? = nil) -> DecodingProblem {
  let nearest =
    word.isSecret ? nil : likelyWord(for: word.string, among: words) ?? ending(of: word.string, among: words)
  let help = instead.map { "write \($0)" } ?? nearest.map { "did you mean `\($0)`?" }
  // A long list is less helpful than the intended keyword.
  let expected = help != nil && words.count > 8 ? "" : ": expected one of \(words.joined(separator: ", "))"
  return DecodingProblem(.unknownValue, "unknown value \"\(jsonEscaped(word.masked))\"\(expected)", help: help)
}

/// The keyword after a prefix, as in `HTTP/2` or `TLSv1.2`.
private func ending(of word: String, among words: [String]) -> String? {
  words.filter { word.lowercased().hasSuffix($0) }.max { $0.utf8.count < $1.utf8.count }
}

/// The keyword for a type of values in another notation.
func kindWord(_ value: Value) -> String? {
  guard case .text(let text) = value else { return nil }
  return kindWords[text.string.lowercased()].map { "`\($0)`" }
}

private let kindWords = [
  "text": "string", "int": "integer", "long": "integer", "float": "number", "double": "number", "decimal": "number",
  "list": "array", "map": "object", "mapping": "object", "dict": "object", "hash": "object", "timestamp": "datetime",
  "date-time": "datetime", "uri": "url", "guid": "uuid", "ip": "ipv4",
]

extension ValueDecoder where Output == Text {
  /// Text alone.
  package static var text: ValueDecoder {
    ValueDecoder("text", .text) { value throws(DecodingProblem) in
      switch value {
      case .text(let text): return text
      case .number(let number) where !number.isSecret:
        throw DecodingProblem(
          .wrongType, "expected text, found the number \(number.lexeme)", help: "quote it: \"\(number.lexeme)\"")
      case .bool(let flag):
        throw DecodingProblem(.wrongType, "expected text, found \(flag)", help: "quote it: \"\(flag)\"")
      default: return nil
      }
    }
  }

  /// Any scalar, written as text.
  package static var scalarText: ValueDecoder {
    ValueDecoder("text, a number, or true or false", .scalar) { value throws(DecodingProblem) in
      switch value {
      case .text, .number, .bool, .date, .data: value.asText
      case .null, .list, .mapping: nil
      }
    }
  }

  /// Text that is secret whatever it comes from.
  package static var secretText: ValueDecoder {
    ValueDecoder("text", .any([.text, .number])) { value throws(DecodingProblem) in
      switch value {
      case .text, .number: value.asText.asSecret
      default: nil
      }
    }
  }

  package static var base64: ValueDecoder {
    ValueDecoder("text in base64", .text) { value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      guard base64Decoded(text.string) != nil else {
        throw DecodingProblem(
          .invalidValue, "this is not base64",
          help: "it has letters, digits, `+` and `/`, in groups of four filled up with `=`")
      }
      return text
    }
  }

  /// A media type or media range, such as `application/json` or `image/*`.
  package static var mediaRange: ValueDecoder {
    ValueDecoder("a media type such as application/json or image/*", .pattern("[^/]/[^/]")) {
      value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      guard let range = MediaRange(parsing: text.string), !range.type.isEmpty, !range.subtype.isEmpty else {
        throw DecodingProblem(
          .invalidValue, "\"\(jsonEscaped(text.masked))\" is not a media type",
          help: "write both of its parts, such as application/json")
      }
      return text
    }
  }
}

extension ValueDecoder where Output == Int {
  package static func integer(_ range: ClosedRange<Int>) -> ValueDecoder {
    ValueDecoder("an integer", .integer(range)) { value throws(DecodingProblem) in
      guard case .number(let number) = value else {
        if case .text(let text) = value, Int(text.string) != nil {
          throw DecodingProblem(
            .wrongType, "expected an integer, found the text \"\(text.masked)\"", help: "remove the quotes")
        }
        return nil
      }
      if !number.isInteger { return nil }
      guard let value = number.int, range.contains(value) else {
        throw DecodingProblem(
          .wrongType,
          "expected an integer from \(range.lowerBound) to \(range.upperBound), found \(Value.number(number).asText.masked)"
        )
      }
      return value
    }
  }
}

extension ValueDecoder where Output == Mapping {
  static var mapping: ValueDecoder {
    ValueDecoder("a mapping", .names(of: .anything)) { value throws(DecodingProblem) in
      if case .mapping(let mapping) = value { mapping } else { nil }
    }
  }
}

extension ValueDecoder where Output == PatternSpec {
  static var pattern: ValueDecoder {
    ValueDecoder("a regular expression", .someText) { value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      return try compilePattern(text)
    }
  }
}

/// Compiles a regular expression, or throws its error.
func compilePattern(_ text: Text) throws(DecodingProblem) -> RegularExpression {
  guard !text.isEmpty else {
    throw DecodingProblem(
      .emptyValue, "an empty regular expression matches everything", help: "write the pattern to look for")
  }
  do {
    return try RegularExpression(text.string, secrets: text.runs.filter(\.isSecret).map(\.text))
  } catch {
    let offset = min(error.offset, text.string.utf8.count)
    let opened = error.message.contains("missing") ? openBracket(in: text.string) : nil
    throw DecodingProblem(
      .regexSyntax, "invalid regular expression: \(error.message)",
      at: opened.map { $0..<$0 + 1 } ?? offset..<min(offset + 1, text.string.utf8.count),
      help: patternHelp(error.message))
  }
}

/// The last `(` or `[` of a pattern that isn't closed.
private func openBracket(in pattern: String) -> Int? {
  var open: [Int] = []
  var isEscaped = false
  var isInClass = false
  for (offset, byte) in pattern.utf8.enumerated() {
    switch byte {
    case _ where isEscaped: isEscaped = false
    case UInt8(ascii: "\\"): isEscaped = true
    case UInt8(ascii: "]") where isInClass:
      isInClass = false
      _ = open.popLast()
    case UInt8(ascii: "[") where !isInClass:
      isInClass = true
      open.append(offset)
    case UInt8(ascii: "(") where !isInClass: open.append(offset)
    case UInt8(ascii: ")") where !isInClass: _ = open.popLast()
    default: break
    }
  }
  return open.last
}

private func patternHelp(_ message: String) -> String? {
  if message.contains("closing parenthesis") {
    return message.contains("unmatched")
      ? "write `\\)` for the character" : "close it by `)`, or write `\\(` for the character"
  }
  if message.contains("missing terminating ]") { return "close it by `]`, or write `\\[` for the character" }
  if message.contains("quantifier does not follow") {
    return "write `.*` for any text, or a backslash before the character"
  }
  if message.contains("have the same name") { return "give each group a name of its own" }
  return message.contains("numbers out of order") ? "write the smaller number first" : nil
}

extension ValueDecoder where Output == SkipRule {
  static var skipRule: ValueDecoder {
    ValueDecoder("true, false or a reason", .any([.boolean, .someText])) { value throws(DecodingProblem) in
      switch value {
      case .bool(let skips): return skips ? .yes(reason: nil) : .no
      case .text(let text):
        if text.isEmpty { return nil }
        if ["no", "off", "yes", "on", "false", "true", "n", "y"].contains(text.string.lowercased()) {
          throw DecodingProblem(
            .invalidValue, "\"\(text.masked)\" is text in YAML 1.2, and would be the reason to skip",
            help: "write `true`, `false` or a sentence")
        }
        if !text.isSecret, let word = nearestWord(to: text.string.lowercased(), among: ["true", "false"]) {
          throw DecodingProblem(
            .invalidValue, "\"\(jsonEscaped(text.string))\" would be the reason to skip",
            help: "did you mean `\(word)`?")
        }
        if !text.isSecret, isCondition(text.string) {
          throw DecodingProblem(
            .invalidValue, "\"\(jsonEscaped(text.string))\" would be the reason to skip, always",
            help: "write `skip: ${{ \(text.string) }}` for a condition")
        }
        return .yes(reason: text.masked)
      case .number:
        throw DecodingProblem(
          .wrongType, "expected true, false or a reason, found \(value.phrase)",
          help: "write `true`, or a reason in quotes")
      default: return nil
      }
    }
  }
}

/// Returns whether a text is a comparison, such as `n > 3` or `env.CI == "1"`, and not a sentence with one.
private func isCondition(_ text: String) -> Bool {
  let signs: Set<Substring> = ["==", "!=", "<", ">", "<=", ">="]
  let joints: Set<Substring> = ["and", "or", "&&", "||"]
  let words = text.split(separator: " ")
  if words.count == 1 { return text.contains("==") || text.contains("!=") }
  guard words.count % 4 == 3 else { return false }
  return words.indices.allSatisfy { index in
    let word = words[index]
    return switch index % 4 {
    case 1: signs.contains(word)
    case 3: joints.contains(word)
    default: !signs.contains(word)
    }
  }
}
