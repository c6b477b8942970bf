/// One pass of a scanner over a text.
///
/// Where no escape sequence can begin there is one way only to go on, which is followed at once. From an escape sequence
/// on, all ways are followed side by side, byte by byte of the text; of two that come to the same place of a pattern the
/// later begun is dropped: what it would mark, the earlier marks as well.
struct SecretScan {
  private let scanner: SecretScanner
  private let text: UnsafeBufferPointer<UInt8>
  private let isComplete: Bool
  private(set) var findings: SecretScanner.Findings
  /// For each pattern the places to go on from.
  private var open: [OpenPlaces]
  /// The patterns that have any.
  private var busy: [Int] = []
  /// Partial matches that wait for the next byte that can begin an escape sequence.
  private var waiting: [(index: Int, offset: Int, start: Int)] = []

  init(scanner: SecretScanner, text: UnsafeBufferPointer<UInt8>, isComplete: Bool) {
    self.scanner = scanner
    self.text = text
    self.isComplete = isComplete
    findings = SecretScanner.Findings(settled: text.count)
    open = scanner.patterns.map { OpenPlaces(patternLength: $0.bytes.count) }
  }

  mutating func run() {
    // A base64 character at the end may hold bits of a secret that only what follows will show.
    if !isComplete, let last = text.last, isBase64Character(last) { findings.settled -= 1 }
    for position in 0..<text.count {
      let byte = text[position]
      if EscapeSequence.canBegin(with: byte) {
        branch(at: position, byte)
        continue
      }
      if !busy.isEmpty { goOn(at: position, nil) }
      let candidates = scanner.beginning[Int(byte)]
      if candidates.isEmpty { continue }
      if position + 1 < text.count {
        let second = text[position + 1]
        if !scanner.canBegin(with: byte, second), !EscapeSequence.canBegin(with: second) { continue }
      }
      for index in candidates { follow(index, from: position) }
    }
    if !busy.isEmpty { goOn(at: text.count, nil) }
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
    for place in waiting { add(place.index, offset: place.offset, at: position, start: place.start) }
    waiting.removeAll(keepingCapacity: true)
    for index in scanner.beginning[Int(byte)] { add(index, offset: 0, at: position, start: position) }
    let readings = EscapeReadings(in: text, at: position)
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

  private mutating func add(_ index: Int, offset: Int, at position: Int, start: Int) {
    if open[index].isEmpty { busy.append(index) }
    open[index].add(offset: offset, at: position, start: start)
  }

  /// Moves all places at this position of the text to where they lead.
  private mutating func goOn(at position: Int, _ readings: EscapeReadings?) {
    for index in busy {
      let pattern = scanner.patterns[index]
      // Out of the array while it changes: in place, each change would check the array.
      var places = OpenPlaces.nowhere
      swap(&places, &open[index])
      for slot in 0..<places.count(at: position) {
        let (offset, start) = places.place(slot, at: position)
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
              // What stands for nothing is no beginning.
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
      swap(&places, &open[index])
    }
    busy.removeAll { open[$0].isEmpty }
  }

  /// What follows the indentation of a line.
  private func lineStart(after position: Int) -> Int {
    var end = position
    while end < text.count, end - position < OpenPlaces.longestStep - EscapeReadings.longestSequence,
      text[end] == 0x20 || text[end] == 0x09
    {
      end += 1
    }
    return end
  }

  /// A pattern ends here, but for the base64 character that may hold the rest of it and the padding.
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

  /// More text could bring a match that begins here, or a longer one.
  private mutating func leaveOpen(_ index: Int, _ start: Int) {
    if !isComplete { findings.settled = min(findings.settled, rangeStart(index, start)) }
  }

  private func rangeStart(_ index: Int, _ start: Int) -> Int {
    scanner.patterns[index].hasPartialStart && start > 0 && isBase64Character(text[start - 1]) ? start - 1 : start
  }
}

/// How far one pattern is matched at some position of the text and those right ahead, and where that match began.
private struct OpenPlaces {
  /// Rows for so many positions: more than the longest escape sequence takes, and an indentation after it.
  private static let rows = 32
  static let longestStep = rows - 1
  private static let none = -1
  static let nowhere = OpenPlaces(patternLength: 0)

  private let width: Int
  /// For each row the offsets into the pattern.
  private var offsets: [Int32] = []
  private var counts: [Int] = []
  /// For each row and offset the earliest start.
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
