import APIContracts
import Diagnostics
import OperatingSystem
import SpecExecution

/// A report: what each file's run told it, in the order of the arguments, and what it says at the end.
package protocol RunReport: Sendable {
  /// Finds out before the run what would keep the report from being written.
  func prepare() throws(ReportProblem)
  /// The sink of the run at that position.
  func sink(at position: Int) -> any FileEventSink
  /// Completes the report; a problem is why it could not be written.
  func finish(_ summary: RunSummary) throws(ReportProblem)
}

extension RunReport {
  package func prepare() throws(ReportProblem) {}
}

/// The whole run in numbers.
package struct RunSummary: Sendable {
  package var counts = OutcomeCounts()
  package var files = 0
  package var unreadableFiles = 0
  package var brokenFiles: [BrokenFile] = []
  package var duration = Duration.zero
  package var interruptedBy: Int32?
  /// The longest time for the run, if that ended it.
  package var exceededTime: Duration?
  /// How far the run has exercised its contracts.
  package var contracts: [ContractCoverage] = []
  /// `--min-coverage`, in percent of all operations.
  package var leastCoverage: Int?
  /// The snapshots that no request has, by their files.
  package var unusedSnapshots: [String] = []
  /// Whether these were removed.
  package var prunesSnapshots = false

  package init() {}
}

/// A file that did not run, since it is wrong.
package struct BrokenFile: Sendable {
  package let path: String
  package let errors: [Diagnostic]

  package init(path: String, errors: [Diagnostic]) {
    self.path = path
    self.errors = errors
  }
}

/// Why a report could not be written.
package struct ReportProblem: Error, Sendable {
  package let message: String

  /// - Parameter kind: the report's, such as `JUnit`.
  init(_ problem: SystemProblem, _ kind: String, _ path: String) {
    message = "the \(kind) report \(path) cannot be written: \(problem.reason)"
  }
}

/// Hands each event to several sinks.
package struct SinkGroup: FileEventSink {
  private let sinks: [any FileEventSink]

  package init(_ sinks: [any FileEventSink]) {
    self.sinks = sinks
  }

  package func receive(_ event: FileEvent) {
    for sink in sinks { sink.receive(event) }
  }
}
