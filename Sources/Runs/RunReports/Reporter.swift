import APIContracts
import OperatingSystem
import SpecExecution
import Values

/// Receives the events of a run. The console report is one of several.
package protocol Reporter: Sendable {
  /// The optional events, and parts of events, that it needs.
  var needs: ReportNeeds { get }
  /// Checks before the run whether the report can be written.
  func prepare() throws(ReportProblem)
  /// Opens what is written during the run, once all reports are prepared; nothing is lost if another can't be opened.
  func open() throws(ReportProblem)
  /// Receives what is wrong with files and options, and with reports that cannot be written.
  func receive(_ diagnostics: [Diagnostic])
  /// Receives the start of the run; not called if nothing runs.
  func start(_ run: RunStart)
  /// The sink for the file's run at that position in the output; nil if its events aren't needed.
  func sink(at position: Int) -> (any FileEventSink)?
  /// Completes the report at the end of the run; throws if it could not be written.
  func finish(_ summary: RunSummary) throws(ReportProblem)
}

extension Reporter {
  package var needs: ReportNeeds { [] }
  package func prepare() throws(ReportProblem) {}
  package func open() throws(ReportProblem) {}
  package func receive(_ diagnostics: [Diagnostic]) {}
  package func start(_ run: RunStart) {}
  package func sink(at position: Int) -> (any FileEventSink)? { nil }
  package func finish(_ summary: RunSummary) throws(ReportProblem) {}
}

package struct RunStart: Sendable {
  package var time: Timestamp
  /// The runs of files that follow, repetitions included.
  package var fileRuns: Int
  /// The requests that are planned, repetitions included; rows and rounds are known only later.
  package var requests: Int
  package var origin: RunOrigin

  package init(time: Timestamp, fileRuns: Int, requests: Int = 0, origin: RunOrigin = RunOrigin()) {
    self.time = time
    self.fileRuns = fileRuns
    self.requests = requests
    self.origin = origin
  }
}

/// The program and the machine of a run, and the part of the files that it ran.
package struct RunOrigin: Sendable, Hashable {
  /// The version of reqrun; empty if it is unknown.
  package var version = ""
  /// The name of the machine; nil if it has none.
  package var host: String?
  /// The shard, such as `2/4`; nil if all files ran.
  package var shard: String?
  /// The seed of random values.
  package var seed: UInt64?
  /// The files of all shards, in their order; empty without shards.
  package var allFiles: [String] = []
  /// The environment that was chosen by the command line; nil if none was.
  package var environment: String?
  /// Indicates whether nothing is sent.
  package var isDryRun = false

  package init() {}
}

/// The whole run in numbers.
package struct RunSummary: Sendable {
  package var origin = RunOrigin()
  package var counts = OutcomeCounts()
  package var files = 0
  package var unreadableFiles = 0
  package var brokenFiles: [BrokenFile] = []
  /// Nil if nothing ran.
  package var start: Timestamp?
  package var duration = Duration.zero
  package var interruptedBy: Int32?
  /// The time limit of the run, if it was exceeded.
  package var exceededTime: Duration?
  package var contracts: [ContractCoverage] = []
  /// `--min-coverage`, in percent of all operations.
  package var minCoverage: Int?
  /// The snapshots that no request uses, by their files.
  package var unusedSnapshots: [String] = []
  /// Indicates whether these were removed.
  package var prunesSnapshots = false
  /// The problems with files and options, in lists of those that were reported together.
  package var diagnostics: [[Diagnostic]] = []
  /// The reasons why `--fail-on` fails the run.
  package var forbidden: [String] = []
  /// The exit code of the run, unless a report can't be written.
  package var exitCode: Int32 = 0

  package init() {}

  /// The warnings about files and options.
  package var warnings: [Diagnostic] { diagnostics.joined().filter { $0.severity == .warning } }

  /// Indicates whether there were requests, and none of them ran.
  package var skippedAll: Bool { !origin.isDryRun && counts.requests > 0 && counts.skipped == counts.requests }
}

extension Diagnostic {
  /// The message behind its place: `a.yaml:3: message`.
  var placedMessage: String {
    (range.map { "\(concealingSecrets(in: $0.source.name)):\($0.line): " } ?? "") + message
  }
}

/// A file that did not run, since it has errors.
package struct BrokenFile: Sendable {
  package var path: String
  package var errors: [Diagnostic]

  package init(path: String, errors: [Diagnostic]) {
    self.path = path
    self.errors = errors
  }
}

/// The reason why a report could not be written.
package struct ReportProblem: Error, Sendable {
  package let message: String

  /// - Parameter kind: the kind of report, such as `JUnit`.
  init(_ problem: SystemProblem, _ kind: String, _ path: String) {
    message = "the \(kind) report \(path) cannot be written: \(problem.reason)"
  }
}

/// Sends each event to several sinks.
package struct SinkGroup: FileEventSink {
  private let sinks: [any FileEventSink]

  package init(_ sinks: [any FileEventSink]) {
    self.sinks = sinks
  }

  package func receive(_ event: FileEvent) {
    for sink in sinks { sink.receive(event) }
  }
}
