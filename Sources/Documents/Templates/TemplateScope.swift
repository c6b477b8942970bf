import Values

/// The environment in which a template is evaluated: names, clock, randomness and files.
///
/// Its errors need no place: the template adds that of the lookup.
package protocol TemplateScope: Sendable {
  func lookup(_ name: String) throws(TemplateError) -> TemplateLookup
  /// All declared names, for suggesting the nearest one.
  var names: [String] { get }
  /// A variable of the process's environment; nil if it is unset. The text is secret if the name suggests so.
  func environmentVariable(_ name: String) -> Text?
  func now() -> Timestamp
  /// The next number of a random sequence; with `--seed` always the same sequence.
  func nextRandom() -> UInt64
  /// A file's bytes; `range` is the place of the path, and a relative path is relative to the file that contains it.
  func readFile(_ path: String, from range: SourceRange) throws(TemplateError) -> [UInt8]
  /// Indicates whether names may have placeholders in place of values that only responses give.
  var standsIn: Bool { get }
  /// The value, or a placeholder for one that was computed from placeholders.
  ///
  /// - Parameters:
  ///   - names: the names that the expression reads.
  ///   - range: the place of the expression.
  func standIn(for value: Value, reading names: [String], at range: SourceRange) -> Value
  /// The value that an export keeps open in place of an expression; nil for one that is evaluated.
  func open(_ expression: OpenExpression) throws(TemplateError) -> Value?
  /// Notes a doubt about a `default` that covers a misspelt name.
  func note(_ doubt: Doubt, at range: SourceRange)
}

extension TemplateScope {
  package var standsIn: Bool { false }
  package func standIn(for value: Value, reading names: [String], at range: SourceRange) -> Value { value }
  package func open(_ expression: OpenExpression) throws(TemplateError) -> Value? { nil }
  package func note(_ doubt: Doubt, at range: SourceRange) {}
}

/// The result of looking up a name.
package enum TemplateLookup: Sendable {
  case value(Value)
  /// Declared, but without a value yet, such as a capture of a request that hasn't run.
  case unset
  case unknown
}

/// A variable that a template looks up.
package struct TemplateReference: Sendable, Hashable {
  /// The variable; `env` for the environment.
  package let name: String
  /// The first member looked up in it, if it is a literal: `HOME` of `env.HOME`, `id` of `row["id"]`.
  package let member: String?
  /// The place of the name; for the environment, of its variable's name.
  package let range: SourceRange
  /// Indicates whether it is a direct argument of `default`, which handles an unset variable.
  package let hasDefault: Bool
}

/// The reason why a template has no value.
package struct TemplateError: Error, Sendable, Hashable {
  package private(set) var code: DiagnosticCode
  package let message: String
  /// The part of the template that failed; nil only until a template adds it to an error of its scope.
  package var range: SourceRange?
  package var help: String?
  /// Related places, such as the lookups that led to a failing variable.
  package var notes: [Diagnostic.Note] = []
  /// The declared name that has no value yet, if that is the reason.
  package let unsetName: String?
  /// Indicates whether something is absent, not invalid, so that `default` handles it.
  var isAbsence: Bool
  /// The existing name that what is absent certainly misspells.
  var meant: String?

  package init(
    _ message: String, at range: SourceRange? = nil, help: String? = nil, unsetName: String? = nil,
    isAbsence: Bool = false, code: DiagnosticCode = .templateEvaluation
  ) {
    self.code = code
    self.message = message
    self.range = range
    self.help = help
    self.unsetName = unsetName
    self.isAbsence = isAbsence
  }

  /// The error of an evaluation that has used up its time, or whose run ends.
  static func interruption(of what: String, at range: SourceRange) -> TemplateError {
    TemplateError("there was no time to evaluate \(what)", at: range)
  }

  package var diagnostic: Diagnostic { .error(code, message, at: range, notes: notes, help: help) }

  /// The error for an undeclared name, with the nearest declared one.
  package static func unknownName(
    _ name: String, at range: SourceRange?, among names: some Sequence<String>
  ) -> TemplateError {
    let names = Set(names).union(["env"]).sorted()
    let help: String
    if let function = TemplateFunction.named[name] {
      help = "`\(name)` is a function: write `\(function.signature)`"
    } else if ["True", "TRUE", "False", "FALSE", "Null", "NULL", "None", "nil"].contains(name) {
      help = "write `\(["None", "nil"].contains(name) ? "null" : name.lowercased())`"
    } else if ["yyyy", "yy", "MM", "dd", "HH", "mm", "ss"].contains(name) {
      help = "the pattern of a date stands in quotes: `format(\"yyyy-MM-dd\")`"
    } else if namespaces.contains(name) {
      let member = range.flatMap { memberName(after: $0) }
      help = "variables, secrets and captures are read by their names alone: write `\(member ?? "name")`"
    } else if let (scalar, _) = misleadingCharacter(in: name), names.contains(plainLooking(name)) {
      help = "write `\(plainLooking(name))` anew: this has \(characterName(scalar))"
    } else if let nearest = nearestWord(to: name, among: names) {
      help = "did you mean `\(nearest)`?"
    } else if let function = nearestName(to: name, among: standaloneFunctions) {
      help = "did you mean the function `\(function)`?"
    } else if let value = foreignValue(name) {
      help = "write `\(value)`"
    } else if names.count == 1 {
      help = "declare it under `variables`, or capture it from a response"
    } else {
      help = "known here: \(listed(names))"
    }
    return TemplateError("there is no variable `\(name)`", at: range, help: help, code: .unknownName)
  }
}

/// The name after the dot that follows a place.
private func memberName(after range: SourceRange) -> String? {
  let rest = range.source.utf8.dropFirst(range.bytes.upperBound).prefix(65)
  guard rest.first == UInt8(ascii: ".") else { return nil }
  let name = String(
    decoding: rest.dropFirst().prefix {
      $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
    }, as: UTF8.self)
  return Template.isName(name) ? name : nil
}

/// The functions that a name without parentheses may mean.
private let standaloneFunctions = TemplateFunction.all.filter(\.standsAlone).map(\.name)

/// Prefixes of names in other tools.
private let namespaces: Set<String> = [
  "vars", "var", "variables", "secrets", "captures", "capture", "steps", "step", "context", "ctx", "outputs", "params",
  "global", "globals", "process",
]

/// Names for a message, at most a dozen.
func listed(_ names: [String]) -> String { listed(names.map { "`\($0)`" }, limit: 12) }
