import Values
import YAMLNodes

/// A request that was merged in a text of its own lines.
struct MergedRequest {
  /// The lines in the whole text, counted from 1.
  fileprivate let lines: ClosedRange<Int>
  fileprivate let bytes: Range<Int>
  fileprivate let text: [UInt8]
  /// The places of its changes among all of the file.
  fileprivate let changes: Range<Int>
  /// The number of lines that it became longer by.
  fileprivate let growth: Int
}

extension SpecMerge {
  private static let head = Array("requests:\n".utf8)

  /// Merges a request as ``merge(_:_:at:name:)`` does, but in a text of its own lines: the time doesn't grow with the
  /// product of the file and its changes.
  mutating func mergeRequest(_ old: YAMLNode, _ new: YAMLNode, at path: [YAMLEditor.Step], name: String?) {
    if old.isSame(as: new) { return }
    guard let bytes = itemLines(path), let inner = excerpt(bytes) else {
      finishRequests()
      return merge(old, new, at: path, name: name)
    }
    var merge = SpecMerge(path: self.path, editor: inner)
    merge.isMoved = isMoved
    merge.merge(old, new, at: [.key("requests"), .item(0)], name: name)
    let first = editor.line(at: bytes.lowerBound)
    let start = changes.count
    changes += merge.changes.map { change in
      var change = change
      change.line = change.line.map { $0 + first - 2 }
      return change
    }
    let text = Array(merge.editor.utf8.dropFirst(SpecMerge.head.count))
    if text == Array(editor.utf8[bytes]) { return }
    let count = editor.utf8[bytes].count { $0 == 0x0A }
    merged.append(
      MergedRequest(
        lines: first...first + count, bytes: bytes, text: text, changes: start..<changes.count,
        growth: text.count { $0 == 0x0A } - count))
  }

  /// The lines of an item of the list that has it, which are found once for all items.
  private mutating func itemLines(_ path: [YAMLEditor.Step]) -> Range<Int>? {
    guard path.count == 2, case .item(let index) = path[1] else { return nil }
    if knownLines[path[0]] == nil { knownLines[path[0]] = editor.lines(ofItems: [path[0]]) ?? [] }
    guard let lines = knownLines[path[0]], lines.indices.contains(index) else { return nil }
    return lines[index]
  }

  /// Nil for lines that mean something only among others, such as those with an alias.
  private func excerpt(_ bytes: Range<Int>) -> YAMLEditor? {
    var ignored = DiagnosticBag()
    let editor = YAMLEditor(bytes: SpecMerge.head + editor.utf8[bytes], name: path, into: &ignored)
    return editor?.value(at: [.key("requests")])?.items?.count == 1 ? editor : nil
  }

  /// Writes the merged requests into the whole text.
  mutating func finishRequests() {
    let requests = merged.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }
    (merged, knownLines) = ([], [:])
    if requests.isEmpty { return }
    do throws(YAMLEditor.Problem) {
      try editor.replace(requests.map { ($0.bytes, $0.text) })
    } catch {
      for index in requests.flatMap(\.changes) { changes[index] = changes[index].left }
      return
    }
    var growth = 0
    var shifts: [(line: Int, growth: Int)] = []
    var own: Set<Int> = []
    for request in requests {
      for index in request.changes {
        changes[index].line = changes[index].line.map { $0 + growth }
        own.insert(index)
      }
      growth += request.growth
      shifts.append((request.lines.upperBound, growth))
    }
    for index in changes.indices where !own.contains(index) {
      guard let line = changes[index].line, let shift = shifts.last(where: { $0.line < line }) else { continue }
      changes[index].line = line + shift.growth
    }
  }
}
