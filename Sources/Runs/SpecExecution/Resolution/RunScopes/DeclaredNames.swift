import RequestSpecs
import Values

/// The names that a file's templates can read, and the sources of their values.
package struct DeclaredNames: Sendable {
  package let variables: [String: ValueTemplate]
  package let secrets: [String: SecretDeclaration]
  package internal(set) var overrides: [String: Value]
  package let commandSecrets: [String: String]
  package let captures: Set<String>
  /// The names of ``captures`` that are URLs.
  package var urlCaptures: Set<String> = []
  /// Captures of requests that aren't selected: they have no value in this run.
  package let unselectedCaptures: Set<String>
  /// Indicates whether captures in scopes around it, such as what `with` gives, win over its variables.
  let yieldsToCaptures: Bool
  /// The file's path, for relative paths in it.
  package let path: String

  package init(
    _ scope: PlannedScope, of file: PlannedFile, captures: Set<String> = [], unselectedCaptures: Set<String> = []
  ) {
    variables = Dictionary(
      scope.variables.entries.compactMap { entry in entry.value.map { (entry.key.text, $0) } },
      uniquingKeysWith: { $1 })
    secrets = Dictionary(scope.secrets.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    overrides = file.overrides
    commandSecrets = file.commandSecrets
    self.captures = captures
    self.unselectedCaptures = unselectedCaptures
    yieldsToCaptures = false
    path = scope.path
  }

  /// The names of a group.
  package init(
    _ group: PlannedGroup, of file: PlannedFile, captures: Set<String>, urlCaptures: Set<String> = []
  ) {
    let names = group.scope.names
    variables = Dictionary(
      group.scope.variables.entries.compactMap { entry in entry.value.map { (entry.key.text, $0) } },
      uniquingKeysWith: { $1 })
    secrets = [:]
    overrides = group.overrides
    commandSecrets = file.commandSecrets.filter { names.contains($0.key) }
    self.captures = captures
    self.urlCaptures = urlCaptures
    unselectedCaptures = []
    yieldsToCaptures = false
    path = group.scope.path
  }

  /// The variables of a request.
  package init(_ step: PlannedRequestStep, of file: PlannedFile) {
    let variables = step.request.spec.variables
    self.variables = Dictionary(
      variables.entries.compactMap { entry in entry.value.map { (entry.key.text, $0) } }, uniquingKeysWith: { $1 })
    let declared = self.variables
    overrides = step.overrides
    commandSecrets = file.commandSecrets.filter { declared[$0.key] != nil }
    (secrets, captures, unselectedCaptures) = ([:], [], [])
    yieldsToCaptures = true
    path = file.scope.path
  }

  /// The names that a row captures.
  package init(captures: Set<String>, urlCaptures: Set<String> = [], path: String) {
    (variables, secrets, overrides, commandSecrets, unselectedCaptures) = ([:], [:], [:], [:], [])
    self.captures = captures
    self.urlCaptures = urlCaptures
    yieldsToCaptures = false
    self.path = path
  }

  /// Declares no names, for requests outside any file.
  package init(path: String) {
    (variables, secrets, overrides, commandSecrets, captures, unselectedCaptures) = ([:], [:], [:], [:], [], [])
    yieldsToCaptures = false
    self.path = path
  }

  package func declares(_ name: String) -> Bool { variables[name] != nil || secrets[name] != nil }
}
