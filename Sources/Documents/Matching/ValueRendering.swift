import Values

/// A value in one line, JSON-like and shortened; secret parts stay marked.
///
/// - Parameter width: the approximate number of characters of a structure to show.
package func rendered(_ value: Value, unit: String = "", width: Int = 160) -> Text {
  rendered(value, unit: unit, width: width, count: nil)
}

/// The maximum number of nodes that a line shows, since each takes a character and is followed by two.
package let shownNodeLimit = 256

/// The rendered value, created only as far as it is shown.
package func rendered(_ value: any LazyValue, width: Int = 160) -> Text {
  rendered(value.beginning, unit: "", width: width, count: value.count)
}

func rendered(_ target: MatchTarget, unit: String = "") -> Text {
  let (value, count) = target.beginning
  return rendered(value, unit: unit, width: 160, count: count)
}

/// - Parameter count: the number of items or members, if the value has fewer.
private func rendered(_ value: Value, unit: String, width: Int, count: Int?) -> Text {
  var writer = OneLineWriter(unit: unit, width: width)
  writer.write(value, isOutermost: true, count: count)
  return writer.result
}

/// The same with its type: `"1" (a string)`.
func typed(_ value: Value, unit: String = "") -> Text {
  value.kind == .null ? rendered(value) : rendered(value, unit: unit) + Text(" (\(typePhrase(value)))")
}

/// The JSON type with its article.
func typePhrase(_ value: Value) -> String {
  if case .number(let number) = value, number.isInteger { return MatchKind.integer.phrase }
  return typePhrase(value.kind)
}

func typePhrase(_ kind: ValueKind) -> String {
  switch kind {
  case .null: MatchKind.null.phrase
  case .boolean: MatchKind.boolean.phrase
  case .number: MatchKind.number.phrase
  case .text: MatchKind.string.phrase
  case .date, .data: kind.phrase
  case .list: MatchKind.array.phrase
  case .mapping: MatchKind.object.phrase
  }
}

private struct OneLineWriter {
  let unit: String
  var result = Text("")
  /// The number of characters left for a structure.
  private var room: Int
  private let longestText: Int
  private var isCut = false

  init(unit: String, width: Int) {
    self.unit = unit
    room = width
    longestText = min(width, textLimit)
  }

  /// Milliseconds from an hour on, as in `59d 23h`; the rest is dropped.
  private func longTime(_ number: Number) -> Text? {
    guard unit == "ms" else { return nil }
    let milliseconds = number.double
    guard abs(milliseconds) >= 3_600_000, abs(milliseconds) < 1e15 else { return nil }
    let units: [(name: String, seconds: Int)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]
    var rest = Int(abs(milliseconds) / 1000)
    var parts: [String] = []
    for (name, seconds) in units where rest >= seconds && parts.count < 2 {
      parts.append("\(rest / seconds)\(name)")
      rest %= seconds
    }
    return Text((milliseconds < 0 ? "-" : "") + parts.joined(separator: " "), isSecret: number.isSecret)
  }

  /// - Parameter count: the number of items or members, if the value has fewer.
  mutating func write(_ value: Value, isOutermost: Bool, count: Int? = nil) {
    switch value {
    case .null: append(Text("null"))
    case .bool(let value): append(Text(value ? "true" : "false"))
    case .number(let number): append(longTime(number) ?? shortened(number) + Text(unit))
    case .text(let text): append(quoted(text, limit: isOutermost ? longestText : 40))
    case .date(let date): append(Text(date.iso8601, isSecret: date.isSecret))
    case .data(let data): append(shortened(data))
    case .list(let items):
      bracketed("[", items.count, "]") { writer, index in writer.write(items[index], isOutermost: false) }
      if isOutermost, isCut { result.append(" (\(counted(count ?? items.count, "item")))") }
    case .mapping(let mapping):
      bracketed("{", mapping.count, "}") { writer, index in
        let member = mapping.members[index]
        writer.append(quoted(member.key, limit: 40) + Text(": "))
        writer.write(member.value, isOutermost: false)
      }
      if isOutermost, isCut { result.append(" (\(counted(count ?? mapping.count, "member")))") }
    }
  }

  private mutating func append(_ text: Text) {
    result.append(text)
    room -= text.string.unicodeScalars.count
  }

  private mutating func bracketed(
    _ open: String, _ count: Int, _ close: String, _ item: (inout OneLineWriter, Int) -> Void
  ) {
    append(Text(open))
    for index in 0..<count {
      if index > 0 { append(Text(", ")) }
      if room <= 0 {
        result.append("…")
        isCut = true
        break
      }
      item(&self, index)
    }
    append(Text(close))
  }

  private func shortened(_ number: Number) -> Text {
    let lexeme = number.lexeme
    guard lexeme.utf8.count > textLimit else { return Text(lexeme, isSecret: number.isSecret) }
    return Text(String(lexeme.prefix(textWindow)), isSecret: number.isSecret)
      + Text("… (\(lexeme.utf8.count) characters)")
  }

  private func shortened(_ data: Bytes) -> Text {
    let shown = Array(data.bytes.prefix(48))
    let text = data.textForm == .hex ? hexEncoded(shown) : base64Encoded(shown)
    let isWhole = shown.count == data.bytes.count
    return Text(data.textForm == .hex ? "\"" : "data \"") + Text(text, isSecret: data.isSecret)
      + Text(isWhole ? "\"" : "…\" (\(counted(data.bytes.count, "byte")))")
  }
}
