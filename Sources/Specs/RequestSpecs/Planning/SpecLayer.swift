import Values

/// The part of one file in the specs that take from it.
package struct SpecLayer: Sendable {
  /// The layers of a setting, the lowest first.
  package enum Kind: Sendable, Hashable {
    case project, environment, extended, file, flow, request
  }

  package let kind: Kind
  package let source: SourceText
  package let variables: KeyedSettings<ValueTemplate>
  package let secrets: [SecretDeclaration]
  package let contract: Setting<Field<ContractChoice>>
  /// Nil where the layer has none.
  let defaults: RequestSettings?
  let missedNames: MissedNames
  /// Indicates whether it starts a mock.
  private(set) var hasMock = false
  /// Indicates whether the defaults are complete.
  let knowsAllDefaults: Bool
  let hasErrors: Bool

  /// Indicates whether its variables are evaluated once per run, in a scope around those of the files.
  var isShared: Bool { kind == .project || kind == .environment }

  init(_ project: ProjectFile) {
    kind = .project
    source = project.source
    variables = project.variables
    secrets = project.secrets
    contract = project.contract
    defaults = project.defaults
    missedNames = project.missedNames
    knowsAllDefaults = !project.hasErrors
    hasErrors = project.hasErrors
    hasMock = project.mock != nil
  }

  init(_ environment: EnvironmentSpec) {
    kind = .environment
    source = environment.source
    variables = environment.variables
    secrets = environment.secrets
    contract = .inherited
    defaults = environment.defaults
    missedNames = environment.missedNames
    knowsAllDefaults = !environment.hasErrors
    hasErrors = environment.hasErrors
  }

  init(_ file: SpecFile, _ kind: Kind) {
    self.kind = kind
    source = file.source
    variables = file.variables
    secrets = file.secrets
    contract = file.contract
    defaults = file.defaults
    missedNames = file.missedNames
    knowsAllDefaults = file.knowsAllDefaults
    hasErrors = file.hasErrors
  }
}

extension SpecLayer {
  init(_ flow: FlowSpec, of file: SpecFile) {
    kind = .flow
    source = file.source
    variables = flow.variables
    secrets = []
    contract = flow.contract
    defaults = flow.defaults
    missedNames = MissedNames()
    knowsAllDefaults = flow.knowsAllDefaults
    hasErrors = false
  }
}

extension LoadedSpec {
  /// All layers below the flows and requests, the lowest first.
  package var layers: [SpecLayer] {
    (project.map { [SpecLayer($0)] } ?? []) + (environments?.layers.map { SpecLayer($0) } ?? [])
      + bases.map { SpecLayer($0, .extended) } + [SpecLayer(file, .file)]
  }
}

/// Variables and secrets that are evaluated together.
package struct PlannedScope: Sendable {
  /// The file whose scope it is: the project's or the spec's.
  package let path: String
  package internal(set) var variables = KeyedSettings<ValueTemplate>()
  /// The secrets, including those of outer scopes: they read the variables of the innermost one.
  package internal(set) var secrets: [SecretDeclaration] = []

  package var names: Set<String> {
    Set(variables.entries.map(\.key.text)).union(variables.unreadableKeys).union(secrets.map(\.name))
  }

  /// Takes out the variables that read one of these names, directly or by others.
  mutating func takeEntries(reading names: Set<String>) -> [KeyedSettings<ValueTemplate>.Entry] {
    var names = names
    var taken: [KeyedSettings<ValueTemplate>.Entry] = []
    while true {
      let found = variables.entries.filter { entry in
        (entry.value?.templates ?? []).contains { $0.references.contains { names.contains($0.name) } }
      }
      if found.isEmpty { return taken }
      taken += found
      names = Set(found.map(\.key.text))
      variables.entries.removeAll { names.contains($0.key.text) }
    }
  }

  mutating func add(_ layer: SpecLayer) {
    variables = layer.variables.over(variables)
    var names = Set(layer.secrets.map(\.name))
    if isPrivateName(layer.source.name) {
      // All its values are secrets, however they are declared.
      variables.entries.removeAll { names.contains($0.key.text) }
      names.formUnion(layer.variables.entries.map(\.key.text))
    }
    secrets.removeAll { names.contains($0.name) }
    secrets += layer.secrets
  }
}
