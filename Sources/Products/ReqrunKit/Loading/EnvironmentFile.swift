import RequestSpecs
import Values

/// Reads a dotenv file: `NAME=value` lines, comments, quotes, `export`. A quoted value may span several lines.
///
/// Messages name the line but don't show it: such files contain secrets.
func readEnvironmentFile(_ text: String, path: String, into bag: inout DiagnosticBag) -> [CommandVariable] {
  var variables: [CommandVariable] = []
  // A byte order mark is not part of the first name.
  let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
  let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  var next = 0
  while next < lines.count {
    let index = next
    next += 1
    var rest = trimmingBlanks(lines[index])[...]
    if rest.isEmpty || rest.hasPrefix("#") { continue }
    if rest.hasPrefix("export ") { rest = rest.dropFirst(7) }
    let name = trimmingBlanks(rest.prefix { $0 != "=" })
    guard let equals = rest.firstIndex(of: "="), !name.isEmpty, !name.contains(where: \.isWhitespace) else {
      let key = rest.prefix { $0 != ":" }
      let isYAML = key.count < rest.count && !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      bag.error(
        .invalidFile, "\(path):\(index + 1): this line is not NAME=value", at: nil,
        help: isYAML ? "write \(key)=… in place of \(key): …" : "write NAME=value, or begin a comment with `#`")
      continue
    }
    let afterEquals = rest[rest.index(after: equals)...]
    var value = trimmingBlanks(afterEquals)
    if value.hasPrefix("#"), afterEquals.first != "#" { value = "" }
    if let quote = value.first, quote == "'" || quote == "\"", !isClosed(value, by: quote) {
      guard let end = lines[next...].firstIndex(where: { isClosed("\(quote)\($0)", by: quote) }) else {
        bag.error(
          .invalidFile, "\(path):\(index + 1): the quote is never closed", at: nil,
          help: "end the value with the quote that it begins with, in this line or a later one")
        continue
      }
      value = ([Substring(value)] + lines[next...end]).joined(separator: "\n")
      next = end + 1
    }
    variables.append(
      CommandVariable(name: name, value: .text(unquoted(value)), isText: true, place: "\(path):\(index + 1)"))
  }
  return variables
}

/// Returns whether the text has a closing quote after its first character.
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
        result += unescaped(character)
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
  let blank = text.indices.dropLast().first { [" ", "\t"].contains(text[$0]) && text[text.index(after: $0)] == "#" }
  return blank.map { trimmingBlanks(text[..<$0]) } ?? text
}

/// The character of an escape; one without a meaning keeps its backslash.
private func unescaped(_ character: Character) -> String {
  switch character {
  case "n": "\n"
  case "r": "\r"
  case "t": "\t"
  case "\\", "\"", "'", "$", "`": String(character)
  default: "\\\(character)"
  }
}
