import ReqrunKit
import RequestSpecs
import RunReports
import SpecExecution
import SpecExports
import Synchronization
import Templates
import Values

/// A step in the form of an export.
protocol CollectedEntry: Sendable {
  var stage: RequestStage { get }
}

/// The place of a step in a dry run.
struct CollectedPlace {
  let report: StepReport
  /// The path of the file that runs.
  let file: String
  /// The groups around the step, the innermost first.
  fileprivate let groups: [GroupStart]
  /// All rows of the groups around it: those in its flow, and those of its flow.
  fileprivate(set) var rows: [Result<LoadRows, TemplateError>] = []
  fileprivate(set) var rowsOfFlow: [Result<LoadRows, TemplateError>] = []

  /// The path of the file in which the step stands.
  var path: String { report.path ?? file }
  var flow: GroupStart? { groups.first { $0.kind == .flow } }
  /// The step of the file, or of its flow, that uses another file.
  var use: GroupStart? { groups.prefix { $0.kind != .flow }.last { $0.kind == .use } }
}

/// Collects what a dry run resolves: the entries of each spec, or of each flow of it.
final class ExportCollector<Entry: CollectedEntry>: RunReports.Reporter {
  /// A file, or one of its flows.
  struct File {
    let path: String
    let title: String?
    var flow: String?
    /// The rows for which the flow runs.
    var rows: LoadRows?
    var entries: [Entry] = []
  }

  enum Outcome {
    case entry(Entry)
    /// The reason why a request is left out.
    case omission(String)
  }

  private struct FileKey: Hashable {
    let position: Int
    let flow: StepID?
  }

  private struct State {
    var files: [FileKey: File] = [:]
    var order: [FileKey] = []
    var starts: [Int: FileStart] = [:]
    var groups: [StepID: GroupStart] = [:]
    var rows: [StepID: Result<LoadRows, TemplateError>] = [:]
    /// The numbers of requests, and of those of each group of rows.
    var count = 0
    var counts: [StepID: Int] = [:]
    var remarks = ExportRemarks()
  }

  private let paths: Set<String>
  private let rowLimit: Int?
  private let entry: @Sendable (RequestStep, ResolvedRequest, FileScope, CollectedPlace) -> Outcome
  private let omission: @Sendable (_ label: String, _ reason: String, RequestStage) -> Entry?
  private let shown: @Sendable (String) -> String
  private let state = Mutex(State())
  private let control = RunControl()

  /// - Parameters:
  ///   - rowLimit: the number of requests of rows that are exported.
  ///   - shown: makes a text for people.
  init(
    _ plans: [PlannedFile], rowLimit: Int? = nil, shown: @escaping @Sendable (String) -> String,
    omission: @escaping @Sendable (_ label: String, _ reason: String, RequestStage) -> Entry? = { _, _, _ in nil },
    entry: @escaping @Sendable (RequestStep, ResolvedRequest, FileScope, CollectedPlace) -> Outcome
  ) {
    paths = Set(plans.map(\.path))
    (self.rowLimit, self.shown, self.omission, self.entry) = (rowLimit, shown, omission, entry)
  }

  // MARK: the result

  var remarks: [ExportRemark] { state.withLock { $0.remarks.all } }

  /// The files that were asked for; each flow begins with the setup of its file, and ends with its teardown.
  var files: [File] {
    state.withLock { state in
      let flows = Set(state.order.filter { $0.flow != nil }.map(\.position))
      return state.order.compactMap { key in
        guard var file = state.files[key], paths.contains(file.path) else { return nil }
        if key.flow == nil { return flows.contains(key.position) ? nil : file }
        let shared = state.files[FileKey(position: key.position, flow: nil)]?.entries ?? []
        file.entries =
          shared.filter { $0.stage == .setup } + file.entries + shared.filter { $0.stage == .teardown }
        return file
      }
    }
  }

  /// The entries that files give to those that need them, by their paths: all but the teardown, which runs elsewhere.
  func entries(of needed: Set<String>) -> [String: [Entry]] {
    state.withLock { state in
      var result: [String: [Entry]] = [:]
      for file in state.order.compactMap({ state.files[$0] }) where needed.contains(file.path) {
        if result[file.path, default: []].isEmpty { result[file.path] = file.entries.filter { $0.stage != .teardown } }
      }
      return result
    }
  }

  // MARK: the run

  func sink(at position: Int) -> (any FileEventSink)? { EventSink(receive) }

