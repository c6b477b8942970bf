import Values
import OperatingSystem
import ReqrunKit
import SpecExecution
import RequestSpecs
import RunReports
import SpecExports
import Synchronization
import Templates

/// Resolves all requests as a dry run does, with words in place of values that stay open in another tool's form.
struct SpecExporter {
  private var options: RunOptions
  private let form: SpecForm

  init(options: RunOptions, form: SpecForm) {
    self.options = options
    self.form = form
    self.options.dryRun = true
    self.options.jobs = 1
    self.options.reports = []
  }

  /// Nil if the specs have errors, or nothing is selected.
  mutating func export(into result: inout ExportResult) async -> SpecExport? {
    let scan = ExportScan()
    options.rewriting = scan
    var preparation = RunPreparation(options: options)
    guard let plans = await preparation.plansToExport(into: &result) else { return nil }
    // The demo server of a run has another port each time.
    if preparation.runValues["demo"] != nil, !options.variables.contains(where: { $0.name == "demo" }) {
      options.variables.append((name: "demo", value: .text("http://127.0.0.1:8080")))
      preparation = RunPreparation(options: options)
      _ = await preparation.plan(startsServer: false)
    }
    let words = ExportWords(names(plans, preparation, scan), supports: form.supports)
    let collector = SpecCollector(plans: plans, words: words)
    options.rewriting = words
    options.onResolved = { collector.add($0, $1, $2, in: $3) }
    var execution = RunExecution(options: options, control: RunControl(), reporters: [collector])
    _ = await execution.run()
    var export = form.export(collector.files, words)
    export.remarks = words.problems + collector.remarks + export.remarks
    return export
  }

  /// The names that the specs read, and the variables that are known before a run.
  private func names(_ plans: [PlannedFile], _ preparation: RunPreparation, _ scan: ExportScan) -> ExportNames {
    var names = ExportNames()
    names.allComputed = scan.computed(in: scan.paths)
    let own = Set(plans.map(\.path))
    // Others are layers of several.
    let layers = scan.paths.filter { !own.contains($0) }
    for path in own { names.computed[path] = scan.computed(in: layers + [path]) }
    let reused = Set(plans.withReused.map(\.path)).subtracting(own)
    names.reusedComputed = scan.computed(in: Array(reused))
    for path in reused { names.computed[path] = scan.computed(in: [path]) }
    names.secrets = Set(options.secrets.map(\.name))
    for name in plans.flatMap({ $0.scope.secrets + ($0.sharedScope?.secrets ?? []) }) {
      names.secrets.insert(name.name)
    }
    let needs = LoadNeeds(plans)
    names.captures = LoadNames(plans, needs).captures
    var structured: Set<String> = []
    let environment = RunEnvironment(
      runValues: preparation.runValues, seed: options.seed ?? 0, fileAccess: options.fileAccess)
    for plan in plans.withReused {
      for need in plan.needs {
        let yielded = need.file.yieldedNames
        if let name = need.name { names.members.formUnion(yielded.map { "\(name).\($0)" }) }
        names.captures[plan.path, default: []].formUnion(need.name == nil ? yielded : [])
      }
      let outer = environment.sharedScope(of: plan)
      let scope = FileScope(
        environment: environment, outer: outer, names: DeclaredNames(plan.scope, of: plan),
        secrets: SecretRegistry(), seed: RandomSeed(environment.seed))
      let declared = plan.scope.variables.entries + (plan.sharedScope?.variables.entries ?? [])
      for name in declared.map(\.key.text) + Array(preparation.runValues.keys) {
        var value = Value.text("")
        if case .value(let known)? = try? scope.lookup(name) { value = known }
        switch value {
        case .list, .mapping, .data, .null: structured.insert(name)
        case .text where isSecretName(name): names.secrets.insert(name)
        default: names.variables[name] = value
        }
      }
      for step in plan.requestSteps {
        for entry in step.request.spec.variables.entries {
          guard let value = entry.value else { continue }
          switch value.content {
          case .literal(let known) where known.isOne: names.variables[entry.key.text] = known
          case .template(let template) where !template.isWhole: names.variables[entry.key.text] = .text("")
          default: structured.insert(entry.key.text)
          }
        }
        for entry in step.request.settings.capture.entries {
          guard let capture = entry.value else { continue }
          names.add(capture, as: entry.key.text)
        }
      }
    }
    for name in structured { names.variables[name] = nil }
    for name in names.captures.values.flatMap(\.self) { names.variables[name] = nil }
    for name in names.secrets { names.variables[name] = nil }
    return names
  }
}

