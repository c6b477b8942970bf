import Synchronization
import Values

/// The values that only a run knows: captures, secrets and random ones. In what is exported, a word that no encoding
/// changes stands for each, and the script has the value in its place.
package final class LoadValues: Sendable {
  private struct State {
    /// The Python expressions, by their numbers from 1.
    var expressions: [String] = []
    var environment: Set<String> = []
    var problems: [String] = []
    /// The lines, as `path:line`, of templates whose values are unknown.
    var unknown: Set<String> = []
  }

  /// Captured names.
  private let captures: Set<String>
  private let secrets: Set<String>
  private let state = Mutex(State())

  package init(captures: Set<String>, secrets: Set<String>) {
    self.captures = captures
    self.secrets = secrets
  }

  static let word = "reqrunvalue"

  /// The environment variables with secrets.
  package var environment: [String] { state.withLock { $0.environment.sorted() } }
  /// The templates that can't be exported, with their places.
  package var problems: [String] { state.withLock { $0.problems } }

  /// Returns a spec's text with words in place of templates for such values.
  package func replaced(_ bytes: [UInt8], path: String) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "${{") {
      let isEscaped = rest[..<start.lowerBound].last == "$"
      guard !isEscaped, let end = LoadValues.end(of: rest[start.upperBound...]) else {
        result += rest[..<start.upperBound]
        rest = rest[start.upperBound...]
        continue
      }
      result += rest[..<start.lowerBound]
      let expression = rest[start.upperBound..<end]
      let line = text[..<start.lowerBound].count { $0.isNewline } + 1
      let isComment =
        rest[..<start.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).last?.contains("# ") == true
      if !isComment, let word = word(for: LoadValues.trimmed(expression), at: "\(path):\(line)") {
        result += word
      } else {
        result += "${{" + expression + "}}"
      }
      rest = rest[rest.index(end, offsetBy: 2)...]
    }
    return Array((result + rest).utf8)
  }

  /// The end of an expression, at its `}}`.
  private static func end(of text: Substring) -> String.Index? {
    var quote: Character?
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if text[index...].hasPrefix("}}") {
        return index
      }
      index = text.index(after: index)
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  /// The word for an expression; nil if its value is known now, or can't be exported.
  private func word(for expression: String, at place: String) -> String? {
    let names = LoadValues.names(in: expression)
    if let python = python(for: expression) {
      return state.withLock { state in
        state.expressions.append(python.replacing("KEY", with: "\(state.expressions.count + 1)"))
        return "\(LoadValues.word)\(state.expressions.count)x"
      }
    }
    if let name = names.first(where: { captures.contains($0) || secrets.contains($0) }) {
      tell("\(place): `${{ \(expression) }}` computes with `\(name)`, which only a run knows")
      state.withLock { _ = $0.unknown.insert(place) }
    } else if let name = names.first(where: {
      ["uuid", "random_int", "random_string", "now", "uuid7", "random_item", "shuffle", "fake", "totp"].contains($0)
    }) {
      tell("\(place): `\(name)` in `${{ \(expression) }}` was computed once, by the export")
    }
    return nil
  }

  /// Returns whether a template in these lines of a file, or a part of what is sent, has an unknown value.
  func areUnknown(_ lines: ClosedRange<Int>, of path: String, in sent: String) -> Bool {
    if state.withLock({ state in lines.contains { state.unknown.contains("\(path):\($0)") } }) { return true }
    // A dry run writes `<name>` for a capture.
    let sent = sent.lowercased()
    return captures.contains { name in
      sent.contains("<\(name.lowercased())>") || sent.contains("%3c\(name.lowercased())%3e")
    }
  }

  private func tell(_ problem: String) {
    state.withLock { if !$0.problems.contains(problem) { $0.problems.append(problem) } }
  }

  /// The value in Python; nil for a value that is known now, or a function that the script lacks.
  private func python(for expression: String) -> String? {
    if expression == "uuid" || expression == "uuid()" { return "once(v, \"uuid KEY\", lambda: str(uuid.uuid4()))" }
    if let match = expression.wholeMatch(of: /random_int\(\s*(-?\d+)\s*,\s*(-?\d+)\s*\)/) {
      return "once(v, \"random KEY\", lambda: random.randint(\(match.1), \(match.2)))"
    }
    if let match = expression.wholeMatch(of: /env\.([A-Za-z_][A-Za-z0-9_]*)/) {
      return environmentValue(String(match.1))
    }
    guard let match = expression.wholeMatch(of: /([A-Za-z_][A-Za-z0-9_]*)((?:\.[A-Za-z_][A-Za-z0-9_]*|\[\d+\])*)/)
    else {
      return nil
    }
    let name = String(match.1)
    if secrets.contains(name), match.2.isEmpty { return environmentValue(name) }
    guard captures.contains(name) else { return nil }
    var python = "v[\(PythonText.quoted(name))]"
    for part in match.2.split(whereSeparator: { $0 == "." || $0 == "[" || $0 == "]" }) {
      python += Int(part) == nil ? "[\(PythonText.quoted(String(part)))]" : "[\(part)]"
    }
    return python
  }

  func environmentValue(_ name: String) -> String {
    state.withLock { _ = $0.environment.insert(name) }
    return "env(\(PythonText.quoted(name)))"
  }

  private static func names(in expression: String) -> [String] {
    let bare = expression.replacing(/'[^']*'|"[^"]*"/, with: "''")
    return bare.matches(of: /(?:^|[^.A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]*)/).map { String($0.output.1) }
  }

  /// Splits a text at the words.
  static func pieces(of text: String) -> [(text: String, value: Int?)] {
    var result: [(text: String, value: Int?)] = []
    var rest = text[...]
    while let match = rest.firstMatch(of: /reqrunvalue(\d+)x/) {
      result.append((String(rest[..<match.range.lowerBound]), nil))
      result.append(("", Int(match.output.1)))
      rest = rest[match.range.upperBound...]
    }
    result.append((String(rest), nil))
    return result.filter { !$0.text.isEmpty || $0.value != nil }
  }

  func expression(_ number: Int) -> String { state.withLock { $0.expressions[number - 1] } }

  /// A Python expression for a text; `function` encodes each value.
  func python(_ text: String, _ function: String) -> String {
    let pieces = LoadValues.pieces(of: text)
    if pieces.isEmpty { return "\"\"" }
    return pieces.map { piece in
      piece.value.map { "\(function)(\(expression($0)))" } ?? PythonText.quoted(piece.text)
    }.joined(separator: " + ")
  }

  /// A Python expression for a JSON text: a string that is a value as a whole keeps the value's type.
  func pythonJSON(_ text: String) -> String {
    var result: [String] = []
    var rest = text[...]
    while let match = rest.firstMatch(of: /"reqrunvalue(\d+)x"|reqrunvalue(\d+)x/) {
      if match.range.lowerBound > rest.startIndex {
        result.append(PythonText.quoted(String(rest[..<match.range.lowerBound])))
      }
      if let number = match.output.1.flatMap({ Int($0) }) {
        result.append("as_json(\(expression(number)))")
      } else if let number = match.output.2.flatMap({ Int($0) }) {
        result.append("in_json(\(expression(number)))")
      }
      rest = rest[match.range.upperBound...]
    }
    if !rest.isEmpty { result.append(PythonText.quoted(String(rest))) }
    return result.isEmpty ? "\"\"" : result.joined(separator: " + ")
  }

  /// A Python expression for a value to compare with.
  func python(_ value: Value) -> String? {
    PythonText.literal(value) { text in
      let pieces = LoadValues.pieces(of: text)
      if pieces.count == 1, let number = pieces[0].value { return expression(number) }
      return python(text, "text")
    }
  }
}
