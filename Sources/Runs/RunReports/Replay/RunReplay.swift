import SpecExecution
import Values

/// The events of runs that are over, from their JSON reports, for the reporters of another one.
package struct RunReplay {
  private let runs: [(report: ReportReader, file: ReportReader.FileRun)]
  package let summary: RunSummary

  /// - Parameter path: the path of a JSON report.
  package init(of path: String) throws(Diagnostic) {
    let report = try ReportReader(path: path)
    runs = report.files.map { (report, $0) }
    summary = report.summary
  }

  /// Makes one run of several, such as the shards of one.
  ///
  /// - Parameter minCoverage: `--min-coverage` for all of them together, instead of that of the reports.
  package init(merging paths: [String], minCoverage: Int? = nil) throws(Diagnostic) {
    let reading = ReportReading()
    var reports: [ReportReader] = []
    for path in paths { reports.append(try ReportReader(path: path, reading)) }
    let merging = try ReportMerging(reports)
    var merged = merging.summary
    if let minCoverage, !merged.origin.isDryRun { merged.minCoverage = minCoverage }
    (runs, summary) = (merging.runs, merged)
  }

  /// Sends all events to prepared reporters, except the end of the run.
  ///
  /// - Returns: the summary for the end; a report can't claim a better exit code than its steps have.
  package func run(into reporters: [any Reporter]) throws(Diagnostic) -> RunSummary {
    var summary = summary
    for diagnostics in summary.diagnostics {
      for reporter in reporters { reporter.receive(diagnostics) }
    }
    var outcomes = summary.counts
    if let start = summary.start ?? runs.first?.file.start.time {
      let runStart = RunStart(
        time: start, fileRuns: runs.count, requests: summary.counts.requests, origin: summary.origin)
      for reporter in reporters { reporter.start(runStart) }
    }
    let needs = reporters.reduce(into: ReportNeeds()) { $0.formUnion($1.needs) }
    for (position, run) in runs.enumerated() {
      let own = RecordingSink(OutcomeRecorder())
      try run.report.replay(
        run.file, at: position, needs: needs, into: SinkGroup(reporters.compactMap { $0.sink(at: position) } + [own]))
      outcomes.add(own.recorder.counts)
    }
    summary.exitCode = summary.exitCode(of: outcomes)
    return summary
  }
}

/// Counts the outcomes of a file's steps.
private struct OutcomeRecorder: FileRecorder {
  private(set) var counts = OutcomeCounts()

  mutating func receive(_ event: FileEvent, in groups: OpenGroups) {
    if case .stepFinished(let report) = event { counts.add(report) }
  }
}

extension RunSummary {
  /// The exit code of the run with these outcomes.
  fileprivate func exitCode(of outcomes: OutcomeCounts) -> Int32 {
    var codes = [exitCode]
    if unreadableFiles > 0 || outcomes.specErrors > 0 { codes.append(2) }
    if outcomes.failed > 0 || exceededTime != nil || coverageIsTooLow { codes.append(1) }
    if outcomes.transportErrors > 0 { codes.append(3) }
    if let interruptedBy { codes.append(128 + interruptedBy) }
    return RunSummary.exitCode(ofParts: codes)
  }

  /// The exit code of one run with parts that have these.
  static func exitCode(ofParts codes: [Int32]) -> Int32 {
    if let signal = codes.first(where: { $0 > 128 }) { return signal }
    for code: Int32 in [2, 1, 3] where codes.contains(code) { return code }
    // A part in which nothing was selected is none.
    return codes.allSatisfy { $0 == 4 } ? 4 : codes.first { $0 != 0 && $0 != 4 } ?? 0
  }
}
