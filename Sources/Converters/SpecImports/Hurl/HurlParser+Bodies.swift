import Values

/// Bodies.
extension HurlParser {
  /// The body at the position, and its type where no header names one; nil, without a change, if there is none.
  mutating func body() -> (body: ImportedRequest.Body, type: ImportedText?)? {
    reader.skipBlanks()
    let start = reader.position
    if reader.byte == UInt8(ascii: "`") {
      if let body = textBody() { return body }
      fail("expected the end of the text that begins here")
      return nil
    }
    if let bytes = reader.literalBytes() { return (.base64(base64Encoded(bytes)), nil) }
    if let path = reader.literalFile() { return (.file(path), nil) }
    if reader.byte == UInt8(ascii: "<") {
      if let text = HurlBodyEnd.xml(&reader) { return (.text(text), "application/xml") }
      fail("expected the end of the XML that begins here")
      return nil
    }
    if let text = HurlBodyEnd.json(&reader) { return (.json(text), nil) }
    reader.position = start
    if reader.byte == UInt8(ascii: "{") {
      fail("expected the end of the JSON that begins here", help: "add a closing `}`")
    }
    return nil
  }

  /// A text in backticks, and its type where no header names one.
  mutating func textBody() -> (body: ImportedRequest.Body, type: ImportedText?)? {
    guard reader.skip("```") else { return reader.skip("`") ? reader.text(.backtick).map { (.text($0), nil) } : nil }
    let line = reader.text(reader.position..<reader.lineEnd)
    if line.contains("```") {
      return reader.text(.multiline(escapes: false, placeholders: true)).map { (.text($0), nil) }
    }
    reader.skipLine()
    let words = line.split { $0 == "," || $0.isWhitespace }.map(String.init)
    let isRaw = words.contains("novariable") || words.contains("raw")
    guard let text = reader.text(.multiline(escapes: words.contains("escape"), placeholders: !isRaw)) else {
      return nil
    }
    switch words.first {
    case "json": return (.json(text), nil)
    case "xml": return (.text(text), "application/xml")
    case "base64", "hex":
      var literal = HurlReader(bytes: Array("\(words[0]),\(text.literal ?? "");".utf8))
      let bytes = text.literal == nil ? nil : literal.literalBytes()
      return (bytes.map { .base64(base64Encoded($0)) } ?? .text(text), nil)
    case "graphql":
      let (query, variables) = text.divided(atLine: "variables").map { ($0.before, $0.after) } ?? (text, nil)
      return (.graphql(query: query.trimmed, variables: variables?.trimmed, operation: nil), nil)
    default: return (.text(text), nil)
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
