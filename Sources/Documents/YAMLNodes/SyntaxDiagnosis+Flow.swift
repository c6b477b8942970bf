import Values

extension SyntaxDiagnosis {
  var brokenFlow: Diagnostic {
    let opening = error.contextOffset
    let open = character(at: opening)
    let close = open == "[" ? "]" : "}"
    let line = line(at: offset)
    let isSameLine = offset < utf8.count && line.bytes.contains(opening)
    if isByte(offset, "!") || isByte(offset, "*"), tagBefore(offset).hasPrefix("!") { return secondProperty }
    if let byte, isSameLine || !isUnclosed(line) {
      let opened = Diagnostic.Note("opened here", at: range(opening..<opening + 1))
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        return bracketInsideText(line, at: offset, opening: opening)
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        return .error(
          .yamlUnclosed, "`\(character(at: offset))` does not close `\(open)`", at: range(offset..<offset + 1),
          notes: [opened], help: "write `\(close)`")
      default:
        if isSameLine {
          return .error(
            .yamlUnclosed, "a `,` or the closing `\(close)` is missing here", at: range(toEndOfToken(offset)),
            notes: [opened], help: "quote text that holds `,`, `:`, quotes or brackets")
        }
      }
    }
    return unclosedBracket(opening)
  }

  func unclosedBracket(_ opening: Int) -> Diagnostic {
    let line = BrokenLine(source, at: opening)
    let rest = opening..<max(opening + 1, line.content.upperBound)
    let close: Unicode.Scalar = isByte(opening, "[") ? "]" : "}"
    let message = "this `\(character(at: opening))` is never closed"
    if let hash = line.commentStart(in: rest), utf8[hash..<rest.upperBound].contains(UInt8(ascii: close)) {
      return .error(
        .yamlComment, message, at: range(opening..<hash),
        notes: [Diagnostic.Note("` #` begins a comment", at: range(hash..<rest.upperBound))],
        help: "quote the value if the `#` belongs to it, or close the bracket before the comment")
    }
    return .error(
      .yamlUnclosed, message, at: range(rest),
      notes: [Diagnostic.Note("reading went on up to here", at: range(toEndOfToken(offset)))],
      help: "add a closing `\(close)`, or quote the value if it is text")
  }

  /// Returns whether a line below an opening bracket looks like the next key rather than a part of the brackets.
  private func isUnclosed(_ line: BrokenLine) -> Bool {
    guard let byte else { return true }
    return byte == UInt8(ascii: ":") && endsFlow(line, error.contextOffset)
  }

  /// Returns whether a line is not indented as one within an opening bracket would be.
  func endsFlow(_ line: BrokenLine, _ opening: Int) -> Bool {
    let first = BrokenLine(source, at: opening)
    return line.index > first.index && line.indent <= first.indent
  }

  /// The braces around a text that begins with them, such as a GraphQL query; nil if they are those of a mapping.
  private func braces(at opening: Int, around token: Range<Int>) -> Range<Int>? {
    guard isByte(opening, "{"), utf8[(opening + 1)..<max(opening + 1, token.lowerBound)].allSatisfy({ $0 == 0x20 })
    else { return nil }
    var depth = 0
    for position in opening..<line(at: opening).bytes.upperBound {
      if isByte(position, "{") { depth += 1 }
      if isByte(position, "}") { depth -= 1 }
      if depth == 0 { return opening..<position + 1 }
      if isByte(position, ":") { return nil }
    }
    return nil
  }

  func bracketInsideText(_ line: BrokenLine, at offset: Int, opening: Int? = nil) -> Diagnostic {
    var lowest = line.bytes.lowerBound
    if let opening, line.bytes.contains(opening) { lowest = opening + 1 }
    let token = line.flowToken(around: offset, from: lowest)
    let value = text(token)
    let bracket = character(at: offset)
    if value.contains("${{") {
      return .error(
        .foreignTemplate, "a template inside `[ ]` or `{ }` needs quotes", at: range(token),
        help: "write `\(value.contains("\"") ? yamlQuoted(value) : "\"\(value)\"")`")
    }
    return .error(
      .yamlQuoting, "a `\(bracket)` inside text needs quotes here, within `[ ]` or `{ }`", at: range(token),
      help: lineWithQuotedPaths(line) ?? quote(opening.flatMap { braces(at: $0, around: token) } ?? token))
  }

  /// The name of a line that is read as it would be written, whose errors aren't shown.
  private static let repairedName = "a repaired line"

  /// The line to write if all of its JSONPaths that need quotes have them; nil if that isn't enough.
  private func lineWithQuotedPaths(_ line: BrokenLine) -> String? {
    let content = toEndOfValue(line.content.lowerBound)
    guard content.count <= 160, source.name != Self.repairedName else { return nil }
    var result = ""
    var position = content.lowerBound
    var quote: UInt8?
    while position < content.upperBound {
      let byte = utf8[position]
      if quote == nil, byte == UInt8(ascii: "$"), position > content.lowerBound,
        NodeProperty.isFlowIndicator(utf8[position - 1]) || isBlank(utf8[position - 1])
      {
        let path = position..<endOfPath(at: position, before: content.upperBound)
        let text = text(path)
        result += text.contains("[") ? yamlQuoted(text) : text
        position = path.upperBound
        continue
      }
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      }
      let end = content.upperBound
      let next = utf8[position + 1..<end].firstIndex { $0 & 0xC0 != 0x80 } ?? end
      result += text(position..<next)
      position = next
    }
    if result == text(content) { return nil }
    var bag = DiagnosticBag()
    _ = YAMLReader.read(bytes: Array(result.utf8), name: Self.repairedName, into: &bag)
    return bag.hasErrors ? nil : "write `\(result)`"
  }

  /// The end of a JSONPath: a comma, a colon or a bracket that isn't its own.
  private func endOfPath(at start: Int, before limit: Int) -> Int {
    var depth = 0
    var quote: UInt8?
    var end = start
    while end < limit {
      let byte = utf8[end]
      if let open = quote {
        if byte == open { quote = nil }
      } else if depth > 0, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "(") {
        depth += 1
      } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: ")"), depth > 0 {
        depth -= 1
      } else if depth == 0, NodeProperty.isFlowIndicator(byte) || isBlank(byte) {
        break
      } else if depth == 0, byte == UInt8(ascii: ":"), end + 1 == limit || isBlank(utf8[end + 1]) {
        break
      }
      end += 1
    }
    return end
  }
}
