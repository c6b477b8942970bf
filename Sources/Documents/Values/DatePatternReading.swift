/// Reading dates by a pattern.
extension DatePattern {
  /// The position in a text that doesn't match the pattern, in characters, and what is expected there.
  package struct Mismatch: Error, Sendable, Hashable {
    package let position: Int
    package let expectation: String
  }

  /// The instant that a text expresses; what it leaves out is that of 1970-01-01T00:00:00, in the pattern's time zone.
  ///
  /// A year of two digits is one of 1970 to 2069. Names are compared without regard to case.
  package func date(from text: String) throws(Mismatch) -> Timestamp {
    var reader = PatternReader(text)
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .literal(let literal): try reader.skip(literal)
      case .field(let letter, let count):
        var isFixed = false
        if index + 1 < pieces.count, case .field(let next, let nextCount) = pieces[index + 1] {
          isFixed = "ydHmsS".contains(next) || next == "M" && nextCount < 3
        }
        try reader.read(letter, count, isFixed: isFixed)
      }
    }
    guard reader.isAtEnd else { throw reader.mismatch("the end of the text") }
    return try reader.date(in: timeZone)
  }
}

private struct PatternReader {
  private let characters: [Character]
  private var position = 0
  private var year = 1970
  private var month = 1
  private var day = 1
  private var weekday: Int?
  private var hour = 0
  private var minute = 0
  private var second = 0
  private var nanosecond = 0
  private var offset: Int?
  private var places: [Character: Int] = [:]

  init(_ text: String) { characters = Array(text) }

  var isAtEnd: Bool { position == characters.count }

  func mismatch(_ expectation: String, at place: Int? = nil) -> DatePattern.Mismatch {
    DatePattern.Mismatch(position: place ?? position, expectation: expectation)
  }

  mutating func skip(_ literal: String) throws(DatePattern.Mismatch) {
    for character in literal {
      guard position < characters.count, characters[position] == character else {
        throw mismatch("\"\(literal)\"")
      }
      position += 1
    }
  }

  /// - Parameter isFixed: whether another number follows directly, so that this one has exactly its digits.
  mutating func read(_ letter: Character, _ count: Int, isFixed: Bool) throws(DatePattern.Mismatch) {
    places[letter] = position
    switch letter {
    case "y":
      let isShort = count == 2
      let value = try number(count, most: isFixed || isShort ? count : max(4, count), "a year")
      year = isShort ? value + (value < 70 ? 2000 : 1900) : value
    case "M":
      month =
        count >= 3
        ? try name(DatePattern.months, count, "a month's name") + 1 : try two(count, isFixed, 1...12, "a month")
    case "d": day = try two(count, isFixed, 1...31, "a day")
    case "E": weekday = try name(DatePattern.weekdays, count, "a weekday's name")
    case "H": hour = try two(count, isFixed, 0...23, "an hour")
    case "m": minute = try two(count, isFixed, 0...59, "a minute")
    case "s": second = try two(count, isFixed, 0...60, "a second")
    case "S": try fraction(count, isFixed)
    default: try zone(letter, count)
    }
  }

  func date(in zone: TimeZone) throws(DatePattern.Mismatch) -> Timestamp {
    guard day <= CalendarParts.days(inMonth: month, year: year) else {
      throw mismatch("a day of that month", at: places["d"])
    }
    let days = CalendarParts.days(year: year, month: month, day: day)
    let local = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    if let weekday, CalendarParts(Timestamp(seconds: local), offsetSeconds: 0).weekday != weekday {
      throw mismatch("the weekday of that date", at: places["E"])
    }
    let instant = offset.map { local - Int64($0) } ?? zone.instant(local: local)
    guard Timestamp.writable.contains(instant) else { throw mismatch("a year from 0 to 9999", at: places["y"]) }
    return Timestamp(seconds: instant, nanoseconds: Int32(nanosecond))
  }

  private mutating func two(
    _ count: Int, _ isFixed: Bool, _ range: ClosedRange<Int>, _ expectation: String
  ) throws(DatePattern.Mismatch) -> Int {
    let start = position
    let value = try number(count, most: isFixed ? count : max(2, count), expectation)
    guard range.contains(value) else { throw mismatch(expectation, at: start) }
    return value
  }

  private mutating func number(
    _ least: Int, most: Int, _ expectation: String
  ) throws(DatePattern.Mismatch) -> Int {
    let digits = digits(most)
    guard digits.count >= min(least, most), let value = Int(String(digits)) else { throw mismatch(expectation) }
    position += digits.count
    return value
  }

  private func digits(_ most: Int) -> ArraySlice<Character> {
    characters[position...].prefix(min(most, 18)).prefix { $0.isASCII && $0.isNumber }
  }

  private mutating func name(
    _ names: [String], _ count: Int, _ expectation: String
  ) throws(DatePattern.Mismatch) -> Int {
    let length = count == 4 ? Int.max : 3
    for (index, name) in names.enumerated() {
      let sought = name.prefix(length)
      let found = String(characters[position...].prefix(sought.count))
      if found.lowercased() == sought.lowercased() {
        position += sought.count
        return index
      }
    }
    throw mismatch(expectation)
  }

  private mutating func fraction(_ count: Int, _ isFixed: Bool) throws(DatePattern.Mismatch) {
    let digits = digits(isFixed ? count : max(9, count))
    guard digits.count >= min(count, 18) else { throw mismatch("\(count) digits of a second") }
    position += digits.count
    let nine = String(digits.prefix(9))
    nanosecond = Int(nine + String(repeating: "0", count: 9 - nine.count)) ?? 0
  }

  /// Reads `Z`, `+02`, `+0200` or `+02:00`, also after `GMT`.
  private mutating func zone(_ letter: Character, _ count: Int) throws(DatePattern.Mismatch) {
    let expectation = "an offset from UTC such as +02:00"
    if characters[position...].starts(with: "GMT") {
      position += 3
      offset = 0
      guard position < characters.count, "+-".contains(characters[position]) else { return }
    } else if position < characters.count, characters[position] == "Z" {
      position += 1
      offset = 0
      return
    }
    // An offset has as many characters as bytes.
    guard let found = ZoneOffset(beginning: String(characters[position...].prefix(6)).utf8) else {
      throw mismatch(expectation)
    }
    position += found.length
    offset = found.seconds
  }
}
