/// One pass of a scanner over a text.
///
/// Where no escape sequence can begin, there is only one way to continue, which is followed immediately. From an escape
/// sequence on, all ways are followed in parallel, byte by byte of the text. If two reach the same position of a
/// pattern, the one that began later is dropped: the earlier one marks at least as much.
struct SecretScan {
  private let scanner: SecretScanner
  private let text: UnsafeBufferPointer<UInt8>
  private let isComplete: Bool
  private(set) var findings: SecretScanner.Findings
  /// The patterns followed in parallel, each with the positions to continue from.
  private var open: [(pattern: Int, places: OpenPlaces)] = []
  /// The index of a pattern in `open`.
  private var slots: [Int: Int] = [:]
  /// The indices in `open` that have any positions.
  private var busy: [Int] = []
  /// Partial matches that wait for the next byte that can begin an escape sequence.
  private var waiting: [(index: Int, offset: Int, start: Int)] = []

  /// The number of patterns whose tables are kept for reuse.
  private static let kept = 256

  init(scanner: SecretScanner, text: UnsafeBufferPointer<UInt8>, isComplete: Bool) {
    self.scanner = scanner
    self.text = text
    self.isComplete = isComplete
    findings = SecretScanner.Findings(settled: text.count)
  }

  mutating func run() {
    // A base64 character at the end may hold bits of a secret that only the following text shows.
    if !isComplete, let last = text.last, isBase64Character(last) { findings.settled -= 1 }
    for position in 0..<text.count {
      let byte = text[position]
      if EscapeSequence.canBegin(with: byte) {
        branch(at: position, byte)
        continue
      }
      if !busy.isEmpty { goOn(at: position, nil) }
      if scanner.beginning[Int(byte)].isEmpty { continue }
      guard position + 1 < text.count, !EscapeSequence.canBegin(with: text[position + 1]) else {
        if isComplete, position + 1 == text.count { break }
        for index in scanner.beginning[Int(byte)] { follow(index, from: position) }
        continue
      }
      guard scanner.canBegin(with: byte, text[position + 1]) else { continue }
      for index in scanner.candidates(plainStart(from: position)) { follow(index, from: position) }
    }
    if !busy.isEmpty { goOn(at: text.count, nil) }
  }

  /// The bytes that can only represent themselves: as many as the shortest secret has, or else two.
  @inline(__always)
  private func plainStart(from position: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
    let end = position + SecretFilter.shortestSecret
    guard end <= text.count, !text[position + 2..<end].contains(where: EscapeSequence.canBegin) else {
      return text[position..<position + 2]
    }
    return text[position..<end]
  }

  /// Follows a pattern to its end or up to the next byte that can begin an escape sequence.
  private mutating func follow(_ index: Int, from start: Int) {
    let pattern = scanner.patterns[index]
    var offset = 0
    while offset < pattern.bytes.count {
      guard start + offset < text.count else { return leaveOpen(index, start) }
      let byte = text[start + offset]
      if EscapeSequence.canBegin(with: byte) {
        waiting.append((index, offset, start))
        return
      }
      guard pattern.matches(byte, at: offset) else { return }
      offset += 1
    }
    end(index, start, at: start + offset)
  }

  private mutating func branch(at position: Int, _ byte: UInt8) {
    let readings = EscapeReadings(in: text, at: position)
    for place in waiting where canGoOn(place.index, offset: place.offset, byte, readings) {
      add(place.index, offset: place.offset, at: position, start: place.start)
    }
    waiting.removeAll(keepingCapacity: true)
    for index in scanner.beginning[Int(byte)] { add(index, offset: 0, at: position, start: position) }
    for reading in 0..<readings.count {
      switch readings[reading] {
      case .none: break
      case .incomplete: if !isComplete { findings.settled = min(findings.settled, position) }
      case .character(let character, _):
        guard character.count > 0 else { break }
        for index in scanner.beginning[Int(character[0])] { add(index, offset: 0, at: position, start: position) }
      }
    }
    if !busy.isEmpty { goOn(at: position, readings) }
  }

  /// Returns whether a byte, or a sequence that it begins, may continue a pattern at an offset: this is true for few of
  /// those that wait.
  private func canGoOn(_ index: Int, offset: Int, _ byte: UInt8, _ readings: EscapeReadings) -> Bool {
    let pattern = scanner.patterns[index]
    if pattern.matches(byte, at: offset) || pattern.mayBreak && isLineBreak(byte) { return true }
    for reading in 0..<readings.count {
      switch readings[reading] {
      case .none: break
      case .incomplete: return true
      case .character(let character, _):
        if pattern.matches(character, at: offset) { return true }
        if pattern.mayBreak, character.count == 1, isLineBreak(character[0]) { return true }
      }
    }
    return false
  }

  private mutating func add(_ index: Int, offset: Int, at position: Int, start: Int) {
    let slot: Int
    if let known = slots[index] {
      slot = known
    } else {
      slot = open.count
      slots[index] = slot
      open.append((index, OpenPlaces(patternLength: scanner.patterns[index].bytes.count)))
    }
    if open[slot].places.isEmpty { busy.append(slot) }
    open[slot].places.add(offset: offset, at: position, start: start)
  }

