import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Values

/// The things that all runs of a file have in common, computed once.
struct PreparedFile: Sendable {
  let path: String
  let name: String?
  /// Setup, and requests or flows.
  let steps: [StepSection]
  let teardown: [StepSection]
  /// Indicates whether it, or a file that it uses, has a teardown.
  let hasTeardown: Bool
  let names: DeclaredNames
  /// Requests that aren't selected, by the names that only they capture.
  let unselectedSuppliers: [String: PlannedRequest]
  /// The scope around the file's own.
  let outerScope: FileScope?
  /// The secrets that are known before anything runs.
  let secrets: SecretRegistry

  init(
    _ file: PlannedFile, environment: RunEnvironment, needs: ReportNeeds,
    contracts: FileContracts<FileContract>? = nil
  ) {
    path = file.path
    name = file.name
    hasTeardown = file.hasTeardown
    let sections = { (steps: [PlannedStep]) in
      PreparedFile.sections(of: steps, in: file) {
        RequestStep($0, of: file, needs: needs, contract: contracts?.contract(of: $0.request.flow))
      }
    }
    steps = sections(file.steps.filter { $0.stage != .teardown })
    teardown = sections(file.steps.filter { $0.stage == .teardown })
    let requests = file.requestSteps.map(\.request)
    var names = DeclaredNames(
      file.scope, of: file, captures: Set(file.steps.flatMap(\.captureNames) + file.needs.flatMap(\.placeholders)),
      unselectedCaptures: Set(file.unselectedSuppliers.keys))
    names.urlCaptures = Set(file.steps.flatMap(\.urlCaptureNames))
    self.names = names
    unselectedSuppliers = file.unselectedSuppliers
    outerScope = environment.sharedScope(of: file)
    secrets = outerScope.map { SecretRegistry(copying: $0.registry) } ?? SecretRegistry()
    for secret in file.commandSecrets.values { secrets.add(secret) }
    for secret in file.scope.secrets {
      if let value = environment.environmentVariable(secret.name) { secrets.add(value) }
      if let value = secret.value?.literal { secrets.add(value.tainted) }
    }
    environment.registerProxies(in: secrets)
    for request in requests { request.registerLiteralSecrets(in: secrets) }
  }

  /// The scope of one run of the file.
  ///
  /// - Parameter arguments: the values of its variables that the file that runs it gives.
  func makeScope(
    _ environment: RunEnvironment, iteration: Int, arguments: Mapping, standsIn: Bool
  ) -> FileScope {
    var id = path
    while id.hasPrefix("./") { id.removeFirst(2) }
    if !arguments.members.isEmpty { id += " " + Value.mapping(arguments).jsonText().string }
    let scope = FileScope(
      environment: environment, outer: outerScope, names: names, secrets: SecretRegistry(copying: secrets),
      seed: RandomSeed(environment.seed).part(.file, id).part(.repetition, iteration), standsIn: standsIn)
    give(arguments, to: scope)
    return scope
  }

  /// Sets variables in a scope of the file.
  func give(_ arguments: Mapping, to scope: FileScope) {
    for argument in arguments.members {
      let name = argument.key.string
      // What an export keeps open has another name there.
      let value = scope.standsIn ? argument.value.known : argument.value
      scope.capture(name, names.secrets[name] == nil ? value : value.tainted, share: nil)
    }
  }

  private static func sections(
    of steps: [PlannedStep], in file: PlannedFile, _ make: @escaping @Sendable (PlannedRequestStep) -> RequestStep
  ) -> [StepSection] {
    var result: [StepSection] = []
    var requests: [PlannedRequestStep] = []
    func endRequests() {
      if requests.isEmpty { return }
      result.append(.requests(mapPieces(of: requests, minimum: 64) { $0.map(make) }.flatMap { $0 }))
      requests = []
    }
    for step in steps {
      switch step {
      case .request(let request): requests.append(request)
      case .group(let group):
        endRequests()
        result.append(.group(GroupStep(group, of: file) { sections(of: $0, in: file, make) }))
      case .use(let use):
        endRequests()
        result.append(.use(use))
      }
    }
    endRequests()
    return result
  }

  /// Returns whether one transport sends all its requests.
  func runs(by kind: TransportKind) -> Bool { (steps + teardown).allSatisfy { $0.runs(by: kind) } }

  /// The step that captures a name, the first if there are several.
  func supplier(of name: String) -> (step: RequestStep, capture: SourceRange?)? {
    (steps + teardown).lazy.compactMap { $0.supplier(of: name) }.first
  }
}
