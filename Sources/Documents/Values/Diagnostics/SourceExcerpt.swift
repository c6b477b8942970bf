/// A line of a source for drawing, with its marked columns.
struct SourceExcerpt {
  let lineNumber: Int
  let text: String
  let markStart: Int
  let markWidth: Int
  /// The number of the last line of a longer range.
  let lastLineNumber: Int?

  private static let tabStop = 4

  /// A drawn character.
  private struct Cell {
    let text: String
    let width: Int
    let isMarked: Bool
  }

  /// The first line of a range, cut to the width around the mark.
  init(_ range: SourceRange, width: Int) {
    let source = range.source
    let place = SourceLinePlace(range)
    let line = place.line
    let (markedStart, markedEnd) = (place.marked.lowerBound, place.marked.upperBound)
    lineNumber = place.index + 1
    lastLineNumber = place.lastLine
    // A character takes at most a few bytes per column; text further away isn't drawn anyway.
    let reach = width * 8
    let before = source.tail(line.lowerBound..<markedStart, reach)
    let marked = source.head(place.marked, reach)
    let after = source.head(markedEnd..<line.upperBound, reach)

    let isWhole = marked.upperBound == markedEnd
    let (cells, firstMarked) = SourceExcerpt.cells(
      before.lowerBound..<(isWhole ? after.upperBound : marked.upperBound), of: source, marked: marked)
    let isCutBefore = before.lowerBound > line.lowerBound
    let isCutAfter = marked.upperBound < markedEnd || after.upperBound < line.upperBound
    let window = SourceExcerpt.window(
      cells, around: firstMarked, width: width, isCutBefore: isCutBefore, isCutAfter: isCutAfter)
    let shown = cells[window.cells]
    text = (window.cutsBefore ? "…" : "") + shown.map(\.text).joined() + (window.cutsAfter ? "…" : "")
    markStart =
      (window.cutsBefore ? 1 : 0)
      + shown.prefix { !$0.isMarked }.prefix(firstMarked - window.cells.lowerBound)
      .reduce(0) { $0 + $1.width }
    let markedWidth = shown.reduce(0) { $0 + ($1.isMarked ? $1.width : 0) }
    let runsOn = window.cutsAfter && (cells[window.cells].last?.isMarked ?? false)
    markWidth = max(1, markedWidth + (runsOn ? 1 : 0))
  }

  /// The cells of a range, with `***` for each concealed part, and the index of the first marked one.
  private static func cells(
    _ range: Range<Int>, of source: SourceText, marked: Range<Int>
  ) -> (cells: [Cell], firstMarked: Int) {
    var cells: [Cell] = []
    var column = 0
    var firstMarked: Int?
    var position = range.lowerBound
    for secret in source.secretRanges(within: range) + [range.upperBound..<range.upperBound] {
      let bounds = [position, marked.lowerBound, marked.upperBound, secret.lowerBound]
        .map { min(max($0, position), secret.lowerBound) }
      for (start, end) in zip(bounds, bounds.dropFirst()) {
        let isMarked = start >= marked.lowerBound && end <= marked.upperBound && !marked.isEmpty
        if firstMarked == nil, start >= marked.lowerBound, !(start..<end).isEmpty { firstMarked = cells.count }
        append(source.text(in: start..<end), isMarked: isMarked, to: &cells, column: &column)
      }
      position = secret.upperBound
      guard !secret.isEmpty else { continue }
      let isMarked = secret.overlaps(marked)
      if firstMarked == nil, isMarked || secret.upperBound > marked.lowerBound { firstMarked = cells.count }
      append("***", isMarked: isMarked, to: &cells, column: &column)
    }
    return (cells, firstMarked ?? cells.count)
  }

  private static func append(_ text: String, isMarked: Bool, to cells: inout [Cell], column: inout Int) {
    for index in text.indices {
      let character = text[index]
      let cell: Cell
      if let byte = character.asciiValue, byte >= 0x20, byte < 0x7F, byte != 0x23 {
        cell = Cell(text: String(character), width: 1, isMarked: isMarked)
      } else if character == "#", beginsInlineCommand(text[index...].unicodeScalars) {
        let shown = codeForm(of: "#")
        cell = Cell(text: shown, width: displayWidth(of: shown), isMarked: isMarked)
      } else if character == "\t" {
        let width = tabStop - column % tabStop
        cell = Cell(text: String(repeating: " ", count: width), width: width, isMarked: isMarked)
      } else {
        // Stacked combining marks would overlap the lines around.
        let bounded = String(String.UnicodeScalarView(character.unicodeScalars.prefix(16)))
        let shown = sanitizedForTerminal(bounded)
        cell = Cell(text: shown, width: displayWidth(of: shown), isMarked: isMarked)
      }
      column += cell.width
      cells.append(cell)
    }
  }

  /// The cells that fit the width: the mark, and as much around it as there is room for.
  private static func window(
    _ cells: [Cell], around anchor: Int, width: Int, isCutBefore: Bool, isCutAfter: Bool
  ) -> (cells: Range<Int>, cutsBefore: Bool, cutsAfter: Bool) {
    let total = cells.reduce(0) { $0 + $1.width }
    if total <= width, !isCutBefore, !isCutAfter { return (0..<cells.count, false, false) }
    let room = width - 2
    var end = anchor
    var used = 0
    // The marked cells first, from their beginning; a quarter of the room is left for the text before them.
    while end < cells.count, cells[end].isMarked, used + cells[end].width <= room * 3 / 4 {
      used += cells[end].width
      end += 1
    }
    var start = anchor
    let isWhole = end == cells.count || !cells[end].isMarked
    let share = used + (isWhole ? (room - used) * 2 / 3 : room - used)
    while start > 0, used + cells[start - 1].width <= share {
      used += cells[start - 1].width
      start -= 1
    }
    while end < cells.count, used + cells[end].width <= room {
      used += cells[end].width
      end += 1
    }
    while start > 0, used + cells[start - 1].width <= room {
      used += cells[start - 1].width
      start -= 1
    }
    return (start..<end, start > 0 || isCutBefore, end < cells.count || isCutAfter)
  }
}
