import Values

/// Determines the probable error at which libyaml failed, and how to fix it.
struct SyntaxDiagnosis {
  let error: YAMLSyntaxError
  let source: SourceText
  let lastEvent: YAMLEvent.Outline?
  /// Indicates whether a `[` or `{` of a line above is open.
  let isWithinFlow: Bool

  var utf8: [UInt8] { source.utf8 }
  var offset: Int { error.problemOffset }
  var byte: UInt8? { offset < utf8.count ? utf8[offset] : nil }

  var diagnostic: Diagnostic {
    foreignBlank ?? foreignSign ?? missingDashSpace ?? typographicQuote ?? explained
  }

  private var explained: Diagnostic {
    switch error.problem {
    case "found character that cannot start any token": forbiddenStart
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected",
      "found a tab character where an indendation space is expected":
      tab(at: offset)
    case "found unexpected end of stream", "found unexpected document indicator": unclosedQuote
    case "did not find expected alphabetic or numeric character": unusableName
    case "did not find expected comment or line break", "found an indentation indicator equal to 0":
      blockHeader
    case "mapping values are not allowed in this context": misplacedColon
    case "could not find expected ':'": missingColon
    case "did not find expected key", "did not find expected '-' indicator": brokenCollection
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'": brokenFlow
    case "did not find expected node content": unusableStart
    case "block sequence entries are not allowed in this context": misplacedItem
    case "mapping keys are not allowed in this context":
      .error(
        .yamlSyntax, "a `?` begins a mapping key and cannot stand here", at: range(toEndOfValue(offset)),
        help: quote(toEndOfValue(offset)))
    case "found unknown escape character", "did not find expected hexdecimal number",
      "found invalid Unicode character escape code":
      badEscape
    case "found undefined tag handle": undefinedHandle
    case "did not find expected whitespace or line break", "did not find expected tag URI": unusableTag
    case "did not find expected <document start>": textAfterDocument
    case "found incompatible YAML document": directive("only YAML 1.1 and 1.2 can be read")
    case "found unknown directive name": directive("unknown directive")
    default: unexplained
    }
  }

  /// The words of libyaml, for errors without better ones.
  var unexplained: Diagnostic {
    let context = error.context.isEmpty ? "" : "\(error.context): "
    let notes =
      error.contextOffset < offset && !context.isEmpty
      ? [Diagnostic.Note("begun here", at: range(error.contextOffset..<error.contextOffset + 1))] : []
    return .error(
      .yamlSyntax, "not valid YAML: \(context)\(error.problem)", at: range(toEndOfToken(offset)), notes: notes)
  }

  // MARK: Places

  func range(_ bytes: Range<Int>) -> SourceRange {
    SourceRange(source, bytes.clamped(to: 0..<utf8.count))
  }

  func text(_ bytes: Range<Int>) -> String { source.text(in: bytes) }

  func line(at offset: Int) -> BrokenLine { BrokenLine(source, at: offset) }

  /// The range from an offset to the next white space.
  func toEndOfToken(_ start: Int) -> Range<Int> {
    var end = start
    while end < utf8.count, !isSpace(utf8[end]) { end += 1 }
    return start..<max(end, min(start + 1, utf8.count))
  }

  /// The range from an offset to the end of its line, without a comment.
  func toEndOfValue(_ start: Int) -> Range<Int> {
    let line = line(at: start)
    let rest = start..<max(start, line.content.upperBound)
    guard let hash = line.commentStart(in: rest) else { return rest }
    return line.trimmed(start..<hash)
  }

  /// The intended range of a value that begins at an offset, as a human reader would see it.
  func wholeValue(at start: Int) -> Range<Int> {
    isInFlow(start) ? flowToken(at: start) : toEndOfValue(start)
  }

  /// Returns whether an offset near the problem is within `[ ]` or `{ }`.
  func isInFlow(_ offset: Int) -> Bool {
    if isWithinFlow { return true }
    let line = line(at: offset)
    let value = line.entry.value
    let start = value.lowerBound <= offset ? value.lowerBound : line.content.lowerBound
    // libyaml reads ahead: there may be no event for the bracket yet.
    guard isByte(start, "[") || isByte(start, "{") || isByte(line.content.lowerBound, "{") else { return false }
    var depth = 0
    for position in min(start, offset)..<offset {
      if isByte(position, "[") || isByte(position, "{") { depth += 1 }
      if isByte(position, "]") || isByte(position, "}") { depth -= 1 }
    }
    return depth > 0 || isByte(line.content.lowerBound, "{")
  }

  /// The value at an offset within `[ ]` or `{ }`.
  func flowToken(at offset: Int) -> Range<Int> {
    let token = line(at: offset).flowToken(around: offset, from: offset)
    return token.isEmpty ? offset..<min(offset + 1, utf8.count) : token
  }

  /// The innermost `[` or `{` that is open at an offset. Quotes are ignored: this only affects the wording.
  func openBracket(at offset: Int) -> Int? {
    var depth = 0
    var position = min(offset, utf8.count)
    while position > 0 {
      position -= 1
      if isByte(position, "]") || isByte(position, "}") { depth += 1 }
      if isByte(position, "[") || isByte(position, "{") {
        if depth == 0 { return position }
        depth -= 1
      }
    }
    return nil
  }

  func character(at offset: Int) -> String {
    guard offset < utf8.count else { return "" }
    var end = offset + 1
    while end < utf8.count, utf8[end] & 0xC0 == 0x80 { end += 1 }
    return text(offset..<end)
  }

  /// The advice to quote a value.
  func quote(_ bytes: Range<Int>) -> String {
    let value = text(bytes)
    return value.utf8.count <= 200 ? "quote it: `\(yamlQuoted(value))`" : "quote it"
  }

  func isByte(_ offset: Int, _ character: Unicode.Scalar) -> Bool {
    offset >= 0 && offset < utf8.count && UInt32(utf8[offset]) == character.value
  }

  /// Returns whether the text at an offset begins with these characters.
  func begins(_ offset: Int, with prefix: String) -> Bool {
    offset >= 0 && offset <= utf8.count && utf8[offset...].starts(with: prefix.utf8)
  }

  /// The help for a value that begins with `{{`.
  func templateHelp(_ bytes: Range<Int>) -> String { "write `$\(text(bytes))`" }
}
