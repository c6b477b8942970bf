import Diagnostics
import RequestSpecs
import RunEvents
import RunPlanning
import Synchronization

/// The JSON report of an earlier run, as far as later runs read it.
package struct EarlierReport: Sendable {
  package struct File: Sendable {
    package let path: String
    /// The average duration of its runs; nil if it did not run.
    package let duration: Duration?
    /// The requests that are not known to have passed; nil if all are.
    package let failed: FailedRequests?
  }

  package private(set) var files: [File] = []
  /// Indicates whether it has all files of its run, those that could not be read, too.
  package let isComplete: Bool

  package init(path: String) throws(Diagnostic) {
    let report = try ReportReader(path: path)
    isComplete = report.summary.unreadableFiles <= report.summary.brokenFiles.count
    var order: [String] = []
    var durations: [String: [Duration]] = [:]
    var failed: [String: FailedRequests] = [:]
    let runs = try EarlierReport.runs(of: report)
    let reasons = runs.reduce(into: Set<String>()) { $0.formUnion($1.failures.reasons) }
    for run in runs {
      let path = run.start.path
      // A file with values of its own runs with those that need it.
      let isNeed = run.start.variant != nil
      if isNeed, UnmetNeed.allCases.contains(where: { reasons.contains($0.reason(path: path)) }) { continue }
      if durations[path] == nil { order.append(path) }
      durations[path, default: []].append(run.duration)
      let found = isNeed ? run.failures.ofNeed : run.failures.all
      if let found { failed[path, default: FailedRequests()].formUnion(found) }
    }
    files = order.map { path in
      let all = durations[path] ?? []
      return File(path: path, duration: all.reduce(.zero, +) / max(1, all.count), failed: failed[path])
    }
    files += report.summary.brokenFiles.map { File(path: $0.path, duration: nil, failed: FailedRequests(nil)) }
  }

  private static func runs(
    of report: ReportReader
  ) throws(Diagnostic) -> [(start: FileStart, duration: Duration, failures: RunFailures)] {
    var runs: [(start: FileStart, duration: Duration, failures: RunFailures)] = []
    for (position, file) in report.files.enumerated() {
      let sink = FailureSink()
      try report.replay(file, at: position, needs: [], into: sink)
      runs.append((file.start, file.end.duration, sink.failures))
    }
    return runs
  }
}

/// The requests of a file's run that did not pass.
private struct RunFailures {
  /// Those that failed; nil without any.
  private(set) var ofNeed: FailedRequests?
  /// The same without the setup and the teardown that were not reached.
  private var found: FailedRequests?
  private var isSetupUnreached = false
  /// The reasons for which steps were skipped since a file that they need had failed.
  fileprivate(set) var reasons: Set<String> = []

  /// Those that failed or were not reached; nil if all passed.
  var all: FailedRequests? {
    var all = found
    // It runs with any request.
    if isSetupUnreached, found?.requests?.isEmpty ?? true { all = FailedRequests(nil) }
    return all
  }

  /// Adds a request, or rows or a used file as one.
  mutating func add(_ unit: Unit, hasFailed: Bool, isUnreached: Bool) {
    if hasFailed { RunFailures.insert(unit, into: &ofNeed) }
    if hasFailed || isUnreached, unit.stage == .requests || hasFailed {
      RunFailures.insert(unit, into: &found)
    } else if isUnreached {
      isSetupUnreached = true
    }
  }

  private static func insert(_ unit: Unit, into failed: inout FailedRequests?) {
    var requests = failed ?? FailedRequests()
    if unit.stage == .requests { requests.insert(unit.request) } else { requests.insertWholeFile() }
    failed = requests
  }

  /// A step of the file or of a flow.
  struct Unit {
    let stage: RequestStage
    let request: FailedRequests.Request
  }
}

/// Collects the requests of a file's run that did not pass.
private final class FailureSink: FileEventSink {
  private struct Result {
    var hasFailed = false
    var isUnreached = false
  }

  private struct Group {
    let start: GroupStart
    /// Indicates whether its steps are units of their own: those of a flow, and of rows of flows.
    var isOpen: Bool
    var isEmpty = true
  }

  private struct State {
    var groups: [Group] = []
    /// The results of the steps within others that are not ended.
    var inner: [StepID: Result] = [:]
    var failures = RunFailures()
  }

  private let state = Mutex(State())

  var failures: RunFailures { state.withLock { $0.failures } }

  func receive(_ event: FileEvent) {
    state.withLock { state in
      switch event {
      case .groupStarted(let start):
        if start.kind == .flow, let last = state.groups.last, last.start.kind == .rows, last.isEmpty {
          // Rows of a flow, if they are no part of a unit themselves.
          state.groups[state.groups.count - 1].isOpen = state.groups.dropLast().allSatisfy(\.isOpen)
        }
        let isOpen = start.kind == .flow && (state.groups.last?.isOpen ?? true)
        if !state.groups.isEmpty { state.groups[state.groups.count - 1].isEmpty = false }
        state.groups.append(Group(start: start, isOpen: isOpen))
      case .groupFinished(let end):
        guard let group = state.groups.popLast(), !group.isOpen else { return }
        let unit = RunFailures.Unit(
          stage: group.start.stage, request: FailedRequests.Request(name: group.start.name, line: group.start.line))
        add(Result(), of: end.id, in: end.parent, unit, &state)
      case .stepFinished(let report):
        if case .skipped(let reason) = report.outcome, UnmetNeed.isReason(reason) {
          state.failures.reasons.insert(reason)
        }
        if !state.groups.isEmpty { state.groups[state.groups.count - 1].isEmpty = false }
        let unit = RunFailures.Unit(
          stage: report.stage, request: FailedRequests.Request(name: report.name, line: report.line))
        let result = Result(
          hasFailed: report.outcome.isFailure, isUnreached: report.isUnreached || report.outcome == .notSent)
        add(result, of: report.id, in: report.parent, unit, &state)
      default: break
      }
    }
  }

  /// Adds the result of a step or a group to what contains it, or to the failures.
  private func add(
    _ result: Result, of id: StepID, in parent: StepID?, _ unit: RunFailures.Unit, _ state: inout State
  ) {
    let inner = state.inner.removeValue(forKey: id) ?? Result()
    let hasFailed = result.hasFailed || inner.hasFailed
    let isUnreached = result.isUnreached || inner.isUnreached
    let isUnit = parent == state.groups.last?.start.id && state.groups.allSatisfy(\.isOpen)
    if isUnit { return state.failures.add(unit, hasFailed: hasFailed, isUnreached: isUnreached) }
    guard let parent, hasFailed || isUnreached else { return }
    var outer = state.inner[parent] ?? Result()
    if hasFailed { outer.hasFailed = true }
    if isUnreached { outer.isUnreached = true }
    state.inner[parent] = outer
  }
}
