import Values

/// A line of a file at which libyaml failed, parsed as a human reader would.
struct BrokenLine {
  let source: SourceText
  let bytes: Range<Int>
  let index: Int

  init(_ source: SourceText, at offset: Int) {
    self.init(source, index: source.lineIndex(at: min(offset, source.utf8.count)))
  }

  init(_ source: SourceText, index: Int) {
    self.source = source
    self.index = index
    bytes = source.lineBytes(index)
  }

  /// The last line above with anything but a comment.
  var previous: BrokenLine? {
    var index = index - 1
    while index >= 0 {
      let line = BrokenLine(source, index: index)
      if line.hasContent { return line }
      index -= 1
    }
    return nil
  }

  /// The line without surrounding white space.
  var content: Range<Int> { trimmed(bytes) }

  /// Indicates whether it has anything but a comment.
  var hasContent: Bool { content.first.map { source.utf8[$0] != UInt8(ascii: "#") } ?? false }

  var indent: Int { content.lowerBound - bytes.lowerBound }

  /// The text after `- ` and after a key, and the key; comments are kept.
  var entry: (key: Range<Int>?, value: Range<Int>) {
    let utf8 = source.utf8
    var rest = content
    while rest.count > 1, utf8[rest.lowerBound] == UInt8(ascii: "-"), isBlank(utf8[rest.lowerBound + 1]) {
      rest = trimmed(rest.lowerBound + 1..<rest.upperBound)
    }
    guard let colon = colons(in: rest).first else { return (nil, rest) }
    return (trimmed(rest.lowerBound..<colon), trimmed(colon + 1..<rest.upperBound))
  }

  /// The value of the line's entry, without a comment.
  var value: Range<Int> {
    let value = entry.value
    guard let hash = commentStart(in: value) else { return value }
    return trimmed(value.lowerBound..<hash)
  }

  /// The `#` that begins a comment after text.
  func commentStart(in range: Range<Int>) -> Int? {
    let utf8 = source.utf8
    return range.first {
      utf8[$0] == UInt8(ascii: "#") && $0 > bytes.lowerBound && isBlank(utf8[$0 - 1])
    }
  }

  /// The colons outside quotes that separate keys from values: before white space or the end of the line.
  func colons(in range: Range<Int>) -> [Int] {
    let utf8 = source.utf8
    var result: [Int] = []
    var quote: UInt8?
    var isStart = true
    for position in range {
      let byte = utf8[position]
      if let open = quote {
        if byte == open { quote = nil }
      } else if isStart, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ":"), position + 1 == range.upperBound || isBlank(utf8[position + 1]) {
        result.append(position)
      }
      isStart = isBlank(byte) || NodeProperty.isFlowIndicator(byte)
    }
    return result
  }

  func trimmed(_ range: Range<Int>) -> Range<Int> {
    source.utf8[range].trimming(while: isBlank).indices
  }

  /// The plain text around an offset within `[ ]` or `{ }`: from the last separator to the next one outside its own
  /// brackets, for a key to its colon.
  func flowToken(around offset: Int, from lowest: Int) -> Range<Int> {
    let utf8 = source.utf8
    var start = offset
    while start > max(lowest, bytes.lowerBound), !isSeparator(utf8[start - 1], before: start) { start -= 1 }
    var end = offset
    var depth = 0
    let isKey = !followsColon(start)
    while end < bytes.upperBound {
      let byte = utf8[end]
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
        depth += 1
      } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
        if depth == 0 { break }
        depth -= 1
      } else if depth == 0, byte == UInt8(ascii: ",") || (isKey && isColon(end)) {
        break
      }
      end += 1
    }
    return trimmed(start..<end)
  }

  private func followsColon(_ offset: Int) -> Bool {
    guard let previous = source.utf8[..<offset].last(where: { !isSpace($0) }) else { return false }
    return previous == UInt8(ascii: ":")
  }

  /// Returns whether a `:` there separates a key from its value.
  private func isColon(_ offset: Int) -> Bool {
    source.utf8[offset] == UInt8(ascii: ":")
      && (offset + 1 >= bytes.upperBound || isBlank(source.utf8[offset + 1]))
  }

  private func isSeparator(_ byte: UInt8, before position: Int) -> Bool {
    NodeProperty.isFlowIndicator(byte)
      || (isBlank(byte) && position >= 2 && source.utf8[position - 2] == UInt8(ascii: ":"))
  }
}

/// The text in quotes that preserve every character: single quotes if possible.
package func yamlQuoted(_ text: String) -> String {
  if !text.contains("'") { return "'\(text)'" }
  if !text.contains("\""), !text.contains("\\") { return "\"\(text)\"" }
  return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
}
