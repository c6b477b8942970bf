import Values

/// The parts of a file with syntax errors, which are read as blanks.
///
/// Reading continues without them, so that further errors of the same file are reported in the same run: first without
/// the value or the line that an error names, and what is indented below it; if that isn't enough, without the list
/// items around it, and at last without the value of the top-level key.
package struct BrokenPieces: Sendable {
  private struct Hole: Sendable {
    var range: Range<Int>
    /// The larger pieces around it, the smallest first.
    var larger: [Range<Int>]
    /// The piece in which further errors are taken for consequences of the first.
    let reach: Range<Int>
  }

  /// The way in which a part was removed.
  enum Removal { case new, larger }

  /// The largest number of parts that are removed from a file.
  private static let maxCount = 10
  /// The largest number of readings of a file.
  private static let maxReadings = 40
  /// The size above which reading ends at the first syntax error.
  private static let maxFileSize = 4 << 20

  private let source: SourceText
  private var holes: [Hole] = []
  private var readings = 0

  init(_ source: SourceText) {
    self.source = source
  }

  package var isEmpty: Bool { holes.isEmpty }

  /// The words in the removed parts: names that are declared, keys that are given, and others.
  package var words: Set<String> {
    let words = holes.flatMap { hole in
      let start = source.lineBytes(source.lineIndex(at: hole.range.lowerBound)).lowerBound
      return source.utf8[start..<hole.range.upperBound].split { !isWordCharacter($0) && $0 != UInt8(ascii: "-") }
    }
    return Set(words.map { String(decoding: $0, as: UTF8.self) })
  }

  /// Returns whether a collection has lost a part: one within it, or beside it that is hardly indented less.
  package func isIncomplete(_ collection: SourceRange) -> Bool {
    let range = collection.bytes
    return holes.contains { hole in
      if range.overlaps(hole.range) { return true }
      let line = source.lineBytes(source.lineIndex(at: hole.range.lowerBound))
      return touches(range, hole) && column(at: range.lowerBound) <= hole.range.lowerBound - line.lowerBound + 1
    }
  }

  /// Returns whether a problem may be due to a removed part: one of what it was in, or was the value of.
  package func explain(_ range: SourceRange) -> Bool {
    guard range.isInSameSource(as: SourceRange(source, 0..<0)) else { return false }
    let (first, last) = (BrokenLine(source, at: range.bytes.lowerBound), range.bytes.upperBound)
    return holes.contains { hole in
      if first.index == source.lineIndex(at: hole.range.lowerBound) { return true }
      guard range.bytes.lowerBound <= hole.range.lowerBound, touches(range.bytes, hole) else { return false }
      return last >= hole.range.upperBound || first.entry.key == nil
        || column(at: range.bytes.lowerBound) < column(at: hole.range.lowerBound)
    }
  }

  /// The column in which a line's content begins, after the dashes of list items.
  private func column(at offset: Int) -> Int {
    let line = BrokenLine(source, at: offset)
    return start(of: line) - line.bytes.lowerBound
  }

  private func start(of line: BrokenLine) -> Int { line.entry.key?.lowerBound ?? line.entry.value.lowerBound }

  /// Returns whether a value is missing because its text was removed.
  func explainGap(at offset: Int) -> Bool { holes.contains { touches(offset..<offset, $0) } }

  /// Returns whether a problem stands in the same list item, or under the same key, as a removed part.
  func mayCause(_ problem: Diagnostic) -> Bool {
    guard let offset = problem.range?.bytes.lowerBound else { return false }
    return holes.contains { contains($0.reach, offset) }
  }

  /// Returns whether an error is about the indentation of the line after a piece.
  private func isLevel(_ offset: Int, after piece: Range<Int>) -> Bool {
    let line = BrokenLine(source, at: offset)
    return offset == line.content.lowerBound && line.bytes.lowerBound == piece.upperBound
  }

  private func contains(_ range: Range<Int>, _ offset: Int) -> Bool {
    range.contains(offset) || offset == range.upperBound && offset == source.utf8.count
  }

  /// Returns whether only white space is between a range and a removed part.
  private func touches(_ range: Range<Int>, _ hole: Hole) -> Bool {
    (hole.range.upperBound >= range.lowerBound || isWhite(hole.range.upperBound..<range.lowerBound))
      && (hole.range.lowerBound <= range.upperBound || isWhite(range.upperBound..<hole.range.lowerBound))
  }

  private func isWhite(_ range: Range<Int>) -> Bool { source.utf8[range].allSatisfy(isSpace) }

  /// Removes the part that contains an offset; nil if there is none that could be removed.
  mutating func takeOut(at offset: Int) -> Removal? {
    guard readings < Self.maxReadings, source.utf8.count <= Self.maxFileSize else { return nil }
    readings += 1
    if let index = holes.firstIndex(where: { contains($0.reach, offset) || isLevel(offset, after: $0.reach) }),
      let next = holes[index].larger.firstIndex(where: { contains($0, offset) })
    {
      holes[index].range = holes[index].larger[next]
      holes[index].larger.removeFirst(next + 1)
      return .larger
    }
    guard holes.count < Self.maxCount, let hole = hole(at: offset), !holes.contains(where: { $0.range == hole.range })
    else { return nil }
    holes.append(hole)
    return .new
  }

  private func hole(at offset: Int) -> Hole? {
    guard let key = topLevelKey(at: offset) else { return nil }
    let line = BrokenLine(source, at: offset)
    let (start, column) = (self.start(of: line), self.column(at: offset))
    let colon = colon(ofKeyIn: line)
    // What comes before a key at the top is at fault if that can't stand there.
    if isTopLevelKey(line.index), offset <= colon ?? 0 { return nil }
    let memberStart = colon.flatMap { $0 < offset ? $0 + 1 : nil } ?? start
    let member = memberStart..<end(of: line, indented: column)
    var items = items(around: line, column: column) + [item(at: offset, in: key)].compactMap(\.self)
    // The error of a dash is one of the list.
    if offset <= line.content.lowerBound, line.content.lowerBound < start { items.removeFirst(min(1, items.count)) }
    var pieces: [Range<Int>] = []
    for piece in [member] + items + [key] where !piece.isEmpty {
      if let last = pieces.last, piece == last || last.clamped(to: piece) != last { continue }
      pieces.append(piece)
    }
    guard let first = pieces.first else { return nil }
    return Hole(range: first, larger: Array(pieces.dropFirst()), reach: items.first ?? key)
  }

  /// The list items that contain a line, the innermost first.
  private func items(around line: BrokenLine, column: Int) -> [Range<Int>] {
    var (items, index, bound) = ([Range<Int>](), line.index, column)
    while index >= 0, bound > 0 {
      let next = BrokenLine(source, index: index)
      if let dash = dashColumn(index), dash < bound {
        items.append(next.content.lowerBound..<end(of: next, indented: dash))
        bound = dash
      } else if next.hasContent {
        bound = min(bound, next.indent)
      }
      index -= 1
    }
    return items
  }

  /// The end of what belongs to a line: the next one that isn't indented deeper than a column.
  private func end(of line: BrokenLine, indented column: Int) -> Int {
    end(after: line.index) { index in
      let next = BrokenLine(source, index: index)
      return next.hasContent && next.indent <= column
    }
  }

  func takenOut(of utf8: [UInt8]) -> [UInt8] {
    guard !isEmpty else { return utf8 }
    var result = utf8
    for hole in holes {
      for position in hole.range where !(0x0A...0x0D).contains(result[position]) { result[position] = 0x20 }
    }
    return result
  }

  /// The range from behind the colon of the last key without indentation above an offset to the next such key.
  private func topLevelKey(at offset: Int) -> Range<Int>? {
    var index = source.lineIndex(at: min(offset, source.utf8.count))
    while index >= 0, !isTopLevelKey(index) { index -= 1 }
    guard index >= 0, let colon = colon(ofKeyIn: BrokenLine(source, index: index)) else { return nil }
    return colon + 1..<end(after: index) { isTopLevelKey($0) }
  }

  private func colon(ofKeyIn line: BrokenLine) -> Int? {
    line.entry.key.flatMap { source.utf8[$0.upperBound...].firstIndex(of: UInt8(ascii: ":")) }
  }

  private func isTopLevelKey(_ index: Int) -> Bool {
    let line = BrokenLine(source, index: index)
    guard let first = source.utf8[line.bytes].first, !isSpace(first), !"#-?[{&*!|>%@`".utf8.contains(first) else {
      return false
    }
    return line.entry.key != nil && foreignIndentation(line) == nil
  }

  /// The list item at an offset, of the list that is the value of a key.
  private func item(at offset: Int, in piece: Range<Int>) -> Range<Int>? {
    let keyLine = source.lineIndex(at: piece.lowerBound - 1)
    guard BrokenLine(source, index: keyLine).value.isEmpty, let first = firstLine(after: keyLine, in: piece),
      let column = dashColumn(first)
    else { return nil }
    var index = source.lineIndex(at: min(offset, max(piece.lowerBound, piece.upperBound - 1)))
    while index > keyLine, dashColumn(index) != column { index -= 1 }
    guard index > keyLine else { return nil }
    let dash = BrokenLine(source, index: index).content.lowerBound
    return dash..<min(piece.upperBound, end(after: index) { dashColumn($0) == column })
  }

  private func firstLine(after index: Int, in piece: Range<Int>) -> Int? {
    let last = source.lineIndex(at: max(piece.lowerBound, piece.upperBound - 1))
    return (index..<max(index, last)).lazy.map { $0 + 1 }.first { BrokenLine(source, index: $0).hasContent }
  }

  /// The column of the `- ` at the start of a line.
  private func dashColumn(_ index: Int) -> Int? {
    let line = BrokenLine(source, index: index)
    guard let dash = line.content.first, source.utf8[dash] == UInt8(ascii: "-"),
      dash + 1 >= line.content.upperBound || isBlank(source.utf8[dash + 1])
    else { return nil }
    return line.indent
  }

  /// The start of the next line that a piece ends before.
  private func end(after index: Int, where isEnd: (Int) -> Bool) -> Int {
    var next = index + 1
    let last = source.lineIndex(at: source.utf8.count)
    while next <= last, !isEnd(next) { next += 1 }
    return next > last ? source.utf8.count : source.lineBytes(next).lowerBound
  }
}
