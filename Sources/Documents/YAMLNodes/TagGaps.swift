import Values

/// Spaces inserted after tags that a bracket follows, as in `[!uuid]`.
///
/// In YAML 1.2 (section 6.9) the bracket ends the tag; libyaml requires a space there.
struct TagGaps {
  /// The offsets of the brackets in the source, ascending.
  private(set) var offsets: [Int] = []

  /// Inserts spaces after all possible tags; text that only looks like one is found by parsing.
  init(_ utf8: [UInt8]) {
    utf8.withUnsafeBufferPointer { utf8 in
      var position = 0
      while let mark = utf8[position...].firstIndex(of: UInt8(ascii: "!")) {
        position = mark + 1
        guard mark > 0, TagGaps.isBeforeTag(utf8[mark - 1]) else { continue }
        while position < utf8.count, TagGaps.isTagCharacter(utf8[position]) { position += 1 }
        if position < utf8.count, utf8[position] == UInt8(ascii: "]") || utf8[position] == UInt8(ascii: "}") {
          offsets.append(position)
        }
      }
    }
  }

  private static func isBeforeTag(_ byte: UInt8) -> Bool {
    isSpace(byte) || byte == UInt8(ascii: ":") || NodeProperty.isFlowIndicator(byte)
  }

  private static func isTagCharacter(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "!_-?".utf8.contains(byte)
  }

  var isEmpty: Bool { offsets.isEmpty }

  mutating func remove(_ wrong: Set<Int>) {
    offsets.removeAll { wrong.contains($0) }
  }

  func applied(to utf8: [UInt8]) -> [UInt8] {
    guard !isEmpty else { return utf8 }
    var result: [UInt8] = []
    result.reserveCapacity(utf8.count + offsets.count)
    var position = 0
    for offset in offsets {
      result += utf8[position..<offset]
      result.append(0x20)
      position = offset
    }
    return result + utf8[position...]
  }

  /// The offset in the source of one in the text with the spaces.
  func sourceOffset(_ offset: Int) -> Int {
    isEmpty ? offset : offset - offsets.indices.partitioningIndex { offsets[$0] + $0 >= offset }
  }

  /// The offsets inside of a range, not at its borders.
  func offsets(inside bytes: Range<Int>) -> ArraySlice<Int> {
    let first = offsets.partitioningIndex { $0 > bytes.lowerBound }
    return offsets[first...].prefix { $0 < bytes.upperBound }
  }
}
