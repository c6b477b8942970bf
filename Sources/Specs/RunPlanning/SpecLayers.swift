import Diagnostics
import OperatingSystem
import RequestSpecs

/// A spec's merged layers: the command line over the file over those it extends, over the project.
struct SpecLayers: Sendable {
  let file: SpecFile
  /// The layers below the requests, the lowest first.
  let layers: [SpecLayer]
  /// The scope around the file's own, of the layers that files share; nil if there are none.
  let sharedScope: PlannedScope?
  let scope: PlannedScope
  /// The contract for responses; nil for none.
  let contract: Field<ContractChoice>?
  let defaults: RequestSettings
  private let isComplete: Bool
  private let command: ConnectionSettings?

  /// - Parameter command: the command line's connection settings.
  init(_ loaded: LoadedSpec, command: ConnectionSettings?) {
    file = loaded.file
    layers = loaded.layers
    isComplete = loaded.isComplete
    self.command = command
    var scope = PlannedScope(path: file.source.name)
    for layer in layers where layer.isShared { scope.add(layer) }
    sharedScope = layers.contains(where: \.isShared) ? scope : nil
    scope.variables = KeyedSettings()
    for layer in layers where !layer.isShared { scope.add(layer) }
    self.scope = scope
    var defaults = RequestSettings()
    var contract = Setting<Field<ContractChoice>>.inherited
    for layer in layers {
      if let own = layer.defaults { defaults = own.over(defaults) }
      contract = layer.contract.over(contract)
    }
    self.defaults = defaults
    if case .some(.none) = contract.value?.literal { self.contract = nil } else { self.contract = contract.value }
  }

  /// The scopes, the outermost first.
  var scopes: [PlannedScope] { [sharedScope, scope].compactMap(\.self) }

  /// The variables of all layers, the higher over the lower.
  var variables: KeyedSettings<ValueTemplate> {
    scopes.reduce(KeyedSettings()) { $1.variables.over($0) }
  }

  /// Indicates whether any file has errors.
  var haveErrors: Bool { !isComplete || layers.contains(where: \.hasErrors) }

  /// The names that the files would declare without their errors.
  var missedNames: MissedNames {
    layers.reduce(isComplete ? MissedNames() : .any) { $0.union($1.missedNames) }
  }

  var knowsAllDefaults: Bool { isComplete && layers.allSatisfy(\.knowsAllDefaults) }

  /// The files that requests take text from, with templates.
  var textFiles: [TextFile] {
    var files = defaults.body.value?.textFiles ?? []
    for request in file.setup + file.requests + file.teardown {
      if let body = request.settings.body.value { files += body.textFiles }
    }
    return files
  }

  /// All requests of the file, in running order, with their settings merged.
  var requests: [PlannedRequest] {
    let stages: [(RequestStage, [RequestSpec])] = [
      (.setup, file.setup), (.requests, file.requests), (.teardown, file.teardown),
    ]
    let haveDefaults = layers.contains { $0.defaults != nil }
    let placed = stages.flatMap { stage, specs in specs.map { (stage, $0) } }
    if placed.contains(where: { duringRequests(of: $0.1) != nil }) { return requestsWithNested(placed) }
    return mapPieces(of: Array(placed.enumerated()), least: leastPiece) { piece in
      piece.map { index, request in
        let (stage, spec) = request
        return PlannedRequest(
          number: index + 1, stage: stage, spec: spec, layers: layers,
          settings: haveDefaults || command != nil ? merged(spec.settings) : spec.settings, tags: tags(of: spec))
      }
    }.flatMap { $0 }
  }

  private func tags(of spec: RequestSpec) -> [String] {
    file.tags + spec.tags.filter { !file.tags.contains($0) }
  }

  /// The requests during the request's own stream, or that of the defaults.
  private func duringRequests(of spec: RequestSpec) -> [RequestSpec]? {
    let own = spec.settings.transferBox?.content
    guard let stream = (own?.over(defaults.transfer ?? TransferSettings()) ?? defaults.transfer)?.stream.value,
      !stream.during.isEmpty
    else { return nil }
    return stream.during
  }

  /// The requests during a stream come before it: when it ends they are done, and the stream's expectations can read
  /// their captures.
  private func requestsWithNested(_ placed: [(RequestStage, RequestSpec)]) -> [PlannedRequest] {
    var requests: [PlannedRequest] = []
    for (stage, spec) in placed {
      let nested = duringRequests(of: spec) ?? []
      let number = requests.count + nested.count + 1
      for request in nested {
        // They are sent during the stream of the defaults.
        let settings = merged(request.settings).with(transferOf: request.settings)
        let own = tags(of: spec) + request.tags
        requests.append(
          PlannedRequest(
            number: requests.count + 1, stage: stage, spec: request, layers: layers, settings: settings, tags: own,
            parent: number))
      }
      requests.append(
        PlannedRequest(
          number: number, stage: stage, spec: spec, layers: layers, settings: merged(spec.settings),
          tags: tags(of: spec)))
    }
    return requests
  }

  /// The settings of the defaults for fetching the contract's document: the connection settings.
  var contractSettings: RequestSettings {
    command.map { defaults.connecting.with($0) } ?? defaults.connecting
  }

  private func merged(_ own: RequestSettings) -> RequestSettings {
    let settings = own.over(defaults)
    return command.map { settings.with($0) } ?? settings
  }

  /// Checks that a name that one layer declares as secret isn't a plain variable of another, whose value is shown.
  func checkSecrecy(into bag: inout DiagnosticBag) {
    let known = Dictionary(scope.secrets.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for entry in scopes.reversed().flatMap(\.variables.entries) {
      guard let secret = known[entry.key.text] else { continue }
      bag.error(
        "`\(secret.name)` is declared as a secret, too", at: entry.key.range,
        notes: [Diagnostic.Note("the secret stands here", at: secret.range)], help: "keep one of the two")
    }
  }
}
