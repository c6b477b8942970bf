import RequestSpecs
import SpecExecution
import Synchronization
import Templates
import Values

/// The values that only a run knows: captures, rows, secrets and random ones. In what is exported, a word that no
/// encoding changes stands for each, and the script has the value in its place.
package final class LoadValues: OpenValues {
  private struct State {
    /// The Python expressions, by their numbers from 1.
    var expressions: [String] = []
    /// The numbers of expressions by their places and texts.
    var numbers: [String: Int] = [:]
    var environment: Set<String> = []
    var problems = ExportRemarks()
    /// The number of expressions of each line, and the keys of its random ones.
    var counts: [String: Int] = [:]
    var randomKeys: [String: [String]] = [:]
    /// The environment variables for secrets that stand in specs.
    var taken = UniqueNames()
  }

  package let openRows = true
  private let secrets: Set<String>
  /// The names that credentials read.
  private let credentials: Set<String>
  /// Names that only a run gives, and the script doesn't have.
  private let unplayed: Set<String>
  private let state = Mutex(State())

  package init(secrets: Set<String>, credentials: Set<String>, unplayed: Set<String>) {
    (self.secrets, self.credentials, self.unplayed) = (secrets, credentials, unplayed)
  }

  private static let rowNames: Set<String> = ["row", "row_index", "row_count"]

  /// The environment variables with secrets.
  package var environment: [String] { state.withLock { $0.environment.sorted() } }
  /// The templates that can't be exported, with their places.
  package var problems: [ExportRemark] { state.withLock { $0.problems.all } }

  // MARK: marks

  package func capture(_ name: String, isURL: Bool) -> Text {
    let path = name.split(separator: ".").map { "[\(PythonText.quoted(String($0)))]" }.joined()
    return placeholder("v\(path)", at: "")
  }

  private func placeholder(_ python: String, at place: String) -> Text {
    let number = number(ofPython: python, at: place)
    return Text(FoundWord.text(.value, number), open: OpenValue(number: number))
  }

  package func value(
    of expression: OpenExpression, in scope: FileScope, partOf variable: String?
  ) throws(TemplateError) -> Value? {
    let line = "\(expression.range.source.name):\(expression.range.start.line)"
    let place = "\(line) \(expression.range.bytes.lowerBound)"
    if let name = expression.environmentName { return .text(placeholder(environmentValue(name), at: "")) }
    if let (name, steps) = expression.path {
      if let base = python(name, hasSteps: !steps.isEmpty, in: scope) {
        let path = steps.map { step in
          switch step {
          case .name(let name): "[\(PythonText.quoted(name))]"
          case .index(let index): "[\(index)]"
          }
        }
        return .text(placeholder(base + path.joined(), at: ""))
      }
      if !unplayed.contains(name), !secrets.contains(name), !isCredential(name, in: scope) { return nil }
    }
    if let random = LoadValues.random(expression.text) { return .text(placeholder(random, at: place)) }
    for name in expression.references.map(\.name) where name != "env" {
      var isUnknown = LoadValues.rowNames.contains(name) || secrets.contains(name) || unplayed.contains(name)
      if !isUnknown, scope.capturePlaceholder(name) != nil { isUnknown = true }
      if !isUnknown, case .value(let value)? = try? scope.lookup(name), value.unknown != nil { isUnknown = true }
      guard isUnknown else { continue }
      let use = unplayed.contains(name) ? "reads" : "computes with"
      throw TemplateError(
        "`${{ \(expression.text) }}` \(use) `\(name)`, which only a run knows", at: expression.range)
    }
    if expression.references.contains(where: { isCredential($0.name, in: scope) }) {
      let value = try expression.value(in: scope)
      switch value {
      case .text, .number, .date, .data:
        let variable = expression.path?.steps.isEmpty ?? false
        return .text(
          placeholder(
            variable
              ? environmentValue(expression.text)
              : secretValue(value.asText.string, named: expression.text, at: line), at: ""))
      case .null, .bool, .list, .mapping: return value.tainted
      }
    }
    let isRound = expression.references.contains { $0.name == "poll_round" }
    if let name = isRound ? "poll_round" : expression.unrepeatableFunctions.first {
      let remark = ExportRemark(
        place: line, reason: "`\(name)` was computed once, by the export", detail: "${{ \(expression.text) }}")
      state.withLock { $0.problems.add(remark) }
    }
    return nil
  }

  /// A name that only a run knows in Python; nil for any other.
  private func python(_ name: String, hasSteps: Bool, in scope: FileScope) -> String? {
    if unplayed.contains(name) { return nil }
    if secrets.contains(name) { return hasSteps ? nil : environmentValue(name) }
    if LoadValues.rowNames.contains(name) || scope.capturePlaceholder(name) != nil {
      return "v[\(PythonText.quoted(name))]"
    }
    guard hasSteps, case .value(let value)? = try? scope.lookup(name), let open = value.unknown else { return nil }
    // What a need gives, or a value of another file.
    if case .text(let text) = value { return text.open.map { expression($0.number) } }
    return expression(open.number).hasPrefix("v[\(PythonText.quoted(name))]") ? "v[\(PythonText.quoted(name))]" : nil
  }

  /// Returns whether a name is a variable with a presumably secret value.
  private func isCredential(_ name: String, in scope: FileScope) -> Bool {
    guard isSecretName(name) || credentials.contains(name), scope.declaresVariable(name),
      scope.capturePlaceholder(name) == nil, case .value(let value)? = try? scope.lookup(name)
    else { return false }
    return value.unknown == nil
  }

  private static func random(_ expression: String) -> String? {
    if expression == "uuid" || expression == "uuid()" { return "once(v, \"uuid KEY\", lambda: str(uuid.uuid4()))" }
    guard expression.hasPrefix("random_int"),
      let match = expression.wholeMatch(of: randomIntegerCall)
    else { return nil }
    return "once(v, \"random KEY\", lambda: random.randint(\(match.1), \(match.2)))"
  }

  /// The expression for a list of rows; nil for rows that are known.
  func list(_ rows: [Value]) -> String? {
    guard rows.count == 1, case .text(let text) = rows[0] else { return nil }
    return text.open.map { expression($0.number) }
  }

  // MARK: secrets

  /// The word for a secret that stands in a spec, which is read from the environment.
  func secretWord(_ secret: String, named name: String, at place: String) -> String {
    FoundWord.text(.value, number(ofPython: secretValue(secret, named: name, at: place), at: place))
  }

  /// The text that an assertion expects, with a word in place of a secret.
  func expected(_ text: Text, of label: String, at place: String) -> String {
    let name = lastName(of: label)
    func written(_ text: String, isSecret: Bool) -> String {
      isSecret && !text.isEmpty && !FoundWord.isPresent(in: text.utf8) ? secretWord(text, named: name, at: place) : text
    }
    let own = text.runs.map { written($0.text, isSecret: $0.isSecret) }.joined()
    return written(own, isSecret: isSecretName(name))
  }

  /// The expression for a secret that stands in a spec.
  func secretValue(_ secret: String, named name: String, at place: String) -> String {
    let base = "REQRUN_\(PythonText.name("\(name) \(place)", words: 12).uppercased())"
    return environmentValue(state.withLock { $0.taken.name(base, of: "\(name): \(secret)") })
  }

  /// - Parameter place: the line, and where in it; an expression that reads nothing of its place has none.
  private func number(ofPython python: String, at place: String) -> Int {
    state.withLock { state in
      if let known = state.numbers["\(place) \(python)"] { return known }
      let line = String(place.prefix { $0 != " " })
      state.counts[line, default: 0] += 1
      let key = PythonText.quoted("\(line) \(state.counts[line] ?? 1)").dropFirst()
      for kind in ["uuid", "random"] where python.hasPrefix("once(v, \"\(kind) KEY\"") {
        state.randomKeys[line, default: []].append("\"\(kind) \(key)")
      }
      state.expressions.append(python.replacing(" KEY\"", with: " " + key))
      state.numbers["\(place) \(python)"] = state.expressions.count
      return state.expressions.count
    }
  }

  /// The keys of random values in lines of a file, which are new for each row.
  func randomKeys(_ lines: ClosedRange<Int>, of path: String) -> [String] {
    let keys = state.withLock { $0.randomKeys }
    return keys.isEmpty ? [] : lines.flatMap { keys["\(path):\($0)"] ?? [] }
  }

  func environmentValue(_ name: String) -> String {
    state.withLock { _ = $0.environment.insert(name) }
    return "env(\(PythonText.quoted(name)))"
  }

  /// Splits a text at the words.
  static func pieces(of text: String) -> [(text: String, value: Int?)] {
    let bytes = Array(text.utf8)
    var result: [(text: String, value: Int?)] = []
    var position = 0
    for word in FoundWord.all(in: bytes) {
      result.append((String(decoding: bytes[position..<word.range.lowerBound], as: UTF8.self), nil))
      result.append(("", word.number))
      position = word.range.upperBound
    }
    result.append((String(decoding: bytes[position...], as: UTF8.self), nil))
    return result.filter { !$0.text.isEmpty || $0.value != nil }
  }

  /// A text for people.
  package static func shown(_ text: String) -> String {
    pieces(of: text).map { $0.value == nil ? $0.text : "…" }.joined()
  }

  /// The expression of a number; the text of a word that is none.
  func expression(_ number: Int) -> String {
    state.withLock { state in
      state.expressions.indices.contains(number - 1)
        ? state.expressions[number - 1] : PythonText.quoted(FoundWord.text(.value, number))
    }
  }

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
    var pieces = LoadValues.pieces(of: text)
    var result: [String] = []
    for index in pieces.indices {
      guard let number = pieces[index].value else {
        if !pieces[index].text.isEmpty { result.append(PythonText.quoted(pieces[index].text)) }
        continue
      }
      let isWhole =
        index > 0 && index + 1 < pieces.count && pieces[index - 1].text.hasSuffix("\"")
        && pieces[index + 1].text.hasPrefix("\"")
      if isWhole {
        // The quote before it was written.
        _ = result.popLast()
        let before = pieces[index - 1].text.dropLast()
        if !before.isEmpty { result.append(PythonText.quoted(String(before))) }
        pieces[index + 1].text.removeFirst()
      }
      result.append("\(isWhole ? "as_json" : "in_json")(\(expression(number)))")
    }
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

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let randomIntegerCall = /random_int\(\s*(-?\d+)\s*,\s*(-?\d+)\s*\)/
