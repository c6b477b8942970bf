import Values
import YAMLNodes

/// A row of `each` with its name.
typealias YAMLRow = (name: String, node: YAMLNode)

/// Rows of boundaries.
extension SpecMerge {
  /// The differences of rows, by their places.
  private struct RowChanges {
    var added: [YAMLRow] = []
    /// The new value of a row; nil for one that is removed.
    var changed: [(index: Int, row: YAMLRow, value: YAMLNode?)] = []
    var left: [(index: Int, text: String)] = []
  }

  /// Merges the rows of boundaries by their cases; comments between them stay.
  mutating func mergeRows(
    _ old: [YAMLRow], _ new: [YAMLRow], _ own: [YAMLRow], at path: [YAMLEditor.Step], _ name: String?
  ) {
    let before = Dictionary(old.map { ($0.name, $0.node) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(new.map { ($0.name, $0.node) }, uniquingKeysWith: { first, _ in first })
    let known = Set(own.map(\.name))
    var found = RowChanges()
    found.added = new.filter { before[$0.name] == nil && !known.contains($0.name) }
    // From the last to the first, so that the places of the others stay.
    for (index, row) in own.enumerated().reversed() {
      guard let old = before[row.name] else { continue }
      let new = after[row.name]
      if new.map({ old.isSame(as: $0) || row.node.isSame(as: $0) }) ?? false { continue }
      if row.node.isSame(as: old) {
        found.changed.append((index, row, new))
      } else {
        found.left.append(
          (index, "`\(row.name)` is \(new.map { "\(shown($0)) in the document" } ?? "not in the document any more")"))
      }
    }
    for row in found.left { leave(path + [.item(row.index)], name, row.text) }
    if !rewrite(found, of: own.count, at: path, name) { make(found, behind: own.count, at: path, name) }
  }

  private func text(of row: YAMLRow, _ value: YAMLNode?) -> String {
    "`\(row.name)` is " + (value.map { "\(shown($0)) now" } ?? "not in the document any more")
  }

  /// Makes the changes one by one.
  private mutating func make(_ found: RowChanges, behind count: Int, at path: [YAMLEditor.Step], _ name: String?) {
    for (index, row) in found.added.enumerated() {
      let place = path + [.item(count + index)]
      change(place, name, "`\(row.name)` is new") { editor throws(YAMLEditor.Problem) in
        try editor.insert(row.node, at: place)
      }
    }
    for (index, row, value) in found.changed {
      let place = path + [.item(index)]
      change(place, name, text(of: row, value), done: value == nil ? ": commented out" : "") {
        editor throws(YAMLEditor.Problem) in
        if let value {
          try editor.set(value, at: place)
        } else {
          try editor.commentOut(place, because: "Not in the document any more:")
        }
      }
    }
  }

  /// Makes the changes all at once, if all rows that change are written as an import writes them.
  private mutating func rewrite(
    _ found: RowChanges, of count: Int, at path: [YAMLEditor.Step], _ name: String?
  ) -> Bool {
    let removed = found.changed.count { $0.value == nil }
    guard removed < count, let lines = editor.lines(ofItems: path), lines.count == count, let last = lines.last,
      let column = editor.utf8[last].firstIndex(where: { $0 != 0x20 }).map({ $0 - last.lowerBound })
    else { return false }
    func written(_ row: YAMLNode) -> String {
      String(YAMLWriter.text(of: .list([row]), indent: column).dropLast())
    }
    let head = String(repeating: " ", count: column) + "# "
    var parts: [(bytes: Range<Int>, text: [UInt8])] = []
    var added: [SpecUpdate.Change] = []
    var line = editor.line(at: last.upperBound) + 1
    let texts = found.added.map { written($0.node) }
    for (row, text) in zip(found.added, texts) {
      let news = "\(subject(path, name)) `\(row.name)` is new"
      added.append(SpecUpdate.Change(path: self.path, line: line, text: news, isLeft: false))
      line += text.count { $0 == "\n" } + 1
    }
    var changes = changes
    changes.shift(
      in: self.path, behind: editor.line(at: last.upperBound), by: line - editor.line(at: last.upperBound) - 1)
    changes += added
    if !texts.isEmpty {
      parts.append((last.upperBound..<last.upperBound, Array(texts.map { "\n" + $0 }.joined().utf8)))
    }
    for (index, row, value) in found.changed {
      let bytes = lines[index]
      let old = written(row.node)
      guard editor.utf8[bytes].elementsEqual(old.utf8) else { return false }
      let comments = old.split(separator: "\n", omittingEmptySubsequences: false).map { head + $0.dropFirst(column) }
      let text =
        value.map(written) ?? ([head + "Not in the document any more:"] + comments).joined(separator: "\n")
      let line = editor.line(at: bytes.lowerBound)
      changes.shift(in: self.path, behind: line, by: text.count { $0 == "\n" } - old.count { $0 == "\n" })
      let news = "\(subject(path, name)) \(self.text(of: row, value))\(value == nil ? ": commented out" : "")"
      changes.append(SpecUpdate.Change(path: self.path, line: line, text: news, isLeft: false))
      parts.append((bytes, Array(text.utf8)))
    }
    do throws(YAMLEditor.Problem) {
      try editor.replace(
        parts.sorted { ($0.bytes.lowerBound, $0.bytes.upperBound) < ($1.bytes.lowerBound, $1.bytes.upperBound) })
    } catch {
      return false
    }
    self.changes = changes
    return true
  }
}

extension YAMLNode {
  /// The rows of boundaries; nil for another list.
  var rows: [YAMLRow]? {
    guard let items else { return nil }
    let rows = items.compactMap { item in item["case"]?.scalar.map { (name: $0.text, node: item) } }
    return rows.count == items.count ? rows : nil
  }
}
