import RequestSpecs
import Synchronization
import Values

/// The words that stand for open values while specs are resolved: no encoding changes them.
package final class ExportWords: SourceRewriting {
  private struct Word {
    let value: ExportedValue
    let place: String
  }

  private struct State {
    var words: [Word] = []
    var problems: [ExportRemark] = []
    /// The lines, as `path:line`, of templates whose values are unknown.
    var unknown: [String: String] = [:]
    /// The environment variables for secrets that stand in specs, by their names and values there.
    var secretNames: [String: String] = [:]
    /// The names of files beside the export, by their paths.
    var files: [String: String] = [:]
  }

  package let hidesNames = true
  package let names: ExportNames
  private let supports: @Sendable (ExportFunction) -> Bool
  private let allCaptures: Set<String>
  private let state = Mutex(State())

  /// - Parameter supports: whether the other tool has a function.
  package init(_ names: ExportNames, supports: @escaping @Sendable (ExportFunction) -> Bool) {
    self.names = names
    self.supports = supports
    allCaptures = names.captures.values.reduce(into: []) { $0.formUnion($1) }
  }

  package var problems: [ExportRemark] { state.withLock { $0.problems } }

  package func replaced(_ bytes: [UInt8], path: String) -> [UInt8] {
    replacingTemplates(in: bytes, path: path) { word(for: $0) }
  }

  // MARK: words

  private static let sending: Set<String> = [
    "url", "base_url", "path", "request_target", "headers", "parameters", "query", "body", "form", "json", "graphql",
    "multipart", "cookies", "auth", "variables", "with",
  ]
  /// The places below expectations where a text can't stand for any value.
  private static let typed: Set<String> = [
    "status", "at_least", "at_most", "greater_than", "less_than", "between", "close_to", "divisible_by", "count",
    "before", "after", "matches", "not_matches", "regex", "is", "is_not", "duration", "timing", "bytes", "exists",
    "sorted", "unique", "error", "snapshot", "schema", "certificate", "values", "content_type",
  ]

  private enum Use { case sent, declared(String), expected, fixed }

  private func use(of template: WrittenTemplate) -> Use {
    for (index, key) in template.keys.enumerated() {
      let below = template.keys[(index + 1)...]
      if key == "expect" || key == "until" || key == "fail_if" {
        return below.contains { ExportWords.typed.contains($0) } ? .fixed : .expected
      }
      if key == "variables" || key == "with" { return below.first.map { .declared($0) } ?? .fixed }
      guard ExportWords.sending.contains(key) else { continue }
      // Files are read, and base64 is decoded, by the export.
      if ["body", "multipart", "graphql"].contains(key), below.contains(where: { $0 == "file" || $0 == "base64" }) {
        return .fixed
      }
      return .sent
    }
    return .fixed
  }

  private func word(for template: WrittenTemplate) -> String? {
    let use = use(of: template)
    var mayStayOpen = true
    switch use {
    case .fixed: mayStayOpen = false
    // Its value is computed with.
    case .declared(let name): mayStayOpen = !names.computed(template).contains(name)
    case .sent, .expected: break
    }
    let expression = template.expression
    if mayStayOpen, let value = value(of: template, use) { return word(value, of: template) }
    let read = template.names
    if let name = read.first(where: { isCapture($0, in: template.path) }) {
      switch use {
      case .expected, .fixed: break
      case .sent, .declared:
        state.withLock { $0.unknown[template.place] = "`${{ \(expression) }}` computes with `\(name)`" }
      }
    } else if read.contains("poll_round") {
      remark("`poll_round` was 1 for the export", at: template.place, "${{ \(expression) }}")
    } else if let name = read.first(where: { ExportWords.random.contains($0) }) {
      remark("`\(name)` was computed once, by the export", at: template.place, "${{ \(expression) }}")
    }
    return nil
  }

  private static let random: Set<String> = [
    "uuid", "random_int", "random_string", "now", "uuid7", "random_item", "shuffle", "fake", "totp",
  ]

  private func value(of template: WrittenTemplate, _ use: Use) -> ExportedValue? {
    let expression = template.expression
    if let function = ExportFunction(expression) {
      guard supports(function) else { return nil }
      if case .declared(let name) = use, names.variables[name] == nil {
        let keys = template.keys.drop { $0 != "variables" && $0 != "with" }.dropFirst()
        return .function(function, name: exportedName(keys.joined(separator: "_")))
      }
      return .function(function, name: nil)
    }
    if let match = expression.wholeMatch(of: /env\.([A-Za-z_][A-Za-z0-9_]*)/) { return .environment(String(match.1)) }
    if names.members.contains(expression) { return .capture(exportedName(expression)) }
    guard expression.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil else { return nil }
    if isCapture(expression, in: template.path) { return .capture(expression) }
    if names.secrets.contains(expression) { return .environment(expression) }
    guard let known = names.variables[expression] else { return nil }
    switch (known, use) {
    case (.text, _): break
    case (_, .sent): break
    default: return nil
    }
    // A value for another file is that of this one, whatever its name is there; a port is not text.
    if template.keys.contains("with") { return nil }
    if template.before.hasSuffix(":") { return nil }
    return .variable(expression)
  }

  private func word(_ value: ExportedValue, of template: WrittenTemplate) -> String {
    var isAddress = false
    if case .variable(let name) = value, case .text(let text)? = names.variables[name] {
      isAddress = text.string.hasPrefix("http://") || text.string.hasPrefix("https://")
    } else if template.before.isEmpty, ["url", "base_url"].contains(template.keys.last ?? "") {
      switch value {
      case .environment: isAddress = true
      case .capture(let name): isAddress = names.addresses.contains(name)
      default: break
      }
    }
    return word(value, at: template.place, isAddress: isAddress)
  }

  private func word(_ value: ExportedValue, at place: String, isAddress: Bool = false) -> String {
    let number = state.withLock { state in
      if let known = state.words.firstIndex(where: { $0.value == value && $0.place == place }) { return known + 1 }
      state.words.append(Word(value: value, place: place))
      return state.words.count
    }
    return isAddress ? "http://reqrunurl\(number)x" : "reqrunvalue\(number)x"
  }

  /// The value of a word; nil for a number that no word has.
  func value(_ number: Int) -> ExportedValue? {
    state.withLock { $0.words.indices.contains(number - 1) ? $0.words[number - 1].value : nil }
  }

  private func isCapture(_ name: String, in path: String) -> Bool {
    (names.captures[path] ?? allCaptures).contains(name)
  }

  // MARK: secrets

  /// Returns whether a text has a word.
  package static func hasWord(_ text: Substring) -> Bool { text.firstMatch(of: /reqrun(?:value|url|link)\d/) != nil }

  /// The word for a secret that stands in a spec, which is read from the environment.
  func secretWord(_ secret: String, named name: String, at place: String) -> String {
    let key = "\(name): \(secret)"
    let variable = state.withLock { state in
      if let known = state.secretNames[key] { return known }
      let base = exportedName(name)
      var variable = base
      var number = 2
      while state.secretNames.values.contains(variable) || names.secrets.contains(variable)
        || names.variables[variable] != nil || allCaptures.contains(variable)
      {
        variable = "\(base)_\(number)"
        number += 1
      }
      state.secretNames[key] = variable
      return variable
    }
    return word(.environment(variable), at: place)
  }

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
      while state.files.values.contains(name) {
        name = "files/\(number)-\(base)"
        number += 1
      }
      state.files[path] = name
      return name
    }
  }

  /// The reason why a value in these lines of a file is unknown; nil if all are known.
  func unknown(in lines: ClosedRange<Int>, of path: String) -> String? {
    let unknown = state.withLock { $0.unknown }
    return unknown.isEmpty ? nil : lines.lazy.compactMap { unknown["\(path):\($0)"] }.first
  }

  /// The word for a value without a place.
  func wordForValue(_ value: ExportedValue) -> String { word(value, at: "") }

  func remark(_ reason: String, at place: String, _ what: String) {
    state.withLock { state in
      let remark = ExportRemark(place: place, reason: reason, detail: what)
      if !state.problems.contains(remark) { state.problems.append(remark) }
    }
  }
}
