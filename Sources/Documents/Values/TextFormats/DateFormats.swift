/// The grammars of RFC 3339, section 5.6 and appendix A.

package func isRFC3339Date(_ text: String.UTF8View) -> Bool {
  var reader = DateReader(text)
  return reader.date() != nil && reader.isAtEnd
}

package func isRFC3339Time(_ text: String.UTF8View) -> Bool {
  var reader = DateReader(text)
  return reader.fullTime() && reader.isAtEnd
}

package func isRFC3339DateTime(_ text: String.UTF8View) -> Bool {
  var reader = DateReader(text)
  return reader.date() != nil && (reader.skip("T") || reader.skip("t")) && reader.fullTime() && reader.isAtEnd
}

/// Matches `P` and years, months, days; `T` and hours, minutes, seconds: the series may end after any unit, but not
/// omit one in between. Or weeks alone.
package func isISO8601Duration(_ text: String.UTF8View) -> Bool {
  var reader = DateReader(text)
  guard reader.skip("P"), !reader.isAtEnd else { return false }
  if reader.units("W") { return reader.isAtEnd }
  var reached = DateReader(text)
  _ = reached.skip("P")
  if !reached.skip("T") {
    guard reached.units("YMD") else { return false }
    if reached.isAtEnd { return true }
    guard reached.skip("T") else { return false }
  }
  return reached.units("HMS") && reached.isAtEnd
}

extension DateReader {
  /// A time with its offset; a leap second is at the end of a day in UTC.
  fileprivate mutating func fullTime() -> Bool {
    guard let (hour, minute, second) = time() else { return false }
    if skip(".") { guard fraction() != nil else { return false } }
    var offset = 0
    if !skip("Z"), !skip("z") {
      let sign = skip("-") ? -1 : 1
      guard sign < 0 || skip("+"), let hours = digits(2), skip(":"), let minutes = digits(2), hours < 24, minutes < 60
      else { return false }
      offset = sign * (hours * 60 + minutes)
    }
    guard second == 60 else { return true }
    let minuteOfDay = (hour * 60 + minute - offset) % 1440
    return (minuteOfDay + 1440) % 1440 == 1439
  }

  /// Reads numbers with these units, in a series from any unit on; at least one.
  fileprivate mutating func units(_ units: String) -> Bool {
    var isFirst = true
    for unit in units.unicodeScalars {
      var ahead = self
      let count = ahead.bytes.prefix { isDigit($0) }.count
      ahead.bytes.removeFirst(count)
      if count > 0, ahead.skip(unit) {
        self = ahead
        isFirst = false
      } else if !isFirst {
        break
      }
    }
    return !isFirst
  }
}
