import Values

extension YAMLReader {
  /// Formats a document: two blanks for each level, quotes only if they are needed, blank lines between requests. Line
  /// breaks, comments and the order of keys stay; a change of meaning would be an error.
  ///
  /// - Returns: nil if the bag has an error.
  package static func formatted(bytes: [UInt8], name: String, into bag: inout DiagnosticBag) -> [UInt8]? {
    let errors = bag.errorCount
    let (source, root) = read(bytes: bytes, name: name, into: &bag)
    guard bag.errorCount == errors, root != nil else { return nil }
    let utf8 = withLineFeeds(source.utf8)
    do throws(YAMLSyntaxError) {
      var formatter = try YAMLFormatter(utf8)
      formatter.keepsQuotes = name.hasSuffix(".json")
      let result = formatter.format()
      var ignored = DiagnosticBag()
      _ = read(bytes: result, name: name, into: &ignored)
      if !ignored.hasErrors, try isSameDocument(utf8, result), try formatter.comments == comments(of: result) {
        return result
      }
    } catch {}
    bag.error(
      .unwritableFile, "\(name) is left as it is: formatted, it would not mean the same", at: nil,
      help: "this is a bug of reqrun; please report the file")
    return nil
  }

  private static func withLineFeeds(_ utf8: [UInt8]) -> [UInt8] {
    guard utf8.contains(0x0D) else { return utf8 }
    var result: [UInt8] = []
    result.reserveCapacity(utf8.count)
    for (offset, byte) in utf8.enumerated() {
      if byte != 0x0D {
        result.append(byte)
      } else if offset + 1 >= utf8.count || utf8[offset + 1] != 0x0A {
        result.append(0x0A)
      }
    }
    return result
  }

  private static func comments(of utf8: [UInt8]) throws(YAMLSyntaxError) -> [ArraySlice<UInt8>] {
    var formatter = try YAMLFormatter(utf8)
    _ = formatter.format()
    return formatter.comments
  }

  /// Returns whether two texts have the same nodes, with their tags, anchors and aliases.
  private static func isSameDocument(_ one: [UInt8], _ other: [UInt8]) throws(YAMLSyntaxError) -> Bool {
    let (events, others) = (try YAMLEvent.all(of: one), try YAMLEvent.all(of: other))
    return events.count == others.count && zip(events, others).allSatisfy { $0.means($1) }
  }
}

extension YAMLEvent {
  fileprivate static func all(of utf8: [UInt8]) throws(YAMLSyntaxError) -> [YAMLEvent] {
    var gaps = TagGaps(utf8)
    while true {
      let stream = YAMLEventStream(utf8, gaps)
      var events: [YAMLEvent] = []
      while true {
        let event = try stream.next()
        if case .streamEnd = event.kind { break }
        events.append(event)
      }
      if stream.wrongGaps.isEmpty { return events }
      gaps.remove(stream.wrongGaps)
    }
  }

  fileprivate func means(_ other: YAMLEvent) -> Bool {
    guard anchor == other.anchor, tag == other.tag else { return false }
    switch (kind, other.kind) {
    case (.scalar(let text, let style), .scalar(let otherText, let otherStyle)):
      guard text == otherText else { return false }
      if (style == .plain) == (otherStyle == .plain) { return true }
      return tag == nil && ScalarWriting.isText(plain: text)
    case (.alias(let name), .alias(let otherName)): return name == otherName
    case (.streamStart, .streamStart), (.documentStart, .documentStart), (.documentEnd, .documentEnd),
      (.sequenceStart, .sequenceStart), (.sequenceEnd, .sequenceEnd), (.mappingStart, .mappingStart),
      (.mappingEnd, .mappingEnd):
      return true
    default: return false
    }
  }
}

