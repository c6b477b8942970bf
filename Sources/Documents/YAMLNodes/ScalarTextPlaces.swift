import Values

/// The place in the source of each byte of a scalar's text.
///
/// The source is read again by the rules of the scalar's style; if what that yields is not the scalar's text, there is
/// no response rather than a wrong one.
struct ScalarTextPlaces {
  /// A part of the source with its text.
  private struct Piece {
    let source: Range<Int>
    /// An escape's text; nil for literal source.
    let escaped: [UInt8]?
    /// Indicates whether a folded line break comes before it.
    let followsBreak: Bool
  }

  /// The source range that each byte of the text comes from; neighbours of one escape share theirs.
  private let places: [Range<Int>]

  init?(_ scalar: YAMLScalar, range: SourceRange) {
    let utf8 = range.source.utf8
    let text = Array(scalar.text.utf8)
    let bytes = range.bytes
    guard bytes.upperBound <= utf8.count else { return nil }
    let pieces: [Piece]
    switch scalar.style {
    case .plain:
      pieces = ScalarTextPlaces.flowPieces(utf8, bytes, style: .plain)
    case .singleQuoted, .doubleQuoted:
      guard bytes.count >= 2 else { return nil }
      pieces = ScalarTextPlaces.flowPieces(utf8, bytes.lowerBound + 1..<bytes.upperBound - 1, style: scalar.style)
    case .literal, .folded:
      pieces = ScalarTextPlaces.blockPieces(utf8, bytes)
    }
    var places: [Range<Int>] = []
    places.reserveCapacity(text.count)
    var previousEnd = bytes.lowerBound
    for piece in pieces {
      if piece.followsBreak {
        let before = places.count
        while places.count < text.count, text[places.count] == 0x0A { places.append(previousEnd..<previousEnd) }
        if places.count == before, places.count < text.count, text[places.count] == 0x20,
          !isBlank(piece.escaped?.first ?? utf8[piece.source.lowerBound])
        {
          places.append(previousEnd..<previousEnd)
        }
      }
      let count = piece.escaped?.count ?? piece.source.count
      guard places.count + count <= text.count else { return nil }
      let shown = piece.escaped?[...] ?? utf8[piece.source]
      guard shown.elementsEqual(text[places.count..<places.count + count]) else { return nil }
      if piece.escaped != nil {
        places += repeatElement(piece.source, count: count)
      } else {
        for offset in piece.source { places.append(offset..<offset + 1) }
      }
      previousEnd = piece.source.upperBound
    }
    // Only folded line breaks may remain.
    while places.count < text.count {
      guard text[places.count] == 0x0A || text[places.count] == 0x20 else { return nil }
      places.append(previousEnd..<previousEnd)
    }
    self.places = places
  }

  func sourceRange(of range: Range<Int>) -> Range<Int>? {
    guard range.lowerBound >= 0, range.upperBound <= places.count else { return nil }
    guard let last = range.last else {
      let place = range.lowerBound < places.count ? places[range.lowerBound].lowerBound : places.last?.upperBound
      return place.map { $0..<$0 }
    }
    return places[range.lowerBound].lowerBound..<max(places[range.lowerBound].lowerBound, places[last].upperBound)
  }

  // MARK: Plain and quoted scalars

