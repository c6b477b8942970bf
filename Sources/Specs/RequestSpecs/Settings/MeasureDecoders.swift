import Matching
import Values

extension ValueDecoder where Output == Duration {
  /// `250ms`, `5s`, `2m`, `1h`, `30d`, or `0`.
  package static var duration: ValueDecoder {
    ValueDecoder(durationWords, .any([.constants([.integer(0)]), .pattern("^(0|[0-9][0-9.eE+-]*(ms|s|m|h|d))$")])) {
      value throws(DecodingProblem) in
      switch value {
      case .number(let number):
        if number.isZero { return .zero }
        throw withoutUnit(number)
      case .text(let text):
        if !text.isSecret, let number = Number(parsing: text.string), !number.isZero {
          throw withoutUnit(number)
        }
        if let duration = parseDuration(text.string) { return duration }
        guard !text.isSecret, let instead = durationInstead(of: text.string) else { return nil }
        throw DecodingProblem(
          .wrongType, "expected \(durationWords), found the text \"\(jsonEscaped(text.masked))\"",
          help: "write \(instead)")
      default: return nil
      }
    }
  }

  /// A time limit: a duration longer than 0.
  package static var timeLimit: ValueDecoder {
    positive("a timeout is longer than 0", help: "leave it out for the default")
  }

  /// A duration longer than 0.
  static func positive(_ message: String, help: String) -> ValueDecoder {
    ValueDecoder(duration.expected, .pattern("^[0-9][0-9.eE+-]*(ms|s|m|h|d)$")) { value throws(DecodingProblem) in
      let time = try duration.decode(value)
      guard time > .zero else { throw DecodingProblem(.invalidValue, message, help: help) }
      return time
    }
  }
}

extension ValueDecoder where Output == Int64 {
  /// `300KB`, `1MiB`, or bare bytes.
  package static var size: ValueDecoder {
    ValueDecoder("a size such as 300KB, 1MiB or a number of bytes", sizeShape) { value throws(DecodingProblem) in
      switch value {
      case .number(let number): return number.int.flatMap { $0 >= 0 ? Int64($0) : nil }
      case .text(let text): return parseSize(text.string)
      default: return nil
      }
    }
  }
}

extension ValueDecoder where Output == StatusSet {
  /// `200`, `2xx`, `200..<300`, or a list of these.
  package static var status: ValueDecoder {
    ValueDecoder(
      "a status such as 200, 2xx, 200..<300 or a list of these", statusShape.or(.list(of: statusShape, atLeast: 1))
    ) { value throws(DecodingProblem) in
      let items: [Value] = if case .list(let items) = value { items } else { [value] }
      guard !items.isEmpty else { throw DecodingProblem(.emptyValue, "a list of no statuses accepts nothing") }
      var ranges: [Range<Int>] = []
      for item in items {
        let text: Text
        switch item {
        case .number(let number): text = Text(number.lexeme, isSecret: number.isSecret)
        case .text(let words): text = words
        default: return nil
        }
        guard let set = StatusSet(parsing: text.string) else {
          throw DecodingProblem(
            .invalidValue, "\"\(jsonEscaped(text.masked))\" is not a status",
            help: text.isSecret
              ? nil
              : statusInstead(of: text.string) ?? "write a number from 100 to 999, 2xx, 200..<300 or a list of these")
        }
        ranges += set.ranges
      }
      return StatusSet(ranges)
    }
  }
}

private let statusShape = SchemaShape.any([
  .integer(100...999), .pattern("^[1-9]([0-9]{2}|[xX]{2})$"), .pattern("^[1-9][0-9]{2}\\.\\.[.<][1-9][0-9]{2,3}$"),
])

private let sizeShape = SchemaShape.any([
  .integer(0...Int.max), .pattern("^[0-9][0-9.eE+-]* ?(KiB|MiB|GiB|KB|MB|GB|B)?$"),
])

/// Suggests a unit: small numbers are probably seconds, large ones milliseconds.
private func withoutUnit(_ number: Number) -> DecodingProblem {
  let units = number.double < 100 ? ["s", "ms"] : ["ms", "s"]
  return DecodingProblem(
    .invalidValue, "the duration \(number) has no unit",
    help: "write \(number)\(units[0]), or \(number)\(units[1]) for "
      + (units[1] == "s" ? "seconds" : "milliseconds"))
}

private let durationWords = "a duration such as 250ms, 5s, 2m, 1h or 30d"

/// The correct form of a duration whose unit is spelled out or separate, such as `5 seconds`.
private func durationInstead(of text: String) -> String? {
  let units = [
    "ms": "ms msec msecs millis millisecond milliseconds", "s": "s sec secs second seconds",
    "m": "m min mins minute minutes", "h": "h hr hrs hour hours", "d": "d day days",
  ]
  if let sum = durationSum(text) { return sum }
  let number = text.prefix { $0.isNumber || $0 == "." }
  let word = text[number.endIndex...].drop { $0 == " " }.lowercased()
  guard !number.isEmpty, let unit = units.first(where: { $0.value.split(separator: " ").contains { $0 == word } })?.key,
    parseDuration(number + unit) != nil
  else { return nil }
  return number + unit
}

/// The sum of a duration with several units, such as `1m30s`, in seconds.
private func durationSum(_ text: String) -> String? {
  var seconds = 0
  var rest = text[...]
  var count = 0
  for (unit, factor) in [("h", 3600), ("m", 60), ("s", 1)] {
    guard let end = rest.firstIndex(where: { !$0.isNumber }), rest[end...].hasPrefix(unit),
      let number = Int(rest[..<end]), let product = number.multiplied(by: factor),
      let sum = seconds.adding(product)
    else { continue }
    seconds = sum
    rest = rest[rest.index(after: end)...]
    count += 1
  }
  return rest.isEmpty && count > 1 ? "\(seconds)s" : nil
}

/// The maximum nanoseconds that fit an `Int64`, with a margin: about 292 years.
private let longestDuration = 9.2e18

/// A duration with its unit; nil if the text isn't one.
package func parseDuration(_ text: String) -> Duration? {
  let units: [(suffix: String, nanoseconds: Double)] = [
    ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("d", 86_400e9),
  ]
  guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return text == "0" ? .zero : nil }
  guard let number = Number(parsing: String(text.dropLast(unit.suffix.count))) else { return nil }
  let nanoseconds = (number.double * unit.nanoseconds).rounded()
  return nanoseconds >= 0 && nanoseconds < longestDuration ? .nanoseconds(Int64(nanoseconds)) : nil
}

/// A size with its unit, in bytes; nil if the text isn't one.
package func parseSize(_ text: String) -> Int64? {
  let units: [(suffix: String, bytes: Double)] = [
    ("KiB", 1024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("KB", 1000), ("MB", 1e6), ("GB", 1e9), ("B", 1),
    ("", 1),
  ]
  guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
  var digits = text.dropLast(unit.suffix.count)
  if digits.hasSuffix(" ") { digits = digits.dropLast() }
  guard let number = Number(parsing: String(digits)) else { return nil }
  let bytes = (number.double * unit.bytes).rounded()
  return bytes >= 0 && bytes < 9.2e18 ? Int64(bytes) : nil
}
