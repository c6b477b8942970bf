internal import Values

extension TemplateFunction {
  static let dateFunctions = [
    TemplateFunction("now", standsAlone: true, documentation: "the date and time", .whole(now)),
    TemplateFunction(
      "plus", ["date", "duration"],
      documentation: "the date moved; whole numbers of `ms`, `s`, `m`, `h`, `d`, also negative: `now | plus(\"1d\")`",
      .whole(plus), check: checkPlus),
    TemplateFunction(
      "format", ["date", "pattern", "time_zone?"],
      documentation: "a text by the pattern, or `unix`, `unix_ms` (numbers), `http`, `iso8601`", .whole(format),
      check: checkFormat),
  ]
}

private func now(_ call: FunctionCall) throws(TemplateError) -> Value { .date(call.scope.now()) }

private func plus(_ call: FunctionCall) throws(TemplateError) -> Value {
  let date = try call.date(0)
  guard let milliseconds = milliseconds(try call.text(1).string) else {
    throw call.problem(durationProblem, at: 1, help: durationHelp)
  }
  guard let moved = date.advanced(by: .milliseconds(milliseconds)) else {
    throw call.problem("the date would lie outside the years 0 to 9999")
  }
  return .date(moved)
}

private let durationProblem = "this is not a duration"
private let durationHelp = "write a whole number and a unit: \"250ms\", \"90s\", \"5m\", \"-2h\", \"30d\""

private func checkPlus(_ texts: [String?]) throws(TemplateFunction.ArgumentProblem) {
  if let text = texts[1], milliseconds(text) == nil {
    throw TemplateFunction.ArgumentProblem(message: durationProblem, index: 1, help: durationHelp)
  }
}

/// A duration such as `250ms`, `5s` or `-1d`; nil if it is invalid, or longer than all dates.
private func milliseconds(_ text: String) -> Int64? {
  if text == "0" { return 0 }
  let unit = text.drop { $0 == "-" || $0 == "+" || $0.isASCII && $0.isNumber }
  let factors: [Substring: Int64] = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
  guard let factor = factors[unit], let count = Int64(text.dropLast(unit.count)),
    let product = count.multiplied(by: factor), product.magnitude <= 20_000 * 366 * 86_400_000
  else { return nil }
  return product
}

private func format(_ call: FunctionCall) throws(TemplateError) -> Value {
  let date = try call.date(0)
  let pattern = try call.text(1).string
  let timeZone = call.count > 2 ? try call.text(2).string : nil
  do {
    return try DateForm(pattern, timeZone: timeZone).value(of: date)
  } catch {
    throw call.problem(error.message, at: error.index, help: error.help)
  }
}

private func checkFormat(_ texts: [String?]) throws(TemplateFunction.ArgumentProblem) {
  guard let pattern = texts[1] else { return }
  guard texts.count < 3 || texts[2] != nil else { return }
  _ = try DateForm(pattern, timeZone: texts.count > 2 ? texts[2] : nil)
}

/// The output format of `format`.
private enum DateForm {
  case unix
  case unixMilliseconds
  case http
  case iso8601
  case pattern(DatePattern)

  init(_ name: String, timeZone: String?) throws(TemplateFunction.ArgumentProblem) {
    switch name {
    case "unix": self = .unix
    case "unix_ms": self = .unixMilliseconds
    case "http": self = .http
    case "iso8601" where timeZone == nil: self = .iso8601
    default:
      self = .pattern(
        try DateForm.pattern(name == "iso8601" ? "yyyy-MM-dd'T'HH:mm:ssXXX" : name, timeZone: timeZone))
      return
    }
    if timeZone != nil {
      throw TemplateFunction.ArgumentProblem(message: "`\(name)` is the same in every time zone", index: 2)
    }
  }

  private static func pattern(
    _ pattern: String, timeZone: String?
  ) throws(TemplateFunction.ArgumentProblem) -> DatePattern {
    // The error of a date pattern doesn't distinguish its two parts.
    do { _ = try DatePattern("", timeZone: timeZone ?? "UTC") } catch {
      throw TemplateFunction.ArgumentProblem(message: error.message, index: 2)
    }
    do { return try DatePattern(pattern, timeZone: timeZone ?? "UTC") } catch {
      throw TemplateFunction.ArgumentProblem(
        message: error.message, index: 1, offset: error.offset,
        help: "also `unix`, `unix_ms`, `http` and `iso8601`")
    }
  }

  func value(of date: Timestamp) -> Value {
    switch self {
    case .unix: .integer(date.seconds)
    case .unixMilliseconds: .integer(Int128(date.seconds) * 1000 + Int128(date.nanoseconds / 1_000_000))
    case .http: .text(httpDate(date))
    case .iso8601: .text(date.iso8601)
    case .pattern(let pattern): .text(pattern.string(from: date))
    }
  }
}

/// `Wed, 01 May 2024 10:00:00 GMT` (RFC 9110, section 5.6.7).
private func httpDate(_ date: Timestamp) -> String {
  let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
  let parts = CalendarParts(date, offsetSeconds: 0)
  let time = [parts.hour, parts.minute, parts.second].map { padded($0, 2) }.joined(separator: ":")
  return
    "\(days[parts.weekday]), \(padded(parts.day, 2)) \(months[parts.month - 1]) \(padded(parts.year, 4)) \(time) GMT"
}

extension FunctionCall {
  /// An argument as a date; a text must be RFC 3339.
  fileprivate func date(_ index: Int) throws(TemplateError) -> Timestamp {
    switch value(index) {
    case .date(let date): return date
    case .text(let text):
      guard let date = Timestamp(rfc3339: text.string) else {
        throw problem("this text is not a date", at: index, help: "dates are written as `2024-05-01T10:00:00Z`")
      }
      return date
    default: throw wrongKind(index, "a date")
    }
  }
}
