/// The lines of a table of several columns, whose cells are folded so that it fits the width.
func tableLines(_ rows: [[String]], width: Int) -> [String] {
  let gap = 2
  let columns = (0..<(rows.map(\.count).max() ?? 0)).map { column in
    rows.map { $0.indices.contains(column) ? $0[column] : "" }
  }
  var widths = columns.map { cells in cells.flatMap { $0.split(separator: " ") }.map(\.count).max() ?? 0 }
  var room = width - widths.reduce(0) { $0 + $1 + gap }
  // The widest give way, and those whose cells are folded most get what there is.
  while room < 0, let widest = widths.max(), widest > 8 {
    widths[widths.firstIndex(of: widest) ?? 0] -= 1
    room += 1
  }
  while room > 0 {
    let folds = zip(columns, widths).map { cells, width in cells.reduce(0) { $0 + max(0, $1.count - width) } }
    guard let most = folds.max(), most > 0 else { break }
    widths[folds.firstIndex(of: most) ?? 0] += 1
    room -= 1
  }
  return rows.flatMap { row -> [String] in
    let cells = zip(row, widths).map { text, width in folded(text, width: width) }
    return (0..<max(1, cells.map(\.count).max() ?? 1)).map { line in
      var text = ""
      for (cell, width) in zip(cells, widths) {
        let piece = cell.indices.contains(line) ? cell[line] : ""
        text += String(repeating: " ", count: gap) + piece
        text += String(repeating: " ", count: max(0, width - piece.count))
      }
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }
}
