import Values

/// Characters, quotes, escapes and the indicators that begin a value.
extension SyntaxDiagnosis {
  var forbiddenStart: Diagnostic {
    if isByte(offset, "\t") { return tab(at: offset) }
    return bracketBefore(offset) ?? unusableStart(of: wholeValue(at: offset))
  }

  /// The diagnosis of `{$[?@.x]: 1}`: the bracket is wrong, not the `@` that could begin no value in it.
  private func bracketBefore(_ offset: Int) -> Diagnostic? {
    guard isInFlow(offset), var bracket = openBracket(at: offset) else { return nil }
    while isByte(bracket - 1, "[") || isByte(bracket - 1, "{") { bracket -= 1 }
    guard bracket > line(at: bracket).content.lowerBound, !isSpace(utf8[bracket - 1]), !isByte(bracket - 1, ",") else {
      return nil
    }
    return bracketInsideText(line(at: bracket), at: bracket)
  }

  private func unusableStart(of value: Range<Int>) -> Diagnostic {
    let first = character(at: value.lowerBound)
    return .error(
      .yamlQuoting, "a value cannot begin with " + (first == "`" ? "a backtick" : "`\(first)`"), at: range(value),
      help: comparison(value) ?? quote(value))
  }

  /// The predicate for `>= 5`, in the notation of other tools.
  private func comparison(_ value: Range<Int>) -> String? {
    let text = text(value)
    let sign = text.prefix { "><=!".contains($0) }
    let operand = text.dropFirst(sign.count).drop { $0 == " " }
    let name = ["!=": "not_equals", ">": "greater_than", ">=": "at_least", "<": "less_than", "<=": "at_most"][sign]
    if let name, operand.isEmpty, isByte(value.upperBound, ":") { return "write `\(name)`" }
    guard let name, !operand.isEmpty, operand.utf8.count <= 80, sign.count + 1 < text.count else { return nil }
    return "write `{\(name): \(operand)}`; text is quoted: `\(yamlQuoted(text))`"
  }

  func tab(at offset: Int) -> Diagnostic {
    let line = line(at: offset)
    var start = offset
    if !isByte(start, "\t") { start = (line.bytes).first { utf8[$0] == 0x09 } ?? offset }
    var end = start
    while end < utf8.count, utf8[end] == 0x09 { end += 1 }
    return .error(
      .yamlIndentation, "a tab cannot indent a line in YAML", at: range(start..<max(end, start + 1)), help: "use spaces"
    )
  }

  var unclosedQuote: Diagnostic {
    let start = error.contextOffset
    guard start < utf8.count, error.context.contains("quoted scalar") else { return unexplained }
    let quote = character(at: start)
    let line = line(at: start)
    return .error(
      .yamlUnclosed, "this \(quote == "'" ? "single" : "double") quote is never closed",
      at: range(start..<max(start + 1, line.content.upperBound)),
      help: quote == "'" ? "add a closing `'`; inside, a `'` is written `''`" : "add a closing `\"`")
  }

  /// `*` or `&` before an invalid name.
  var unusableName: Diagnostic {
    if let bracket = bracketBefore(error.contextOffset) { return bracket }
    let value = wholeValue(at: error.contextOffset)
    let isAlias = isByte(error.contextOffset, "*")
    if isAlias, isByte(error.contextOffset + 1, " "),
      line(at: error.contextOffset).content.lowerBound == error.contextOffset
    {
      return .error(
        .yamlStructure, "a list item begins with `- `, not with `* `", at: range(value),
        help: "write `-\(text(value.lowerBound + 1..<value.upperBound))`")
    }
    return .error(
      .yamlAnchor,
      isAlias
        ? "a value that begins with `*` is an alias in YAML, and this is not the name of one"
        : "a value that begins with `&` is an anchor in YAML, and this is not the name of one",
      at: range(value), help: quote(value))
  }

  /// `>` or `|` with text after it.
  var blockHeader: Diagnostic {
    let value = toEndOfValue(error.contextOffset)
    if isByte(error.contextOffset, ">") {
      return .error(
        .yamlQuoting, "a value that begins with `>` is a folded block in YAML", at: range(value),
        help: comparison(value) ?? quote(value))
    }
    let tag = tagBefore(error.contextOffset)
    if tag.hasPrefix("!"), tag != "!", value.count <= 80 {
      let others = text(value).split(separator: "|").map { trimmingBlanks($0) }
      let end = utf8[..<value.lowerBound].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? value.lowerBound
      return .error(
        .yamlQuoting, "after `|` the text begins on the next line", at: range(end - tag.utf8.count..<value.upperBound),
        help: "write `{one_of: [\(tag), \(others.joined(separator: ", "))]}`")
    }
    return .error(
      .yamlQuoting, "after `|` the text begins on the next line", at: range(value),
      help: "begin a new, indented line, or \(quote(value))")
  }

