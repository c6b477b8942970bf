import DemoServer
import DocumentQueries
import HTTPSemantics
import OperatingSystem
import RequestSpecs
import RunReports
import SpecExecution
import Values

extension RunPreparation {
  /// The contract in a file that a spec names; nil for one with a URL.
  func contract(_ choice: Field<ContractChoice>, of spec: String) -> ContractLibrary.Loaded? {
    guard case .document(let text, let format)? = choice.literal, !isAbsoluteURL(text.string) else { return nil }
    return contracts.contract(file: text.string, format: format, from: choice.range, spec: spec)
  }

  /// Checks a contract that was named as a file, by itself.
  mutating func checkContract(at path: String) {
    let problems: [Values.Diagnostic]
    switch contracts.contract(file: path, format: .assertion, from: .none, spec: path) {
    case .success(let contract): problems = contract.checkAll()
    case .failure(let broken): problems = broken.diagnostics
    }
    bag.add(contentsOf: problems)
    checkedContracts += 1
    if problems.contains(where: { $0.severity == .error }) { unreadableFiles += 1 }
  }

  /// Adds warnings about what contracts declare, but where there is an error.
  mutating func checkContracts() {
    let errors = Set(bag.diagnostics.compactMap { $0.severity == .error ? $0.range : nil })
    bag.add(contentsOf: contracts.check().filter { problem in problem.range.map { !errors.contains($0) } ?? true })
  }

  mutating func planningOptions() -> PlanningOptions {
    var planning = PlanningOptions()
    for name in options.variables.keys.sorted() { checkName(name, of: "--var") }
    for name in options.secrets.keys.sorted() { checkName(name, of: "--secret") }
    planning.variables = options.variables.sorted { $0.key < $1.key }.compactMap { commandVariable($0.key, $0.value) }
    // Templates can't read other names.
    environmentVariables = options.envFiles.flatMap { environmentFile($0) }
      .filter { unusableName($0.name, of: "a variable") == nil }
    planning.environmentFile = environmentVariables
    planning.secrets = options.secrets.map { ($0.key, $0.value) }
    planning.tags = options.tags
    planning.excludedTags = options.excludeTags
    planning.namePattern = options.name
    var connection = CommandConnection(options.connection)
    planning.connection = connection.settings(into: &bag)
    planning.sources = connection.sources
    planning.transport =
      switch options.transport {
      case .auto: .auto
      case .urlsession: .urlsession
      // It accepts everything that libcurl would.
      case .curl, .custom: .curl
      }
    return planning
  }

  /// The rows of `--rows`.
  mutating func rowsForAll(_ planning: inout PlanningOptions) -> RowsSpec? {
    guard let path = options.rows else { return nil }
    let source = SourceText(name: "--rows", text: path)
    planning.sources.append(source)
    options.usedFiles?.add(path, of: "")
    if !isRegularFile(path) {
      let problem = canonicalPath(path) == nil ? "there is no file \"\(path)\"" : "\"\(path)\" is not a regular file"
      bag.error(.invalidOption, "--rows: \(problem)", at: nil, help: MissingFile(path, in: ".").help)
      unreadableFiles += 1
    }
    let range = SourceRange(source, 0..<source.utf8.count)
    if let rows = RowsSpec(fileFromCommand: path, range: range) { return rows }
    bag.error(
      .invalidOption, "--rows: the format of \"\(path)\" is unknown", at: nil,
      help: "name a .csv, .json, .jsonl or .yaml file")
    unreadableFiles += 1
    // The files are checked as ones with rows all the same.
    return RowsSpec(fileFromCommand: "\(path).csv", range: range)
  }

  private mutating func commandVariable(_ name: String, _ value: RunOptions.VariableValue) -> CommandVariable? {
    switch value {
    case .text(let text): return CommandVariable(name: name, value: .text(text), isText: true)
    case .json(let text):
      do throws(JSONParseError) {
        let document = try JSONDocument(parsing: Array(text.utf8))
        return CommandVariable(name: name, value: document.root.value, isText: false)
      } catch {
        let isPublic = secretRanges(in: text, named: name).isEmpty
        bag.error(
          .invalidOption, "--var \(name):=… is not JSON" + (isPublic ? ": \(error.message)" : ""), at: nil,
          help: "write --var \(name)=… for text")
        unreadableFiles += 1
        return nil
      }
    }
  }