  /// Advances all partial matches at this position of the text.
  private mutating func goOn(at position: Int, _ readings: EscapeReadings?) {
    for slot in busy {
      let index = open[slot].pattern
      let pattern = scanner.patterns[index]
      // Taken out of the array while it changes: in place, each change would check the array.
      var places = OpenPlaces.nowhere
      swap(&places, &open[slot].places)
      for place in 0..<places.count(at: position) {
        let (offset, start) = places.place(place, at: position)
        if offset == pattern.bytes.count {
          end(index, start, at: position)
          continue
        }
        guard position < text.count else {
          leaveOpen(index, start)
          continue
        }
        if pattern.matches(text[position], at: offset) {
          places.add(offset: offset + 1, at: position + 1, start: start)
        }
        guard let readings else { continue }
        if pattern.mayBreak, offset > 0, isLineBreak(text[position]) {
          places.add(offset: offset, at: lineStart(after: position + 1), start: start)
        }
        for reading in 0..<readings.count {
          switch readings[reading] {
          case .none: break
          case .incomplete: leaveOpen(index, start)
          case .character(let character, let length):
            if pattern.matches(character, at: offset) {
              // A sequence that represents nothing isn't a beginning.
              if character.count > 0 || offset > 0 {
                places.add(offset: offset + character.count, at: position + length, start: start)
              }
            } else if pattern.mayBreak, offset > 0, character.count == 1, isLineBreak(character[0]) {
              places.add(offset: offset, at: lineStart(after: position + length), start: start)
            }
          }
        }
      }
      places.removeAll(at: position)
      // A table is kept for reuse, unless there are many.
      if places.isEmpty, open.count > SecretScan.kept { places = OpenPlaces(patternLength: pattern.bytes.count) }
      swap(&places, &open[slot].places)
    }
    busy.removeAll { open[$0].places.isEmpty }
  }

  /// The position after the indentation of a line.
  private func lineStart(after position: Int) -> Int {
    var end = position
    while end < text.count, end - position < OpenPlaces.longestStep - EscapeReadings.longestSequence,
      isBlank(text[end])
    {
      end += 1
    }
    return end
  }

  /// Ends a match, except for the base64 character that may hold the rest of it and the padding.
  private mutating func end(_ index: Int, _ start: Int, at patternEnd: Int) {
    var end = patternEnd
    if scanner.patterns[index].hasPartialEnd {
      if end < text.count, isBase64Character(text[end]) { end += 1 }
      end = skipPadding(from: end, index, start)
    }
    findings.ranges.append(rangeStart(index, start)..<end)
  }

  private mutating func skipPadding(from start: Int, _ index: Int, _ patternStart: Int) -> Int {
    var position = start
    for _ in 0..<2 {
      guard position < text.count else {
        leaveOpen(index, patternStart)
        return position
      }
      if text[position] == UInt8(ascii: "=") {
        position += 1
        continue
      }
      switch EscapeSequence(in: text, at: position) {
      case .none: return position
      case .incomplete:
        leaveOpen(index, patternStart)
        return position
      case .character(let character, let length):
        guard character.count == 1, character[0] == UInt8(ascii: "=") else { return position }
        position += length
      }
    }
    return position
  }

  /// Notes that more text could complete or extend a match that begins here.
  private mutating func leaveOpen(_ index: Int, _ start: Int) {
    if !isComplete { findings.settled = min(findings.settled, rangeStart(index, start)) }
  }

  private func rangeStart(_ index: Int, _ start: Int) -> Int {
    scanner.patterns[index].hasPartialStart && start > 0 && isBase64Character(text[start - 1]) ? start - 1 : start
  }
}

/// The progress of one pattern at a position of the text and the following ones, with the start of each match.
private struct OpenPlaces {
  /// The number of positions: more than the longest escape sequence and an indentation after it.
  private static let rows = 32
  static let longestStep = rows - 1
  private static let none = -1
  static let nowhere = OpenPlaces(patternLength: 0)

  private let width: Int
  /// Offsets into the pattern for each row.
  private var offsets: [Int32] = []
  private var counts: [Int] = []
  /// The earliest start for each row and offset.
  private var starts: [Int] = []
  private var total = 0

  init(patternLength: Int) {
    width = patternLength + 1
  }

  var isEmpty: Bool { total == 0 }

  func count(at position: Int) -> Int { isEmpty ? 0 : counts[position % OpenPlaces.rows] }

  func place(_ slot: Int, at position: Int) -> (offset: Int, start: Int) {
    let row = position % OpenPlaces.rows * width
    let offset = Int(offsets[row + slot])
    return (offset, starts[row + offset])
  }

  mutating func add(offset: Int, at position: Int, start: Int) {
    if starts.isEmpty {
      starts = [Int](repeating: OpenPlaces.none, count: OpenPlaces.rows * width)
      offsets = [Int32](repeating: 0, count: OpenPlaces.rows * width)
      counts = [Int](repeating: 0, count: OpenPlaces.rows)
    }
    let index = position % OpenPlaces.rows
    let row = index * width
    if starts[row + offset] == OpenPlaces.none {
      offsets[row + counts[index]] = Int32(truncatingIfNeeded: offset)
      counts[index] += 1
      total += 1
      starts[row + offset] = start
    } else if start < starts[row + offset] {
      starts[row + offset] = start
    }
  }

  mutating func removeAll(at position: Int) {
    if isEmpty { return }
    let index = position % OpenPlaces.rows
    for slot in 0..<counts[index] { starts[index * width + Int(offsets[index * width + slot])] = OpenPlaces.none }
    total -= counts[index]
    counts[index] = 0
  }
}
