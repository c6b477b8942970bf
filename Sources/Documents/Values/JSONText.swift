/// The layout of JSON text.
package enum JSONLayout: String, Sendable, Hashable, CaseIterable {
  case compact
  case pretty
}

/// Characters that are escaped in JSON strings though it isn't required (RFC 8259, section 7).
package struct JSONEscapes: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// U+007F, a control character for terminals.
  package static let delete = JSONEscapes(rawValue: 1)
  /// `/`
  package static let slash = JSONEscapes(rawValue: 2)
}

/// The style of a value's JSON text.
package struct JSONStyle: Sendable {
  package var layout: JSONLayout
  /// Pretty-printed like Foundation's `JSONEncoder`: with a space before a colon, and an empty line in empty
  /// containers.
  package var isSpacedAsFoundation = false
  /// Members sorted by the UTF-8 of their names, instead of their own order.
  package var sortsMembers = false
  package var escapes: JSONEscapes = .delete
  /// Data as a list of its bytes, not as base64 (or hex for a hash).
  package var dataIsList = false
  /// The text of a date, and whether it is a number; nil means a string in ISO 8601.
  package var date: (@Sendable (Timestamp) -> (text: String, isNumber: Bool))?

  package init(_ layout: JSONLayout = .compact) { self.layout = layout }
}

extension Value {
  /// The value as JSON, secrets kept: numbers as written, dates as ISO 8601, data as base64 (or hex for a hash).
  package func jsonText(_ layout: JSONLayout = .compact) -> Text {
    jsonText(JSONStyle(layout))
  }

  /// The value as JSON, secrets kept, numbers as written.
  package func jsonText(_ style: JSONStyle) -> Text {
    var writer = JSONTextWriter(style: style)
    writer.write(self, depth: 0)
    return writer.result
  }
}

private struct JSONTextWriter {
  let style: JSONStyle
  var result = Text("")

  mutating func write(_ value: Value, depth: Int) {
    switch value {
    case .null: result.append("null")
    case .bool(let value): result.append(value ? "true" : "false")
    case .number: result.append(value.asText)
    case .text(let text): quote(text)
    case .date(let date): write(date, value.asText)
    case .data(let data) where style.dataIsList:
      write(.list(data.bytes.map { .number(Number(lexeme: String($0), isSecret: data.isSecret)) }), depth: depth)
    case .data: quote(value.asText)
    case .list(let items):
      result.append("[")
      for index in items.indices {
        startItem(index, depth: depth + 1)
        write(items[index], depth: depth + 1)
      }
      close("]", count: items.count, depth: depth)
    case .mapping(let mapping):
      result.append("{")
      let members =
        style.sortsMembers
        ? mapping.members.sorted { $0.key.string.utf8.lexicographicallyPrecedes($1.key.string.utf8) } : mapping.members
      for index in members.indices {
        startItem(index, depth: depth + 1)
        quote(members[index].key)
        result.append(style.layout == .compact ? ":" : style.isSpacedAsFoundation ? " : " : ": ")
        write(members[index].value, depth: depth + 1)
      }
      close("}", count: members.count, depth: depth)
    }
  }

  private mutating func write(_ date: Timestamp, _ iso8601: Text) {
    guard let written = style.date?(date) else { return quote(iso8601) }
    let text = Text(written.text, isSecret: date.isSecret)
    if written.isNumber { result.append(text) } else { quote(text) }
  }

  private mutating func startItem(_ index: Int, depth: Int) {
    if index > 0 { result.append(",") }
    if style.layout == .pretty { newline(depth) }
  }

  private mutating func close(_ bracket: String, count: Int, depth: Int) {
    if style.layout == .pretty {
      if count == 0, style.isSpacedAsFoundation { result.append("\n") }
      if count > 0 || style.isSpacedAsFoundation { newline(depth) }
    }
    result.append(bracket)
  }

  private mutating func newline(_ depth: Int) {
    result.append("\n" + String(repeating: "  ", count: depth))
  }

  private mutating func quote(_ text: Text) {
    let escapes = style.escapes
    result.append("\"")
    result.append(
      text.marks.isEmpty ? Text(jsonEscaped(text.string, escapes)) : text.mapRuns { jsonEscaped($0, escapes) })
    result.append("\"")
  }
}

/// The characters of a JSON string (RFC 8259, section 7), without the quotes.
package func jsonEscaped(_ string: String, _ escapes: JSONEscapes = .delete) -> String {
  let (delete, slash) = (escapes.contains(.delete), escapes.contains(.slash))
  func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x22 && byte != 0x5C && !(delete && byte == 0x7F) && !(slash && byte == 0x2F)
  }
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
