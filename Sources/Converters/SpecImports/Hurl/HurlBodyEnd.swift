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

  /// The end of the XML document that begins at a place; nil if it has none.
  static func xml(_ bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    var depth = 0
    func isAt(_ text: StaticString) -> Bool {
      let count = text.utf8CodeUnitCount
      return bytes.count - index >= count && (0..<count).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
    }
    func skip(to text: StaticString) -> Bool {
      while index < bytes.count, !isAt(text) { index += 1 }
      guard index < bytes.count else { return false }
      index += text.utf8CodeUnitCount
      return true
    }
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<") else {
        index += 1
        continue
      }
      if isAt("<!--") {
        guard skip(to: "-->") else { return nil }
      } else if isAt("<![CDATA[") {
        guard skip(to: "]]>") else { return nil }
      } else if isAt("<?") {
        guard skip(to: "?>") else { return nil }
      } else if isAt("<!") {
        guard endOfTag(bytes, &index) != nil else { return nil }
      } else {
        let isClosing = isAt("</")
        guard let isEmpty = endOfTag(bytes, &index) else { return nil }
        if isClosing { depth -= 1 } else if !isEmpty { depth += 1 }
        if depth <= 0 { return index }
      }
    }
    return nil
  }

  /// Moves behind a tag, or a declaration with its subset in brackets, and returns whether it ends with a slash; nil
  /// without its end.
  private static func endOfTag(_ bytes: [UInt8], _ index: inout Int) -> Bool? {
    var quote: UInt8?
    var brackets = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "]"): brackets -= 1
      case UInt8(ascii: ">"): if brackets <= 0 { return bytes[index - 2] == UInt8(ascii: "/") }
      default: break
      }
    }
    return nil
  }
}