  /// Leaves out all files if they take too many runs of others.
  mutating func checkNeeds(of plans: inout [PlannedFile]) {
    let environment = RunEnvironment(runValues: runValues, seed: options.seed ?? 0, fileAccess: options.fileAccess)
    guard let excess = NeedRuns.excess(of: plans, in: environment, control) else { return }
    bag.add(contentsOf: [excess])
    unreadableFiles += 1
    plans = []
  }

  /// Checks that each `--var` is one that a file declares or reads: a misspelt name would change nothing.
  mutating func areVariablesRead(by specs: [LoadedSpec], isComplete: Bool) -> Bool {
    guard !options.allowsUnreadVariables, !specs.isEmpty, !(options.variables.isEmpty && options.secrets.isEmpty) else {
      return true
    }
    var names: Set<String> = []
    var isComplete = isComplete
    for spec in specs {
      let settable = SettableNames(of: spec)
      names.formUnion(settable.names)
      isComplete = isComplete && settable.isComplete
    }
    let errorsBefore = bag.errorCount
    func report(_ option: String, _ name: String, isUsefulUnread: Bool) {
      if names.contains(name) { return }
      let near = nearestName(to: name, among: names.sorted())
      if near == nil, isUsefulUnread || !isComplete { return }
      bag.error(
        .unusedName, "\(option) \(name): no file declares or reads `\(name)`", at: nil,
        help: near.map { "did you mean `\($0)`?" }
          ?? (names.isEmpty
            ? "the files read no variables"
            : "they read " + names.sorted().prefix(8).joined(separator: ", ") + (names.count > 8 ? " …" : "")))
    }
    for name in options.variables.keys.sorted() { report("--var", name, isUsefulUnread: false) }
    // The value of a secret is masked, whatever reads it.
    for name in options.secrets.keys.sorted() { report("--secret", name, isUsefulUnread: true) }
    return bag.errorCount == errorsBefore
  }

  /// Checks that a project file has the environment of `--env`.
  mutating func isEnvironmentKnown(_ loader: SpecLoader) -> Bool {
    let names = loader.environmentNames
    // A project file that cannot be read may have it.
    guard let name = options.environment, !names.contains(name), !(names.isEmpty && loader.hasBrokenProject) else {
      return true
    }
    let help: String
    if let equals = name.firstIndex(of: "="), equals > name.startIndex {
      help = "a variable is set with --var \(name[..<equals])=…"
    } else if pathKind(name) == .file {
      help =
        isSpecName(name)
        ? "give its name under `environments` in the project file" : "a dotenv file is given with --env-file"
    } else if names.isEmpty {
      help = "write `environments: {\(name): {variables: {…}}}` in the project file `reqrun.yaml`"
    } else {
      help = suggestion(name, among: names) ?? "there are " + names.map { "`\($0)`" }.joined(separator: ", ")
    }
    bag.error(
      .unknownEnvironment,
      "--env \(name): " + (names.isEmpty ? "no project file has `environments`" : "there is no such environment"),
      at: nil, help: help)
    unreadableFiles += 1
    return false
  }

  /// Checks that templates can read a name of the command line.
  private mutating func checkName(_ name: String, of option: String) {
    guard let problem = unusableName(name, of: "a variable") else { return }
    bag.error(.invalidOption, "\(option) \(problem.message)", at: nil, help: problem.help)
    unreadableFiles += 1
  }

  private mutating func environmentFile(_ path: String) -> [CommandVariable] {
    var own = DiagnosticBag()
    var variables: [CommandVariable] = []
    options.usedFiles?.add(path, of: "")
    switch readFile(path, limit: 1 << 20) {
    case .success(let bytes):
      variables = readEnvironmentFile(String(decoding: bytes, as: UTF8.self), path: path, into: &own)
    case .failure(let problem):
      own.error(.unreadableFile, "the file \(path) given with --env-file cannot be read: \(problem.reason)", at: nil)
    }
    bag.add(contentsOf: own.diagnostics)
    if own.hasErrors { unreadableFiles += 1 }
    return variables
  }
}
