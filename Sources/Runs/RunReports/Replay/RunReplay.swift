import Values
import SpecExecution

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
  package init(merging paths: [String]) throws(Diagnostic) {
    let reading = ReportReading()
    var reports: [ReportReader] = []
    for path in paths { reports.append(try ReportReader(path: path, reading)) }
    let merging = try ReportMerging(reports)
    (runs, summary) = (merging.runs, merging.summary)
  }

  /// Sends all events to prepared reporters, except the end of the run.
  package func run(into reporters: [any Reporter]) throws(Diagnostic) {
    for diagnostics in summary.diagnostics {
      for reporter in reporters { reporter.receive(diagnostics) }
    }
    guard let start = summary.start else { return }
    let runStart = RunStart(
      time: start, fileRuns: runs.count, requests: summary.counts.requests, origin: summary.origin)
    for reporter in reporters { reporter.start(runStart) }
    let needs = reporters.reduce(into: ReportNeeds()) { $0.formUnion($1.needs) }
    for (position, run) in runs.enumerated() {
      let sinks = reporters.compactMap { $0.sink(at: position) }
      try run.report.replay(
        run.file, at: position, needs: needs, into: sinks.count == 1 ? sinks[0] : SinkGroup(sinks))
    }
  }
}