  private func receive(_ event: FileEvent) {
    state.withLock { state in
      switch event {
      case .started(let start): state.starts[start.position] = start
      case .groupStarted(let group): state.groups[group.id] = group
      case .stepFinished(let report):
        guard let reason = report.unresolved, let place = place(of: report, state) else { return }
        leaveOut(place, reason, &state)
      default: break
      }
    }
  }

  private func add(_ step: RequestStep, _ report: StepReport, _ resolved: ResolvedRequest, in scope: FileScope) {
    state.withLock { state in
      state.count += 1
      guard state.count <= maxExportedRequests else { return control.cancel() }
      guard let place = place(of: report, state) else { return }
      if let rowLimit, let rows = place.groups.first(where: { $0.kind == .rows })?.id {
        state.counts[rows, default: 0] += 1
        guard state.counts[rows, default: 0] <= rowLimit else {
          let reason = "rows beyond \(rowLimit) requests"
          return state.remarks.add(
            ExportRemark(place: "\(place.path):\(report.line)", reason: reason, detail: report.name))
        }
      }
      switch entry(step, resolved, scope, place) {
      case .entry(let entry): add(entry, at: place, &state)
      case .omission(let reason): leaveOut(place, reason, &state)
      }
    }
  }

  private func place(of report: StepReport, _ state: State) -> CollectedPlace? {
    guard let file = state.starts[report.id.file] else { return nil }
    var groups: [GroupStart] = []
    var next = report.group
    while let group = next.flatMap({ state.groups[$0] }) {
      groups.append(group)
      next = group.parent
    }
    var place = CollectedPlace(report: report, file: file.path, groups: groups)
    if state.rows.isEmpty { return place }
    let flow = groups.firstIndex { $0.kind == .flow } ?? groups.endIndex
    place.rows = groups[..<flow].compactMap { state.rows[$0.id] }
    place.rowsOfFlow = groups[flow...].compactMap { state.rows[$0.id] }
    return place
  }

  private func leaveOut(_ place: CollectedPlace, _ reason: String, _ state: inout State) {
    let (report, reason) = (place.report, shown(reason))
    let label = shown(report.name)
    state.remarks.add(ExportRemark(place: "\(place.path):\(report.line)", omission: reason, detail: label))
    if let entry = omission(label, reason, report.stage) { add(entry, at: place, &state) }
  }

  private func add(_ entry: Entry, at place: CollectedPlace, _ state: inout State) {
    let flow = place.flow
    let key = FileKey(position: place.report.id.file, flow: flow?.id)
    if state.files[key] == nil {
      state.order.append(key)
      var file = File(path: place.file, title: state.starts[key.position]?.name)
      if let flow {
        let outer = place.groups.drop { $0.kind != .flow }.first { $0.kind == .rows }
        (file.flow, file.rows) = (outer?.name ?? flow.name, try? place.rowsOfFlow.first?.get())
      }
      state.files[key] = file
    }
    state.files[key]?.entries.append(entry)
  }

  /// Resolves the requests of files, and returns whether all were.
  func collect(
    _ plans: [PlannedFile], _ preparation: RunPreparation, _ options: RunOptions, into result: inout ExportResult
  ) async -> Bool {
    var options = options
    // A request that is left out keeps no other from being exported.
    (options.dryRun, options.jobs, options.reports, options.keepGoing) = (true, 1, [], true)
    options.onResolved = { self.add($0, $1, $2, in: $3) }
    if options.openValues?.openRows == true {
      options.onRows = { group, spec, values in
        self.state.withLock { $0.rows[group] = values.map { LoadRows(group: group, spec: spec, values: $0) } }
      }
    }
    var execution = RunExecution(options: options, control: control, reporters: [self])
    let run = await execution.dryRun(plans, preparation)
    result.diagnostics += run.diagnostics
    if run.unreadableFiles > 0 { result.exitCode = 2 }
    guard state.withLock({ $0.count > maxExportedRequests }) else { return true }
    result.diagnostics.append(
      ReqrunKit.Diagnostic(
        .error(
          .limitExceeded, "an export has at most \(maxExportedRequests) requests, and these files have more", at: nil,
          help: "export fewer files, or fewer rows of `each`")))
    result.exitCode = 2
    return false
  }
}

private let maxExportedRequests = 100_000

extension StepReport {
  /// The reason why a dry run could not resolve the request; nil if it did.
  fileprivate var unresolved: String? {
    if case .skipped(let reason) = outcome { return reason }
    return outcome.isFailure ? problem?.message ?? "it can't be resolved" : nil
  }
}
