import Values

/// Keys, colons, indentation and brackets.
extension SyntaxDiagnosis {
  var misplacedColon: Diagnostic {
    let line = line(at: offset)
    let entry = line.entry
    if let key = entry.key, key.upperBound < offset, entry.value.lowerBound <= offset {
      return colonInsideText(entry.value)
    }
    if let key = entry.key, let inside = colonInsideKey(key) { return inside }
    // The first colon of its line: then no mapping is allowed at the line itself.
    let key = line.trimmed((entry.key?.lowerBound ?? line.content.lowerBound)..<offset)
    if let long = longKey(key) { return long }
    if let previous = line.previous {
      if let missing = missingSpace(in: previous) { return missing }
      // A list item's first key stands behind its dash.
      let column = previous.entry.value.lowerBound - previous.bytes.lowerBound
      if line.indent == previous.indent || line.indent == column, let missing = missingColon(in: previous) {
        return missing
      }
      if line.indent > previous.indent, previous.entry.key != nil, !previous.value.isEmpty {
        return tooDeep(line, under: previous)
      }
      if line.indent > previous.indent, previous.entry.key == nil, isName(previous.value) {
        let name = text(previous.value)
        return .error(
          .yamlStructure, "a `:` is missing after `\(name)`", at: range(previous.value), help: "write `\(name):`")
      }
    }
    return .error(
      .yamlSyntax, "a `:` cannot stand here", at: range(offset..<offset + 1), help: quote(toEndOfValue(key.lowerBound)))
  }

