import Diagnostics
import RunEvents

/// The events of runs that are over, from their JSON reports, for the reporters of another one.
package struct RunReplay {
  private let reports: [ReportReader]
  package let summary: RunSummary

  /// - Parameter path: the path of a JSON report.
  package init(of path: String) throws(Diagnostic) {
    let report = try ReportReader(path: path)
    reports = [report]
    summary = report.summary
  }

  /// Sends all events to prepared reporters, except the end of the run.
  package func run(into reporters: [any Reporter]) throws(Diagnostic) {
    for diagnostics in summary.diagnostics {
      for reporter in reporters { reporter.receive(diagnostics) }
    }
    guard let start = summary.start else { return }
    var position = 0
    let count = reports.reduce(0) { $0 + $1.files.count }
    for reporter in reporters { reporter.start(RunStart(time: start, fileRuns: count, origin: summary.origin)) }
    for report in reports {
      for file in report.files {
        try report.replay(file, at: position, into: SinkGroup(reporters.compactMap { $0.sink(at: position) }))
        position += 1
      }
    }
  }
}
