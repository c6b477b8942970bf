/// Colours in the text of JSON and markup. The text is sanitized before: here nothing is changed, only painted.
struct SyntaxColors {
  let style: ConsoleStyle

  /// JSON, one document or one in each line: names, texts, numbers and words in colours of their own.
  func json(_ text: String) -> String {
    guard style.isColored else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    var position = 0
    func paint(_ range: Range<Int>, _ paint: (String) -> String) {
      result += Array(paint(String(decoding: bytes[range], as: UTF8.self)).utf8)
    }
    while position < bytes.count {
      let start = position
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position = endOfString(bytes, from: position)
        let next = bytes[position...].first { $0 != 0x20 && $0 != 0x0A && $0 != 0x09 && $0 != 0x0D }
        paint(start..<position, next == UInt8(ascii: ":") ? style.cyan : style.green)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        while position < bytes.count, "0123456789-+.eE".utf8.contains(bytes[position]) { position += 1 }
        paint(start..<position, style.yellow)
      case UInt8(ascii: "a")...UInt8(ascii: "z"):
        while position < bytes.count, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[position]) {
          position += 1
        }
        paint(start..<position, style.magenta)
      default:
        result.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
    var position = start + 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(bytes.count, position + 1)
  }

  /// XML or HTML: tags, the values of attributes, and comments in colours of their own.
  func markup(_ text: String) -> String {
    guard style.isColored else { return text }
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "<") {
      result += rest[..<open]
      let isComment = rest[open...].hasPrefix("<!--")
      guard
        let end = isComment
          ? rest[open...].firstRange(of: "-->")?.upperBound
          : rest[open...].firstIndex(of: ">").map({ rest.index(after: $0) })
      else {
        rest = rest[open...]
        break
      }
      let tag = rest[open..<end]
      result += isComment || tag.hasPrefix("<!") || tag.hasPrefix("<?") ? style.dim(String(tag)) : painted(tag: tag)
      rest = rest[end...]
    }
    return result + rest
  }

  private func painted(tag: Substring) -> String {
    var result = ""
    var rest = tag
    while let quote = rest.firstIndex(where: { $0 == "\"" || $0 == "'" }),
      let end = rest[rest.index(after: quote)...].firstIndex(of: rest[quote])
    {
      let next = rest.index(after: end)
      result += style.cyan(String(rest[..<quote])) + style.green(String(rest[quote..<next]))
      rest = rest[next...]
    }
    return result + style.cyan(String(rest))
  }
}
