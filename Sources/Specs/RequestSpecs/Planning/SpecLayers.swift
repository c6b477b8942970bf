import OperatingSystem
import Templates
import Values

/// A spec's merged layers: the command line over the file over those it extends, over the environment and the project.
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
    var file = loaded.file
    layers = loaded.layers
    isComplete = loaded.isComplete
    self.command = command
    var scope = PlannedScope(path: file.source.name)
    if let project = loaded.project {
      var shared = PlannedScope(path: project.source.name)
      for layer in layers where layer.isShared { shared.add(layer) }
      if let environments = loaded.environments { shared.variables.entries.append(environments.nameEntry) }
      scope.secrets = shared.secrets
      sharedScope = shared
    } else {
      sharedScope = nil
    }
    for layer in layers where !layer.isShared { scope.add(layer) }
    if file.flows.first?.isWholeFile == true {
      file.flows[0].variables.entries = scope.takeEntries(reading: rowNames)
    }
    self.scope = scope
    self.file = file
    var defaults = RequestSettings()
    var contract = Setting<Field<ContractChoice>>.inherited
    for layer in layers {
      if let own = layer.defaults { defaults = own.over(defaults) }
      contract = layer.contract.over(contract)
    }
    self.defaults = defaults
    self.contract = contract.document
  }

  /// The scopes, the outermost first.
  var scopes: [PlannedScope] { [sharedScope, scope].compactMap(\.self) }

  /// The places of the variables and secrets of all layers.
  var declarations: [String: NameOrigin] {
    scopes.reduce(into: [:]) { result, scope in
      let file = scope.path.split(separator: "/").last ?? ""
      for entry in scope.variables.entries {
        result[entry.key.text] = NameOrigin(.variable, at: entry.key.range, "variable of \(file)")
      }
      for secret in scope.secrets { result[secret.name] = NameOrigin(.secret, at: secret.range, "secret of \(file)") }
    }
  }

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

  var knowsAllDefaults: Bool {
    isComplete && layers.allSatisfy(\.knowsAllDefaults) && file.flows.allSatisfy(\.knowsAllDefaults)
  }

  /// The scope of a flow, inside the file's.
  func scope(of flow: FlowSpec) -> PlannedScope {
    var scope = PlannedScope(path: file.source.name)
    scope.add(SpecLayer(flow, of: file))
    return scope
  }

  /// The files that requests take text from, with templates.
  var textFiles: [TextFile] {
    var files = defaults.body.value?.textFiles ?? []
    for flow in file.flows { files += flow.defaults?.body.value?.textFiles ?? [] }
    for request in file.allRequests {
      if let body = request.settings.body.value { files += body.textFiles }
    }
    return files
  }

  /// A request and the layers around it.
  private struct PlacedRequest {
    let stage: RequestStage
    let spec: RequestSpec
    /// The layers of its flow, or of the file.
    let around: Surroundings
  }

  /// The layers that requests of the file, or of one flow, have in common.
  private final class Surroundings: Sendable {
    let flow: Int?
    let flowName: String?
    let layers: [SpecLayer]
    let defaults: RequestSettings
    /// Indicates whether a layer has any.
    let hasDefaults: Bool
    let tags: [String]

    init(
      _ layers: [SpecLayer], _ defaults: RequestSettings, tags: [String], flow: Int? = nil, flowName: String? = nil
    ) {
      self.flow = flow
      self.flowName = flowName
      self.layers = layers
      self.defaults = defaults
      hasDefaults = layers.contains { $0.defaults != nil }
      self.tags = tags
    }
  }

  /// All requests of the file, in running order, with their settings merged.
  ///
  /// - Parameter uses: the plans of the files that its steps use.
  func requests(using uses: [ObjectIdentifier: PlannedUse] = [:]) -> [PlannedRequest] {
    let around = Surroundings(layers, defaults, tags: file.tags)
    func placed(_ specs: [RequestSpec], _ stage: RequestStage, in around: Surroundings) -> [PlacedRequest] {
      specs.map { PlacedRequest(stage: stage, spec: $0, around: around) }
    }
    var all = placed(file.setup, .setup, in: around) + placed(file.requests, .requests, in: around)
    for (index, flow) in file.flows.enumerated() {
      let layer = SpecLayer(flow, of: file)
      let inner = Surroundings(
        layers + [layer], layer.defaults?.over(defaults) ?? defaults,
        tags: file.tags + flow.tags.filter { !file.tags.contains($0) }, flow: index,
        flowName: flow.isWholeFile ? nil : flow.staticName)
      all += placed(flow.setup, .setup, in: inner) + placed(flow.requests, .requests, in: inner)
      all += placed(flow.teardown, .teardown, in: inner)
    }
    all += placed(file.teardown, .teardown, in: around)
    if all.contains(where: { duringRequests(of: $0) != nil }) { return requestsWithNested(all, uses) }
    return mapPieces(of: Array(all.enumerated()), minimum: minPiece) { piece in
      piece.map { index, request in planned(request, uses, number: index + 1) }
    }.flatMap { $0 }
  }

  private func planned(
    _ placed: PlacedRequest, _ uses: [ObjectIdentifier: PlannedUse], number: Int
  ) -> PlannedRequest {
    let (spec, around) = (placed.spec, placed.around)
    if spec.use != nil {
      return PlannedRequest(
        number: number, stage: placed.stage, spec: spec, layers: around.layers, settings: spec.settings,
        use: uses[ObjectIdentifier(spec)], tags: tags(of: spec, around), flow: around.flow, flowName: around.flowName)
    }
    return PlannedRequest(
      number: number, stage: placed.stage, spec: spec, layers: around.layers,
      settings: around.hasDefaults || command != nil ? merged(spec.settings, around) : spec.settings,
      tags: tags(of: spec, around), flow: around.flow, flowName: around.flowName)
  }

  private func tags(of spec: RequestSpec, _ around: Surroundings) -> [String] {
    around.tags + spec.tags.filter { !around.tags.contains($0) }
  }

  /// The requests during the request's own stream, or that of the defaults.
  private func duringRequests(of placed: PlacedRequest) -> [RequestSpec]? {
    if placed.spec.use != nil { return nil }
    let own = placed.spec.settings.transferBox?.content
    let defaults = placed.around.defaults.transferBox?.content
    guard let stream = (own?.over(defaults ?? TransferSettings()) ?? defaults)?.stream.value,
      !stream.during.isEmpty
    else { return nil }
    return stream.during
  }

  /// The requests during a stream come before it: when it ends they are done, and the stream's expectations can read
  /// their captures.
  private func requestsWithNested(
    _ all: [PlacedRequest], _ uses: [ObjectIdentifier: PlannedUse]
  ) -> [PlannedRequest] {
    var requests: [PlannedRequest] = []
    for placed in all {
      let nested = duringRequests(of: placed) ?? []
      let number = requests.count + nested.count + 1
      for request in nested {
        // They are sent during the stream of the defaults.
        let settings = merged(request.settings, placed.around).with(transferOf: request.settings)
        let own = tags(of: placed.spec, placed.around) + request.tags
        requests.append(
          PlannedRequest(
            number: requests.count + 1, stage: placed.stage, spec: request, layers: placed.around.layers,
            settings: settings, tags: own, flow: placed.around.flow, flowName: placed.around.flowName, parent: number))
      }
      requests.append(planned(placed, uses, number: number))
    }
    return requests
  }

  /// The contracts of the file and of its flows.
  func contracts(_ chooser: TransportChooser) -> FileContracts<PlannedContract> {
    var result = FileContracts(file: contract.map { planned($0, defaults, chooser) })
    for (index, flow) in file.flows.enumerated() where flow.contract.isMentioned {
      let defaults = flow.defaults?.over(defaults) ?? defaults
      result.flows[index] = .some(flow.contract.document.map { planned($0, defaults, chooser) })
    }
    return result
  }

  /// A contract with the connection settings of the defaults, for fetching its document.
  private func planned(
    _ choice: Field<ContractChoice>, _ defaults: RequestSettings, _ chooser: TransportChooser
  ) -> PlannedContract {
    let settings = command.map { defaults.connecting.with($0) } ?? defaults.connecting
    return PlannedContract(choice: choice, request: DocumentRequest(settings, at: choice.range, chooser))
  }

  /// Warns of a contract of the file itself that excludes every request of it.
  func checkContractUse(_ requests: [PlannedRequest], into bag: inout DiagnosticBag) {
    guard let choice = file.contract.document, !requests.isEmpty,
      requests.allSatisfy({ if case .outside? = $0.settings.contract.value { true } else { false } })
    else { return }
    bag.warning(
      .noEffect, "nothing is checked against this contract: all requests have `openapi: none`", at: choice.range,
      help: "remove `openapi: none` from `defaults` or from requests, or leave the contract out")
  }

  /// The templates of the locations of contracts.
  var contractTemplates: [Template] {
    (contract?.templates ?? []) + file.flows.flatMap { $0.contract.value?.templates ?? [] }
  }

  private func merged(_ own: RequestSettings, _ around: Surroundings) -> RequestSettings {
    let settings = around.hasDefaults ? own.over(around.defaults) : own
    return command.map { settings.with($0) } ?? settings
  }

  /// Checks that a name that one layer declares as secret isn't a plain variable of another, whose value is shown.
  func checkSecrecy(_ requests: [PlannedRequest], into bag: inout DiagnosticBag) {
    let known = Dictionary(scope.secrets.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let shared = (scopes.reversed() + file.flows.map { scope(of: $0) }).flatMap(\.variables.entries)
    for entry in shared + requests.flatMap(\.spec.variables.entries) {
      guard let secret = known[entry.key.text] else { continue }
      bag.error(
        .conflictingNames, "`\(secret.name)` is declared as a secret, too", at: entry.key.range,
        notes: [Diagnostic.Note("the secret stands here", at: secret.range)], help: "keep one of the two")
    }
  }
}

extension Setting<Field<ContractChoice>> {
  /// The document; nil for none.
  package var document: Field<ContractChoice>? {
    if case .some(.none) = value?.literal { nil } else { value }
  }
}