/// Writes the tokens of a document, with comments, in one style.
struct YAMLFormatter {
  /// The comments written so far, in order.
  private(set) var comments: [ArraySlice<UInt8>] = []
  /// Indicates that quotes stay, as JSON needs them.
  var keepsQuotes = false
  let utf8: [UInt8]
  let tokens: [YAMLToken]
  let gaps: [TokenGap]
  /// The columns at which more than one comment after a value begins.
  private let alignedColumns: Set<Int>
  /// The last tokens of the items of `requests` and the like, by the first ones.
  private let stageItems: [Int: StageItem]
  var output: [UInt8] = []
  private var lineStart = 0
  /// The distance by which the line is further right than in the source.
  private var lineShift = 0
  var lineIndent = 0
  /// The indentation of the lines with the open brackets.
  var brackets: [Int] = []

  /// An item in a list of requests.
  private struct StageItem {
    var isFirst: Bool
    /// Indicates whether it, or the one before, has several lines.
    var needsBlankLine: Bool
  }

  init(_ utf8: [UInt8]) throws(YAMLSyntaxError) {
    self.utf8 = utf8
    let tokens = try YAMLTokens.of(utf8)
    var gaps: [TokenGap] = []
    var end = 0
    for token in tokens {
      gaps.append(TokenGap(utf8, end..<token.bytes.lowerBound, isStart: end == 0))
      end = TokenGap.end(of: token, in: utf8)
    }
    gaps.append(TokenGap(utf8, end..<utf8.count, isStart: tokens.isEmpty))
    self.tokens = tokens
    self.gaps = gaps
    var columns: [Int: Int] = [:]
    for gap in gaps {
      if let comment = gap.trailingComment { columns[TokenGap.column(comment.lowerBound, in: utf8), default: 0] += 1 }
    }
    alignedColumns = Set(columns.filter { $0.value > 1 }.keys)
    stageItems = YAMLFormatter.stageItems(tokens, utf8)
  }

  /// Top-level keys whose items are separated by blank lines.
  private static let stages: Set<String> = ["setup", "requests", "teardown"]

  private static func stageItems(_ tokens: [YAMLToken], _ utf8: [UInt8]) -> [Int: StageItem] {
    var items: [Int: StageItem] = [:]
    var key = ""
    var (current, firstLine, previousIsLong): (Int?, Int, Bool) = (nil, 0, false)
    func close(before next: Int) {
      guard let item = current, next > item else { return }
      let end = TokenGap.end(of: tokens[next - 1], in: utf8)
      let isLong = utf8[tokens[item].bytes.lowerBound..<end].contains(0x0A)
      items[item]?.needsBlankLine = isLong || previousIsLong
      previousIsLong = isLong
      current = nil
    }
    for (index, token) in tokens.enumerated() {
      if token.isKey, token.collections.count == 1 {
        close(before: index)
        key = token.text
        firstLine = 0
      } else if token.kind == .item, token.collections.count == 2, stages.contains(key), token.collections[0].isMapping
      {
        close(before: index)
        items[index] = StageItem(isFirst: firstLine == 0, needsBlankLine: false)
        current = index
        firstLine = 1
      }
    }
    close(before: tokens.count)
    return items
  }

  mutating func format() -> [UInt8] {
    output.reserveCapacity(utf8.count + 64)
    for index in tokens.indices { write(index) }
    writeEnd()
    return output
  }

  // MARK: Lines

  mutating func beginLine(_ indent: Int, sourceColumn: Int) {
    lineStart = output.count
    lineIndent = indent
    lineShift = indent - sourceColumn
    output += repeatElement(0x20, count: indent)
  }

  /// Ends the line, and writes the gap before the next token.
  mutating func writeLines(_ gap: TokenGap, before index: Int, indent: Int) {
    let previous = index > 0 ? tokens[index - 1] : nil
    if previous != nil { output.append(0x0A) }
    var lines = gap.lines
    let takesBlankLines = previous.map { previous in
      // In a block scalar they would belong to the text.
      !TokenGap.keepsBreaks(previous, in: utf8) && !(brackets.isEmpty && [.value, .item].contains(previous.kind))
    }
    if takesBlankLines != true {
      lines = Array(lines.drop { $0.isEmpty })
    } else if let item = stageItems[index], !item.isFirst, item.needsBlankLine, !lines.contains(where: \.isEmpty) {
      lines.insert(0..<0, at: 0)
    }
    var isAfterBlank = false
    for line in lines {
      if line.isEmpty {
        if !isAfterBlank { output.append(0x0A) }
        isAfterBlank = true
        continue
      }
      isAfterBlank = false
      let column = TokenGap.column(line.lowerBound, in: utf8)
      output += repeatElement(0x20, count: commentIndent(column, previous, index, indent))
      comments.append(utf8[line])
      output += utf8[line]
      output.append(0x0A)
    }
  }

