import RequestSpecs
import SpecExecution
import Synchronization
import Templates
import Values

/// The values that stay open in an export: marks while requests are resolved, and words in the texts of what they
/// become, which no encoding changes.
package final class ExportWords: OpenValues {
  private struct Entry: Hashable {
    let value: ExportedValue
    /// Indicates whether it is a text; nil if only a run knows.
    let isText: Bool?
  }

  private struct State {
    var entries: [Entry] = []
    var numbers: [Entry: Int] = [:]
    /// The variables whose values are secrets because of where they stand.
    var secretVariables: Set<String> = []
    var problems: [ExportRemark] = []
    var knownProblems: Set<ExportRemark> = []
    /// The environment variables for secrets that stand in specs, by their names and values there.
    var secretNames: [String: String] = [:]
    /// The names of files beside the export, by their paths.
    var files: [String: String] = [:]
    var taken: UniqueNames
  }

  package let openRows = false
  package let names: ExportNames
  private let supports: @Sendable (ExportFunction) -> Bool
  private let state: Mutex<State>

  /// - Parameter supports: whether the other tool has a function.
  package init(_ names: ExportNames, supports: @escaping @Sendable (ExportFunction) -> Bool) {
    (self.names, self.supports) = (names, supports)
    state = Mutex(State(taken: UniqueNames(names.taken)))
  }

  package var problems: [ExportRemark] { state.withLock { $0.problems } }

  func remark(_ reason: String, at place: String, _ what: String) {
    let remark = ExportRemark(place: place, reason: reason, detail: what)
    state.withLock { if $0.knownProblems.insert(remark).inserted { $0.problems.append(remark) } }
  }

  // MARK: marks

  package func capture(_ name: String, isURL: Bool) -> Text {
    let name = exportedName(name)
    return placeholder(.capture(name), isText: names.captureTypes[name], isAddress: isURL)
  }

  private func placeholder(_ value: ExportedValue, isText: Bool? = true, isAddress: Bool = false) -> Text {
    let number = number(of: Entry(value: value, isText: isText))
    let address = isAddress ? FoundWord.text(.address, number) : nil
    return Text(FoundWord.text(.value, number), open: OpenValue(number: number, address: address))
  }

  private func number(of entry: Entry) -> Int {
    state.withLock { state in
      if let known = state.numbers[entry] { return known }
      state.entries.append(entry)
      state.numbers[entry] = state.entries.count
      return state.entries.count
    }
  }

  package func value(
    of expression: OpenExpression, in scope: FileScope, partOf variable: String?
  ) throws(TemplateError) -> Value? {
    if let name = expression.environmentName { return .text(placeholder(.environment(name), isAddress: true)) }
    if let (name, steps) = expression.path { return try value(of: name, steps, expression, in: scope) }
    if let function = ExportFunction(expression.text), supports(function) {
      let name = variable.map { variable in
        state.withLock { $0.taken.name(exportedName(variable), of: "\(expression.range.start) \(expression.text)") }
      }
      return .text(placeholder(.function(function, name: name), isText: function.isText))
    }
    let references = expression.references
    for name in references.map(\.name) where isUnknown(name, in: scope) { throw unknown(expression, name, scope) }
    let place = "\(expression.range.source.name):\(expression.range.start.line)"
    if references.contains(where: { $0.name == "poll_round" }) {
      remark("`poll_round` was 1 for the export", at: place, "${{ \(expression.text) }}")
    } else if let name = expression.unrepeatableFunctions.first {
      remark("`\(name)` was computed once, by the export", at: place, "${{ \(expression.text) }}")
    }
    let value = try expression.value(in: scope)
    return references.contains { isSecret($0.name) || $0.member.map(isSecretName) ?? false } ? value.tainted : value
  }

  /// The value of a name, or of a part of it; nil for one that is not open.
  private func value(
    of name: String, _ steps: [OpenExpression.Step], _ expression: OpenExpression, in scope: FileScope
  ) throws(TemplateError) -> Value? {
    if let capture = scope.capturePlaceholder(name) {
      if steps.isEmpty { return .text(capture) }
      throw unknown(expression, name, scope)
    }
    if steps.isEmpty, scope.declaresSecret(name) { return .text(placeholder(.environment(name), isAddress: true)) }
    guard case .value(let value)? = try? scope.lookup(name) else { return nil }
    guard steps.isEmpty else {
      if case .text = value, value.unknown != nil { throw unknown(expression, name, scope) }
      let hasSecretStep = steps.contains { if case .name(let name) = $0 { isSecretName(name) } else { false } }
      guard hasSecretStep || isSecret(name) else { return nil }
      let part = try expression.value(in: scope)
      return part.unknown == nil ? part.tainted : nil
    }
    if name == "poll_round" {
      let place = "\(expression.range.source.name):\(expression.range.start.line)"
      remark("`poll_round` was 1 for the export", at: place, "${{ \(expression.text) }}")
    }
    guard scope.declaresVariable(name), name != "poll_round" else { return nil }
    let isText: Bool
    switch value {
    case .text: isText = true
    case .number, .bool: isText = false
    // Their form depends on the place.
    case .null, .list, .mapping, .data, .date: return isSecret(name) ? value.tainted : nil
    }
    if isSecret(name), value.unknown == nil { return .text(placeholder(.environment(name), isText: isText)) }
    let number = number(of: Entry(value: .variable(name), isText: isText))
    return .text(Text(value.asText.string, open: OpenValue(number: number, known: value)))
  }

  /// Returns whether a variable's value is presumably secret, by its name or since credentials are made from it.
  private func isSecret(_ name: String) -> Bool { isSecretName(name) || names.credentials.contains(name) }

  private func isUnknown(_ name: String, in scope: FileScope) -> Bool {
    if name == "env" || scope.declaresSecret(name) { return false }
    if scope.capturePlaceholder(name) != nil { return true }
    guard case .value(let value)? = try? scope.lookup(name) else { return false }
    return value.unknown != nil
  }

  private func unknown(_ expression: OpenExpression, _ name: String, _ scope: FileScope) -> TemplateError {
    TemplateError(
      "`${{ \(expression.text) }}` computes with `\(name)`, which only a run knows", at: expression.range,
      unsetName: scope.capturePlaceholder(name) == nil ? nil : name)
  }

  // MARK: words

  /// The text with words in place of its open parts and of its secrets.
  ///
  /// - Parameter name: the name under which secrets are read from the environment.
  func opened(_ text: Text, named name: String, at place: String, isURL: Bool = false) -> String {
    guard !text.marks.isEmpty else { return text.string }
    var result = ""
    for run in text.runs {
      if run.isSecret {
        result += hides(run.text[...]) ? run.text : secretWord(run.text, named: name, at: place)
      } else if let open = run.open, open.known != nil, !(isURL && result.hasSuffix(":")) {
        let isAddress = isURL && result.isEmpty && (run.text.hasPrefix("http://") || run.text.hasPrefix("https://"))
        result += FoundWord.text(isAddress ? .address : .value, open.number)
      } else {
        // A placeholder is a word.
        result += run.text
      }
    }
    return result
  }

  /// The value of a word; nil for a number that no word has.
  func value(_ number: Int) -> ExportedValue? {
    state.withLock { state in
      guard state.entries.indices.contains(number - 1) else { return nil }
      let value = state.entries[number - 1].value
      if case .variable(let name) = value, state.secretVariables.contains(name) { return .environment(name) }
      return value
    }
  }

  func isText(_ number: Int) -> Bool? { state.withLock { $0.entries[number - 1].isText } }

  /// The word for a value without a type.
  func wordForValue(_ value: ExportedValue) -> String {
    FoundWord.text(.value, number(of: Entry(value: value, isText: nil)))
  }

  // MARK: secrets

  /// Returns whether a secret text has words, whose variables then are read from the environment.
  func hides(_ text: Substring) -> Bool {
    let found = FoundWord.all(in: text.utf8)
    for word in found {
      if case .variable(let name)? = value(word.number) { state.withLock { _ = $0.secretVariables.insert(name) } }
    }
    return !found.isEmpty
  }

  /// Returns whether a text has a word.
  package static func hasWord(_ text: Substring) -> Bool { FoundWord.isPresent(in: text.utf8) }

  /// The word for a secret that stands in a spec, which is read from the environment.
  func secretWord(_ secret: String, named name: String, at place: String) -> String {
    let key = "\(name): \(secret)"
    let variable = state.withLock { state in
      if let known = state.secretNames[key] { return known }
      let variable = state.taken.name(exportedName(name), of: key)
      state.secretNames[key] = variable
      return variable
    }
    return FoundWord.text(.value, number(of: Entry(value: .environment(variable), isText: true)))
  }

  // MARK: files

  /// The name of a file beside the export for a body that no text can be.
  func bodyName(at place: String) -> String {
    fileName("body-\(exportedName(place.split(separator: "/").last.map(String.init) ?? place))")
  }

  /// The name of a file beside the export.
  func fileName(_ path: String) -> String {
    state.withLock { state in
      if let known = state.files[path] { return known }
      let base = path.split(separator: "/").last.map(String.init) ?? "file"
      var name = "files/\(base)"
      var number = 2
      while !state.taken.insert(name) {
        name = "files/\(number)-\(base)"
        number += 1
      }
      state.files[path] = name
      return name
    }
  }
}

/// Names that are given once.
struct UniqueNames {
  private var taken: Set<String>
  private var counts: [String: Int] = [:]
  private var known: [String: String] = [:]

  init(_ taken: Set<String>) { self.taken = taken }

  mutating func insert(_ name: String) -> Bool { taken.insert(name).inserted }

  /// The name of a thing, with a number if others have it.
  mutating func name(_ base: String, of thing: String) -> String {
    if let known = known[thing] { return known }
    var name = base
    while !insert(name) {
      counts[base, default: 1] += 1
      name = "\(base)_\(counts[base] ?? 0)"
    }
    known[thing] = name
    return name
  }
}
