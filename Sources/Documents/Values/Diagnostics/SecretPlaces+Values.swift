extension SecretPlaces {
  /// Scans the value of the key at a column; returns the start of the first line after it.
  mutating func scanValue(_ position: Int, _ given: SecretScope, column: Int, _ end: Int) -> Int {
    let (start, scope) = valueStart(position, given, end)
    guard start < end, utf8[start] != UInt8(ascii: "#") || !isBlank(utf8[start - 1]) else {
      if scope.isConcealing, start < end { conceal(start..<end, scope) }
      return next(end)
    }
    switch utf8[start] {
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      let header = utf8[start + 1..<end].prefix { "+-0123456789".utf8.contains($0) }
      let rest = afterBlanks(header.endIndex)
      if rest >= end || utf8[rest] == UInt8(ascii: "#") { return scanDeeper(than: column, after: end, scope) }
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return scanQuoted(start, scope, column: column, end)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let after = scanFlow(start, scope, column: column)
      if isLineStart(after) { return after }
      let line = lineEnd(after)
      scanRest(after..<line, scope)
      return next(line)
    default: break
    }
    if scope.isConcealing {
      conceal(start..<end, scope)
      return scanDeeper(than: column, after: end, scope)
    }
    scanPlain(start..<end, scope)
    return next(end)
  }

  /// Scans the lines that are indented deeper than a column as text.
  private mutating func scanDeeper(than column: Int, after end: Int, _ scope: SecretScope) -> Int {
    let start = next(end)
    var position = start
    while position < utf8.count {
      let end = lineEnd(position)
      let content = afterBlanks(position)
      if content < end {
        guard content - position > column else { break }
        if scope.isConcealing { conceal(content..<end, scope) }
      }
      position = next(end)
    }
    // As one text: a key in PEM has many lines.
    if !scope.isConcealing { scanText(start..<position) }
    return position
  }

  private mutating func scanQuoted(_ start: Int, _ scope: SecretScope, column: Int, _ end: Int) -> Int {
    guard let close = closingQuote(start, column: column) else {
      // It is never closed: deeper lines are taken for a part of it if it is secret.
      guard scope.isConcealing else {
        scanPlain(start + 1..<end, scope)
        return next(end)
      }
      conceal(start + 1..<end, scope)
      return scanDeeper(than: column, after: end, scope)
    }
    scanScalar(start + 1..<close, scope)
    let line = lineEnd(close)
    scanRest(close + 1..<line, scope)
    return next(line)
  }

  /// The rest of the line behind a value.
  mutating func scanRest(_ range: Range<Int>, _ scope: SecretScope) {
    let start = afterBlanks(range.lowerBound)
    guard start < range.upperBound else { return }
    if scope.isConcealing { conceal(start..<range.upperBound, scope) } else { scanText(start..<range.upperBound) }
  }

  /// A scalar without its quotes.
  mutating func scanScalar(_ range: Range<Int>, _ scope: SecretScope) {
    if scope.isConcealing { conceal(range, scope) } else { scanPlain(range, scope) }
  }

  /// A value that is not a secret as a whole.
  private mutating func scanPlain(_ range: Range<Int>, _ scope: SecretScope) {
    let text = utf8[range]
    switch scope {
    case .user where text.contains(UInt8(ascii: ":")) && !contains("://", range): conceal(range, .secret)
    case .address:
      let start = find("://", range).map { $0 + 3 } ?? range.lowerBound
      let authority = utf8[start..<range.upperBound].prefix { !"/?#, \t\n\"'".utf8.contains($0) }
      if let at = authority.lastIndex(of: UInt8(ascii: "@")), at > start { conceal(start..<at, .secret) }
      scanText(range)
    default: scanText(range)
    }
  }

  /// The position after blanks, an anchor and a tag; an anchor that a secret alias uses makes its value secret.
  mutating func valueStart(
    _ position: Int, _ given: SecretScope, _ end: Int
  ) -> (Int, SecretScope) {
    let start = afterBlanks(position)
    let value = afterProperties(start, end)
    let properties = start..<value
    var scope = given
    if given.isConcealing, !properties.isEmpty { add(properties) }
    if !secretAliases.isEmpty, let anchor = word(after: UInt8(ascii: "&"), properties), secretAliases.contains(anchor) {
      scope = .secret
    }
    if given.isConcealing, value < end, utf8[value] == UInt8(ascii: "*"),
      let alias = word(after: UInt8(ascii: "*"), value..<end)
    {
      secretAliases.insert(alias)
    }
    return (value, scope)
  }

  func word(after sign: UInt8, _ range: Range<Int>) -> [UInt8]? {
    guard let place = utf8[range].firstIndex(of: sign) else { return nil }
    return Array(utf8[place + 1..<range.upperBound].prefix { !isBlank($0) && !",]}\n\r".utf8.contains($0) })
  }
}
