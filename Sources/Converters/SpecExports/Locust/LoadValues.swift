import RequestSpecs
import Synchronization
import Values

/// The values that only a run knows: captures, secrets and random ones. In what is exported, a word that no encoding
/// changes stands for each, and the script has the value in its place.
package final class LoadValues: SourceRewriting {
  private struct State {
    /// The Python expressions, by their numbers from 1.
    var expressions: [String] = []
    var environment: Set<String> = []
    var problems: [String] = []
    /// The lines, as `path:line`, of templates whose values are unknown.
    var unknown: Set<String> = []
    /// The lines of the expressions.
    var places: [String] = []
    /// The environment variables for secrets that stand in specs, by their names and values there.
    var secretNames: [String: String] = [:]
    /// The numbers of words that stand for lists of rows.
    var lists: Set<Int> = []
  }

  /// Names that requests and rows give, by the path of the file that reads them.
  private let captures: [String: Set<String>]
  private let allCaptures: Set<String>
  private let secrets: Set<String>
  /// Names that only a run gives, and the script doesn't have.
  private let unplayed: Set<String>
  private let state = Mutex(State())

  package init(captures: [String: Set<String>], secrets: Set<String>, unplayed: Set<String>) {
    self.captures = captures
    allCaptures = captures.values.reduce(into: LoadValues.rowNames) { $0.formUnion($1) }
    self.secrets = secrets
    self.unplayed = unplayed
  }

  static let word = "reqrunvalue"
  private static let rowNames: Set<String> = ["row", "row_index", "row_count"]

  /// Returns whether a request or a row gives a name; one that files share is read by any.
  private func isCapture(_ name: String, in path: String) -> Bool {
    LoadValues.rowNames.contains(name) || (captures[path] ?? allCaptures).contains(name)
  }

  /// The environment variables with secrets.
  package var environment: [String] { state.withLock { $0.environment.sorted() } }
  /// The templates that can't be exported, with their places.
  package var problems: [String] { state.withLock { $0.problems.sorted() } }

  /// Returns a spec's text with words in place of templates for such values.
  package func replaced(_ bytes: [UInt8], path: String) -> [UInt8] {
    let result = replacingTemplates(in: bytes, path: path) { word(for: $0) }
    if result == bytes { return bytes }
    return Array(withLists(String(decoding: result, as: UTF8.self)).utf8)
  }

  /// Makes lists of words in place of lists of rows.
  private func withLists(_ text: String) -> String {
    text.replacing(/(\beach:\s*(?:\{[^{}\n]*?\bin:\s*|\bin:\s*)?)(["']?)reqrunvalue(\d+)x\2(?=\s*[,}\n]|\s*$)/) {
      match in
      guard let number = Int(match.output.3) else { return String(match.output.0) }
      state.withLock { _ = $0.lists.insert(number) }
      return "\(match.output.1)[\"\(LoadValues.word)\(number)x\"]"
    }
  }

  /// The expression for a list of rows; nil for rows that are known.
  func list(_ rows: [Value]) -> String? {
    guard rows.count == 1, case .text(let text) = rows[0],
      let match = text.string.wholeMatch(of: /reqrunvalue(\d+)x/), let number = Int(match.output.1)
    else { return nil }
    return state.withLock { state in
      state.lists.remove(number) == nil ? nil : state.expressions[number - 1]
    }
  }

  /// The word for a secret that stands in a spec, which is read from the environment.
  func secretWord(_ secret: String, named name: String, at place: String) -> String {
    word(forPython: secretValue(secret, named: name, at: place), at: place)
  }

  /// The expression for a secret that stands in a spec.
  func secretValue(_ secret: String, named name: String, at place: String) -> String {
    let key = "\(name): \(secret)"
    if let known = state.withLock({ $0.secretNames[key] }) { return environmentValue(known) }
    let base = "REQRUN_\(PythonText.name("\(name) \(place)", words: 12).uppercased())"
    let variable = state.withLock { state in
      var variable = base
      var number = 2
      while state.secretNames.values.contains(variable) {
        variable = "\(base)_\(number)"
        number += 1
      }
      state.secretNames[key] = variable
      return variable
    }
    remark("\(place): its \(name) is read from the environment variable \(variable)")
    return environmentValue(variable)
  }

  private func word(forPython python: String, at place: String) -> String {
    state.withLock { state in
      let key = "\(place) \(state.places.count { $0 == place } + 1)"
      state.expressions.append(python.replacing(" KEY\"", with: " " + PythonText.quoted(key).dropFirst()))
      state.places.append(place)
      return "\(LoadValues.word)\(state.expressions.count)x"
    }
  }

  /// The keys of random values in lines of a file, which are new for each row.
  func randomKeys(_ lines: ClosedRange<Int>, of path: String) -> [String] {
    state.withLock { state in
      zip(state.expressions, state.places).compactMap { expression, place in
        guard lines.contains(where: { place == "\(path):\($0)" }) else { return nil }
        return expression.firstMatch(of: /^once\(v, ("(?:[^"\\]|\\.)*")/).map { String($0.output.1) }
      }
    }
  }

  /// The word for an expression; nil if its value is known now, or can't be exported.
  private func word(for template: WrittenTemplate) -> String? {
    let (expression, path, place, names) = (template.expression, template.path, template.place, template.names)
    if let python = python(for: expression, in: path) {
      return word(forPython: python, at: place)
    }
    if let name = names.first(where: {
      isCapture($0, in: path) || secrets.contains($0) || unplayed.contains($0)
    }) {
      let use = unplayed.contains(name) ? "reads" : "computes with"
      remark("\(place): `${{ \(expression) }}` \(use) `\(name)`, which only a run knows")
      state.withLock { _ = $0.unknown.insert(place) }
    } else if let name = names.first(where: {
      ["uuid", "random_int", "random_string", "now", "uuid7", "random_item", "shuffle", "fake", "totp", "poll_round"]
        .contains($0)
    }) {
      remark("\(place): `\(name)` in `${{ \(expression) }}` was computed once, by the export")
    }
    return nil
  }

  /// Returns whether a template in these lines of a file, or a part of what is sent, has an unknown value.
  func areUnknown(_ lines: ClosedRange<Int>, of path: String, in sent: String) -> Bool {
    if state.withLock({ state in lines.contains { state.unknown.contains("\(path):\($0)") } }) { return true }
    // A dry run writes `<name>` for a capture.
    let sent = sent.lowercased()
    return allCaptures.contains { name in
      sent.contains("<\(name.lowercased())>") || sent.contains("%3c\(name.lowercased())%3e")
    }
  }

  private func remark(_ problem: String) {
    state.withLock { if !$0.problems.contains(problem) { $0.problems.append(problem) } }
  }

  /// The value in Python; nil for a value that is known now, or a function that the script lacks.
  private func python(for expression: String, in path: String) -> String? {
    if expression == "uuid" || expression == "uuid()" { return "once(v, \"uuid KEY\", lambda: str(uuid.uuid4()))" }
    if let match = expression.wholeMatch(of: /random_int\(\s*(-?\d+)\s*,\s*(-?\d+)\s*\)/) {
      return "once(v, \"random KEY\", lambda: random.randint(\(match.1), \(match.2)))"
    }
    if let match = expression.wholeMatch(of: /env\.([A-Za-z_][A-Za-z0-9_]*)/) {
      return environmentValue(String(match.1))
    }
    guard
      let match = expression.wholeMatch(
        of:
          /([A-Za-z_][A-Za-z0-9_]*)((?:\.[A-Za-z_][A-Za-z0-9_]*|\[\d+\]|\["[^"\\]*"\]|\['[^'\\]*'\])*)/)
    else {
      return nil
    }
    let name = String(match.1)
    if secrets.contains(name), match.2.isEmpty { return environmentValue(name) }
    guard isCapture(name, in: path) else { return nil }
    var python = "v[\(PythonText.quoted(name))]"
    for part in match.2.matches(of: /\.([A-Za-z_][A-Za-z0-9_]*)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]/) {
      if let index = part.output.2 {
        python += "[\(index)]"
      } else {
        python += "[\(PythonText.quoted(String(part.output.1 ?? part.output.3 ?? part.output.4 ?? "")))]"
      }
    }
    return python
  }

  func environmentValue(_ name: String) -> String {
    state.withLock { _ = $0.environment.insert(name) }
    return "env(\(PythonText.quoted(name)))"
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
