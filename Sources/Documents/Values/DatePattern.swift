/// A date pattern of the letters `yMdEHmsSZX` and quoted text (a subset of UTS 35), with names in English, in a time
/// zone.
package struct DatePattern: Sendable, Hashable {
  enum Piece: Sendable, Hashable {
    case field(Character, Int)
    case literal(String)
  }

  private static let longest = 1000
  let pieces: [Piece]
  let timeZone: TimeZone

  /// The error in a pattern or a time zone; `offset` counts characters of the pattern.
  package struct Problem: Error, Sendable, Hashable {
    package let message: String
    package let offset: Int
  }

  package init(_ pattern: String, timeZone: String = "UTC") throws(Problem) {
    guard pattern.utf8.count <= DatePattern.longest else {
      throw Problem(message: "a date pattern has at most \(DatePattern.longest) bytes", offset: 0)
    }
    pieces = try DatePattern.parse(Array(pattern))
    guard let zone = TimeZone(named: timeZone) else {
      throw Problem(
        message: "there is no time zone \"\(timeZone)\": it is \"UTC\", an offset such as \"+02:00\", or a name of "
          + "the system's database such as \"Europe/Paris\"", offset: 0)
    }
    self.timeZone = zone
    try checkLetters(of: pattern)
  }

  /// Refuses minutes in a date without hours, and months between hours and seconds: letters in the wrong case.
  private func checkLetters(of pattern: String) throws(Problem) {
    let letters = pieces.compactMap { if case .field(let letter, _) = $0 { letter } else { nil } }
    let isDate = letters.contains("y") || letters.contains("d")
    if isDate, letters.contains("m"), !letters.contains("M"), !letters.contains("H") {
      throw Problem(
        message: "`mm` is minutes: months are `MM`", offset: pattern.prefix { $0 != "m" }.count)
    }
    if !isDate, letters.contains("H"), letters.contains("M"), !letters.contains("m") {
      throw Problem(message: "`MM` is the month: minutes are `mm`", offset: pattern.prefix { $0 != "M" }.count)
    }
  }

  /// Returns whether the year of an instant is one of 0 to 9999 in the pattern's time zone.
  package func canWrite(_ timestamp: Timestamp) -> Bool {
    let offset = timeZone.offset(at: timestamp.seconds)
    return (0...9999).contains(CalendarParts(timestamp, offsetSeconds: offset).year)
  }

  package func string(from timestamp: Timestamp) -> String {
    let offset = timeZone.offset(at: timestamp.seconds)
    let parts = CalendarParts(timestamp, offsetSeconds: offset)
    var result = ""
    for piece in pieces {
      switch piece {
      case .literal(let text): result += text
      case .field(let letter, let count): result += text(letter, count, parts, offset)
      }
    }
    return result
  }

  private func text(_ letter: Character, _ count: Int, _ parts: CalendarParts, _ offset: Int) -> String {
    switch letter {
    case "y": return count == 2 ? padded(parts.year % 100, 2) : padded(parts.year, count)
    case "M":
      if count >= 3 {
        let name = DatePattern.months[parts.month - 1]
        return count == 4 ? name : String(name.prefix(count == 3 ? 3 : 1))
      }
      return padded(parts.month, count)
    case "E":
      let name = DatePattern.weekdays[parts.weekday]
      return count == 4 ? name : String(name.prefix(count < 4 ? 3 : 1))
    case "d": return padded(parts.day, count)
    case "H": return padded(parts.hour, count)
    case "m": return padded(parts.minute, count)
    case "s": return padded(parts.second, count)
    case "S":
      let digits = padded(parts.nanosecond, 9)
      return count <= 9 ? String(digits.prefix(count)) : digits + String(repeating: "0", count: count - 9)
    case "Z":
      return zone(offset, separator: count == 5 ? ":" : "", zForUTC: count == 5, prefix: count == 4 ? "GMT" : "")
    default:
      return zone(offset, separator: count >= 3 ? ":" : "", zForUTC: true, prefix: "", hoursAlone: count == 1)
    }
  }

  private func zone(
    _ offsetSeconds: Int, separator: String, zForUTC: Bool, prefix: String, hoursAlone: Bool = false
  ) -> String {
    if offsetSeconds == 0 {
      if zForUTC { return "Z" }
      if !prefix.isEmpty { return prefix }
    }
    let minutes = abs(offsetSeconds) / 60
    let sign = offsetSeconds < 0 ? "-" : "+"
    if hoursAlone, minutes % 60 == 0 { return sign + padded(minutes / 60, 2) }
    let colon = prefix.isEmpty ? separator : ":"
    return prefix + sign + padded(minutes / 60, 2) + colon + padded(minutes % 60, 2)
  }

  package static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  package static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  private static func parse(_ characters: [Character]) throws(Problem) -> [Piece] {
    var pieces: [Piece] = []
    var position = 0
    func literal(_ text: String) {
      if case .literal(let before)? = pieces.last {
        pieces[pieces.count - 1] = .literal(before + text)
      } else {
        pieces.append(.literal(text))
      }
    }
    while position < characters.count {
      let character = characters[position]
      if character == "'" {
        let start = position
        position += 1
        if position < characters.count, characters[position] == "'" {
          literal("'")
          position += 1
          continue
        }
        var isClosed = false
        while position < characters.count {
          if characters[position] == "'" {
            position += 1
            guard position < characters.count, characters[position] == "'" else {
              isClosed = true
              break
            }
          }
          literal(String(characters[position]))
          position += 1
        }
        guard isClosed else { throw Problem(message: "the quote that opens here is never closed", offset: start) }
      } else if "yMdEHmsSZX".contains(character) {
        let start = position
        while position < characters.count, characters[position] == character { position += 1 }
        pieces.append(.field(character, position - start))
      } else if character.isASCII, character.isLetter {
        throw Problem(
          message: "the letter \"\(character)\" is not one of yMdEHmsSZX; put text in single quotes", offset: position)
      } else {
        literal(String(character))
        position += 1
      }
    }
    return pieces
  }
}
