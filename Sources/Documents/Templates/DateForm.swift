import Values

/// The form of a date in `format` and `date`.
enum DateForm {
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
        help: instead(of: pattern).map { "write `\($0)`" } ?? "also `unix`, `unix_ms`, `http` and `iso8601`")
    }
  }

  /// The pattern in whose notation years and days have capital letters, as in JavaScript.
  private static func instead(of pattern: String) -> String? {
    var plain = String(pattern.map { ["Y": "y", "D": "d"][$0] ?? $0 })
    // Without hours there are no minutes: months are meant.
    if !plain.contains("H") { plain = plain.replacing("mm", with: "MM") }
    do throws(DatePattern.Problem) { _ = try DatePattern(plain) } catch { return nil }
    return plain
  }

  /// The form that the second and third argument of a call describe.
  static func of(_ call: FunctionCall) throws(TemplateError) -> DateForm {
    if let prepared = call.prepared as? DateForm { return prepared }
    let pattern = try call.text(1).string
    let timeZone = call.count > 2 ? try call.text(2).string : nil
    do throws(TemplateFunction.ArgumentProblem) {
      return try DateForm(pattern, timeZone: timeZone)
    } catch {
      throw call.problem(error.message, at: error.index, help: error.help)
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
  /// The date that the first argument of a call expresses.
  func date(_ call: FunctionCall) throws(TemplateError) -> Timestamp {
    switch self {
    case .unix: return try instant(call, scale: 1)
    case .unixMilliseconds: return try instant(call, scale: 1000)
    case .http:
      guard let date = Timestamp(httpDate: try call.text(0).string) else {
        throw call.problem("this text is not a date of HTTP", at: 0, help: "such as `Wed, 01 May 2024 10:00:00 GMT`")
      }
      return date
    case .iso8601:
      guard let date = Timestamp(rfc3339: try call.text(0).string) else {
        throw call.problem("this text is not a date", at: 0, help: "dates are written as `2024-05-01T10:00:00Z`")
      }
      return date
    case .pattern(let pattern):
      let text = try call.text(0).string
      do throws(DatePattern.Mismatch) {
        return try pattern.date(from: text)
      } catch {
        throw call.problem(
          "this text does not match the pattern: \(error.expectation) is expected at character \(error.position + 1)",
          at: 0)
      }
    }
  }

  /// The instant of a number of seconds, or of parts of them.
  private func instant(_ call: FunctionCall, scale: Int) throws(TemplateError) -> Timestamp {
    let number: Number
    switch call.value(0) {
    case .number(let given): number = given
    case .text(let text):
      guard let given = Number(parsing: text.string) else { throw call.problem("this text is not a number", at: 0) }
      number = given
    case .null, .bool, .date, .data, .list, .mapping: throw call.wrongKind(0, "a number")
    }
    let nanoseconds = (number * Number(1_000_000_000 / scale))?.rounded(.floor).flatMap { Int128($0.lexeme) }
    let second = Int128(1_000_000_000)
    guard let nanoseconds,
      let seconds = Int64(exactly: (nanoseconds - (nanoseconds % second + second) % second) / second),
      let date = Timestamp(seconds: seconds, nanoseconds: Int32((nanoseconds % second + second) % second))
        .advanced(by: .zero)
    else {
      throw call.problem(
        "the date would lie outside the years 0 to 9999", at: 0,
        help: scale == 1 ? "`unix` counts seconds: write `unix_ms` for milliseconds" : nil)
    }
    return date
  }
}

func prepareFormat(_ texts: [String?]) throws(TemplateFunction.ArgumentProblem) -> (any Sendable)? {
  guard let pattern = texts[1], texts.count < 3 || texts[2] != nil else { return nil }
  return try DateForm(pattern, timeZone: texts.count > 2 ? texts[2] : nil)
}

func prepareDate(_ texts: [String?]) throws(TemplateFunction.ArgumentProblem) -> (any Sendable)? {
  texts.count > 1 ? try prepareFormat(texts) : nil
}

/// `Wed, 01 May 2024 10:00:00 GMT` (RFC 9110, section 5.6.7).
private func httpDate(_ date: Timestamp) -> String {
  let parts = CalendarParts(date, offsetSeconds: 0)
  let time = [parts.hour, parts.minute, parts.second].map { padded($0, 2) }.joined(separator: ":")
  return
    "\(DatePattern.weekdays[parts.weekday].prefix(3)), \(padded(parts.day, 2)) \(DatePattern.months[parts.month - 1].prefix(3)) \(padded(parts.year, 4)) \(time) GMT"
}

extension FunctionCall {
  /// An argument as a date; a text must be RFC 3339.
  func date(_ index: Int) throws(TemplateError) -> Timestamp {
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
