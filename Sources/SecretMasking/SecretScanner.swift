/// Finds patterns in bytes, each of their characters raw or escaped.
///
/// A table of first bytes and one of first pairs pass over nearly all of a text; where a pattern can begin, it is
/// followed as far as it goes. The work grows with the text's length; for a text made to look like the beginning of
/// a pattern over and over also with the pattern's, and with its square if it consists of escape characters.
struct SecretScanner: Sendable {
  private let patterns: [SecretPattern]
  /// For each byte the patterns that can begin with it.
  private let beginning: [[Int]]
  /// The pairs of bytes that a pattern can begin with, one bit each.
  private let pairs: [UInt64]

  init(patterns: [SecretPattern]) {
    self.patterns = patterns
    var beginning = [[Int]](repeating: [], count: 256)
    var pairs = [UInt64](repeating: 0, count: 1024)
    for (index, pattern) in patterns.enumerated() {
      for first in pattern.variants(at: 0) {
        beginning[Int(first)].append(index)
        for second in pattern.variants(at: 1) {
          let pair = Int(first) << 8 | Int(second)
          pairs[pair >> 6] |= 1 << UInt64(pair & 63)
        }
      }
    }
    self.beginning = beginning
    self.pairs = pairs
  }

  /// What a scan found.
  struct Findings {
    /// In no particular order; they may overlap.
    var ranges: [Range<Int>] = []
    /// From here on more of the text is needed to tell; what begins before it is settled.
    var settled: Int
  }

  /// Scans a text, or the part of it that is there so far.
  func scan(_ text: UnsafeBufferPointer<UInt8>, isComplete: Bool) -> Findings {
    var findings = Findings(settled: text.count)
    // A base64 character at the end may hold bits of a secret that only what follows will show.
    if !isComplete, let last = text.last, isBase64Character(last) { findings.settled -= 1 }
    for start in 0..<text.count {
      let byte = text[start]
      if EscapeSequence.canBegin(with: byte) {
        for index in beginning[Int(byte)] { follow(index, from: start, in: text, isComplete, &findings) }
        switch EscapeSequence(in: text, at: start) {
        case .none: break
        case .incomplete: if !isComplete { findings.settled = min(findings.settled, start) }
        case .character(let character, _) where character[0] != byte:
          for index in beginning[Int(character[0])] { follow(index, from: start, in: text, isComplete, &findings) }
        case .character: break
        }
        continue
      }
      let candidates = beginning[Int(byte)]
      if candidates.isEmpty { continue }
      if start + 1 < text.count {
        let second = text[start + 1]
        let pair = Int(byte) << 8 | Int(second)
        if pairs[pair >> 6] & (1 << UInt64(pair & 63)) == 0, !EscapeSequence.canBegin(with: second) { continue }
      }
      for index in candidates { follow(index, from: start, in: text, isComplete, &findings) }
    }
    return findings
  }

  private func follow(
    _ index: Int, from start: Int, in text: UnsafeBufferPointer<UInt8>, _ isComplete: Bool, _ findings: inout Findings
  ) {
    let pattern = patterns[index]
    var walk = PatternWalk(pattern: pattern, text: text)
    walk.run(from: start)
    let precedesPartial =
      pattern.hasPartialStart && start > 0 && isBase64Character(text[start - 1]) ? start - 1 : start
    if walk.isCut, !isComplete { findings.settled = min(findings.settled, precedesPartial) }
    if let end = walk.end { findings.ranges.append(precedesPartial..<end) }
  }
}

/// Follows one pattern through a text on all ways that its escapes allow.
private struct PatternWalk {
  let pattern: SecretPattern
  let text: UnsafeBufferPointer<UInt8>
  /// The furthest end of the pattern; nil if it isn't there.
  private(set) var end: Int?
  /// Whether more text could bring a match, or a longer one.
  private(set) var isCut = false

  init(pattern: SecretPattern, text: UnsafeBufferPointer<UInt8>) {
    self.pattern = pattern
    self.text = text
  }

  private struct Place: Hashable {
    var offset: Int
    var position: Int
  }

  mutating func run(from start: Int) {
    var place = Place(offset: 0, position: start)
    // Almost always there is one way only.
    while place.offset < pattern.bytes.count, place.position < text.count {
      let byte = text[place.position]
      if EscapeSequence.canBegin(with: byte) {
        branch(from: place)
        return
      }
      guard pattern.matches(byte, at: place.offset) else { return }
      place.offset += 1
      place.position += 1
    }
    reach(place)
  }

  private mutating func branch(from start: Place) {
    var open = [start]
    var seen: Set<Place> = [start]
    while let place = open.popLast() {
      guard place.offset < pattern.bytes.count, place.position < text.count else {
        reach(place)
        continue
      }
      let byte = text[place.position]
      if pattern.matches(byte, at: place.offset) {
        let next = Place(offset: place.offset + 1, position: place.position + 1)
        if seen.insert(next).inserted { open.append(next) }
      }
      switch EscapeSequence(in: text, at: place.position) {
      case .none: break
      case .incomplete: isCut = true
      case .character(let character, let length):
        guard place.offset + character.count <= pattern.bytes.count,
          (0..<character.count).allSatisfy({ pattern.matches(character[$0], at: place.offset + $0) })
        else { break }
        let next = Place(offset: place.offset + character.count, position: place.position + length)
        if seen.insert(next).inserted { open.append(next) }
      }
    }
  }

  /// The walk is over here: at the pattern's end, or at that of the text.
  private mutating func reach(_ place: Place) {
    guard place.offset == pattern.bytes.count else {
      isCut = true
      return
    }
    var position = place.position
    if pattern.hasPartialEnd {
      if position < text.count {
        if isBase64Character(text[position]) { position += 1 }
        position = skipPadding(from: position)
      } else {
        isCut = true
      }
    }
    end = max(end ?? position, position)
  }

  private mutating func skipPadding(from start: Int) -> Int {
    var position = start
    for _ in 0..<2 {
      guard position < text.count else {
        isCut = true
        return position
      }
      if text[position] == UInt8(ascii: "=") {
        position += 1
        continue
      }
      switch EscapeSequence(in: text, at: position) {
      case .none: return position
      case .incomplete:
        isCut = true
        return position
      case .character(let character, let length):
        guard character.count == 1, character[0] == UInt8(ascii: "=") else { return position }
        position += length
      }
    }
    return position
  }
}
