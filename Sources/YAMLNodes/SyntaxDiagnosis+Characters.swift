import Diagnostics

/// Mistakes of one character, which make libyaml fail in many ways.
extension SyntaxDiagnosis {
  /// The line where reading ended and the one before it, where the mistake may be that only this one shows.
  private var suspects: [SourceLine] {
    let line = line(at: min(offset, max(0, utf8.count - 1)))
    return [line] + [line.previous].compactMap(\.self)
  }

  /// A blank of another kind in the indentation.
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
        "a space is missing after `-`", at: range(content),
        help: "write `- \(text(content.lowerBound + 1..<content.upperBound))`")
    }
    return nil
  }

  /// A value in “…”, whose colon or bracket no quotes protect.
  var typographicQuote: Diagnostic? {
    guard !isWithinQuotes, offset < utf8.count else { return nil }
    let value = line(at: offset).value
    guard let inside = textInTypographicQuotes(text(value)) else { return nil }
    let (open, close) = (text(value).prefix(1), text(value).suffix(1))
    return .error(
      "`\(open)…\(close)` are not YAML quotes", at: range(value), help: "write `\(yamlQuoted(inside))`")
  }

  private var isWithinQuotes: Bool { error.context.contains("quoted scalar") }
}