  private static func flowPieces(_ utf8: [UInt8], _ bytes: Range<Int>, style: YAMLScalar.Style) -> [Piece] {
    var pieces: [Piece] = []
    var position = bytes.lowerBound
    var runStart = position
    var followsBreak = false
    func flush(to end: Int) {
      if end > runStart { pieces.append(Piece(source: runStart..<end, escaped: nil, followsBreak: followsBreak)) }
      if end > runStart { followsBreak = false }
    }
    while position < bytes.upperBound {
      let byte = utf8[position]
      if byte == 0x0A || byte == 0x0D {
        var end = position
        while end > runStart, isBlank(utf8[end - 1]) { end -= 1 }
        flush(to: end)
        while position < bytes.upperBound, isSpace(utf8[position]) { position += 1 }
        (runStart, followsBreak) = (position, true)
      } else if style == .singleQuoted, byte == UInt8(ascii: "'") {
        flush(to: position)
        let source = position..<min(position + 2, bytes.upperBound)
        pieces.append(Piece(source: source, escaped: [byte], followsBreak: followsBreak))
        (position, runStart, followsBreak) = (source.upperBound, source.upperBound, false)
      } else if style == .doubleQuoted, byte == UInt8(ascii: "\\") {
        flush(to: position)
        guard let escape = DoubleQuotedEscape(utf8, at: position) else { return [] }
        let source = position..<position + escape.length
        if escape.isLineContinuation {
          position = source.upperBound
          while position < bytes.upperBound, isSpace(utf8[position]) { position += 1 }
          (runStart, followsBreak) = (position, false)
        } else {
          pieces.append(Piece(source: source, escaped: escape.text, followsBreak: followsBreak))
          (position, runStart, followsBreak) = (source.upperBound, source.upperBound, false)
        }
      } else {
        position += 1
      }
    }
    flush(to: bytes.upperBound)
    return pieces
  }

  // MARK: Block scalars

  private static func blockPieces(_ utf8: [UInt8], _ bytes: Range<Int>) -> [Piece] {
    var lines: [Range<Int>] = []
    var start = bytes.lowerBound
    for position in bytes where utf8[position] == 0x0A {
      lines.append(start..<position)
      start = position + 1
    }
    lines.append(start..<bytes.upperBound)
    let header = utf8[lines.removeFirst()]
    let indentOf: (Range<Int>) -> Int = { line in utf8[line].prefix { $0 == 0x20 }.count }
    guard let first = lines.first(where: { indentOf($0) < $0.count }) else { return [] }
    // With an indentation indicator the first line may be indented deeper than the block; then the least indent is
    // used.
    let hasIndicator = header.prefix { !isSpace($0) }.contains { $0 >= UInt8(ascii: "1") && $0 <= UInt8(ascii: "9") }
    let contentLines = lines.filter { indentOf($0) < $0.count }
    let indent = hasIndicator ? contentLines.map(indentOf).min() ?? 0 : indentOf(first)
    return contentLines.map { line in
      let end = utf8[line.upperBound - 1] == 0x0D ? line.upperBound - 1 : line.upperBound
      let start = min(line.lowerBound + indent, end)
      return Piece(source: start..<end, escaped: nil, followsBreak: true)
    }.filter { !$0.source.isEmpty }
  }
}

/// An escape of a double-quoted scalar (YAML 1.2, section 5.7).
struct DoubleQuotedEscape {
  /// The number of bytes, with its backslash.
  let length: Int
  let text: [UInt8]
  /// `\` at the end of a line: the line break isn't part of the text.
  var isLineContinuation = false

  private static let simple: [UInt8: UInt32] = [
    UInt8(ascii: "0"): 0, UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9, 0x09: 9,
    UInt8(ascii: "n"): 10, UInt8(ascii: "v"): 11, UInt8(ascii: "f"): 12, UInt8(ascii: "r"): 13,
    UInt8(ascii: "e"): 27, UInt8(ascii: " "): 32, UInt8(ascii: "\""): 34, UInt8(ascii: "/"): 47,
    UInt8(ascii: "\\"): 92, UInt8(ascii: "N"): 0x85, UInt8(ascii: "_"): 0xA0, UInt8(ascii: "L"): 0x2028,
    UInt8(ascii: "P"): 0x2029,
  ]

  init?(_ utf8: [UInt8], at start: Int) {
    guard start + 1 < utf8.count else { return nil }
    let letter = utf8[start + 1]
    if letter == 0x0A || letter == 0x0D {
      (length, text, isLineContinuation) = (2, [], true)
      return
    }
    var code = DoubleQuotedEscape.simple[letter]
    var length = 2
    if let digits = [UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8][letter] {
      length += digits
      guard start + length <= utf8.count else { return nil }
      code = UInt32(String(decoding: utf8[start + 2..<start + length], as: UTF8.self), radix: 16)
    }
    guard let code, let scalar = Unicode.Scalar(code) else { return nil }
    self.length = length
    text = Array(String(Character(scalar)).utf8)
  }
}
