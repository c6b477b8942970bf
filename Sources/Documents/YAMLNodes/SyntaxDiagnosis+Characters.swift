import Values

/// Errors in single characters, for which libyaml's errors vary.
extension SyntaxDiagnosis {
  /// The line where reading ended and the one before it, which may contain the error.
  private var suspects: [BrokenLine] {
    let line = line(at: min(offset, max(0, utf8.count - 1)))
    return [line] + [line.previous].compactMap(\.self)
  }

  /// A character other than a space in the indentation.
  var foreignBlank: Diagnostic? {
    if isWithinQuotes { return nil }
    return suspects.lazy.compactMap { foreignIndentation($0) }.first
  }

  /// `-name: a`: a list item without the space after its dash.
  var missingDashSpace: Diagnostic? {
    guard
      [
        "did not find expected key", "mapping values are not allowed in this context",
        "did not find expected '-' indicator", "could not find expected ':'",
      ].contains(error.problem)
    else { return nil }
    for line in suspects {
      let content = toEndOfValue(line.content.lowerBound)
      guard isByte(content.lowerBound, "-"), content.count > 1, line.entry.key != nil else { continue }
      let letter = utf8[content.lowerBound + 1]
      guard letter | 0x20 >= UInt8(ascii: "a"), letter | 0x20 <= UInt8(ascii: "z") else { continue }
      return .error(
        .yamlStructure, "a space is missing after `-`", at: range(content),
        help: "write `- \(text(content.lowerBound + 1..<content.upperBound))`")
    }
    return nil
  }

  /// A colon or a dash of another script, which only looks like YAML's.
  var foreignSign: Diagnostic? {
    if isWithinQuotes { return nil }
    return suspects.lazy.compactMap { lookalikeSign($0) }.first
  }

  /// A value in “…”, whose colon or bracket isn't quoted for YAML.
  var typographicQuote: Diagnostic? {
    guard !isWithinQuotes, offset < utf8.count else { return nil }
    let value = line(at: offset).value
    guard let inside = textInTypographicQuotes(text(value)) else { return nil }
    let (open, close) = (text(value).prefix(1), text(value).suffix(1))
    return .error(
      .yamlQuoting, "`\(open)…\(close)` are not YAML quotes", at: range(value), help: "write `\(yamlQuoted(inside))`")
  }

  private var isWithinQuotes: Bool { error.context.contains("quoted scalar") }
}

/// Diagnoses a line that begins with a dash other than `-`, or whose key ends with another kind of colon.
func lookalikeSign(_ line: BrokenLine) -> Diagnostic? {
  let source = line.source
  let content = line.content.clamped(to: line.content.lowerBound..<line.content.lowerBound + 200)
  let text = source.text(in: content)
  var position = content.lowerBound
  var isKey = true
  for (index, scalar) in text.unicodeScalars.enumerated() {
    let width = UTF8.width(scalar)
    let place = SourceRange(source, position..<position + width)
    if index == 0, scalar.value > 0x7F, plainLooking(String(scalar)) == "-", text.dropFirst().first == " " {
      return .error(
        .yamlStructure, "\(characterName(scalar)) is not the `-` of a list item", at: place,
        help: "write `-` and a space")
    }
    if scalar == "\u{FF1A}", isKey {
      return .error(
        .yamlStructure, "\(characterName(scalar)) is not the `:` after a key", at: place, help: "write `:` and a space")
    }
    isKey = isKey && (scalar.properties.isAlphabetic || scalar == "_" || scalar == "-" || scalar == " ")
    position += width
  }
  return nil
}