  private func colonInsideText(_ value: Range<Int>) -> Diagnostic {
    let bytes = value.upperBound > offset ? value : value.lowerBound..<offset + 1
    let colon = offset..<min(offset + 2, bytes.upperBound)
    if isByte(bytes.lowerBound, "\"") || isByte(bytes.lowerBound, "'") {
      return .error(.yamlQuoting, "a `:` cannot stand after a quoted value", at: range(colon), help: quote(bytes))
    }
    let isTemplate = text(bytes.lowerBound..<offset).contains("${{")
    let before = text(bytes.lowerBound..<offset)
    if !isTemplate, !isInFlow(bytes.lowerBound), let blank = before.lastIndex(of: " "), bytes.count <= 120,
      before[..<blank].firstIndex(of: " ") == nil, before[..<blank].contains("/"),
      before[before.index(after: blank)...].allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "_") })
    {
      let other = text(bytes.lowerBound + before[...blank].utf8.count..<bytes.upperBound)
      return .error(
        .yamlQuoting, "a line holds one key, and a second begins here", at: range(colon),
        help: "write `\(other)` on a line of its own, or quote the value: `\(yamlQuoted(text(bytes)))`")
    }
    if !isTemplate, !isInFlow(bytes.lowerBound), bytes.count <= 120, isName(bytes.lowerBound..<offset) {
      return .error(
        .yamlQuoting, "`: ` inside text begins a mapping in YAML", at: range(colon),
        help: "write `{\(text(bytes))}` for a mapping; text is quoted: `\(yamlQuoted(text(bytes)))`")
    }
    return .error(
      .yamlQuoting,
      isTemplate ? "`: ` inside a template begins a mapping in YAML" : "`: ` inside text begins a mapping in YAML",
      at: range(colon), help: quote(bytes))
  }

  /// Returns whether a text could be a key of the format.
  private func isName(_ bytes: Range<Int>) -> Bool {
    !bytes.isEmpty
      && utf8[bytes].allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "_") }
  }

  /// A key such as `$[?@.a == "x: y"]`, whose quotes have no effect in YAML.
  private func colonInsideKey(_ key: Range<Int>) -> Diagnostic? {
    guard key.upperBound <= offset, let colon = key.first(where: { isByte($0, ":") && isBlank(utf8[$0 + 1]) }) else {
      return nil
    }
    return .error(
      .yamlQuoting, "`: ` inside a key ends it in YAML", at: range(colon..<colon + 2),
      help: "quote the key: `\(yamlQuoted(text(key)))`")
  }

  private func tooDeep(_ line: BrokenLine, under previous: BrokenLine) -> Diagnostic {
    let key = previous.entry.key.map { text($0) } ?? ""
    return .error(
      .yamlIndentation, "this line is indented deeper than `\(key)`, which already has a value",
      at: range(line.content), notes: [Diagnostic.Note("the value", at: range(previous.value))],
      help: "align it with `\(key)`, or leave out the value of `\(key)` to nest it there")
  }

  /// `key:value`: a text without a space after its first colon.
  private func missingSpace(in line: BrokenLine) -> Diagnostic? {
    let entry = line.entry
    guard entry.key == nil, let colon = entry.value.first(where: { utf8[$0] == UInt8(ascii: ":") }),
      colon > entry.value.lowerBound, colon + 1 < entry.value.upperBound, !begins(colon, with: "://")
    else { return nil }
    let name = text(entry.value.lowerBound..<colon)
    guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }) else { return nil }
    let value = text(colon + 1..<entry.value.upperBound)
    let help = "write `\(name): \(value.drop { $0.isWhitespace })`"
    if let blank = value.unicodeScalars.first, blank.properties.isWhitespace {
      return .error(
        .yamlStructure, "\(characterName(blank)) is not the space after `\(name):`", at: range(entry.value), help: help)
    }
    return .error(.yamlStructure, "a space is missing after `\(name):`", at: range(entry.value), help: help)
  }

  var missingColon: Diagnostic {
    let line = line(at: error.contextOffset)
    if let missing = missingSpace(in: line) { return missing }
    let content = toEndOfValue(error.contextOffset)
    if let long = longKey(content) { return long }
    let words = text(content).split(separator: " ", maxSplits: 1)
    let isKey = words.first?.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_") } == true && content.count <= 80
    let written = member(words)
    return .error(
      .yamlStructure, "`\(shortened(text(content)))` is neither `key: value` nor a list item", at: range(content),
      help: isKey
        ? "write `\(written)`, or indent it deeper if it goes on from the line above"
        : "add a `:` after the key; text that goes on from the line above is indented deeper than its key")
  }

  /// `method POST` before a line with a key, of which it would be a part.
  private func missingColon(in line: BrokenLine) -> Diagnostic? {
    let words = text(line.value).split(separator: " ", maxSplits: 1)
    guard line.entry.key == nil, words.count == 2, words[0].allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "_") }),
      line.value.count <= 80
    else { return nil }
    return .error(
      .yamlStructure, "`\(shortened(text(line.value)))` is not `key: value`", at: range(line.value),
      help: "write `\(member(words))`")
  }

  /// A key and its value, between which no colon, or a `=`, was written.
  private func member(_ words: [Substring]) -> String {
    guard words.count > 1 else { return "\(words.first ?? ""):" }
    return "\(words[0]): \(words[1].drop { " =".contains($0) })"
  }

  private func longKey(_ key: Range<Int>) -> Diagnostic? {
    guard key.count > 1024 else { return nil }
    return .error(
      .limitExceeded, "a key is longer than 1024 characters", at: range(key.lowerBound..<key.lowerBound + 80),
      help: "write it after a `?` on a line of its own")
  }

  /// A second tag or anchor, or an alias after one.
  var secondProperty: Diagnostic {
    let token = offset..<NodeProperty.end(in: utf8, at: offset)
    let word = text(token)
    var help = "remove one of the two, or quote the value if it is text"
    if tagBefore(offset) == "!each" { help = "write it in a list: `!each [\(word)]`" }
    if tagBefore(offset) == "!optional" {
      help = isByte(offset, "*") ? "write `!is? {equals: \(word)}`" : "write `\(word)?` alone"
    }
    return .error(
      .yamlTag, isByte(offset, "*") ? "an alias takes no anchor and no tag" : "a value has one anchor and one tag",
      at: range(token), help: help)
  }

  /// The word before an offset, on its line.
  func tagBefore(_ offset: Int) -> String {
    var end = offset
    while end > 0, isBlank(utf8[end - 1]) { end -= 1 }
    var start = end
    while start > 0, !isSpace(utf8[start - 1]), !NodeProperty.isFlowIndicator(utf8[start - 1]) { start -= 1 }
    return text(start..<end)
  }

  // MARK: Block collections

  var brokenCollection: Diagnostic {
    let line = line(at: offset)
    if let afterEnd = textAfterEnd(line) { return afterEnd }
    if offset > line.content.lowerBound, isByte(offset, "&") || isByte(offset, "*") || isByte(offset, "!") {
      return secondProperty
    }
    guard offset == line.content.lowerBound else { return unexplained }
    if isByte(offset, ":") { return missingKey }
    if let previous = line.previous, let diagnosis = brokenLine(line, after: previous) { return diagnosis }
    let open = range(toEndOfToken(error.contextOffset))
    let isList = error.problem.contains("'-'")
    return .error(
      .yamlIndentation, isList ? "a list goes on with `- `" : "a mapping goes on with `key: value`",
      at: range(toEndOfValue(offset)),
      notes: [Diagnostic.Note(isList ? "the list begins here" : "the mapping begins here", at: open)],
      help: "check the indentation")
  }

  private func brokenLine(_ line: BrokenLine, after previous: BrokenLine) -> Diagnostic? {
    let content = range(toEndOfValue(offset))
    if case .scalar(let style, _)? = lastEvent?.kind, style == .literal || style == .folded {
      return .error(
        .yamlIndentation,
        "this line is indented less than the first line of the block above, or more than what follows it", at: content,
        help: "give all lines of the block at least the indentation of its first")
    }
    if line.indent > previous.indent, let hash = previous.commentStart(in: previous.entry.value) {
      return .error(
        .yamlComment, "a value cannot go on after a comment", at: content,
        notes: [Diagnostic.Note("` #` begins a comment", at: range(hash..<previous.content.upperBound))],
        help: "quote the value if the `#` belongs to it")
    }
    let isItem = isByte(offset, "-") && (offset + 1 >= utf8.count || isSpace(utf8[offset + 1]))
    if isItem, error.problem == "did not find expected key" {
      return .error(
        .yamlStructure, "a list item stands among the keys of a mapping", at: content,
        help: "indent it under the key it belongs to, which has no other value")
    }
    if line.indent < previous.indent || line.indent > previous.indent {
      return .error(
        .yamlIndentation, "the indentation of this line fits none of the levels above", at: content,
        notes: [
          Diagnostic.Note("the level it would have to fit", at: range(toEndOfToken(error.contextOffset)))
        ],
        help: alignment(with: previous) ?? "align it with the lines it belongs to")
    }
    if error.problem.contains("'-'"), line.entry.key != nil {
      return .error(
        .yamlStructure, "a key stands among the items of a list", at: content,
        help: "begin it with `- `, or indent it into its item")
    }
    return missingSpace(in: line)
  }

  /// The indentation of a line's key, and so of the next one if it belongs beside it.
  private func alignment(with line: BrokenLine) -> String? {
    guard let key = line.entry.key, key.count <= 60 else { return nil }
    let column = key.lowerBound - line.bytes.lowerBound
    return "indent it by \(counted(column, "space")) as `\(text(key))`, or as the lines that it belongs to"
  }

  /// Text after a closing quote or bracket.
  private func textAfterEnd(_ line: BrokenLine) -> Diagnostic? {
    guard let last = lastEvent, offset > last.bytes.lowerBound, last.bytes.upperBound <= offset else { return nil }
    guard line.trimmed(last.bytes.upperBound..<offset).isEmpty, last.bytes.upperBound >= line.bytes.lowerBound,
      last.bytes.upperBound > 0, offset > line.content.lowerBound
    else { return nil }
    let closing = last.bytes.upperBound - 1
    let value = line.value
    let whole = value.contains(offset) ? value : toEndOfValue(offset)
    switch last.kind {
    case .scalar(let style, _) where style == .singleQuoted || style == .doubleQuoted:
      return textAfterQuote(closing, opening: last.bytes.lowerBound, whole: whole, line: line)
    case .collectionEnd:
      if begins(whole.lowerBound, with: "{{") {
        return .error(
          .foreignTemplate, "`{{ … }}` is two nested mappings in YAML, not a template", at: range(whole),
          help: templateHelp(whole))
      }
      let rest = text(offset..<max(offset, whole.upperBound))
      if rest.allSatisfy({ "]} ".contains($0) }) {
        return .error(
          .yamlUnclosed, "this `\(rest)` closes nothing: what was opened is closed before it",
          at: range(offset..<whole.upperBound), help: "remove it")
      }
      return .error(
        .yamlUnclosed, "text cannot stand after the closing `\(character(at: closing))`", at: range(whole),
        help: quote(whole))
    case .alias:
      return .error(
        .yamlAnchor, "text cannot stand after an alias", at: range(whole),
        help: "\(quote(whole)), or remove the text after the alias")
    default: return nil
    }
  }

  private func textAfterQuote(_ closing: Int, opening: Int, whole: Range<Int>, line: BrokenLine) -> Diagnostic {
    let quote = character(at: closing)
    let opened = BrokenLine(source, at: opening)
    if opened.index != line.index {
      return .error(
        .yamlUnclosed, "this \(quote == "'" ? "single" : "double") quote is not closed on its line",
        at: range(opening..<opened.content.upperBound),
        notes: [Diagnostic.Note("it ends at this quote, lines further down", at: range(closing..<closing + 1))],
        help: "add a closing `\(quote)`\(quote == "'" ? "; inside, a `'` is written `''`" : "")")
    }
    let isDoubled = quote == "'" && offset == closing + 1
    let help = isDoubled ? "inside single quotes a `'` is written `''`" : self.quote(whole)
    return .error(
      .yamlUnclosed, "text cannot stand after the closing `\(quote)`", at: range(offset..<whole.upperBound), help: help)
  }

  var misplacedItem: Diagnostic {
    let line = line(at: offset)
    let item = line.trimmed(min(offset + 1, line.bytes.upperBound)..<line.bytes.upperBound)
    if offset == line.content.lowerBound, let previous = line.previous, line.indent > previous.indent {
      return tooDeep(line, under: previous)
    }
    return .error(
      .yamlStructure, "a list item cannot begin here", at: range(toEndOfValue(offset)),
      help: "put `- \(text(item))` on a line of its own, write `[\(text(item))]`, or quote it if it is text")
  }

  var textAfterDocument: Diagnostic {
    .error(
      .yamlSyntax, "something stands after the end of the document", at: range(toEndOfValue(offset)),
      help: "a file is one mapping, list or value; indent what belongs to it, or remove the rest")
  }
}
