extension SecretPlaces {
  // MARK: Lines and words

  func lineEnd(_ start: Int) -> Int {
    var end = start
    while end < utf8.count, utf8[end] != 0x0A, utf8[end] != 0x0D { end += 1 }
    return end
  }

  /// The start of the next line after the end of one.
  func next(_ end: Int) -> Int {
    guard end < utf8.count else { return utf8.count }
    return utf8[end] == 0x0D && end + 1 < utf8.count && utf8[end + 1] == 0x0A ? end + 2 : end + 1
  }

  func isLineStart(_ position: Int) -> Bool {
    position == 0 || utf8[position - 1] == 0x0A || utf8[position - 1] == 0x0D
  }

  func afterBlanks(_ position: Int) -> Int {
    var position = position
    while position < utf8.count, isBlank(utf8[position]) { position += 1 }
    return position
  }

  /// Returns whether `- ` begins a list item.
  func isDash(_ position: Int) -> Bool {
    guard position < utf8.count, utf8[position] == UInt8(ascii: "-") else { return false }
    return position + 1 >= utf8.count || [0x20, 0x09, 0x0A, 0x0D].contains(utf8[position + 1])
  }

  /// The position after an anchor and a tag.
  func afterProperties(_ position: Int, _ end: Int) -> Int {
    var position = position
    while position < end, utf8[position] == UInt8(ascii: "&") || utf8[position] == UInt8(ascii: "!") {
      while position < end, !isBlank(utf8[position]), !",{}[]".utf8.contains(utf8[position]) { position += 1 }
      position = min(afterBlanks(position), end)
    }
    return position
  }

  func find(_ text: StaticString, _ range: Range<Int>) -> Int? {
    let count = text.utf8CodeUnitCount
    guard range.count >= count else { return nil }
    return (range.lowerBound...range.upperBound - count).first { utf8.has(text, at: $0) }
  }

  func contains(_ text: StaticString, _ range: Range<Int>) -> Bool { find(text, range) != nil }

  /// The quote that closes the one at a position: in its line, or in one that is indented deeper than the column.
  func closingQuote(_ start: Int, column: Int) -> Int? {
    let quote = utf8[start]
    var position = start + 1
    while position < utf8.count {
      let byte = utf8[position]
      if byte == quote {
        guard quote == UInt8(ascii: "'"), position + 1 < utf8.count, utf8[position + 1] == quote else {
          return position
        }
        position += 1
      } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        position += 1
      } else if byte == 0x0A, column >= 0 {
        let content = afterBlanks(position + 1)
        if content < utf8.count, utf8[content] != 0x0A, utf8[content] != 0x0D, content - position - 1 <= column {
          return nil
        }
      }
      position += 1
    }
    return nil
  }

  // MARK: Keys

  private static let longestKey = 256

  /// The key at a position: its name, and the start of its value.
  func key(at start: Int, _ end: Int, inFlow: Bool) -> (name: String, valueStart: Int)? {
    guard start < end else { return nil }
    let limit = min(end, start + SecretPlaces.longestKey)
    let first = utf8[start]
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      guard let close = utf8[start + 1..<limit].firstIndex(of: first) else { return nil }
      let sign = afterBlanks(close + 1)
      guard sign < end, utf8[sign] == UInt8(ascii: ":") || utf8[sign] == UInt8(ascii: "=") else { return nil }
      return (text(start + 1..<close), sign + 1)
    }
    // `secret:value` and `secret=value` aren't keys in YAML, but are meant as such.
    var meant: (name: String, valueStart: Int)?
    var signs = 0
    for position in start..<limit {
      let byte = utf8[position]
      if inFlow, ",[]{}".utf8.contains(byte) { break }
      guard byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=") else { continue }
      if byte == UInt8(ascii: ":") {
        let isLast = position + 1 >= end
        if isLast || isBlank(utf8[position + 1]) || (inFlow && ",[]{}".utf8.contains(utf8[position + 1])) {
          return meant ?? (text(start..<position), position + 1)
        }
      }
      signs += 1
      if meant == nil, signs <= 4 {
        let name = text(start..<position)
        if name.utf8.allSatisfy(isWordByte), isSecretName(name) { meant = (name, position + 1) }
      }
    }
    return meant
  }

  func text(_ range: Range<Int>) -> String {
    let trimmed = range.lowerBound..<(utf8[range].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? range.lowerBound)
    return String(decoding: utf8[trimmed], as: UTF8.self)
  }
}
