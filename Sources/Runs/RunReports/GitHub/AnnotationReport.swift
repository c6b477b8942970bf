import SpecExecution
import Values

/// Annotations of GitHub Actions, which mark lines of files in the page of a run and in pull requests.
package final class AnnotationReport: Reporter {
  private struct Detail: Sendable {
    /// The place of the cause; nil for the request itself.
    var place: WorkflowCommand.Place?
    var text: String
    /// The title without a request.
    var title = "reqrun"
  }

  /// The number of each kind that GitHub shows for a step.
  private static let limit = 10
  private static let lineLimit = 10

  private let workspace: Workspace
  private let output: @Sendable ([UInt8]) -> Void
  private let errors: ProblemDigest<Detail>
  private let warnings: ProblemDigest<Detail>

  /// - Parameters:
  ///   - workspace: the directory of the repository; nil leaves paths as they are.
  ///   - output: takes the commands at the end of the run.
  package init(workspace: String?, output: @escaping @Sendable ([UInt8]) -> Void) {
    self.workspace = Workspace(workspace)
    self.output = output
    errors = ProblemDigest(ofFailures: Self.limit) { Self.detail($0.failures, of: $0) }
    warnings = ProblemDigest(
      limit: Self.limit, message: { $0.warnings.first?.message }, detail: { Self.detail($0.warnings, of: $0) })
  }

  package func receive(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics {
      let digest = diagnostic.severity == .error ? errors : warnings
      let place = diagnostic.range.map { WorkflowCommand.Place($0) }
      digest.add(
        diagnostic.message, alikeIn: diagnostic.message, in: place?.path ?? "", line: place?.line, isFirst: true,
        detail: Detail(
          place: place, text: Self.text(of: diagnostic),
          title: diagnostic.code.map { "reqrun \($0.rawValue)" } ?? "reqrun"))
    }
  }

  package func sink(at position: Int) -> (any FileEventSink)? { SinkGroup([errors.sink(), warnings.sink()]) }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    let text = commands
    if !text.isEmpty { output(Array(text.utf8)) }
  }

  /// The commands, a line each; empty if nothing is wrong.
  package var commands: String { commands(.error, errors) + commands(.warning, warnings) }

  private func commands(_ kind: WorkflowCommand.Kind, _ digest: ProblemDigest<Detail>) -> String {
    let (entries, rest) = digest.entries()
    var text = entries.map { command(kind, $0).line }.joined()
    if rest > 0 {
      let message = "\(counted(rest, "more \(kind.rawValue)")) of requests: the log and the job summary have more"
      text += WorkflowCommand(.notice, title: "reqrun", message: message).line
    }
    return text
  }

  private func command(_ kind: WorkflowCommand.Kind, _ entry: ProblemDigest<Detail>.Entry) -> WorkflowCommand {
    let problem = entry.problem
    var text = problem.detail.text
    if let others = entry.others({ $0 }) { text += "\n… \(others)" }
    let request = WorkflowCommand.Place(path: problem.path, line: problem.line)
    guard !problem.path.isEmpty else { return WorkflowCommand(kind, title: problem.detail.title, message: text) }
    let place = problem.detail.place.flatMap(workspace.place) ?? workspace.place(request)
    if place == nil { text = "\(problem.place): \(text)" }
    return WorkflowCommand(kind, at: place, title: problem.name ?? problem.detail.title, message: text)
  }

  private static func detail(_ assertions: [AssertionReport], of report: StepReport) -> Detail {
    let range = report.outcome.isFailure ? report.problem?.range : nil
    var lines = report.outcome.isFailure ? report.problem.map { [text(of: $0)] } ?? [] : []
    lines += assertions.prefix(lineLimit).map { $0.message + ($0.mismatch.hint.map { "\nhint: \($0)" } ?? "") }
    if assertions.count > lineLimit { lines.append("… and \(assertions.count - lineLimit) more") }
    return Detail(
      place: (range ?? assertions.first?.range).map { WorkflowCommand.Place($0) },
      text: lines.isEmpty ? "failed" : lines.joined(separator: "\n"))
  }

  private static func text(of diagnostic: Diagnostic) -> String {
    diagnostic.message + (diagnostic.help.map { "\nhelp: \($0)" } ?? "")
  }
}
