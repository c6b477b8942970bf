import Values

/// The parts of a file with syntax errors: the value of a top-level key, or an item of its list.
///
/// Reading continues without them, so that further errors of the same file are reported in the same run.
struct BrokenPieces {
  /// The largest number of pieces that are taken out of a file: each costs another reading.
  private static let most = 10
  /// The size above which reading ends at the first syntax error.
  private static let maxFileSize = 4 << 20

  private let source: SourceText
  /// The ranges that are read as blanks, in the order in which they were found.
  private(set) var ranges: [Range<Int>] = []

  init(_ source: SourceText) {
    self.source = source
  }

  /// Returns whether a value is missing because its text was taken out.
  func contains(_ offset: Int) -> Bool {
    ranges.contains { $0.lowerBound <= offset && offset <= $0.upperBound }
  }

  /// Removes the part that contains an offset; false if there is none that could be removed.
  mutating func takeOut(at offset: Int) -> Bool {
    guard ranges.count < BrokenPieces.most, source.utf8.count <= BrokenPieces.maxFileSize,
      let key = topLevelKey(at: offset)
    else { return false }
    let piece = item(at: offset, in: key).flatMap { contains($0.lowerBound) ? nil : $0 } ?? key
    guard !ranges.contains(piece), !piece.isEmpty else { return false }
    ranges.append(piece)
    return true
  }

  func takenOut(of utf8: [UInt8]) -> [UInt8] {
    guard !ranges.isEmpty else { return utf8 }
    var result = utf8
    for range in ranges {
      for position in range where !(0x0A...0x0D).contains(result[position]) { result[position] = 0x20 }
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

  private func isTopLevelKey(_ index: Int) -> Bool {
    let line = BrokenLine(source, index: index)
    guard let first = source.utf8[line.bytes].first, !isSpace(first), !"#-?[{&*!|>%@`".utf8.contains(first) else {
      return false
    }
    return line.entry.key != nil && foreignIndentation(line) == nil
  }

  private func colon(ofKeyIn line: BrokenLine) -> Int? {
    guard let key = line.entry.key else { return nil }
    return source.utf8[key.upperBound...].firstIndex(of: UInt8(ascii: ":"))
  }

  /// The list item at an offset, after its `-`, of the list that is the value of a key.
  private func item(at offset: Int, in piece: Range<Int>) -> Range<Int>? {
    let keyLine = source.lineIndex(at: piece.lowerBound - 1)
    guard BrokenLine(source, index: keyLine).value.isEmpty, let first = firstLine(after: keyLine, in: piece),
      let column = dashColumn(first)
    else { return nil }
    var index = source.lineIndex(at: min(offset, max(piece.lowerBound, piece.upperBound - 1)))
    while index > keyLine, dashColumn(index) != column { index -= 1 }
    guard index > keyLine else { return nil }
    let dash = BrokenLine(source, index: index).content.lowerBound
    return dash + 1..<min(piece.upperBound, end(after: index) { dashColumn($0) == column })
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
