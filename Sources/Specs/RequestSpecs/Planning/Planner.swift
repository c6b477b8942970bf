import HTTPSemantics
import JSONSchemas
import OperatingSystem
import Templates
import Values

/// Merges a spec's layers, checks all that is known before sending, selects requests, and chooses transports.
package struct Planner: Sendable {
  private let options: PlanningOptions
  private let capabilities: [TransportCapabilities]
  private let fileProblem: FileCheck
  private let bodyFileProblem: FileCheck
  private let targetProblem: FileCheck
  private let loadSchema: SchemaLoading
  private let readText: TextReading
  private let beginning: FileBeginning

  /// The problem of a file that a spec names; nil if it can be read.
  package typealias FileCheck =
    @Sendable (_ reference: FileReference, _ place: SourceRange, _ spec: String) -> DecodingProblem?

  /// Compiles a schema that a spec names or contains; nil, with problems in the bag, if it is invalid.
  package typealias SchemaLoading =
    @Sendable (_ schema: SchemaSpec, _ spec: String, _ bag: inout DiagnosticBag) -> CompiledSchema?

  /// The bytes of a file that a spec names at a place.
  package typealias TextReading =
    @Sendable (_ reference: FileReference, _ place: SourceRange, _ spec: String) throws(DecodingProblem) -> [UInt8]

  /// The first bytes of a file that a spec names at a place; nil if it cannot be read.
  package typealias FileBeginning =
    @Sendable (_ reference: FileReference, _ place: SourceRange, _ spec: String) -> [UInt8]?

  package init(
    options: PlanningOptions, capabilities: [TransportCapabilities],
    fileProblem: @escaping FileCheck = { _, _, _ in nil },
    bodyFileProblem: @escaping FileCheck = { _, _, _ in nil },
    targetProblem: @escaping FileCheck = { _, _, _ in nil },
    loadSchema: @escaping SchemaLoading = { _, _, _ in nil },
    readText: @escaping TextReading = { _, _, _ throws(DecodingProblem) in [] },
    beginning: @escaping FileBeginning = { _, _, _ in nil }
  ) {
    self.options = options
    self.capabilities = capabilities
    self.fileProblem = fileProblem
    self.bodyFileProblem = bodyFileProblem
    self.targetProblem = targetProblem
    self.loadSchema = loadSchema
    self.readText = readText
    self.beginning = beginning
  }

  /// The settings for fetching documents that belong to no file, from the command line; the place requires the
  /// document.
  package func documentRequest(at range: SourceRange) -> DocumentRequest {
    let settings = RequestSettings()
    return DocumentRequest(
      options.connection.map { settings.with($0) } ?? settings, at: range,
      TransportChooser(capabilities: capabilities, commandChoice: options.transport))
  }

  /// The plan of a file; nil if it has errors.
  ///
  /// - Parameter reused: the plans of the files that it needs; those with errors are missing.
  package func plan(
    _ loaded: LoadedSpec, with reused: [SpecID: PlannedFile] = [:], into bag: inout DiagnosticBag
  ) -> PlannedFile? {
    var own = DiagnosticBag()
    defer { bag.add(contentsOf: own.diagnostics) }
    let layers = SpecLayers(loaded, command: options.connection)
    let needs = loaded.needs.compactMap { need in reused[need.id].map { PlannedNeed(need, $0) } }
    // Before the templates are collected: those in the files are among them.
    for file in layers.textFiles {
      file.prepare(into: &own) { reference, place throws(DecodingProblem) in
        try readText(reference, place, loaded.file.path)
      }
    }
    var uses: [ObjectIdentifier: PlannedUse] = [:]
    for request in loaded.uses.isEmpty ? [] : loaded.file.allRequests {
      guard let use = request.use, let id = loaded.uses[ObjectIdentifier(request)], let file = reused[id] else {
        continue
      }
      uses[ObjectIdentifier(request)] = PlannedUse(use, id, file)
    }
    let requests = layers.requests(using: uses)
    let needed = NeededNames(
      loaded.needs, needs, isComplete: loaded.isComplete && uses.count == loaded.uses.count)
    UseChecks(requests: requests, layers: layers, needed: needed, loaded: loaded.uses).run(into: &own)
    needed.check(layers, requests, into: &own)
    var names = checkNames(layers, requests, needed, of: loaded, into: &own)
    names.checkArguments(of: loaded.needs, into: &own)
    let overrides = CommandOverrides(options: options).typed(like: layers.variables, layers.scope.secrets, into: &own)
    MergedChecks.run(requests, of: layers, into: &own)
    warnOfUncheckedCertificates(requests, into: &own)
    checkConnectionFiles(requests, into: &own) { fileProblem($0, $1, loaded.file.path) }
    checkBodyFiles(requests, into: &own) { bodyFileProblem($0, $1, loaded.file.path) }
    checkTargets(requests, into: &own) { targetProblem($0, $1, loaded.file.path) }
    names.checkContract(layers.contractTemplates, into: &own)
    layers.checkContractUse(requests, into: &own)
    names.checkRequests(defaults: loaded.file.defaults, into: &own)
    let beginning: (FileReference, SourceRange) -> [UInt8]? = { self.beginning($0, $1, loaded.file.path) }
    if !own.hasErrors {
      UnreadRows(requests: requests, flows: layers.file.flows, beginning: beginning).run(into: &own)
      checkTemplates(inFilesOf: requests, names.allNamesAndRows, into: &own, beginning)
    }
    names.checkUnread(layers, given: options.environmentFile, into: &own)
    let rowsOfFlows = layers.file.flows.indices.filter { layers.file.flows[$0].rows != nil }
    let snapshots = SnapshotNames(requests, rowsOfFlows: Set(rowsOfFlows), into: &own)
    var schemas: [Int: [AssertedSchema]] = [:]
    for request in requests {
      for (assertion, spec) in request.settings.expect.schemas {
        guard let schema = loadSchema(spec, loaded.file.path, &own) else { continue }
        schemas[request.number, default: []].append((assertion, schema))
      }
    }
    let selected = Selection(options: options, lines: loaded.lines, failed: loaded.failed, id: loaded.id)
      .select(requests, of: loaded.file, names: names, into: &own)
    let chooser = TransportChooser(capabilities: capabilities, commandChoice: options.transport)
    let decisions = chooser.decide(selected.map(\.request), into: &own)
    let flows = layers.file.flows.enumerated().map { index, flow in
      group(of: flow, number: index + 1, layers, into: &own)
    }
    let overridesOfRequests = selected.map { self.overrides(of: $0.request, into: &own) }
    guard !own.hasErrors, !layers.haveErrors, needs.count == loaded.needs.count else { return nil }
    let steps = selected.indices.map {
      let (request, isSelected) = (selected[$0].request, selected[$0].isSelected)
      return PlannedRequestStep(
        request, decisions[$0], isSelected: isSelected, schemas: schemas[request.number] ?? [],
        snapshotName: snapshots.known[request.number], keptCaptures: names.keptCaptures(of: request),
        overrides: overridesOfRequests[$0])
    }.nested.grouped { flows[$0]($1) }
    let usedFiles = steps.usedFiles
    let given = Set((options.variables + options.environmentFile).map(\.name) + options.secrets.map(\.name))
    let allNeeds = needs + usedFiles.flatMap(\.file.needs)
    return PlannedFile(
      id: loaded.id, path: loaded.file.path, source: loaded.file.source,
      layerSources: layers.layers.map(\.source) + options.sources,
      name: loaded.file.name, sharedScope: layers.sharedScope, scope: layers.scope,
      unreadNames: names.unread, overrides: overrides,
      commandSecrets: Dictionary(options.secrets.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }),
      contracts: layers.contracts(chooser), readsMock: layers.readMock(given, in: selected.map(\.request), needs),
      steps: steps, requestSteps: steps.flatMap(\.requests), usedFiles: usedFiles,
      unselectedSuppliers: unselectedSuppliers(among: requests, without: selected.map(\.request)),
      snapshots: snapshots, needs: needs,
      maxNeedRuns: allNeeds.reduce(0) { $0.addingClamped($1.file.maxNeedRuns.addingClamped(1)) })
  }

  /// `--var` and `--env-file`, with the types of the request's own variables that they replace.
  private func overrides(of request: PlannedRequest, into bag: inout DiagnosticBag) -> [String: Value] {
    let variables = request.spec.variables
    if variables.entries.isEmpty { return [:] }
    let names = Set(variables.entries.map(\.key.text))
    return CommandOverrides(options: options).typed(like: variables, [], into: &bag).filter { names.contains($0.key) }
  }

  /// Returns a function that makes the group of a flow with those of its steps that run.
  private func group(
    of flow: FlowSpec, number: Int, _ layers: SpecLayers, into bag: inout DiagnosticBag
  ) -> ([PlannedStep]) -> PlannedGroup {
    let scope = layers.scope(of: flow)
    let own = CommandOverrides(options: options).typed(like: scope.variables, [], into: &bag)
      .filter { scope.names.contains($0.key) }
    return { steps in
      PlannedGroup(
        kind: .flow, number: number, stage: .requests, name: flow.name, staticName: flow.staticName, range: flow.range,
        rows: flow.rows, when: flow.when, skip: flow.skip, scope: scope, overrides: own, cookies: .copied, steps: steps)
    }
  }

  /// The requests that a selection leaves out, by the names that only they would have captured.
  private func unselectedSuppliers(
    among requests: [PlannedRequest], without selected: [PlannedRequest]
  ) -> [String: PlannedRequest] {
    guard selected.count < requests.count else { return [:] }
    let captured = Set(selected.flatMap(\.captureNames))
    let numbers = Set(selected.map(\.number))
    var suppliers: [String: PlannedRequest] = [:]
    for request in requests where !numbers.contains(request.number) {
      for name in request.captureNames where suppliers[name] == nil && !captured.contains(name) {
        suppliers[name] = request
      }
    }
    return suppliers
  }

  /// Checks the declarations of all layers; the table then contains everything that was reported.
  private func checkNames(
    _ layers: SpecLayers, _ requests: [PlannedRequest], _ needed: NeededNames, of loaded: LoadedSpec,
    into bag: inout DiagnosticBag
  ) -> ReadableNames {
    var given = Set(options.runNames)
    given.formUnion((options.variables + options.environmentFile).map(\.name))
    given.formUnion(options.secrets.map(\.name))
    if loaded.project?.runsDemo == true { given.insert("demo") }
    if loaded.project?.mock != nil { given.insert("mock") }
    var table = ReadableNames(
      declared: layers.scopes.reduce(given) { $0.union($1.names) }, needed: needed, requests: requests,
      flows: layers.file.flows, missed: needed.isComplete ? layers.missedNames : .any,
      environments: loaded.environments, declarations: options.recorder == nil ? [:] : layers.declarations,
      recorder: options.recorder)
    for scope in layers.scopes {
      given.formUnion(scope.names)
      // The needs of a file are not those of its project.
      if scope.path == layers.scope.path { given.formUnion(needed.names) }
      table.checkDeclarations(scope.variables, scope.secrets, reading: given, into: &bag)
    }
    layers.checkSecrecy(requests, into: &bag)
    return table
  }
}

/// The minimum number of requests for a thread.
let minPiece = 64
