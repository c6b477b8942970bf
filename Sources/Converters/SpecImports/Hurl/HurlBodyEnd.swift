/// Finds the ends of bodies that have no delimiters.
enum HurlBodyEnd {
  /// The text of the JSON value at the position, with its placeholders; nil if there is none.
  static func json(_ reader: inout HurlReader) -> ImportedText? {
    var result = ImportedText()
    var known = reader.position
    var depth = 0
    var isQuoted = false
    func flush(_ reader: HurlReader) { result.append(reader.text(known..<reader.position)) }
    guard let first = reader.byte, isStart(first, reader) else { return nil }
    while let byte = reader.byte {
      if byte == UInt8(ascii: "{"), reader.isAt("{{") {
        let start = reader.position
        if let part = reader.placeholder() {
          result.append(reader.text(known..<start))
          result.append(part)
          known = reader.position
          if depth == 0, !isQuoted { return result }
          continue
        }
      }
      reader.position += 1
      if isQuoted {
        if byte == UInt8(ascii: "\\"), !reader.isAtEnd { reader.position += 1 }
        guard byte == UInt8(ascii: "\"") else { continue }
        isQuoted = false
      } else {
        switch byte {
        case UInt8(ascii: "\""): isQuoted = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
      }
      guard depth == 0, !isQuoted else { continue }
      // A number or a word ends with its last letter.
      if byte != UInt8(ascii: "\""), byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]"), let next = reader.byte,
        next > UInt8(ascii: " "), next != UInt8(ascii: "#")
      {
        continue
      }
      flush(reader)
      return result
    }
    return nil
  }

  private static func isStart(_ byte: UInt8, _ reader: HurlReader) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: reader.isAt("true") || reader.isAt("false") || reader.isAt("null")
    }
  }

  /// The text of the XML document at the position; nil, without a change, if it has no end.
  static func xml(_ reader: inout HurlReader) -> ImportedText? {
    let start = reader.position
    var depth = 0
    while !reader.isAtEnd {
      guard reader.byte == UInt8(ascii: "<") else {
        reader.position += 1
        continue
      }
      let isClosing = reader.isAt("</")
      let marks: [(start: StaticString, end: StaticString)] = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
      if let (_, end) = marks.first(where: { reader.isAt($0.start) }) {
        while !reader.isAtEnd, !reader.isAt(end) { reader.position += 1 }
        guard reader.skip(end) else { break }
      } else if reader.isAt("<!") {
        guard endOfTag(&reader) != nil else { break }
      } else {
        guard let isEmpty = endOfTag(&reader) else { break }
        if isClosing { depth -= 1 } else if !isEmpty { depth += 1 }
        if depth <= 0 { return ImportedText(reader.text(start..<reader.position)) }
      }
    }
    reader.position = start
    return nil
  }

  /// Moves behind a tag, or a declaration with its subset in brackets, and returns whether it ends with a slash; nil
  /// without its end.
  private static func endOfTag(_ reader: inout HurlReader) -> Bool? {
    var quote: UInt8?
    var brackets = 0
    while let byte = reader.byte {
      reader.position += 1
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "]"): brackets -= 1
      case UInt8(ascii: ">"): if brackets <= 0 { return reader.bytes[reader.position - 2] == UInt8(ascii: "/") }
      default: break
      }
    }
    return nil
  }
}
