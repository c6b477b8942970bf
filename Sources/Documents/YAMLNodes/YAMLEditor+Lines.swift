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
  /// - Parameter lines: the lines of each item, with the comments above it.
  package mutating func insert(_ items: [[Substring]], behind path: [Step]) throws(Problem) {
    let (place, column) = try lines(of: path)
    let starts = try starts(of: try node(at: path.dropLast()))
    let hasGaps = starts.count == 1 || starts.dropFirst().contains { isSeparated($0) }
    var text = ""
    for lines in items {
      text += hasGaps ? "\n" : ""
      let dash = lines.first { $0.drop { $0 == " " }.first == "-" } ?? ""
      let shift = column - dash.prefix { $0 == " " }.count
      for line in lines {
        text += "\n"
        if line.isEmpty { continue }
        text += shift >= 0 ? String(repeating: " ", count: shift) + line : line.dropFirst(-shift)
      }
    }
    try apply(text, in: place.upperBound..<place.upperBound)
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
