import Diagnostics
import RunPlanning
import Values

/// Reads a dotenv file: `NAME=value` lines, comments, quotes, `export`.
///
/// Messages name the line and show nothing of it: such files hold secrets.
func readEnvironmentFile(_ text: String, path: String, into bag: inout DiagnosticBag) -> [CommandVariable] {
  var variables: [CommandVariable] = []
  for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
    var rest = line.trimmed[...]
    if rest.isEmpty || rest.hasPrefix("#") { continue }
    if rest.hasPrefix("export ") { rest = rest.dropFirst(7) }
    let name = rest.prefix { $0 != "=" }.trimmed
    guard let equals = rest.firstIndex(of: "="), !name.isEmpty, !name.contains(where: \.isWhitespace) else {
      bag.error("\(path):\(index + 1): this line is not NAME=value", at: nil)
      continue
    }
    let value = rest[rest.index(after: equals)...].trimmed
    if let quote = value.first, quote == "'" || quote == "\"", !isClosed(value, by: quote) {
      bag.error(
        "\(path):\(index + 1): the quote is never closed", at: nil,
        help: "a value stands in one line; write its line breaks as \\n in double quotes")
      continue
    }
    variables.append(
      CommandVariable(name: name, value: .text(unquoted(value)), isText: true, place: "\(path):\(index + 1)"))
  }
  return variables
}

private func isClosed(_ text: String, by quote: Character) -> Bool {
  var isEscaped = false
  for character in text.dropFirst() {
    if isEscaped {
      isEscaped = false
    } else if character == quote {
      return true
    } else {
      isEscaped = character == "\\" && quote == "\""
    }
  }
  return false
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
