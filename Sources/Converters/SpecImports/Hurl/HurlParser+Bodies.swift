import Values

/// Bodies.
extension HurlParser {
  /// The body at the position; nil, without a change, if there is none.
  mutating func body() -> HurlBody? {
    reader.skipBlanks()
    let start = reader.position
    if reader.byte == UInt8(ascii: "`") {
      if let body = textBody() { return body }
      fail("expected the end of the text that begins here")
      return nil
    }
    if let bytes = reader.literalBytes() { return .bytes(bytes) }
    if let path = reader.literalFile() { return .file(path) }
    if reader.byte == UInt8(ascii: "<") {
      if let text = HurlBodyEnd.xml(&reader) { return .xml(text) }
      fail("expected the end of the XML that begins here")
      return nil
    }
    if let text = HurlBodyEnd.json(&reader) { return .json(text) }
    reader.position = start
    return nil
  }

  /// A text in backticks.
  mutating func textBody() -> HurlBody? {
    guard reader.skip("```") else { return reader.skip("`") ? reader.text(.backtick).map { .text($0) } : nil }
    let end = reader.lineEnd
    let line = reader.text(reader.position..<end)
    if line.contains("```") {
      return reader.text(.multiline(escapes: false, placeholders: true)).map { .text($0) }
    }
    reader.skipLine()
    let words = line.split { $0 == "," || $0.isWhitespace }.map(String.init)
    let isRaw = words.contains("novariable") || words.contains("raw")
    guard var text = reader.text(.multiline(escapes: words.contains("escape"), placeholders: !isRaw)) else {
      return nil
    }
    switch words.first {
    case "json": return .json(text)
    case "xml": return .xml(text)
    case "base64", "hex":
      guard let digits = text.literal else { return .text(text) }
      var literal = HurlReader(bytes: Array("\(words[0]),\(digits);".utf8))
      return literal.literalBytes().map { .bytes($0) } ?? .text(text)
    case "graphql":
      var variables: ImportedText?
      if let (query, rest) = text.divided(atLine: "variables") {
        text = query
        variables = rest
      }
      return .graphql(query: text.trimmed, variables: variables?.trimmed)
    default: return .text(text)
    }
  }
}

extension ImportedText {
  /// The text before and after a line's first word; nil without such a line.
  fileprivate func divided(atLine word: String) -> (before: ImportedText, after: ImportedText)? {
    for (index, part) in parts.enumerated() {
      guard case .text(let text) = part else { continue }
      for range in text.ranges(of: "\n\(word)") {
        let rest = text[range.upperBound...].drop(while: \.isWhitespace)
        guard rest.first == "{" else { continue }
        return divided(at: index, before: text[..<range.lowerBound], after: rest)
      }
    }
    return nil
  }
}
