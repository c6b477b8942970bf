import Values

extension EncodingOptions.DateEncoding {
  /// The date as a form's value. Seconds are formatted like a `Double`: `978307323.456`, `978307323.0`.
  package func formText(_ date: Timestamp) -> String {
    switch self {
    case .iso8601: date.roundedToMilliseconds.wholeSeconds.iso8601
    case .formatted(let pattern): pattern.string(from: date.roundedToMilliseconds)
    case .secondsSince1970, .millisecondsSince1970, .secondsSince2001: interval(date).description
    }
  }

  /// The date in a JSON text, and whether it is a number: `978307323.456`, `978307323`.
  func jsonText(_ date: Timestamp) -> (text: String, isNumber: Bool) {
    switch self {
    // JSONEncoder truncates where the formatter of a form rounds.
    case .iso8601: return (date.asFoundationDate.wholeSeconds.iso8601, false)
    case .formatted: return (formText(date), false)
    case .secondsSince1970, .millisecondsSince1970, .secondsSince2001:
      let text = interval(date).description
      return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text, true)
    }
  }

  /// Computed as Foundation's `Date` does, so that the last digits are the same.
  private func interval(_ date: Timestamp) -> Double {
    switch self {
    case .secondsSince1970: date.secondsSince2001 + secondsFrom1970To2001
    case .millisecondsSince1970: (date.secondsSince2001 + secondsFrom1970To2001) * 1000
    default: date.secondsSince2001
    }
  }
}

private let secondsFrom1970To2001 = 978_307_200.0

extension Timestamp {
  /// The value that Foundation's `Date` holds: the double nearest to the seconds since 2001.
  fileprivate var secondsSince2001: Double {
    guard let moved = seconds.subtracting(Int64(secondsFrom1970To2001)) else { return Double(seconds) }
    guard nanoseconds > 0 else { return Double(moved) }
    // Sign and magnitude, to be parsed as a decimal: a sum of two doubles would be rounded twice.
    let isNegative = moved < 0
    let whole = isNegative ? (moved + 1).magnitude : moved.magnitude
    let fraction = isNegative ? 1_000_000_000 - nanoseconds : nanoseconds
    let digits = String(fraction)
    let zeros = String(repeating: "0", count: 9 - digits.utf8.count)
    return Double("\(isNegative ? "-" : "")\(whole).\(zeros)\(digits)") ?? Double(moved)
  }

  /// The instant with the precision of Foundation's date formatters: halves are rounded up.
  fileprivate var roundedToMilliseconds: Timestamp {
    let rounded = ((secondsSince2001 + secondsFrom1970To2001) * 1000 + 0.5).rounded(.down)
    guard let milliseconds = Int64(exactly: rounded) else { return self }
    let rest = milliseconds % 1000
    return rest < 0
      ? Timestamp(seconds: milliseconds / 1000 - 1, nanoseconds: Int32(rest + 1000) * 1_000_000)
      : Timestamp(seconds: milliseconds / 1000, nanoseconds: Int32(rest) * 1_000_000)
  }

  /// The instant as a double since 2001 represents it, in whole seconds only.
  fileprivate var asFoundationDate: Timestamp {
    guard let whole = Int64(exactly: secondsSince2001.rounded(.down)) else { return self }
    return whole.adding(Int64(secondsFrom1970To2001)).map { Timestamp(seconds: $0) } ?? self
  }

  fileprivate var wholeSeconds: Timestamp { Timestamp(seconds: seconds) }
}
