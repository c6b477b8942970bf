import RunPlanning
import Values

/// Reads a dotenv file: `NAME=value` lines, comments, quotes, `export`.
func readEnvironmentFile(_ text: String) -> [CommandVariable] {
  text.split(whereSeparator: \.isNewline).compactMap { line in
    var rest = line.drop { $0 == " " || $0 == "\t" }
    if rest.hasPrefix("export ") { rest = rest.dropFirst(7) }
    guard !rest.hasPrefix("#"), let equals = rest.firstIndex(of: "=") else { return nil }
    let name = rest[..<equals].trimmed
    guard !name.isEmpty else { return nil }
    return CommandVariable(name: name, value: .text(unquoted(rest[rest.index(after: equals)...].trimmed)), isText: true)
  }
}

private func unquoted(_ text: String) -> String {
  if text.count >= 2, text.hasPrefix("'"), let end = text.dropFirst().firstIndex(of: "'") {
    return String(text[text.index(after: text.startIndex)..<end])
  }
  if text.hasPrefix("\"") {
    var result = ""
    var isEscaped = false
    for character in text.dropFirst() {
      if isEscaped {
        result.append(character == "n" ? "\n" : character == "t" ? "\t" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        return result
      } else {
        result.append(character)
      }
    }
    return result
  }
  if let comment = text.firstRange(of: " #") { return text[..<comment.lowerBound].trimmed }
  return text
}

extension StringProtocol {
  /// Without spaces and tabs at both ends.
  var trimmed: String {
    var text = self[...]
    while let first = text.first, first == " " || first == "\t" { text = text.dropFirst() }
    while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
    return String(text)
  }
}
