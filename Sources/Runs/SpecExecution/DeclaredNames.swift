import RequestSpecs
import RunPlanning
import Values

/// The names that a file's templates can read, and the sources of their values.
struct DeclaredNames: Sendable {
  let variables: [String: ValueTemplate]
  let secrets: [String: SecretDeclaration]
  let overrides: [String: Value]
  let commandSecrets: [String: String]
  let captures: Set<String>
  /// The names of ``captures`` that are URLs.
  var urlCaptures: Set<String> = []
  /// Captures of requests that aren't selected: they have no value in this run.
  let unselectedCaptures: Set<String>
  /// The file's path, for relative paths in it.
  let path: String

  init(_ scope: PlannedScope, of file: PlannedFile, captures: Set<String> = [], unselectedCaptures: Set<String> = []) {
    variables = Dictionary(
      scope.variables.entries.compactMap { entry in entry.value.map { (entry.key.text, $0) } },
      uniquingKeysWith: { $1 })
    secrets = Dictionary(scope.secrets.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    overrides = file.overrides
    commandSecrets = file.commandSecrets
    self.captures = captures
    self.unselectedCaptures = unselectedCaptures
    path = scope.path
  }

  /// Declares no names, for requests outside any file.
  init(path: String) {
    (variables, secrets, overrides, commandSecrets, captures, unselectedCaptures) = ([:], [:], [:], [:], [], [])
    self.path = path
  }

  func declares(_ name: String) -> Bool { variables[name] != nil || secrets[name] != nil }
}
