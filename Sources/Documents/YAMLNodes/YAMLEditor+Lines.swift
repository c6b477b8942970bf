import Values

/// Changes of whole lines: members and items of blocks.
extension YAMLEditor {
  /// The value at a path; nil if there is none, or if it is shared with another place.
  package func value(at path: [Step]) -> YAMLNode? { try? node(at: path[...]) }

  /// Makes comments of the lines of a member or an item, below the reason.
  package mutating func commentOut(_ path: [Step], because reason: String) throws(Problem) {
    let (lines, column) = try lines(of: path)
    if children(of: try node(at: path.dropLast())).count == 1 { throw Problem("nothing would be left") }
    let head = String(repeating: " ", count: column) + "# "
    let text = utf8[lines].split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      let blanks = line.prefix(column).prefix { $0 == 0x20 }.count
      let rest = String(decoding: line.dropFirst(blanks), as: UTF8.self)
      return rest.isEmpty ? "" : head + rest
    }
    try apply(([head + reason] + text).joined(separator: "\n"), in: lines)
  }

  /// Inserts items, as lines of another document, behind an item of a block.
  ///
  /// - Parameter items: the lines of each item, with the comments above it.
  package mutating func insert(_ items: [[Substring]], behind path: [Step]) throws(Problem) {
    let place = try lines(of: path).bytes.upperBound
    try apply(try texts(of: items, beside: path).map { "\n" + $0 }.joined(), in: place..<place)
  }

  /// Inserts items, as lines of another document, before an item of a block and the comments above it.
  package mutating func insert(_ items: [[Substring]], before path: [Step]) throws(Problem) {
    if case .item(let index)? = path.last, index > 0 {
      return try insert(items, behind: path.dropLast() + [.item(index - 1)])
    }
    var line = source.lineIndex(at: try lines(of: path).bytes.lowerBound)
    while line > 0, utf8[source.lineBytes(line - 1)].first(where: { $0 != 0x20 }) == UInt8(ascii: "#") { line -= 1 }
    let place = source.lineBytes(line).lowerBound
    let texts = try texts(of: items, beside: path)
    // The empty line before an item is now behind it.
    let moved = texts.map { text in text.first == "\n" ? String(text.dropFirst()) + "\n\n" : text + "\n" }
    try apply(moved.joined(), in: place..<place)
  }

  /// Items as lines of the block of another one, each behind an empty line if those of the block are.
  private func texts(of items: [[Substring]], beside path: [Step]) throws(Problem) -> [String] {
    let column = try lines(of: path).column
    let starts = try starts(of: try node(at: path.dropLast()))
    let hasGaps = starts.count == 1 || starts.dropFirst().contains { isSeparated($0) }
    return items.map { lines in
      let dash = lines.first { $0.drop { $0 == " " }.first == "-" } ?? ""
      let shift = column - dash.prefix { $0 == " " }.count
      let shifted = lines.map { line in
        if line.isEmpty { return "" }
        return shift >= 0 ? String(repeating: " ", count: shift) + line : String(line.dropFirst(-shift))
      }
      return (hasGaps ? "\n" : "") + shifted.joined(separator: "\n")
    }
  }

  /// The whole lines of the items of a block; nil for another list.
  package func lines(ofItems path: [Step]) -> [Range<Int>]? {
    guard let parent = try? node(at: path[...]), let items = parent.items, !isFlow(parent),
      let starts = try? starts(of: parent)
    else { return nil }
    return zip(starts, items).map { start, item in
      let first = source.lineBytes(source.lineIndex(at: start)).lowerBound
      return first..<source.lineBytes(source.lineIndex(at: max(start, end(of: item) - 1))).upperBound
    }
  }

  /// The line of an offset, counted from 1.
  package func line(at offset: Int) -> Int { source.lineIndex(at: offset) + 1 }

  /// Replaces several ranges of bytes, in order, if the result can be read.
  package mutating func replace(_ parts: [(bytes: Range<Int>, text: [UInt8])]) throws(Problem) {
    var changed: [UInt8] = []
    var end = 0
    for (bytes, text) in parts {
      changed += utf8[end..<bytes.lowerBound] + text
      end = bytes.upperBound
    }
    try read(changed + utf8[end...])
  }

  /// The whole lines of a member or an item, and the column where it begins.
  private func lines(of path: [Step]) throws(Problem) -> (bytes: Range<Int>, column: Int) {
    guard let last = path.last else { throw Problem("the path is empty") }
    let parent = try node(at: path.dropLast())
    let value = try node(at: path[...])
    let start = try starts(of: parent)[index(of: last, in: parent)]
    let first = source.lineBytes(source.lineIndex(at: start))
    guard !isFlow(parent), utf8[first.lowerBound..<start].allSatisfy({ $0 == 0x20 }) else {
      throw Problem("it has no lines of its own")
    }
    let end = source.lineBytes(source.lineIndex(at: max(start, end(of: value) - 1))).upperBound
    return (first.lowerBound..<end, start - first.lowerBound)
  }
}
