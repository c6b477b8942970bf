import OperatingSystem
import ReqrunKit
import RequestSpecs
import RunReports
import SpecExecution
import SpecExports
import Synchronization
import Templates
import Values

/// Resolves all requests as a dry run does, with values that stay open in another tool's form.
struct SpecExporter {
  private var options: RunOptions
  private let form: SpecForm

  init(options: RunOptions, form: SpecForm) {
    self.options = options
    self.form = form
  }

  /// Nil if the specs have errors, or nothing is selected.
  mutating func export(into result: inout ExportResult) async -> SpecExport? {
    var preparation = RunPreparation(options: options)
    guard let plans = await preparation.plansToExport(into: &result) else { return nil }
    let words = ExportWords(SpecExporter.names(plans), supports: form.supports)
    let collector = SpecCollector(plans: plans, words: words)
    options.openValues = words
    options.onResolved = { collector.add($0, $1, $2, in: $3) }
    guard await options.resolve(plans, preparation, collector, collector.count, into: &result) else { return nil }
    var export = form.export(collector.files, words)
    export.remarks = words.problems + collector.remarks + export.remarks
    return export
  }

  private static func names(_ plans: [PlannedFile]) -> ExportNames {
    var names = ExportNames()
    names.credentials = CredentialNames(plans).names
    for plan in plans.withReused {
      for scope in [plan.scope, plan.sharedScope].compactMap(\.self) {
        names.taken.formUnion(scope.variables.entries.map(\.key.text) + scope.secrets.map(\.name))
      }
      for request in plan.requestSteps.map(\.request) {
        names.taken.formUnion(request.spec.variables.entries.map(\.key.text))
        for entry in request.settings.capture.entries {
          names.taken.insert(entry.key.text)
          if let capture = entry.value { names.add(capture, as: entry.key.text) }
        }
      }
    }
    return names
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
    switch capture.subject {
    case .header, .link, .url: links.insert(name)
    default: if capture.yieldsURL { links.insert(name) }
    }
  }
}

/// Collects the resolved requests of a dry run: a file for each spec, or for each flow of it.
private final class SpecCollector: RunReports.Reporter {
  private struct State {
    var files: [FileKey: ExportedFile] = [:]
    var order: [FileKey] = []
    var paths: [Int: (path: String, name: String?)] = [:]
    var groups = StepGroups()
    /// The number of requests of each group of rows.
    var rows: [StepID: Int] = [:]
    /// The files beyond the number of rows, by their lines.
    var cut: Set<String> = []
    var remarks: [ExportRemark] = []
  }

  private let words: ExportWords
  private let outputs: [String: [Int: LoadNames.Outputs]]
  private let paths: Set<String>
  private let needs: [String: [PlannedNeed]]
  private let state = Mutex(State())
  let count = RequestCount()
  /// The number of requests of rows that are exported.
  private static let rowLimit = 100

  init(plans: [PlannedFile], words: ExportWords) {
    self.words = words
    paths = Set(plans.map(\.path))
    outputs = LoadNames(plans).outputs
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
        if key.flow != nil, let shared = state.files[FileKey(position: key.position, flow: nil)] {
          file.entries =
            shared.entries.filter { $0.stage == .setup } + file.entries
            + shared.entries.filter { $0.stage == .teardown }
        }
        file.entries = needed(by: file.path, state) + file.entries
        for index in file.entries.indices { file.entries[index].takeVariables(words) }
        return file.requests.isEmpty ? nil : file
      }
    }
  }

  private func needed(by path: String, _ state: State, depth: Int = 0) -> [ExportedEntry] {
    guard depth < 32 else { return [] }
    return (needs[path] ?? []).flatMap { need in
      // Its teardown runs at another position.
      let all = state.order.compactMap { state.files[$0] }.filter { $0.path == need.file.path }
      var entries = all.map { $0.entries.filter { $0.stage != .teardown } }.first { !$0.isEmpty } ?? []
      if let name = need.name {
        let members = need.file.yieldedNames.map { (name: exportedName("\(name).\($0)"), capture: $0) }
        for index in entries.indices { entries[index].take(members, words) }
      }
      return needed(by: need.file.path, state, depth: depth + 1) + entries
    }
  }

  func sink(at position: Int) -> (any FileEventSink)? { EventSink(take: receive) }

  private func receive(_ event: FileEvent) {
    state.withLock { state in
      switch event {
      case .started(let start): state.paths[start.position] = (start.path, start.name)
      case .groupStarted(let group):
        state.groups.add(group)
      case .stepFinished(let report):
        guard let file = state.paths[report.id.file], let reason = report.unresolved.map(words.named) else { return }
        state.remarks.append(
          ExportRemark(
            place: "\(report.path ?? file.path):\(report.line)", reason: ExportRemark.omission + reason,
            detail: report.name))
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
  ) -> (key: FileKey, around: [(id: StepID, group: GroupStart)]) {
    let around = state.groups.around(report)
    let flow = around.firstIndex { $0.group.kind == .flow }
    let key = FileKey(position: report.id.file, flow: flow.map { around[$0].id })
    if state.files[key] == nil {
      state.order.append(key)
      let outer = flow.flatMap { around.dropFirst($0 + 1).first { $0.group.kind == .rows }?.group.name }
      state.files[key] = ExportedFile(
        path: file.path, title: file.name, flow: flow.map { outer ?? around[$0].group.name })
    }
    return (key, around)
  }

  func add(_ step: RequestStep, _ report: StepReport, _ resolved: ResolvedRequest, in scope: FileScope) {
    guard count.take() else { return }
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
          if state.cut.insert(remark.place).inserted { state.remarks.append(remark) }
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
