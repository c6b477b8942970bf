import Values

/// XML or HTML with a line for each element that contains others; an element with text of its own stays as it is.
///
/// - Returns: nil if its tags don't match: it isn't changed then.
func indentedMarkup(_ text: String, isHTML: Bool) -> String? {
  guard var layout = MarkupLayout(text, isHTML: isHTML) else { return nil }
  return layout.text()
}

private struct MarkupLayout {
  private enum Kind {
    case open, close, single, text
  }

  private struct Token {
    let kind: Kind
    let range: Range<Int>
    /// The index of the token that closes it.
    var end = 0
    /// Indicates whether text or elements are directly in it.
    var hasText = false
    var hasElements = false
  }

  private static let voidElements: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
  ]
  private static let rawElements: Set<String> = ["script", "style", "textarea", "pre"]
  private static let deepestIndent = 64

  private let bytes: [UInt8]
  private let isHTML: Bool
  private var tokens: [Token] = []
  private var output: [UInt8] = []

  init?(_ text: String, isHTML: Bool) {
    bytes = Array(text.utf8)
    self.isHTML = isHTML
    guard readTokens(), matchTags() else { return nil }
  }

  mutating func text() -> String {
    var depth = 0
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      switch token.kind {
      case .text:
        if !isBlank(token.range) { line(trimmed(token.range), depth) }
      case .single: line(token.range, depth)
      case .close:
        depth -= 1
        line(token.range, depth)
      case .open where token.hasText || !token.hasElements:
        line(token.range.lowerBound..<tokens[token.end].range.upperBound, depth)
        index = token.end
      case .open:
        line(token.range, depth)
        depth += 1
      }
      index += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private mutating func line(_ range: Range<Int>, _ depth: Int) {
    output += [UInt8](repeating: 0x20, count: 2 * min(depth, Self.deepestIndent)) + bytes[range] + [0x0A]
  }

  // MARK: Reading

  private mutating func readTokens() -> Bool {
    var position = 0
    while position < bytes.count {
      guard let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) else {
        tokens.append(Token(kind: .text, range: position..<bytes.count))
        return true
      }
      if open > position { tokens.append(Token(kind: .text, range: position..<open)) }
      guard let token = tag(at: open) else { return false }
      tokens.append(token)
      position = token.range.upperBound
      if isHTML, token.kind == .open, Self.rawElements.contains(name(of: token)) {
        guard let close = closing(name(of: token), from: position) else { return false }
        if close > position { tokens.append(Token(kind: .text, range: position..<close)) }
        position = close
      }
    }
    return true
  }

  private func tag(at open: Int) -> Token? {
    for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] where starts(with: start, at: open) {
      guard let close = find(end, from: open + start.utf8.count) else { return nil }
      return Token(kind: start == "<![CDATA[" ? .text : .single, range: open..<close)
    }
    var position = open + 1
    var quote: UInt8?
    var brackets = 0
    while position < bytes.count {
      let byte = bytes[position]
      if let mark = quote {
        if byte == mark { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "[") {
        brackets += 1
      } else if byte == UInt8(ascii: "]") {
        brackets -= 1
      } else if byte == UInt8(ascii: ">"), brackets <= 0 {
        break
      }
      position += 1
    }
    guard position < bytes.count, position > open + 1 else { return nil }
    let range = open..<(position + 1)
    if bytes[open + 1] == UInt8(ascii: "!") { return Token(kind: .single, range: range) }
    if bytes[open + 1] == UInt8(ascii: "/") { return Token(kind: .close, range: range) }
    let isSingle = bytes[position - 1] == UInt8(ascii: "/")
    let token = Token(kind: .open, range: range)
    return isSingle || isHTML && Self.voidElements.contains(name(of: token))
      ? Token(kind: .single, range: range) : token
  }

  /// Finds the end of each element; false if tags don't match.
  private mutating func matchTags() -> Bool {
    var open: [Int] = []
    for index in tokens.indices {
      switch tokens[index].kind {
      case .text:
        if let parent = open.last, !isBlank(tokens[index].range) { tokens[parent].hasText = true }
      case .single: if let parent = open.last { tokens[parent].hasElements = true }
      case .open:
        if let parent = open.last { tokens[parent].hasElements = true }
        open.append(index)
      case .close:
        guard let start = open.popLast(), name(of: tokens[start]) == name(of: tokens[index]) else { return false }
        tokens[start].end = index
      }
    }
    return open.isEmpty
  }

  private func name(of token: Token) -> String {
    let start = token.range.lowerBound + (token.kind == .close ? 2 : 1)
    let name = bytes[start..<token.range.upperBound].prefix {
      $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
    }
    let text = String(decoding: name, as: UTF8.self)
    return isHTML ? text.lowercased() : text
  }

  private func closing(_ name: String, from start: Int) -> Int? {
    let wanted = Array("</\(name)".utf8)
    return (start..<max(start, bytes.count - wanted.count + 1)).first { position in
      bytes[position] == wanted[0] && zip(bytes[position...], wanted).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }
  }

  private func starts(with text: String, at position: Int) -> Bool { bytes[position...].starts(with: text.utf8) }

  /// The position after the next occurrence of a text.
  private func find(_ text: String, from start: Int) -> Int? {
    bytes[min(start, bytes.count)...].firstRange(of: Array(text.utf8))?.upperBound
  }

  private func isBlank(_ range: Range<Int>) -> Bool { bytes[range].allSatisfy { $0 <= 0x20 } }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    bytes[range].trimming { $0 <= 0x20 }.indices
  }
}
