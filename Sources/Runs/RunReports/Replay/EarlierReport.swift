import RequestSpecs
import SpecExecution
import Values

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
      let sink = RecordingSink(FailureRecorder())
      try report.replay(file, at: position, needs: [], into: sink)
      runs.append((file.start, file.end.duration, sink.recorder.failures))
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
private struct FailureRecorder: FileRecorder {
  private struct Result {
    var hasFailed = false
    var isUnreached = false
  }

  /// Indicates for each group in progress whether its steps are units of their own: those of a flow, and of rows of
  /// flows.
  private var areOpen: [Bool] = []
  /// Indicates whether nothing was in the innermost group so far.
  private var isEmpty = false
  /// The results of the steps within others that are not ended.
  private var inner: [StepID: Result] = [:]
  private(set) var failures = RunFailures()

  mutating func receive(_ event: FileEvent, in groups: OpenGroups) {
    switch event {
    case .groupStarted(let start):
      if start.kind == .flow, isEmpty, groups.groups.dropLast().last?.start.kind == .rows {
        // Rows of a flow, if they are not part of a unit themselves.
        areOpen[areOpen.count - 1] = areOpen.dropLast().allSatisfy(\.self)
      }
      areOpen.append(start.kind == .flow && areOpen.last ?? true)
      isEmpty = true
    case .groupFinished(let end):
      isEmpty = false
      guard let group = groups.groups.last?.start, areOpen.popLast() == false else { return }
      let unit = RunFailures.Unit(
        stage: group.stage, request: FailedRequests.Request(name: group.name, line: group.line))
      add(Result(), of: end.id, isUnit: end.parent == groups.groups.dropLast().last?.start.id, in: end.parent, unit)
    case .stepFinished(let report):
      isEmpty = false
      if case .skipped(let reason) = report.outcome, UnmetNeed.isReason(reason) { failures.reasons.insert(reason) }
      let unit = RunFailures.Unit(
        stage: report.stage, request: FailedRequests.Request(name: report.name, line: report.line))
      let result = Result(
        hasFailed: report.outcome.isFailure, isUnreached: report.isUnreached || report.outcome == .notSent)
      add(result, of: report.id, isUnit: groups.step(around: report) == nil, in: report.parent, unit)
    default: break
    }
  }

  /// Adds the result of a step or a group to what contains it, or to the failures.
  private mutating func add(
    _ result: Result, of id: StepID, isUnit: Bool, in parent: StepID?, _ unit: RunFailures.Unit
  ) {
    let inner = inner.removeValue(forKey: id) ?? Result()
    let hasFailed = result.hasFailed || inner.hasFailed
    let isUnreached = result.isUnreached || inner.isUnreached
    if isUnit, areOpen.allSatisfy(\.self) {
      return failures.add(unit, hasFailed: hasFailed, isUnreached: isUnreached)
    }
    guard let parent, hasFailed || isUnreached else { return }
    if hasFailed { self.inner[parent, default: Result()].hasFailed = true }
    if isUnreached { self.inner[parent, default: Result()].isUnreached = true }
  }
}
