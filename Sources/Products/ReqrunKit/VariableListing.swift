import RequestSpecs
import SpecExecution
import Templates
import Values

extension SpecListing {
  /// A variable or secret that the requests of a file can read before the first response.
  public struct Variable: Sendable {
    /// The path of the spec as it was given.
    public let path: String
    /// The name in templates.
    public let name: String
    /// The value as JSON, with secrets as `***`; or the reason why there is none.
    public let value: String
    /// The layer that sets it, such as `environment staging`.
    public let layer: String
    /// The place, as `file:line:column`; nil for one of the command line or of the run.
    public let place: String?
  }

  /// The variables as text, in columns below the path of their file.
  public var variableText: String {
    var lines: [String] = []
    let byPath = Dictionary(grouping: variables, by: \.path)
    for path in variablePaths {
      lines.append(path)
      let own = byPath[path] ?? []
      let width = own.map(\.name.count).max() ?? 0
      let valueWidth = min(own.map(\.value.count).max() ?? 0, 48)
      for variable in own {
        let origin = variable.layer + (variable.place.map { ", \($0)" } ?? "")
        lines.append("  \(padded(variable.name, width))  \(padded(variable.value, valueWidth))  \(origin)")
      }
      if own.isEmpty { lines.append("  no variables") }
    }
    return lines.map { withoutWorkflowCommands(sanitizedForTerminal($0)) + "\n" }.joined()
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

/// Evaluates the variables of files for a listing.
struct VariableEvaluation {
  let options: RunOptions
  let preparation: RunPreparation
  private let environment: RunEnvironment
  private let places: [String: String]

  init(_ options: RunOptions, _ preparation: RunPreparation) {
    self.options = options
    self.preparation = preparation
    environment = RunEnvironment(
      runValues: preparation.runValues, mocks: preparation.mocks.running, seed: options.seed ?? 0,
      fileAccess: options.fileAccess)
    places = Dictionary(
      preparation.environmentVariables.map { ($0.name, $0.place ?? "") }, uniquingKeysWith: { $1 })
  }

  /// The variables of a file, in the order of their names.
  func variables(of plan: PlannedFile, _ spec: LoadedSpec) -> [SpecListing.Variable] {
    let outer = environment.sharedScope(of: plan)
    let scope = FileScope(
      environment: environment, outer: outer, names: DeclaredNames(plan.scope, of: plan),
      secrets: outer.map { SecretRegistry(copying: $0.registry) } ?? SecretRegistry(),
      seed: RandomSeed(environment.seed))
    let layers = spec.layers.reversed().map { (layer: $0, places: $0.places) }
    let settable = SettableNames(of: spec).names
    let names = scope.names.filter { plan.overrides[$0] == nil || places[$0] == nil || settable.contains($0) }.sorted()
    let values = names.map { name in (name, value(of: name, in: scope)) }
    return values.map { name, value in
      let origin = origin(of: name, in: plan, layers, spec)
      let text: String
      switch value {
      case .success(let value):
        text = origin.isPrivate || isSecretName(name) ? Text.mask : shown(value, named: name, by: scope.registry)
      case .failure(let error): text = "(\(scope.registry.masked(message: error.message)))"
      }
      return SpecListing.Variable(path: plan.path, name: name, value: text, layer: origin.layer, place: origin.place)
    }
  }

  private func value(of name: String, in scope: FileScope) -> Result<Value, TemplateError> {
    do throws(TemplateError) {
      guard case .value(let value) = try scope.lookup(name) else { return .success(.null) }
      return .success(value)
    } catch {
      return .failure(error)
    }
  }

  private func shown(_ value: Value, named name: String, by registry: SecretRegistry) -> String {
    let json = value.jsonText()
    let found = registry.filtered(json.string).secretRanges + secretRanges(in: json.string, named: name)
    let text = registry.shown(Text(json.string, secretRanges: json.secretRanges + found))
    if text == "\"\(Text.mask)\"" { return Text.mask }
    return text.count > 200 ? "\(text.prefix(200))…" : text
  }

  /// The layer of a name with its place.
  ///
  /// - Parameter layers: the highest one first.
  private func origin(
    of name: String, in plan: PlannedFile, _ layers: [(layer: SpecLayer, places: [String: SourceRange])],
    _ spec: LoadedSpec
  ) -> (layer: String, place: String?, isPrivate: Bool) {
    if plan.commandSecrets[name] != nil { return ("--secret", nil, true) }
    if plan.overrides[name] != nil {
      let isOption = options.variables[name] != nil
      return isOption ? ("--var", nil, false) : ("--env-file", places[name], false)
    }
    for (layer, places) in layers {
      guard let place = places[name] else { continue }
      let kind =
        switch layer.kind {
        case .project: "project"
        case .environment: "environment " + (spec.environments?.chosen?.value ?? "")
        case .extended: "extended file"
        case .file, .flow, .request: "file"
        }
      return (kind, place.location, isPrivateName(layer.source.name))
    }
    return ("run", nil, false)
  }
}

extension SpecLayer {
  /// The places of its variables and secrets, the first of each name.
  fileprivate var places: [String: SourceRange] {
    let all = variables.entries.map { ($0.key.text, $0.key.range) } + secrets.map { ($0.name, $0.range) }
    return Dictionary(all) { first, _ in first }
  }
}
