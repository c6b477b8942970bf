import Values

extension OutlineScanner {
  func byte(_ place: Int) -> UInt8? { place < utf8.count ? utf8[place] : nil }

  func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  var lineEnd: Int {
    var place = position
    while place < utf8.count, utf8[place] != 0x0A { place += 1 }
    return place
  }

  var isBlankLine: Bool { byte(position).map { $0 == 0x0A || $0 == 0x0D } ?? true }

  func isDash(_ place: Int) -> Bool {
    byte(place) == UInt8(ascii: "-") && (byte(place + 1).map(isSpace) ?? true)
  }

  /// The rest of the word at a place.
  func word(from place: Int) -> Range<Int> {
    var last = place
    while let byte = byte(last), isWordCharacter(byte) { last += 1 }
    return place..<last
  }

  func commentStart(from place: Int) -> Int? {
    var place = place
    while let byte = byte(place), byte != 0x0A {
      if byte == UInt8(ascii: "#"), place > 0, isSpace(utf8[place - 1]) { return place }
      place += 1
    }
    return nil
  }

  /// The key at the position, and the place of its colon; nil for something else.
  func keyToken() -> (name: String, range: Range<Int>, colon: Int)? {
    let limit = lineEnd
    var place = position
    if let quote = byte(place), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      place += 1
      while place < limit, utf8[place] != quote { place += utf8[place] == UInt8(ascii: "\\") ? 2 : 1 }
      let name = position + 1..<min(place, limit)
      place += 1
      while place < limit, utf8[place] == 0x20 { place += 1 }
      guard byte(place) == UInt8(ascii: ":"), place < limit else { return nil }
      return (String(decoding: utf8[name], as: UTF8.self), name, place)
    }
    guard let first = byte(place), !"{[#&!|>%@`".utf8.contains(first) else { return nil }
    while place < limit {
      if utf8[place] == UInt8(ascii: ":"), byte(place + 1).map(isSpace) ?? true {
        var last = place
        while last > position, utf8[last - 1] == 0x20 { last -= 1 }
        return (String(decoding: utf8[position..<last], as: UTF8.self), position..<last, place)
      }
      if utf8[place] == UInt8(ascii: "#"), place > 0, isSpace(utf8[place - 1]) { return nil }
      place += 1
    }
    return nil
  }

  mutating func text(to limit: Int) -> CursorContext? {
    if end <= limit, position < end { return CursorContext(.text, path, word: end..<end) }
    return skipLine()
  }

  /// Goes on with the next line; the end may be in this one.
  mutating func skipLine() -> CursorContext? {
    let limit = lineEnd
    if end <= limit { return CursorContext(.text, path, word: end..<end) }
    position = limit + 1
    return nil
  }
}