extension Value {
  fileprivate var isOne: Bool {
    switch self {
    case .text, .number, .bool: true
    default: false
    }
  }
}

extension ExportNames {
  fileprivate mutating func add(_ capture: CaptureSpec, as name: String) {
    switch capture.extraction?.conversion {
    case .integer, .number, .boolean: captureTypes[name] = false
    case .string, .date, .url: captureTypes[name] = true
    case .json, .first: break
    case nil:
      switch capture.subject {
      case _ where capture.extraction?.regex != nil: captureTypes[name] = true
      case .header, .cookie, .link, .body, .url, .httpVersion, .address, .file: captureTypes[name] = true
      case .status, .bytes, .duration, .timing, .port: captureTypes[name] = false
      default: break
      }
    }
    if capture.yieldsURL { addresses.insert(name) }
    switch capture.subject {
    case .header, .link, .url: links.insert(name)
    default: if capture.yieldsURL { links.insert(name) }
    }
  }
}

/// Collects the resolved requests of a dry run: a file for each spec, or for each flow of it.
private final class SpecCollector: RunReports.Reporter {
  private struct Key: Hashable {
    let position: Int
    let flow: StepID?
  }

  private struct Group {
    let kind: PlannedGroup.Kind
    let name: String
    let line: Int
    let parent: StepID?
  }

  private struct State {
    var files: [Key: ExportedFile] = [:]
    var order: [Key] = []
    var paths: [Int: (path: String, name: String?)] = [:]
    var groups: [StepID: Group] = [:]
    /// The number of requests of each group of rows.
    var rows: [StepID: Int] = [:]
    var remarks: [ExportRemark] = []
  }

  private let words: ExportWords
  private let outputs: [String: [Int: LoadNames.Outputs]]
  private let paths: Set<String>
  private let needs: [String: [PlannedNeed]]
  private let state = Mutex(State())
  /// The number of requests of rows are exported.
  private static let rowLimit = 100

  init(plans: [PlannedFile], words: ExportWords) {
    self.words = words
    paths = Set(plans.map(\.path))
    outputs = LoadNames(plans, LoadNeeds(plans)).outputs
    needs = Dictionary(plans.withNeeded.map { ($0.path, $0.needs) }, uniquingKeysWith: { first, _ in first })
  }

  var remarks: [ExportRemark] { state.withLock { $0.remarks } }

  /// The files with requests; each begins with those that it needs, and each flow with the setup of its file.
  var files: [ExportedFile] {
    state.withLock { state in
      let flows = Set(state.order.filter { $0.flow != nil }.map(\.position))
      return state.order.compactMap { key in
        guard var file = state.files[key], paths.contains(file.path) else { return nil }
        if key.flow == nil, flows.contains(key.position) { return nil }
        if key.flow != nil, let shared = state.files[Key(position: key.position, flow: nil)] {
          file.entries =
            shared.entries.filter { $0.stage == .setup } + file.entries
            + shared.entries.filter { $0.stage == .teardown }
        }
        file.entries = needed(by: file.path, state) + file.entries
        return file.requests.isEmpty ? nil : file
      }
    }
  }

