import Values

/// Valid YAML that is never what was meant.
extension YAMLComposer {
  // MARK: Commas in `{ }`

  /// Returns whether a key of a `{ }` has no colon.
  func isBareWord(_ key: Range<Int>) -> Bool {
    source.utf8[key.upperBound...].first { !isSpace($0) } != UInt8(ascii: ":")
  }

  /// The advice for a key of a `{ }` that holds its value: `{status:201}` or `{Accept text/html}`.
  func memberInWord(_ key: Range<Int>) -> String? {
    let text = source.text(in: key)
    guard text.utf8.count <= 120, !text.hasPrefix("\""), !text.hasPrefix("'"),
      let end = text.firstIndex(where: { ": ".contains($0) }), end > text.startIndex
    else { return nil }
    let value = text[end...].dropFirst().drop { $0 == " " }
    guard text[..<end].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }), !value.isEmpty
    else { return nil }
    return "write `\(text[..<end]): \(value)`"
  }

  /// Indicates a comment behind a key that is presumably its value, as in `color: #ff0000`.
  func commentIsValue(after key: Range<Int>) -> Bool {
    let rest = source.utf8[key.upperBound...].drop(while: isSpace).dropFirst()
    let value = rest.drop { $0 == UInt8(ascii: " ") }
    guard value.first == UInt8(ascii: "#"), let next = value.dropFirst().first else { return false }
    return !isSpace(next) && next != UInt8(ascii: "#")
  }

  /// The whole of a plain text that a comma split into a member and a key, as in `{any: Wed, 13 Jan}`.
  func valueCutByComma(_ member: YAMLMember, before word: Range<Int>) -> Range<Int>? {
    let value = member.value.range.bytes
    guard isBareWord(word), member.value.useSite == nil, value.upperBound <= word.lowerBound, !value.isEmpty,
      let scalar = member.value.scalar, scalar.style == .plain,
      source.lineIndex(at: value.lowerBound) == source.lineIndex(at: word.lowerBound)
    else { return nil }
    // With a further comma there is a placeholder already; other values were meant to end there.
    guard case .text = scalar.meaning else {
      return member.value.hasError && diagnostics.last?.range?.bytes.lowerBound == value.lowerBound
        && scalar.text.isEmpty ? value.lowerBound..<word.upperBound : nil
    }
    if member.value.hasError { return nil }
    return value.lowerBound..<word.upperBound
  }

  func reportComma(in whole: Range<Int>) {
    // With a further comma the text is longer than reported before.
    if let last = diagnostics.last?.range?.bytes, last.lowerBound == whole.lowerBound { diagnostics.removeLast() }
    let text = source.text(in: whole)
    if let inside = textInTypographicQuotes(text) {
      reportTypographicQuotes(inside, at: whole)
      return
    }
    error(
      .yamlQuoting, "a `,` within `{ }` ends the value before it", at: whole,
      help: text.utf8.count <= 200 ? "quote the whole value: `\(yamlQuoted(text))`" : "quote the whole value")
  }

  // MARK: Empty parents

  /// Returns whether the lines below a key without a value would belong to it but for their
  /// indentation.
  func nextLineIsLevel(with key: Range<Int>) -> Bool {
    let line = BrokenLine(source, at: key.lowerBound)
    let last = source.lineIndex(at: source.utf8.count)
    var index = line.index + 1
    while index <= last {
      let next = BrokenLine(source, index: index)
      if next.hasContent { return next.indent == key.lowerBound - line.bytes.lowerBound && next.entry.key != nil }
      index += 1
    }
    return false
  }

  // MARK: Characters

  func reportTypographicQuotes(_ inside: String, at bytes: Range<Int>) {
    let written = source.text(in: bytes)
    let (open, close) = (written.prefix(1), written.suffix(1))
    error(
      .yamlQuoting, "`\(open)…\(close)` are not YAML quotes: they would be part of the text", at: bytes,
      help: inside.utf8.count <= 200
        ? "write `\(inside.contains("\"") || inside.contains("\\") ? yamlQuoted(inside) : "\"\(inside)\"")`"
        : "write `\"…\"`")
  }

  /// Reports a key that begins with a character that looks like the blank before it.
  func reportInvisibleStart(_ scalar: Unicode.Scalar, of key: Range<Int>) throws(Stop) {
    let line = BrokenLine(source, at: key.lowerBound)
    let isIndentation = source.utf8[line.bytes.lowerBound..<key.lowerBound].allSatisfy(isBlank)
    guard isIndentation, scalar.properties.generalCategory == .spaceSeparator else { return }
    // The intended children of the key above aren't missing.
    if let last = diagnostics.last?.range?.bytes, let above = line.previous, above.content.contains(last.lowerBound),
      above.value.isEmpty
    {
      diagnostics.removeLast()
    }
    stop(
      foreignIndentation(line)
        ?? .error(.yamlIndentation, "a blank that is not a space stands in the indentation", at: range(key)))
    throw Stop()
  }
}

/// The diagnostic for a line whose indentation has blanks other than spaces; nil if it has none.
func foreignIndentation(_ line: BrokenLine) -> Diagnostic? {
  let source = line.source
  var position = line.bytes.lowerBound
  let text = source.text(in: line.bytes.clamped(to: position..<position + 1000))
  for scalar in text.unicodeScalars {
    let width = UTF8.width(scalar)
    if scalar.value > 0x7F, isInvisible(scalar) {
      return .error(
        .yamlIndentation, "\(characterName(scalar)) in the indentation: YAML takes it for text",
        at: SourceRange(source, position..<position + width), help: "indent with spaces")
    }
    guard scalar == " " || scalar == "\t" else { return nil }
    position += width
  }
  return nil
}

/// The text between two quotation marks that are none to YAML; nil for other texts.
func textInTypographicQuotes(_ text: String) -> String? {
  // Nearly all texts begin with ASCII.
  guard let byte = text.utf8.first, byte >= 0x80, let first = text.unicodeScalars.first,
    let last = text.unicodeScalars.last, text.unicodeScalars.count > 2,
    let closing = typographicQuotes[first], closing.contains(last)
  else { return nil }
  let inside = text.unicodeScalars.dropFirst().dropLast()
  // Quotations within a sentence have further marks.
  return inside.contains { $0 == first || $0 == last } ? nil : String(inside)
}

private let typographicQuotes: [Unicode.Scalar: [Unicode.Scalar]] = [
  "\u{201C}": ["\u{201D}", "\u{201C}"], "\u{201D}": ["\u{201D}"], "\u{201E}": ["\u{201C}", "\u{201D}"],
  "\u{2018}": ["\u{2019}", "\u{2018}"], "\u{2019}": ["\u{2019}"],
]
