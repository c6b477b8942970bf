/// The parts of an instant in the proleptic Gregorian calendar at a fixed offset from UTC.
package struct CalendarParts: Sendable, Hashable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  package var nanosecond: Int
  /// The weekday; 0 is Sunday.
  package var weekday: Int

  package init(_ timestamp: Timestamp, offsetSeconds: Int) {
    // Far beyond any calendar, but a count of seconds must not overflow here.
    let bound = 1 << 60
    let local = min(max(Int(timestamp.seconds), -bound), bound) + offsetSeconds
    let days = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
    let inDay = local - days * 86_400
    hour = inDay / 3600
    minute = inDay % 3600 / 60
    second = inDay % 60
    nanosecond = Int(timestamp.nanoseconds)
    weekday = ((days + 4) % 7 + 7) % 7
    // Civil from days: http://howardhinnant.github.io/date_algorithms.html
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var dateText: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }

  /// Days since 1970-01-01.
  package static func days(year: Int, month: Int, day: Int) -> Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  package static func days(inMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
