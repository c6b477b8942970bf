import Values

/// Reads a cookie's date as leniently as RFC 6265, section 5.1.1, requires; nil if it isn't one.
package func cookieDate(_ text: String) -> Timestamp? {
  var time: (hour: Int, minute: Int, second: Int)?
  var day: Int?
  var month: Int?
  var year: Int?
  for token in text.utf8.split(whereSeparator: isDateDelimiter) {
    if time == nil, let found = timeOfDay(token) {
      time = found
    } else if day == nil, let found = leadingNumber(token, digits: 1...2) {
      day = found
    } else if month == nil, let found = monthNumber(token) {
      month = found
    } else if year == nil, let found = leadingNumber(token, digits: 2...4) {
      year = found
    }
  }
  guard let time, let day, let month, var year else { return nil }
  if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
  guard year >= 1601, day >= 1, day <= CalendarParts.days(inMonth: month, year: year), time.hour < 24,
    time.minute < 60, time.second < 60
  else { return nil }
  let days = CalendarParts.days(year: year, month: month, day: day)
  return Timestamp(seconds: Int64(days * 86_400 + time.hour * 3600 + time.minute * 60 + time.second))
}

private func isDateDelimiter(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
  default: false
  }
}

/// The number at the start of a token, if its count of digits is allowed.
private func leadingNumber(_ token: some Collection<UInt8>, digits allowed: ClosedRange<Int>) -> Int? {
  let digits = token.prefix(while: isDigit)
  guard allowed.contains(digits.count) else { return nil }
  return Int(String(decoding: digits, as: UTF8.self))
}

private func timeOfDay(_ token: Substring.UTF8View) -> (hour: Int, minute: Int, second: Int)? {
  let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
  guard parts.count == 3, parts[0].allSatisfy(isDigit), parts[1].allSatisfy(isDigit),
    let hour = leadingNumber(parts[0], digits: 1...2), let minute = leadingNumber(parts[1], digits: 1...2),
    let second = leadingNumber(parts[2], digits: 1...2)
  else { return nil }
  return (hour, minute, second)
}

private func monthNumber(_ token: Substring.UTF8View) -> Int? {
  let name = String(decoding: token.prefix(3), as: UTF8.self).lowercased()
  let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
  return months.firstIndex(of: name).map { $0 + 1 }
}