  private func needed(by path: String, _ state: State, depth: Int = 0) -> [ExportedEntry] {
    guard depth < 32 else { return [] }
    return (needs[path] ?? []).flatMap { need in
      var entries = state.files.values.first { $0.path == need.file.path }?.entries ?? []
      entries.removeAll { $0.stage == .teardown }
      if let name = need.name {
        let members = need.file.yieldedNames.map { (name: exportedName("\(name).\($0)"), capture: $0) }
        for index in entries.indices { entries[index].take(members, words) }
      }
      return needed(by: need.file.path, state, depth: depth + 1) + entries
    }
  }

  func sink(at position: Int) -> (any FileEventSink)? { SpecSink(collector: self) }

  func finish(_ summary: RunSummary) throws(ReportProblem) {
    state.withLock { state in
      for broken in summary.brokenFiles {
        let reason = broken.errors.first?.message ?? "it can't be read"
        state.remarks.append(
          ExportRemark(
            place: broken.path, reason: "skipped: it needs a value that is only known during the run", detail: reason)
        )
      }
    }
  }

  func receive(_ event: FileEvent) {
    state.withLock { state in
      switch event {
      case .started(let start): state.paths[start.position] = (start.path, start.name)
      case .groupStarted(let group):
        state.groups[group.id] = Group(kind: group.kind, name: group.name, line: group.line, parent: group.parent)
      case .stepFinished(let report):
        guard let file = state.paths[report.id.file] else { return }
        let reason: String
        if case .skipped(let why) = report.outcome {
          reason = why
        } else if report.outcome.isFailure {
          reason = report.problem?.message ?? "it can't be resolved"
        } else {
          return
        }
        state.remarks.append(
          ExportRemark(
            place: "\(report.path ?? file.path):\(report.line)", reason: "left out: \(reason)", detail: report.name))
        let key = SpecCollector.key(of: report, file, &state).key
        let entry = ExportedEntry.omission(label: report.name, reason: reason, report.stage)
        state.files[key]?.entries.append(entry)
      default: break
      }
    }
  }

  /// The file of a step, which is made if it doesn't exist, and the groups around the step, the innermost first.
  private static func key(
    of report: StepReport, _ file: (path: String, name: String?), _ state: inout State
  ) -> (key: Key, around: [(id: StepID, group: Group)]) {
    var around: [(id: StepID, group: Group)] = []
    var next = report.group
    while let id = next, let group = state.groups[id] {
      around.append((id, group))
      next = group.parent
    }
    let flow = around.firstIndex { $0.group.kind == .flow }
    let key = Key(position: report.id.file, flow: flow.map { around[$0].id })
    if state.files[key] == nil {
      state.order.append(key)
      let outer = flow.flatMap { around.dropFirst($0 + 1).first { $0.group.kind == .rows }?.group.name }
      state.files[key] = ExportedFile(
        path: file.path, title: file.name, flow: flow.map { outer ?? around[$0].group.name })
    }
    return (key, around)
  }

  func add(_ step: RequestStep, _ report: StepReport, _ resolved: ResolvedRequest, in scope: FileScope) {
    state.withLock { state in
      guard let file = state.paths[report.id.file] else { return }
      let (key, around) = SpecCollector.key(of: report, file, &state)
      let path = report.path ?? file.path
      if let rows = around.first(where: { $0.group.kind == .rows })?.id {
        state.rows[rows, default: 0] += 1
        if state.rows[rows, default: 0] > SpecCollector.rowLimit {
          let remark = ExportRemark(
            place: "\(path):\(step.line)", reason: "rows beyond \(SpecCollector.rowLimit) requests", detail: report.name
          )
          if !state.remarks.contains(where: { $0.place == remark.place && $0.reason == remark.reason }) {
            state.remarks.append(remark)
          }
          return
        }
      }
      var request = ExportedRequest(step, label: report.name, path: path, resolved, in: scope, words)
      let use = around.prefix { $0.group.kind != .flow }.last { $0.group.kind == .use }
      if let use { request.take(outputs[file.path]?[use.group.line] ?? [], words) }
      state.files[key]?.entries.append(.request(request))
    }
  }
}

private struct SpecSink: FileEventSink {
  let collector: SpecCollector

  func receive(_ event: FileEvent) { collector.receive(event) }
}
