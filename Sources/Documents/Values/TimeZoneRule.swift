/// The rule of a time zone for the future, as in the variable `TZ` of POSIX: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct TimeZoneRule: Sendable {
  /// A day of a year, and the seconds from its midnight.
  private struct Change: Sendable {
    enum Day: Sendable {
      /// The day 1 to 365, without February 29.
      case julian(Int)
      /// The day 0 to 365, with February 29.
      case ordinal(Int)
      /// A weekday (0 is Sunday) of a month; the fifth is the last.
      case weekday(Int, week: Int, month: Int)
    }

    let day: Day
    let seconds: Int

    /// The local time of the change, in seconds since 1970.
    func local(year: Int) -> Int64 {
      let days =
        switch day {
        case .julian(let number):
          CalendarParts.days(year: year, month: 1, day: 1) + number - 1
            + (number >= 60 && CalendarParts.days(inMonth: 2, year: year) == 29 ? 1 : 0)
        case .ordinal(let number): CalendarParts.days(year: year, month: 1, day: 1) + number
        case .weekday(let weekday, let week, let month):
          TimeZoneRule.days(year: year, month: month, weekday: weekday, week: week)
        }
      return Int64(days) * 86_400 + Int64(seconds)
    }
  }

  private let standard: Int
  /// The offset in summer, and when it begins and ends; nil without one.
  private let summer: (offset: Int, start: Change, end: Change)?

  /// Nil if the text is not a rule.
  init?(_ text: String) {
    var reader = DateReader(text.utf8)
    guard reader.skipName(), let west = reader.time(hours: 24) else { return nil }
    standard = -west
    guard !reader.isAtEnd else {
      summer = nil
      return
    }
    guard reader.skipName() else { return nil }
    var offset = standard + 3600
    if reader.bytes.first != UInt8(ascii: ",") {
      guard let west = reader.time(hours: 24) else { return nil }
      offset = -west
    }
    guard let start = TimeZoneRule.change(&reader), let end = TimeZoneRule.change(&reader), reader.isAtEnd else {
      return nil
    }
    summer = (offset, start, end)
  }

  /// The seconds east of UTC at an instant, in seconds since 1970.
  func offset(at instant: Int64) -> Int {
    guard let summer else { return standard }
    let year = CalendarParts(Timestamp(seconds: instant), offsetSeconds: standard).year
    let start = summer.start.local(year: year) - Int64(standard)
    let end = summer.end.local(year: year) - Int64(summer.offset)
    let isSummer = start < end ? (start..<end).contains(instant) : !(end..<start).contains(instant)
    return isSummer ? summer.offset : standard
  }

  private static func days(year: Int, month: Int, weekday: Int, week: Int) -> Int {
    let first = CalendarParts.days(year: year, month: month, day: 1)
    // 1970-01-01 was a Thursday.
    let firstWeekday = ((first + 4) % 7 + 7) % 7
    let day = (weekday - firstWeekday + 7) % 7 + 7 * (week - 1)
    return first + (day < CalendarParts.days(inMonth: month, year: year) ? day : day - 7)
  }

  private static func change(_ reader: inout DateReader) -> Change? {
    guard reader.skip(",") else { return nil }
    let day: Change.Day
    if reader.skip("M") {
      guard let month = reader.number(1...12), reader.skip("."), let week = reader.number(1...5), reader.skip("."),
        let weekday = reader.number(0...6)
      else { return nil }
      day = .weekday(weekday, week: week, month: month)
    } else if reader.skip("J") {
      guard let number = reader.number(1...365) else { return nil }
      day = .julian(number)
    } else {
      guard let number = reader.number(0...365) else { return nil }
      day = .ordinal(number)
    }
    guard reader.skip("/") else { return Change(day: day, seconds: 7200) }
    return reader.time(hours: 167).map { Change(day: day, seconds: $0) }
  }
}

extension DateReader {
  /// Skips letters, or anything between `<` and `>`.
  fileprivate mutating func skipName() -> Bool {
    if skip("<") {
      guard let end = bytes.firstIndex(of: UInt8(ascii: ">")) else { return false }
      bytes = bytes[end...].dropFirst()
      return true
    }
    let letters = bytes.prefix { isLetter($0) }
    bytes = bytes.dropFirst(letters.count)
    return !letters.isEmpty
  }

  fileprivate mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let digits = bytes.prefix { isDigit($0) }
    guard (1...3).contains(digits.count) else { return nil }
    let value = digits.reduce(0) { $0 * 10 + Int($1 & 15) }
    bytes = bytes.dropFirst(digits.count)
    return range.contains(value) ? value : nil
  }

  /// Seconds of `[+-]hh[:mm[:ss]]`.
  fileprivate mutating func time(hours limit: Int) -> Int? {
    let sign = skip("-") ? -1 : 1
    if sign > 0 { _ = skip("+") }
    guard let hours = number(0...limit) else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where skip(":") {
      guard let value = number(0...59) else { return nil }
      seconds += value * unit
    }
    return sign * seconds
  }
}
