import HTTPMessages
import Matching
import Values

extension ValueDecoder where Output: RawRepresentable & CaseIterable, Output.RawValue == String {
  /// One of a fixed set of words.
  package static func word() -> ValueDecoder {
    let words = Output.allCases.map(\.rawValue)
    return ValueDecoder("one of \(words.joined(separator: ", "))") { value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      if let word = Output(rawValue: text.string) { return word }
      throw unknownWord(text.string, among: words)
    }
  }
}

/// The problem of a word that is none of those allowed, naming the nearest.
func unknownWord(_ word: String, among words: [String]) -> DecodingProblem {
  DecodingProblem(
    "unknown value \"\(jsonEscaped(word))\": expected one of \(words.joined(separator: ", "))",
    help: suggestion(word, among: words))
}

extension ValueDecoder where Output == Text {
  /// Text alone.
  package static var text: ValueDecoder {
    ValueDecoder("text") { value throws(DecodingProblem) in
      if case .text(let text) = value { text } else { nil }
    }
  }

  /// Any scalar, written as text.
  package static var scalarText: ValueDecoder {
    ValueDecoder("text, a number, or true or false") { value throws(DecodingProblem) in
      switch value {
      case .text, .number, .bool, .date, .data: value.asText
      case .null, .list, .mapping: nil
      }
    }
  }

  /// Text that is secret whatever it comes from.
  package static var secretText: ValueDecoder {
    ValueDecoder("text") { value throws(DecodingProblem) in
      switch value {
      case .text, .number: Text(secret: value.asText.string)
      default: nil
      }
    }
  }
}

extension ValueDecoder where Output == Bool {
  package static var boolean: ValueDecoder {
    ValueDecoder("true or false") { value throws(DecodingProblem) in
      if case .bool(let value) = value { return value }
      if case .text(let text) = value, ["yes", "no", "on", "off", "True", "False", "TRUE", "FALSE"].contains(text.string) {
        throw DecodingProblem(
          "expected true or false, found the text \"\(text.string)\"", help: "YAML 1.2 knows only `true` and `false`")
      }
      return nil
    }
  }
}

extension ValueDecoder where Output == Int {
  package static func integer(_ range: ClosedRange<Int>) -> ValueDecoder {
    ValueDecoder("an integer") { value throws(DecodingProblem) in
      guard case .number(let number) = value else {
        if case .text(let text) = value, Int(text.string) != nil {
          throw DecodingProblem("expected an integer, found the text \"\(text.masked)\"", help: "remove the quotes")
        }
        return nil
      }
      guard let value = number.int else { return nil }
      guard range.contains(value) else {
        throw DecodingProblem("expected an integer from \(range.lowerBound) to \(range.upperBound), found \(value)")
      }
      return value
    }
  }
}

extension ValueDecoder where Output == Duration {
  /// `250ms`, `5s`, `2m`, `1h`, `30d`, or `0`.
  package static var duration: ValueDecoder {
    ValueDecoder("a duration such as 250ms, 5s, 2m, 1h or 30d") { value throws(DecodingProblem) in
      switch value {
      case .number(let number):
        if number.isZero { return .zero }
        throw DecodingProblem(
          "the duration \(number.lexeme) has no unit", help: "write \(number.lexeme)ms or \(number.lexeme)s")
      case .text(let text): return parseDuration(text.string)
      default: return nil
      }
    }
  }
}

extension ValueDecoder where Output == Int64 {
  /// `300KB`, `1MiB`, or bare bytes.
  package static var size: ValueDecoder {
    ValueDecoder("a size such as 300KB, 1MiB or a number of bytes") { value throws(DecodingProblem) in
      switch value {
      case .number(let number): return number.int.flatMap { $0 >= 0 ? Int64($0) : nil }
      case .text(let text): return parseSize(text.string)
      default: return nil
      }
    }
  }
}

extension ValueDecoder where Output == HTTPMethod {
  package static var method: ValueDecoder {
    ValueDecoder("a method such as GET or POST") { value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      guard let method = HTTPMethod(text.string) else {
        throw DecodingProblem(
          "\"\(jsonEscaped(text.masked))\" is not a method", help: "a method is one word of letters, such as GET")
      }
      let standard = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]
      if !standard.contains(method.rawValue), standard.contains(method.rawValue.uppercased()) {
        throw DecodingProblem(
          "methods are case-sensitive: \"\(method.rawValue)\" is not \(method.rawValue.uppercased())",
          help: "write \(method.rawValue.uppercased())")
      }
      return method
    }
  }
}

extension ValueDecoder where Output == StatusSet {
  /// `200`, `2xx`, `200..<300`, or a list of these.
  package static var status: ValueDecoder {
    ValueDecoder("a status such as 200, 2xx, 200..<300 or a list of these") { value throws(DecodingProblem) in
      let items: [Value] = if case .list(let items) = value { items } else { [value] }
      guard !items.isEmpty else { return nil }
      var ranges: [Range<Int>] = []
      for item in items {
        let text: String
        switch item {
        case .number(let number): text = number.lexeme
        case .text(let words): text = words.string
        default: return nil
        }
        guard let set = StatusSet(parsing: text) else {
          throw DecodingProblem(
            "\"\(jsonEscaped(text))\" is not a status", help: "write 200, 2xx, 200..<300 or a list of these")
        }
        ranges += set.ranges
      }
      return StatusSet(ranges)
    }
  }
}

/// A duration with its unit; nil if the text is none.
package func parseDuration(_ text: String) -> Duration? {
  let units: [(String, Int64)] = [
    ("ms", 1_000_000_000_000_000), ("s", 1_000_000_000_000_000_000), ("m", 0), ("h", 0), ("d", 0),
  ]
  for (unit, _) in units where text.hasSuffix(unit) {
    let digits = String(text.dropLast(unit.count))
    guard let number = Number(parsing: digits), number >= Number(0), number.double < 1e9 else { return nil }
    let scale: Double =
      switch unit {
      case "ms": 0.001
      case "s": 1
      case "m": 60
      case "h": 3600
      default: 86_400
      }
    return .nanoseconds(Int64((number.double * scale * 1e9).rounded()))
  }
  return text == "0" ? .zero : nil
}

/// A size with its unit, in bytes; nil if the text is none.
package func parseSize(_ text: String) -> Int64? {
  let units: [(String, Double)] = [
    ("KiB", 1024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("KB", 1000), ("MB", 1e6), ("GB", 1e9), ("B", 1),
    ("", 1),
  ]
  for (unit, scale) in units where text.hasSuffix(unit) {
    let digits = text.dropLast(unit.count)
    guard let number = Number(parsing: String(digits).trimmingTrailingSpace), number.double >= 0,
      number.double * scale < 9e18
    else { return nil }
    return Int64((number.double * scale).rounded())
  }
  return nil
}

extension String {
  fileprivate var trimmingTrailingSpace: String { hasSuffix(" ") ? String(dropLast()) : self }
}
