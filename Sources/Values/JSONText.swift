/// How JSON is laid out.
package enum JSONLayout: String, Sendable, Hashable, CaseIterable {
  case compact
  case pretty
}

extension Value {
  /// The value as JSON, secrets kept: numbers as written, dates as ISO 8601, data as base64 (or hex for a hash).
  package func jsonText(_ layout: JSONLayout = .compact) -> Text {
    var writer = JSONTextWriter(layout: layout)
    writer.write(self, depth: 0)
    return writer.result
  }
}

private struct JSONTextWriter {
  let layout: JSONLayout
  var result = Text("")

  mutating func write(_ value: Value, depth: Int) {
    switch value {
    case .null: result.append("null")
    case .bool(let value): result.append(value ? "true" : "false")
    case .number: result.append(value.asText)
    case .text(let text): quote(text)
    case .date, .data: quote(value.asText)
    case .list(let items):
      bracketed("[", "]", count: items.count, depth: depth) { writer, index in
        writer.write(items[index], depth: depth + 1)
      }
    case .mapping(let mapping):
      bracketed("{", "}", count: mapping.count, depth: depth) { writer, index in
        let member = mapping.members[index]
        writer.quote(member.key)
        writer.result.append(writer.layout == .pretty ? ": " : ":")
        writer.write(member.value, depth: depth + 1)
      }
    }
  }

  private mutating func bracketed(
    _ open: String, _ close: String, count: Int, depth: Int, _ item: (inout JSONTextWriter, Int) -> Void
  ) {
    result.append(open)
    for index in 0..<count {
      if index > 0 { result.append(",") }
      newline(depth + 1)
      item(&self, index)
    }
    if count > 0 { newline(depth) }
    result.append(close)
  }

  private mutating func newline(_ depth: Int) {
    guard layout == .pretty else { return }
    result.append("\n" + String(repeating: "  ", count: depth))
  }

  mutating func quote(_ text: Text) {
    result.append("\"")
    result.append(text.isSecret ? text.mapRuns(jsonEscaped) : Text(jsonEscaped(text.string)))
    result.append("\"")
  }
}

/// The characters of a JSON string (RFC 8259, section 7), without the quotes.
package func jsonEscaped(_ string: String) -> String {
  guard string.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0x7F }) else { return string }
  var result = ""
  for scalar in string.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case "\u{08}": result += "\\b"
    case "\u{0C}": result += "\\f"
    case "\u{00}"..."\u{1F}", "\u{7F}":
      let code = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - code.count) + code
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
