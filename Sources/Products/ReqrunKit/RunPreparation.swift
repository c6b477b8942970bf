import LocalServer
import DemoServer
import DocumentQueries
import HTTPSemantics
import OperatingSystem
import RequestSpecs
import RunReports
import SpecExecution
import Values

/// Loads and plans the files of a run, and starts the servers that they need.
package struct RunPreparation {
  let options: RunOptions
  package internal(set) var bag = DiagnosticBag()
  package internal(set) var unreadableFiles = 0
  /// The contracts among the files.
  package private(set) var contractPaths: [String] = []
  /// The number of contracts that were checked by themselves.
  var checkedContracts = 0
  /// Files that could not be read, with the error, which has no place in them.
  private(set) var unplacedProblems: [(path: String, error: Values.Diagnostic)] = []
  /// Files whose schemas could not be fetched, without other errors.
  private(set) var unreachableFiles = 0
  package var runValues: [String: Value] = [:]
  private(set) var cookieJar: CookieJarFile?
  private var demo: HTTPServer?
  private(set) var mocks = ProjectMocks()
  /// The reason why no request was selected; nil before the files were read.
  private(set) var nothingSelected: NothingSelected?
  /// The reason why no file is selected, if that is not an error.
  private(set) var noFileReason: String?
  /// The files of all shards, in their order; empty without shards.
  private(set) var filesOfAllShards: [String] = []
  /// The specs that were read, those that others need first.
  var specs: [LoadedSpec] = []
  /// The open texts that are specs or project files, by canonical path.
  private(set) var openSpecs: Set<String> = []
  /// The open texts that are not even YAML.
  private(set) var unreadableTexts: Set<String> = []
  /// The names of the environments of all project files.
  var environmentNames: [String] = []
  /// The variables of the dotenv files.
  var environmentVariables: [CommandVariable] = []
  let contracts: ContractLibrary
  let control: RunControl

  package init(options: RunOptions, control: RunControl = RunControl()) {
    self.options = options
    self.control = control
    contracts = ContractLibrary(countsFields: options.fieldCoverage, fileAccess: options.fileAccess)
  }

  /// - Parameters:
  ///   - startsServer: whether requests will be sent; otherwise only the demo server's name is known.
  ///   - context: the context for fetching schemas; nil fetches none.
  package mutating func plan(startsServer: Bool, fetchingIn context: (() -> RunContext)? = nil) async -> [PlannedFile] {
    var planning = planningOptions()
    let rows = rowsForAll(&planning)
    if startsServer { openCookieJar() }
    var own = DiagnosticBag()
    let selection = FileSelection(options, into: &own)
    bag.add(contentsOf: own.diagnostics)
    if own.hasErrors { unreadableFiles += 1 }
    let commandIsWrong = bag.hasErrors
    var loader = SpecLoader(options, selection: selection)
    await loader.load(selection.sources)
    noFileReason = reasonForNoFile(selection, loader)
    if options.shard != nil { filesOfAllShards = loader.allPaths }
    bag.add(contentsOf: loader.bag.diagnostics)
    unreadableFiles += loader.unreadableFiles
    unplacedProblems = loader.unplacedProblems
    contractPaths = loader.contractPaths
    if options.contractUse == .checked { for path in contractPaths { checkContract(at: path) } }
    (openSpecs, unreadableTexts) = (loader.openSpecs, loader.unreadableTexts)
    environmentNames = loader.environmentNames
    guard isEnvironmentKnown(loader) else {
      bag = bag.inPlaceOrder
      return []
    }
    nothingSelected = NothingSelected(specs: loader.specs, emptyDirectories: loader.emptyDirectories, options: options)
    specs = loader.specsInOrder
    if nothingSelected?.selectsNone == false { bag.add(contentsOf: nothingSelected?.warnings ?? []) }
    if let rows { for index in specs.indices where specs[index].id == nil { specs[index].file.give(rows) } }
    if options.demo || specs.contains(where: { $0.project?.runsDemo == true }) {
      runValues["demo"] = .text("http://127.0.0.1")
      // Without it every request would fail alike.
      if startsServer, !commandIsWrong, !startDemo() {
        bag = bag.inPlaceOrder
        return []
      }
    }
    mocks = ProjectMocks(of: specs, options)
    // Without it, what sends to it would fail.
    if !takeProblemsOfMocks(), startsServer {
      bag = bag.inPlaceOrder
      return []
    }
    planning.runNames = Array(runValues.keys)
    planning.recorder = options.nameRecorder
    let network: SchemaNetwork = !options.remoteSchemas ? .refused : context == nil ? .silent : .fetched
    let schemas = SchemaLibrary(network: network, fileAccess: options.fileAccess)
    let planner = Planner(
      options: planning, capabilities: transportCapabilities(),
      fileProblem: { [access = options.fileAccess] reference, range, spec in
        access(spec).problem(of: reference, at: range)
      },
      bodyFileProblem: { [access = options.fileAccess] reference, range, spec in
        access(spec).problem(ofBody: reference, at: range)
      },
      targetProblem: { [access = options.fileAccess] reference, range, spec in
        access(spec).problem(ofTarget: reference, at: range)
      },
      loadSchema: { [schemas] schema, spec, bag in schemas.schema(schema, of: spec, into: &bag) },
      readText: { [access = options.fileAccess] reference, range, spec throws(DecodingProblem) in
        try access(spec).read(reference.path.string, beside: range.source.name)
      },
      beginning: { [access = options.fileAccess] reference, range, spec in
        access(spec).beginning(of: reference, at: range)
      })
    var planned = await plan(specs, by: planner)
    var transportFailures: Set<String> = []
    if !commandIsWrong, let context {
      transportFailures = await fetch(schemas, in: context, for: specs, &planned, planner)
    }
    var plans: [PlannedFile] = []
    let arguments = Set(loader.specs.map(\.file.path))
    for (spec, (plan, diagnostics)) in zip(specs, planned) {
      bag.add(contentsOf: diagnostics)
      if let plan, areContractsReadable(plan) {
        if spec.id == nil { plans.append(plan) }
      } else if spec.id != nil, arguments.contains(spec.file.path) {
        // It is counted as an argument.
      } else if plan == nil, !loader.bag.hasErrors, failed(diagnostics, onlyBy: transportFailures) {
        unreachableFiles += 1
      } else {
        unreadableFiles += 1
      }
    }
    if !commandIsWrong, !areVariablesRead(by: specs, isComplete: loader.unreadableFiles == 0) {
      bag = bag.inPlaceOrder
      unreadableFiles = max(unreadableFiles, 1)
      return []
    }
    if startsServer, !commandIsWrong {
      let readers = zip(specs, planned).filter { $1.plan?.readsMock ?? false }.compactMap { $0.0.project?.source.name }
      await mocks.start(options, readBy: Set(readers))
      if !takeProblemsOfMocks() {
        bag = bag.inPlaceOrder
        return []
      }
    }
    checkNeeds(of: &plans)
    if startsServer { leaveOutUnsendable(&plans) }
    if bag.hasErrors, unreadableFiles + unreachableFiles == 0 { unreadableFiles = 1 }
    bag.add(contentsOf: contracts.warnings)
    bag = bag.inPlaceOrder
    return commandIsWrong ? [] : plans
  }

  /// The plans with requests for what sends none of them, such as an export.
  package mutating func plansToConvert() async -> [PlannedFile] {
    let plans = await plan(startsServer: false).filter { $0.selectedCount > 0 }
    // The demo server of a run has another port each time.
    if runValues["demo"] != nil { runValues["demo"] = .text("http://127.0.0.1:8080") }
    return plans
  }

  /// Fetches remote schemas, and plans the files again that refer to them; schemas that those refer to follow in later
  /// rounds.
  ///
  /// - Returns: the messages about schemas that could not be fetched.
  private func fetch(
    _ schemas: SchemaLibrary, in context: () -> RunContext, for specs: [LoadedSpec],
    _ planned: inout [(plan: PlannedFile?, diagnostics: [Values.Diagnostic])], _ planner: Planner
  ) async -> Set<String> {
    guard var wanted = schemas.takeWanted() else { return [] }
    let option = SourceText(name: "--remote-schemas", text: "")
    defer { withExtendedLifetime(option) {} }
    var remote = RemoteSchemas(
      context: context(), request: planner.documentRequest(at: SourceRange(option, 0..<0)))
    while true {
      await remote.fetch(wanted.urls, into: schemas)
      // Others may need those.
      let places = specs.indices.filter { specs[0].id != nil || wanted.specs.contains(specs[$0].file.path) }
      for (place, plan) in zip(places, await plan(places.map { specs[$0] }, by: planner)) { planned[place] = plan }
      guard let more = schemas.takeWanted() else { return remote.transportFailures }
      wanted = more
    }
  }

  private func failed(_ diagnostics: [Values.Diagnostic], onlyBy transportFailures: Set<String>) -> Bool {
    let errors = diagnostics.filter { $0.severity == .error }
    return !errors.isEmpty && errors.allSatisfy { transportFailures.contains($0.message) }
  }

  /// Reads the contracts of a file that are in other files, and reports their errors.
  private mutating func areContractsReadable(_ plan: PlannedFile) -> Bool {
    var areReadable = true
    for choice in plan.contracts.all.map(\.choice) {
      guard case .failure(let problem)? = contract(choice, of: plan.path) else { continue }
      bag.add(contentsOf: problem.diagnostics)
      areReadable = false
    }
    return areReadable
  }

  /// Adds failures that were found only at the start of the run.
  mutating func add(_ failures: [ContractFailure]) {
    for failure in failures {
      bag.add(contentsOf: failure.diagnostics)
      unreadableFiles += 1
    }
  }

  /// Leaves out files that need URLSession if its worker is missing: that is reported once, not for each request.
  private mutating func leaveOutUnsendable(_ plans: inout [PlannedFile]) {
    let areUnsendable = { (plans: [PlannedFile]) in
      plans.withReused.contains { $0.requestSteps.contains { $0.transport.kind == .urlsession } }
    }
    // All at once first: many files may have the same needs.
    guard areUnsendable(plans), let problem = urlSessionProblem() else { return }
    bag.error(.unsupported, problem.message, at: nil, help: problem.help)
    unreadableFiles += plans.count { areUnsendable([$0]) }
    plans.removeAll { areUnsendable([$0]) }
  }

  /// Plans the files that others need one after another, then the rest in parallel; the plans are in the order of the
  /// files.
  private func plan(
    _ specs: [LoadedSpec], by planner: Planner
  ) async -> [(plan: PlannedFile?, diagnostics: [Values.Diagnostic])] {
    @Sendable func planned(
      _ spec: LoadedSpec, _ reused: [SpecID: PlannedFile]
    ) -> (PlannedFile?, [Values.Diagnostic]) {
      var bag = DiagnosticBag()
      return (planner.plan(spec, with: reused, into: &bag), bag.diagnostics)
    }
    var plans: [(plan: PlannedFile?, diagnostics: [Values.Diagnostic])] = []
    var known: [SpecID: PlannedFile] = [:]
    for spec in specs {
      guard let id = spec.id else { break }
      plans.append(planned(spec, known))
      known[id] = plans.last?.plan
    }
    let (rest, reused) = (specs[plans.count...], known)
    guard rest.count > 1 else { return plans + rest.map { planned($0, reused) } }
    return plans
      + (await withTaskGroup(of: (Int, (PlannedFile?, [Values.Diagnostic])).self) { group in
        for (index, spec) in rest.enumerated() { group.addTask { (index, planned(spec, reused)) } }
        return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
      })
  }

  private mutating func openCookieJar() {
    guard let path = options.cookieJar else { return }
    var own = DiagnosticBag()
    cookieJar = CookieJarFile(path, into: &own)
    bag.add(contentsOf: own.diagnostics)
    if own.hasErrors { unreadableFiles += 1 }
  }

  /// Reports the problems of mocks; false if there are errors.
  private mutating func takeProblemsOfMocks() -> Bool {
    // A source may be run as well.
    let known = Set(bag.diagnostics)
    bag.add(contentsOf: mocks.diagnostics.filter { !known.contains($0) })
    guard mocks.diagnostics.contains(where: { $0.severity == .error }) else { return true }
    unreadableFiles += 1
    return false
  }

  private mutating func startDemo() -> Bool {
    do throws(ServerError) {
      let server = try DemoAPI.start()
      demo = server
      runValues["demo"] = .text(server.address)
      return true
    } catch {
      bag.error(.unsupported, "the demo server could not be started: \(error.message)", at: nil, help: error.help)
      unreadableFiles += 1
      return false
    }
  }

  func stopServers() {
    demo?.stop()
    mocks.stop()
  }
}
