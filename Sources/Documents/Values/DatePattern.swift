/// A date pattern of the letters `yMdHmsSZX` and quoted text (a subset of UTS 35), at UTC or a fixed offset.
package struct DatePattern: Sendable, Hashable {
  private enum Piece: Sendable, Hashable {
    case field(Character, Int)
    case literal(String)
  }

  private static let longest = 1000
  private let pieces: [Piece]
  private let offsetSeconds: Int

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
    guard let offset = DatePattern.offset(timeZone) else {
      throw Problem(
        message: "the time zone is \"UTC\" or a fixed offset such as \"+02:00\", not \"\(timeZone)\"", offset: 0)
    }
    offsetSeconds = offset
  }

  package func string(from timestamp: Timestamp) -> String {
    let parts = CalendarParts(timestamp, offsetSeconds: offsetSeconds)
    var result = ""
    for piece in pieces {
      switch piece {
      case .literal(let text): result += text
      case .field(let letter, let count): result += text(letter, count, parts)
      }
    }
    return result
  }

  private func text(_ letter: Character, _ count: Int, _ parts: CalendarParts) -> String {
    switch letter {
    case "y": return count == 2 ? padded(parts.year % 100, 2) : padded(parts.year, count)
    case "M":
      if count >= 3 {
        let name = DatePattern.months[parts.month - 1]
        return count == 4 ? name : String(name.prefix(count == 3 ? 3 : 1))
      }
      return padded(parts.month, count)
    case "d": return padded(parts.day, count)
    case "H": return padded(parts.hour, count)
    case "m": return padded(parts.minute, count)
    case "s": return padded(parts.second, count)
    case "S":
      let digits = padded(parts.nanosecond, 9)
      return count <= 9 ? String(digits.prefix(count)) : digits + String(repeating: "0", count: count - 9)
    case "Z": return zone(separator: count == 5 ? ":" : "", zForUTC: count == 5, prefix: count == 4 ? "GMT" : "")
    default:
      return zone(separator: count >= 3 ? ":" : "", zForUTC: true, prefix: "", hoursAlone: count == 1)
    }
  }

  private func zone(separator: String, zForUTC: Bool, prefix: String, hoursAlone: Bool = false) -> String {
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

  private static let months = [
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
      } else if "yMdHmsSZX".contains(character) {
        let start = position
        while position < characters.count, characters[position] == character { position += 1 }
        pieces.append(.field(character, position - start))
      } else if character.isASCII, character.isLetter {
        throw Problem(
          message: "the letter \"\(character)\" is not one of yMdHmsSZX; put text in single quotes", offset: position)
      } else {
        literal(String(character))
        position += 1
      }
    }
    return pieces
  }

  private static func offset(_ timeZone: String) -> Int? {
    if ["UTC", "GMT", "Z"].contains(timeZone) { return 0 }
    var text = timeZone[...]
    if text.hasPrefix("UTC") || text.hasPrefix("GMT") { text = text.dropFirst(3) }
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard digits.count == 2 || digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let hours = Int(digits.prefix(2)), let minutes = digits.count == 4 ? Int(digits.suffix(2)) : 0, hours < 24,
      minutes < 60
    else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}
