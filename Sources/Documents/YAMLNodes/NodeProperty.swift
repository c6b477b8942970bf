import Values

/// Finds the tags and anchors before a node in the source (YAML 1.2, section 6.9).
enum NodeProperty {
  /// The end of the tag or anchor at an offset.
  static func end(in utf8: [UInt8], at start: Int) -> Int {
    guard start < utf8.count else { return start }
    var position = start + 1
    if utf8[start] == UInt8(ascii: "!"), position < utf8.count, utf8[position] == UInt8(ascii: "<") {
      while position < utf8.count, utf8[position] != UInt8(ascii: ">") { position += 1 }
      return min(position + 1, utf8.count)
    }
    while position < utf8.count, !isSpace(utf8[position]), !isFlowIndicator(utf8[position]) { position += 1 }
    return position
  }

  /// The next offset that is neither white space nor comment.
  static func skipSeparation(in utf8: [UInt8], from start: Int) -> Int {
    var position = start
    while position < utf8.count {
      if utf8[position] == UInt8(ascii: "#"), position > start {
        while position < utf8.count, utf8[position] != 0x0A, utf8[position] != 0x0D { position += 1 }
      } else if isSpace(utf8[position]) {
        position += 1
      } else {
        break
      }
    }
    return position
  }

  /// The tag among the properties that begin at an offset.
  static func tagRange(in utf8: [UInt8], from start: Int) -> Range<Int>? {
    var position = start
    while position < utf8.count {
      let end = end(in: utf8, at: position)
      switch utf8[position] {
      case UInt8(ascii: "!"): return position..<end
      case UInt8(ascii: "&"): position = skipSeparation(in: utf8, from: end)
      default: return nil
      }
    }
    return nil
  }

  static func isFlowIndicator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"): true
    default: false
    }
  }
}
