package import Values

/// A value as the text of a JSON body, secrets kept.
///
/// Layout and escapes are those of Foundation's `JSONEncoder`; numbers stay as written, members in their order unless
/// `options.sort` is set: then in that of their names' UTF-8.
package func jsonBody(_ value: Value, options: EncodingOptions) -> Text {
  var writer = JSONBodyWriter(options: options)
  writer.write(value, depth: 0)
  return writer.result
}

private struct JSONBodyWriter {
  let options: EncodingOptions
  var result = Text("")

  mutating func write(_ value: Value, depth: Int) {
    switch value {
    case .null: result.append("null")
    case .bool(let value): result.append(value ? "true" : "false")
    case .number: result.append(value.asText)
    case .text(let text): quote(text)
    case .date(let date):
      let written = options.dateEncoding.jsonText(date)
      let text = Text(written.text, isSecret: date.isSecret)
      if written.isNumber { result.append(text) } else { quote(text) }
    case .data(let data):
      switch options.dataEncoding {
      case .base64: quote(value.asText)
      case .bytes:
        write(.list(data.bytes.map { .number(Number(lexeme: String($0), isSecret: data.isSecret)) }), depth: depth)
      }
    case .list(let items):
      bracketed("[", "]", count: items.count, depth: depth) { writer, index in
        writer.write(items[index], depth: depth + 1)
      }
    case .mapping(let mapping):
      let members =
        options.sort
        ? mapping.members.sorted { $0.key.string.utf8.lexicographicallyPrecedes($1.key.string.utf8) } : mapping.members
      bracketed("{", "}", count: members.count, depth: depth) { writer, index in
        writer.quote(members[index].key)
        writer.result.append(writer.options.json == .pretty ? " : " : ":")
        writer.write(members[index].value, depth: depth + 1)
      }
    }
  }

  private mutating func bracketed(
    _ open: String, _ close: String, count: Int, depth: Int, _ item: (inout JSONBodyWriter, Int) -> Void
  ) {
    result.append(open)
    if count == 0, options.json == .pretty { result.append("\n") }
    for index in 0..<count {
      if index > 0 { result.append(",") }
      newline(depth + 1)
      item(&self, index)
    }
    newline(depth)
    result.append(close)
  }

  private mutating func newline(_ depth: Int) {
    guard options.json == .pretty else { return }
    result.append("\n" + String(repeating: "  ", count: depth))
  }

  private mutating func quote(_ text: Text) {
    let escapesSlashes = options.escapesSlashes
    result.append("\"")
    result.append(text.mapRuns { escaped($0, slashes: escapesSlashes) })
    result.append("\"")
  }
}

/// The characters of a JSON string (RFC 8259, section 7): nothing is escaped that need not be, but slashes if wanted.
private func escaped(_ string: String, slashes: Bool) -> String {
  func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x22 && byte != 0x5C && !(slashes && byte == 0x2F) }
  guard !string.utf8.allSatisfy(isPlain) else { return string }
  let digits = Array("0123456789abcdef".utf8)
  var result: [UInt8] = []
  result.reserveCapacity(string.utf8.count * 2)
  for byte in string.utf8 {
    if isPlain(byte) {
      result.append(byte)
      continue
    }
    result.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: result.append(UInt8(ascii: "b"))
    case 0x09: result.append(UInt8(ascii: "t"))
    case 0x0A: result.append(UInt8(ascii: "n"))
    case 0x0C: result.append(UInt8(ascii: "f"))
    case 0x0D: result.append(UInt8(ascii: "r"))
    case 0x22, 0x2F, 0x5C: result.append(byte)
    default: result += [UInt8(ascii: "u"), 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: result, as: UTF8.self)
}
