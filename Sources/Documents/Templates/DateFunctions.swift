import Values

extension TemplateFunction {
  static let dateFunctions = [
    TemplateFunction(
      "now", standsAlone: true, takes: "nothing", yields: "the date and time", result: .always(.date),
      isRepeatable: false, .whole(now)),
    TemplateFunction(
      "date", ["text", "pattern?", "time_zone?"], takes: "a text; a number with `unix` or `unix_ms`",
      yields:
        "the date of a text of RFC 3339 or HTTP, or by a pattern as in `format`; of a local time that comes twice "
        + "the first, one that is skipped is moved on", fails: "another text, a date that does not exist",
      result: .always(.date), .whole(date), prepare: prepareDate),
    TemplateFunction(
      "plus", ["date", "duration"], takes: "a date, also as text",
      yields: "the date moved by a whole number of `ms`, `s`, `m`, `h`, `d`, `mo` or `y`, also a negative one: "
        + "`now | plus(\"1d\")`; months and years are counted in UTC and end at the month's last day",
      fails: "another duration, a result outside the years 0 to 9999", result: .always(.date), .whole(plus),
      prepare: preparePlus),
    TemplateFunction(
      "difference", ["a", "b"], takes: "dates, also as text", yields: "the seconds from `b` to `a`, exactly",
      result: .always(.number), .whole(difference)),
    TemplateFunction(
      "format", ["date", "pattern", "time_zone?"], takes: "a date, also as text",
      yields: "a text by the pattern, or `unix`, `unix_ms` (numbers), `http`, `iso8601`; in UTC, at an offset such as "
        + "`+02:00`, or in a zone of the system's database such as `Europe/Paris`",
      fails: "another letter in the pattern, another zone", result: .by(formatResult), .whole(format),
      prepare: prepareFormat),
  ]
}

/// The kind of a formatted date.
private func formatResult(_ arguments: [String?]) -> ValueKind? {
  guard arguments.count > 1, let pattern = arguments[1] else { return nil }
  return pattern == "unix" || pattern == "unix_ms" ? .number : .text
}

private func now(_ call: FunctionCall) throws(TemplateError) -> Value { .date(call.scope.now()) }

private func plus(_ call: FunctionCall) throws(TemplateError) -> Value {
  let date = try call.date(0)
  let written = try call.text(1).string
  guard let step = call.prepared as? DateStep ?? DateStep(written) else {
    throw call.problem(durationProblem, at: 1, help: durationHelp)
  }
  let moved =
    switch step {
    case .milliseconds(let count): date.advanced(by: .milliseconds(count))
    case .months(let count): date.advanced(months: count)
    }
  guard let moved else { throw call.problem("the date would lie outside the years 0 to 9999") }
  return .date(moved)
}

private let durationProblem = "this is not a duration"
private let durationHelp =
  "write a whole number and a unit: \"250ms\", \"90s\", \"5m\", \"-2h\", \"30d\", \"1mo\", \"1y\""

private func preparePlus(_ texts: [String?]) throws(TemplateFunction.ArgumentProblem) -> (any Sendable)? {
  guard let text = texts[1] else { return nil }
  guard let step = DateStep(text) else {
    throw TemplateFunction.ArgumentProblem(message: durationProblem, index: 1, help: durationHelp)
  }
  return step
}

/// A duration such as `250ms`, `-1d` or `1mo`.
private enum DateStep {
  case milliseconds(Int64)
  case months(Int)

  /// Nil if the text is invalid, or the duration longer than all dates.
  init?(_ text: String) {
    if text == "0" {
      self = .milliseconds(0)
      return
    }
    let unit = text.drop { $0 == "-" || $0 == "+" || $0.isASCII && $0.isNumber }
    guard let count = Int64(text.dropLast(unit.count)) else { return nil }
    if let months = ["mo": Int64(1), "y": 12][unit] {
      guard let product = count.multiplied(by: months), product.magnitude <= 20_000 * 12 else { return nil }
      self = .months(Int(product))
      return
    }
    let factors: [Substring: Int64] = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let factor = factors[unit], let product = count.multiplied(by: factor),
      product.magnitude <= 20_000 * 366 * 86_400_000
    else { return nil }
    self = .milliseconds(product)
  }
}

extension Timestamp {
  /// The instant moved by months in UTC, at the last day of a shorter month; nil outside the years 0 to 9999.
  fileprivate func advanced(months: Int) -> Timestamp? {
    let parts = CalendarParts(self, offsetSeconds: 0)
    let count = parts.year * 12 + parts.month - 1 + months
    let (year, month) = (count.quotient(by: 12), count - count.quotient(by: 12) * 12 + 1)
    guard (0...9999).contains(year) else { return nil }
    let day = Swift.min(parts.day, CalendarParts.days(inMonth: month, year: year))
    let days =
      CalendarParts.days(year: year, month: month, day: day)
      - CalendarParts.days(year: parts.year, month: parts.month, day: parts.day)
    return advanced(by: .seconds(days * 86_400))
  }
}

extension Int {
  /// The quotient, rounded down.
  fileprivate func quotient(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : (self - divisor + 1) / divisor
  }
}

private func difference(_ call: FunctionCall) throws(TemplateError) -> Value {
  let (left, right) = (try call.date(0), try call.date(1))
  let nanoseconds = Int128(left.seconds - right.seconds) * 1_000_000_000 + Int128(left.nanoseconds - right.nanoseconds)
  guard let seconds = Number(nanoseconds) * Number(lexeme: "1e-9") else {
    throw call.problem("the difference is too large")
  }
  return .number(seconds)
}

private func format(_ call: FunctionCall) throws(TemplateError) -> Value {
  let date = try call.date(0)
  let form = try DateForm.of(call)
  if case .pattern(let pattern) = form, !pattern.canWrite(date) {
    throw call.problem("the date lies outside the years 0 to 9999 in that time zone", at: 0)
  }
  return form.value(of: date)
}

private func date(_ call: FunctionCall) throws(TemplateError) -> Value {
  if case .date = call.value(0) { return call.value(0) }
  guard call.count > 1 else {
    if case .number = call.value(0) {
      throw call.problem(
        "`date` takes a number with its unit", at: 0, help: "write `date(n, \"unix\")` or `date(n, \"unix_ms\")`")
    }
    let text = try call.text(0).string
    guard let date = Timestamp(rfc3339: text) ?? Timestamp(httpDate: text) else {
      throw call.problem(
        "this text is not a date", at: 0,
        help: Timestamp.lacksZone(text)
          ? "it has no time zone: `date(text, \"yyyy-MM-dd'T'HH:mm:ss\")` reads it as UTC"
          : "dates are written as `2024-05-01T10:00:00Z`, or by a pattern: `date(text, \"dd.MM.yyyy\")`")
    }
    return .date(date)
  }
  return .date(try DateForm.of(call).date(call))
}
