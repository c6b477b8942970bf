/// An instant: seconds since 1970-01-01T00:00:00Z and nanoseconds, without leap seconds.
package struct Timestamp: Sendable {
  package var seconds: Int64
  package var nanoseconds: Int32
  package var isSecret: Bool

  package init(seconds: Int64, nanoseconds: Int32 = 0, isSecret: Bool = false) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
    self.isSecret = isSecret
  }

  /// `2024-05-01T10:00:00Z`, with milliseconds if there are any.
  package var iso8601: String {
    let parts = CalendarParts(self, offsetSeconds: 0)
    var text = "\(parts.dateText)T\(padded(parts.hour, 2)):\(padded(parts.minute, 2)):\(padded(parts.second, 2))"
    if nanoseconds >= 1_000_000 { text += "." + padded(Int(nanoseconds / 1_000_000), 3) }
    return text + "Z"
  }

  /// Reads RFC 3339 date-times, also with a space instead of `T`, and plain dates (midnight UTC).
  package init?(rfc3339 text: String) {
    var reader = DateReader(text.utf8)
    guard let days = reader.date() else { return nil }
    var seconds = days * 86_400
    var nanoseconds = 0
    if !reader.isAtEnd {
      guard reader.skip("T") || reader.skip("t") || reader.skip(" "), let time = reader.time() else { return nil }
      seconds += time.hour * 3600 + time.minute * 60 + time.second
      if reader.skip(".") {
        guard let fraction = reader.fraction() else { return nil }
        nanoseconds = fraction
      }
      guard let offset = reader.zoneOffset() else { return nil }
      seconds -= offset
    }
    // An offset may lead out of the years that can be written.
    guard reader.isAtEnd, Timestamp.writable.contains(Int64(seconds)) else { return nil }
    self.init(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds))
  }

  /// Returns whether a text is a date and time that lacks only its zone.
  package static func lacksZone(_ text: String) -> Bool {
    text.utf8.count < 64 && Timestamp(rfc3339: text) == nil && Timestamp(rfc3339: text + "Z") != nil
  }

  /// The time since an earlier instant.
  package func duration(since start: Timestamp) -> Duration {
    .seconds(seconds) - .seconds(start.seconds) + .nanoseconds(Int64(nanoseconds - start.nanoseconds))
  }

  /// The instants that RFC 3339 can express: the years 0 to 9999.
  static let writable: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

  /// The instant moved by a duration; nil outside the years 0 to 9999, which no date text can express.
  package func advanced(by duration: Duration) -> Timestamp? {
    let (deltaSeconds, attoseconds) = duration.components
    var total = Int64(nanoseconds) + attoseconds / 1_000_000_000
    // Clamped first, so that a carry of one cannot overflow.
    var moved = min(
      max(seconds.addingClamped(deltaSeconds), Timestamp.writable.lowerBound - 1), Timestamp.writable.upperBound + 1)
    if total < 0 {
      total += 1_000_000_000
      moved -= 1
    } else if total >= 1_000_000_000 {
      total -= 1_000_000_000
      moved += 1
    }
    guard Timestamp.writable.contains(moved) else { return nil }
    return Timestamp(seconds: moved, nanoseconds: Int32(total), isSecret: isSecret)
  }
}

extension Timestamp: Hashable, Comparable {
  package static func == (left: Timestamp, right: Timestamp) -> Bool {
    left.seconds == right.seconds && left.nanoseconds == right.nanoseconds
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(seconds)
    hasher.combine(nanoseconds)
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

extension Sequence {
  /// The elements in the order of time; one without a time stays behind the one before it.
  package func sorted(byTime time: (Element) -> Timestamp?) -> [Element] {
    var last: Timestamp?
    let keyed = enumerated().map { index, element in
      last = time(element) ?? last
      return (time: last, index: index, element: element)
    }
    return keyed.sorted { one, other in
      guard let first = one.time, let second = other.time, first != second else { return one.index < other.index }
      return first < second
    }.map(\.element)
  }
}

/// A number with leading zeros.
package func padded(_ value: Int, _ width: Int) -> String {
  let text = padded(String(value.magnitude), width)
  return value < 0 ? "-" + text : text
}

/// Digits with leading zeros.
package func padded(_ digits: String, _ width: Int) -> String {
  digits.utf8.count < width ? String(repeating: "0", count: width - digits.utf8.count) + digits : digits
}

/// Reads dates and times, field by field.
struct DateReader {
  var bytes: Substring.UTF8View

  init(_ text: String.UTF8View) { bytes = text[...] }

  var isAtEnd: Bool { bytes.isEmpty }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let first = bytes.first, UInt32(first) == character.value else { return false }
    bytes.removeFirst()
    return true
  }

  mutating func digits(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let byte = bytes.first, isDigit(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
      bytes.removeFirst()
    }
    return value
  }

  /// The day of a date, counted from 1970-01-01.
  mutating func date() -> Int? {
    guard let year = digits(4), skip("-"), let month = digits(2), skip("-"), let day = digits(2),
      (1...12).contains(month), day >= 1, day <= CalendarParts.days(inMonth: month, year: year)
    else { return nil }
    return CalendarParts.days(year: year, month: month, day: day)
  }

  /// A time of day without a fraction; it may be a leap second.
  mutating func time() -> (hour: Int, minute: Int, second: Int)? {
    guard let hour = digits(2), skip(":"), let minute = digits(2), skip(":"), let second = digits(2), hour < 24,
      minute < 60, second <= 60
    else { return nil }
    return (hour, minute, second)
  }

  /// Nanoseconds from the digits of a fraction; further digits are dropped.
  mutating func fraction() -> Int? {
    var value = 0
    var scale = 100_000_000
    var isEmpty = true
    while let byte = bytes.first, isDigit(byte) {
      value += Int(byte - 0x30) * scale
      scale /= 10
      isEmpty = false
      bytes.removeFirst()
    }
    return isEmpty ? nil : value
  }

  mutating func zoneOffset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    guard let offset = ZoneOffset(beginning: bytes), offset.hasMinutes else { return nil }
    bytes.removeFirst(offset.length)
    return offset.seconds
  }
}
