import OperatingSystem
import SpecExecution
import Values

/// A summary of the run in Markdown: for comments of pull requests, and for the job summary of GitHub Actions.
package final class MarkdownReport: Reporter {
  private enum Destination: Sendable {
    case file(ReportFile)
    /// The file of a job summary, to which each step appends; and the receiver of problems.
    case jobSummary(String, @Sendable ([UInt8]) -> Void)
  }

  /// GitHub shows no larger summary of a step.
  private static let summaryLimit: Int64 = 1 << 20

  private let destination: Destination
  private let failures = ProblemDigest(ofFailures: MarkdownText.failureLimit) { MarkdownText.details(of: $0) }
  private let slowest = SlowestRequests(limit: MarkdownText.slowestLimit)

  package init(path: String) {
    destination = .file(ReportFile(path: path, kind: "Markdown"))
  }

  /// Creates the job summary of GitHub Actions. It fails no run: a problem is only an annotation.
  package init(jobSummary path: String, output: @escaping @Sendable ([UInt8]) -> Void) {
    destination = .jobSummary(path, output)
  }

  package func prepare() throws(ReportProblem) {
    if case .file(let file) = destination { try file.prepare() }
  }

  package func sink(at position: Int) -> (any FileEventSink)? { SinkGroup([failures.sink(), slowest.sink()]) }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    failures.add(summary.brokenFiles) { MarkdownText.details(of: $0) }
    let text = Array(MarkdownText(summary: summary, failures: failures, slowest: slowest).text.utf8)
    switch destination {
    case .file(let file): try file.replace { $0.write(text) }
    case .jobSummary(let path, let output):
      do throws(SystemProblem) {
        try append(text, to: path, limit: Self.summaryLimit)
      } catch {
        let command = WorkflowCommand(
          .warning, title: "reqrun", message: "the job summary \(path) cannot be written: \(error.reason)")
        output(Array(command.line.utf8))
      }
    }
  }
}