  var unusableStart: Diagnostic {
    guard let byte else {
      if isWithinFlow, let opening = openBracket(at: offset) { return unclosedBracket(opening) }
      return .error(
        .missingValue, "the file ends where a value should be", at: range(max(0, utf8.count - 1)..<utf8.count))
    }
    guard isInFlow(offset) else { return unusableStart(of: toEndOfValue(offset)) }
    if let bracket = bracketBefore(offset) { return bracket }
    let isFollowedBySpace = offset + 1 >= utf8.count || isSpace(utf8[offset + 1])
    switch byte {
    case UInt8(ascii: ","):
      let isInList = openBracket(at: offset).map { isByte($0, "[") } ?? true
      return .error(
        .yamlSyntax, "a \(isInList ? "value" : "key") is missing before this `,`", at: range(offset..<offset + 1),
        help: isInList ? "remove the comma, or write `null` or `\"\"`" : "remove the comma")
    case UInt8(ascii: ":") where isFollowedBySpace:
      return missingKey
    case UInt8(ascii: "-") where isFollowedBySpace:
      if let opening = openBracket(at: offset), endsFlow(line(at: offset), opening) { return unclosedBracket(opening) }
      let item = flowToken(at: offset)
      return .error(
        .yamlStructure, "within `[ ]` or `{ }` nothing begins with `- `", at: range(item),
        help: "remove the `-`; if it belongs to the text, \(quote(item))")
    default:
      return unusableStart(of: flowToken(at: offset))
    }
  }

  var missingKey: Diagnostic {
    .error(
      .yamlSyntax, "a key is missing here", at: range(offset..<offset + 1),
      help: "write it before the `:`, or `\"\"` for an empty one")
  }

  var badEscape: Diagnostic {
    let start = (max(0, error.contextOffset)...offset).last { isByte($0, "\\") } ?? offset
    let letter = character(at: start + 1)
    if error.problem == "found invalid Unicode character escape code" { return surrogate(at: start) }
    if error.problem == "did not find expected hexdecimal number" {
      let count = letter == "x" ? 2 : letter == "u" ? 4 : 8
      return .error(
        .yamlQuoting, "`\\\(letter)` needs \(count) hexadecimal digits",
        at: range(boundedByLine(start..<start + 2 + count)),
        help: "write `\\\\\(letter)` for a backslash, or use single quotes")
    }
    var help = "in double quotes a backslash is written `\\\\`; or use single quotes"
    if let whole = quotedText(from: error.contextOffset), !text(whole).contains("\\\"") {
      let inner = text(whole.lowerBound + 1..<whole.upperBound - 1)
      if !inner.contains("\\\\") { help = "use single quotes: `\(yamlQuoted(inner))`" }
    }
    return .error(
      .yamlQuoting, "`\\\(letter)` is not an escape in double quotes", at: range(start..<start + 1 + letter.utf8.count),
      help: help)
  }

  /// A surrogate: JSON writes characters beyond U+FFFF as two halves; YAML requires them whole.
  private func surrogate(at start: Int) -> Diagnostic {
    func unit(_ start: Int) -> UInt32? {
      guard begins(start, with: "\\u"), start + 6 <= utf8.count else { return nil }
      return UInt32(text(start + 2..<start + 6), radix: 16)
    }
    if let high = unit(start), (0xD800..<0xDC00).contains(high), let low = unit(start + 6),
      (0xDC00..<0xE000).contains(low)
    {
      let code = 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
      return .error(
        .yamlQuoting, "YAML has no surrogate pairs", at: range(start..<start + 12),
        help: "write `\\U\(hexadecimal(code, digits: 8))`, or the character itself")
    }
    return .error(
      .yamlQuoting, "this escape names no character",
      at: range(boundedByLine(start..<start + (character(at: start + 1) == "U" ? 10 : 6))),
      help: "write the character itself")
  }

  private func boundedByLine(_ bytes: Range<Int>) -> Range<Int> {
    bytes.clamped(to: bytes.lowerBound..<max(bytes.lowerBound + 1, line(at: bytes.lowerBound).bytes.upperBound))
  }

  /// The double-quoted text on one line that begins at an offset, with its quotes.
  private func quotedText(from start: Int) -> Range<Int>? {
    guard isByte(start, "\"") else { return nil }
    var position = start + 1
    while position < utf8.count, utf8[position] != 0x0A {
      if utf8[position] == UInt8(ascii: "\\") {
        position += 2
      } else if utf8[position] == UInt8(ascii: "\"") {
        return start..<position + 1
      } else {
        position += 1
      }
    }
    return nil
  }

  var unusableTag: Diagnostic {
    let tag = toEndOfToken(error.contextOffset)
    let value = wholeValue(at: error.contextOffset)
    return .error(
      .yamlTag, "a value that begins with `!` is a tag in YAML, and this is not the name of one", at: range(tag),
      help: knownTag(text(tag)) ?? comparison(value) ?? quote(value))
  }

  /// The advice for a tag that only lacks a change of its last character, as `!uuid!`.
  private func knownTag(_ tag: String) -> String? {
    let plain = String(tag.dropLast())
    return YAMLTag(plain)?.isLocal == true ? "write `\(plain)`" : nil
  }

  var undefinedHandle: Diagnostic {
    let tag = NodeProperty.tagRange(in: utf8, from: offset) ?? toEndOfToken(offset)
    let refusal = YAMLTag.refusal(of: text(tag))
    return .error(.yamlTag, refusal.message, at: range(tag), help: refusal.help)
  }

  func directive(_ message: String) -> Diagnostic {
    let line = line(at: error.problemOffset)
    return .error(.yamlSyntax, message, at: range(line.content), help: "remove the line")
  }
}