  /// The indentation of a comment on its own line: it belongs to the collection at its column.
  private func commentIndent(_ column: Int, _ previous: YAMLToken?, _ index: Int, _ indent: Int) -> Int {
    if !brackets.isEmpty { return (brackets.last ?? 0) + 2 }
    let next = index < tokens.count ? tokens[index] : nil
    if let next, let block = next.collections.last, next.isKey || next.kind == .item,
      TokenGap.column(block.start, in: utf8) == column
    {
      return indent
    }
    var (best, result) = (-1, indent)
    for collections in [next?.collections ?? [], previous?.collections ?? []] {
      for (depth, block) in collections.enumerated() {
        let start = TokenGap.column(block.start, in: utf8)
        if start <= column, start > best { (best, result) = (start, 2 * depth) }
      }
    }
    return result
  }

  mutating func writeTrailing(_ comment: Range<Int>, after index: Int) {
    let column = TokenGap.column(comment.lowerBound, in: utf8)
    let end = output[lineStart...].count { $0 & 0xC0 != 0x80 }
    let blanks = column - TokenGap.column(TokenGap.end(of: tokens[index], in: utf8), in: utf8)
    let wanted = alignedColumns.contains(column) ? column + lineShift - end : blanks
    output += repeatElement(0x20, count: max(1, wanted))
    comments.append(utf8[comment])
    output += utf8[comment]
  }

  mutating func writeEnd() {
    guard let gap = gaps.last, !tokens.isEmpty else { return }
    if let comment = gap.trailingComment { writeTrailing(comment, after: tokens.count - 1) }
    var rest = gap
    rest.lines = Array(rest.lines.reversed().drop { $0.isEmpty }.reversed())
    writeLines(rest, before: tokens.count, indent: 0)
  }

  // MARK: Scalars

  mutating func write(_ token: YAMLToken, _ style: YAMLScalar.Style, _ index: Int) {
    if style == .literal || style == .folded { return writeBlock(token) }
    let raw = utf8[token.bytes]
    guard raw.contains(0x0A) else {
      let properties = tokens[..<index].reversed().prefix { $0.kind == .tag || $0.kind == .anchor }
      let isTagged = properties.contains { $0.kind == .tag }
      if style != .plain, !keepsQuotes, !isTagged, ScalarWriting.isPlain(token.text, inFlow: !brackets.isEmpty) {
        output += token.text.utf8
      } else {
        output += raw
      }
      return
    }
    // Blanks at the start of a line aren't part of the text; those at the end may be escaped.
    let indent = brackets.last.map { $0 + 2 } ?? 2 * token.collections.count
    for (number, line) in raw.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      var content = number == 0 ? line : line.drop { isBlank($0) }
      if style != .doubleQuoted { while let last = content.last, isBlank(last) { content.removeLast() } }
      if number > 0 { output.append(0x0A) }
      if content.isEmpty { continue }
      if number > 0 { beginLine(indent, sourceColumn: line.prefix { isBlank($0) }.count) }
      output += content
    }
  }

  private mutating func writeBlock(_ token: YAMLToken) {
    let block = BlockScalar(token, in: utf8)
    output += block.header
    let indent = max(2, 2 * token.collections.count)
    for line in block.lines {
      output.append(0x0A)
      if line.isEmpty { continue }
      output += repeatElement(0x20, count: indent)
      output += line
    }
    lineStart = output.count
  }
}
