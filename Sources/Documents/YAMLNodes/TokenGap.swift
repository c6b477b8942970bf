import Values

/// The blanks, line breaks and comments between two tokens.
struct TokenGap {
  let bytes: Range<Int>
  /// The comment after the previous token, on its line.
  private(set) var trailingComment: Range<Int>?
  /// Separate lines: comments, and empty ranges for blank lines.
  var lines: [Range<Int>] = []
  private(set) var breaksLine = false

  /// - Parameter isStart: whether the gap is at the start of the text.
  init(_ utf8: [UInt8], _ bytes: Range<Int>, isStart: Bool) {
    self.bytes = bytes.lowerBound..<max(bytes.lowerBound, bytes.upperBound)
    var isFirst = !isStart
    var start = bytes.lowerBound
    while start < bytes.upperBound {
      let end = utf8[start..<bytes.upperBound].firstIndex(of: 0x0A)
      let line = start..<(end ?? bytes.upperBound)
      var comment = utf8[line].firstIndex(of: UInt8(ascii: "#")).map { $0..<line.upperBound }
      while let range = comment, let last = utf8[range].last, isBlank(last) {
        comment = range.lowerBound..<range.upperBound - 1
      }
      if isFirst {
        trailingComment = comment
      } else if let comment {
        lines.append(comment)
      } else if end != nil {
        lines.append(line.lowerBound..<line.lowerBound)
      }
      if end != nil { breaksLine = true }
      isFirst = false
      start = line.upperBound + 1
    }
  }

  /// The offset in its line, in Unicode scalars.
  static func column(_ offset: Int, in utf8: [UInt8]) -> Int {
    var start = offset
    while start > 0, utf8[start - 1] != 0x0A { start -= 1 }
    return utf8[start..<offset].count { $0 & 0xC0 != 0x80 }
  }

  /// The end of a token, without the line breaks that end a block scalar.
  static func end(of token: YAMLToken, in utf8: [UInt8]) -> Int {
    switch token.kind {
    case .scalar(.literal), .scalar(.folded): BlockScalar(token, in: utf8).end
    default: token.bytes.upperBound
    }
  }

  /// Returns whether line breaks after a token are a part of its text.
  static func keepsBreaks(_ token: YAMLToken, in utf8: [UInt8]) -> Bool {
    switch token.kind {
    case .scalar(.literal), .scalar(.folded): BlockScalar.keepsBreaks(utf8[token.bytes])
    default: false
    }
  }
}

/// The lines of a literal or folded scalar.
struct BlockScalar {
  /// `|`, `>-` and so on, with its comment.
  private(set) var header: [UInt8]
  /// The lines without their indentation.
  private(set) var lines: [ArraySlice<UInt8>] = []
  /// The end of the last line.
  private(set) var end: Int

  init(_ token: YAMLToken, in utf8: [UInt8]) {
    let raw = BlockScalar.bytes(of: token, in: utf8)
    var all = raw.split(separator: 0x0A, omittingEmptySubsequences: false)
    let first = all.removeFirst()
    header = Array(first.trimming(while: isBlank))
    let indicators = first.prefix { !isBlank($0) }
    let digit = indicators.first { $0 >= UInt8(ascii: "1") && $0 <= UInt8(ascii: "9") }
    let indent: Int
    if let digit {
      let parent = token.collections.last.map { TokenGap.column($0.start, in: utf8) } ?? 0
      indent = parent + Int(digit - UInt8(ascii: "0"))
      if let place = header.firstIndex(of: digit) { header[place] = UInt8(ascii: "2") }
    } else {
      let first = all.first { line in line.contains { $0 != 0x20 } }
      indent = first.map { line in line.prefix { $0 == 0x20 }.count } ?? all.map(\.count).max() ?? 0
    }
    // There is nothing after the last line break.
    let endsInBreak = all.last.map { $0.count <= indent && $0.allSatisfy { $0 == 0x20 } } ?? false
    if endsInBreak { all.removeLast() }
    let keeps = BlockScalar.keepsBreaks(raw)
    if !keeps {
      while let last = all.last, last.count <= indent, last.allSatisfy({ $0 == 0x20 }) {
        all.removeLast()
      }
    }
    lines = all.map { line in line.dropFirst(min(indent, line.prefix { $0 == 0x20 }.count)) }
    end = all.last?.endIndex ?? first.endIndex
    // Without a final line break the text has none either, but the file gets one.
    guard !endsInBreak, !lines.isEmpty, !indicators.contains(UInt8(ascii: "-")) else { return }
    header.removeAll { $0 == UInt8(ascii: "+") }
    header.insert(UInt8(ascii: "-"), at: 1)
  }

  /// The token with the blank lines that follow it.
  private static func bytes(of token: YAMLToken, in utf8: [UInt8]) -> ArraySlice<UInt8> {
    var end = token.bytes.upperBound
    while end < utf8.count {
      let lineEnd = utf8[end...].firstIndex(of: 0x0A) ?? utf8.count
      guard utf8[end..<lineEnd].allSatisfy({ $0 == 0x20 }) else { break }
      end = min(lineEnd + 1, utf8.count)
    }
    return utf8[token.bytes.lowerBound..<end]
  }

  static func keepsBreaks(_ raw: ArraySlice<UInt8>) -> Bool {
    raw.prefix { !isSpace($0) }.contains(UInt8(ascii: "+"))
  }
}
