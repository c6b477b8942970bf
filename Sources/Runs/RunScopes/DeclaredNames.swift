import RequestSpecs
import RunPlanning
import Values

/// The names that a file's templates can read, and the sources of their values.
package struct DeclaredNames: Sendable {
  package let variables: [String: ValueTemplate]
  package let secrets: [String: SecretDeclaration]
  package let overrides: [String: Value]
  package let commandSecrets: [String: String]
  package let captures: Set<String>
  /// The names of ``captures`` that are URLs.
  package var urlCaptures: Set<String> = []
  /// Captures of requests that aren't selected: they have no value in this run.
  package let unselectedCaptures: Set<String>
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
    path = group.scope.path
  }

  /// Names with values of their own, in a scope inside that of a file.
  package init(values: [String: Value], path: String) {
    (variables, secrets, commandSecrets, captures, unselectedCaptures) = ([:], [:], [:], [], [])
    overrides = values
    self.path = path
  }

  /// The names that a row captures.
  package init(captures: Set<String>, urlCaptures: Set<String> = [], path: String) {
    (variables, secrets, overrides, commandSecrets, unselectedCaptures) = ([:], [:], [:], [:], [])
    self.captures = captures
    self.urlCaptures = urlCaptures
    self.path = path
  }

  /// Declares no names, for requests outside any file.
  package init(path: String) {
    (variables, secrets, overrides, commandSecrets, captures, unselectedCaptures) = ([:], [:], [:], [:], [], [])
    self.path = path
  }

  package func declares(_ name: String) -> Bool { variables[name] != nil || secrets[name] != nil }
}
