import HTTPSemantics
import Matching
import SpecExecution
import Values

/// Lines of the Test Anything Protocol.
package enum TAPText {
  static func name(of file: FileStart) -> String {
    file.path + (file.variant.map { " (\($0))" } ?? "") + (file.iteration > 1 ? " (run \(file.iteration))" : "")
  }

  /// - Parameter path: the path of the file that runs.
  package static func point(of report: StepReport, number: Int, in path: String) -> String {
    let word = report.outcome.isFailure ? "not ok" : "ok"
    let line = "\(word) \(number) - \(escaped(report.name))"
    switch report.outcome {
    case .skipped(let reason): return "\(line) # SKIP \(escaped(reason))\n"
    case .notSent: return "\(line) # SKIP --dry-run\n"
    case .passed, .failed, .transportError, .specError:
      return "\(line)\n\(diagnostics(of: report, path))"
    }
  }

  static func point(ofSubtest name: String, number: Int, isGood: Bool, _ duration: Duration) -> String {
    "\(isGood ? "ok" : "not ok") \(number) - \(escaped(name))\n"
      + block(["duration_ms: \(millisecondsText(duration))"])
  }

  /// The point of a file that did not run.
  static func point(of file: BrokenFile, number: Int) -> String {
    var lines = ["message: \(quoted(file.errors.first?.message ?? "it has errors"))", "severity: fail"]
    lines += place("at", file.errors.first?.range, or: (file.path, 1))
    if file.errors.count > 1 {
      lines.append("failures:")
      for error in file.errors {
        lines += item(["message: \(quoted(error.message))"] + place("at", error.range, or: nil))
      }
    }
    return "not ok \(number) - \(escaped(file.path))\n\(block(lines))"
  }

  /// The plan, and the end of a run that was not completed.
  static func end(_ summary: RunSummary, points: Int) -> String {
    let warnings = summary.warnings.map { "# warning: \(sanitizedForTerminal($0.placedMessage))\n" }.joined()
    let plan = warnings + (points == 0 ? "1..0 # SKIP nothing ran\n" : "1..\(points)\n")
    if let limit = summary.exceededTime {
      return plan + "Bail out! the run was ended after \(roundedDurationText(limit)) (--max-time)\n"
    }
    return plan + (summary.interruptedBy.map { "Bail out! the run was interrupted by signal \($0)\n" } ?? "")
  }

  // MARK: Diagnostics

  private static func diagnostics(of report: StepReport, _ path: String) -> String {
    var lines: [String] = []
    if report.outcome.isFailure {
      lines = ["message: \(quoted(report.message ?? "failed"))", "severity: fail"]
      let first = report.failures.first
      lines += place("at", report.problem?.range ?? first?.range, or: (report.path ?? path, report.line))
      if report.problem == nil, let first {
        lines += ["expected: \(quoted(first.mismatch.expected))", "actual: \(quoted(first.mismatch.actual))"]
      }
      lines.append("duration_ms: \(millisecondsText(report.duration))")
      if let status = report.status { lines.append("status: \(status)") }
    }
    if report.failures.count > 1 {
      lines.append("failures:")
      for failure in report.failures { lines += item(self.lines(of: failure)) }
    }
    if !report.warnings.isEmpty {
      lines.append("warnings:")
      for warning in report.warnings { lines += item(self.lines(of: warning)) }
    }
    if !report.skippedAssertions.isEmpty {
      lines.append("skipped:")
      for group in report.skippedAssertions { lines += item([quoted(group.message)]) }
    }
    let attempts = AttemptText(report).lines
    if !attempts.isEmpty {
      lines.append("attempts:")
      for attempt in attempts { lines += item([quoted(attempt)]) }
    }
    if let help = report.problem?.help { lines.append("help: \(quoted(help))") }
    if report.outcome.isFailure, let command = report.curlCommand { lines.append("curl: \(quoted(command))") }
    return lines.isEmpty ? "" : block(lines)
  }

  private static func lines(of failure: AssertionReport) -> [String] {
    var lines = ["message: \(quoted(failure.message))"]
    if !failure.mismatch.predicate.isEmpty { lines.append("predicate: \(quoted(failure.mismatch.predicate))") }
    lines += ["expected: \(quoted(failure.mismatch.expected))", "actual: \(quoted(failure.mismatch.actual))"]
    return lines + place("at", failure.range, or: nil)
  }

  private static func place(_ key: String, _ range: SourceRange?, or other: (path: String, line: Int)?) -> [String] {
    if let range {
      let start = range.start
      let file = concealingSecrets(in: range.source.name)
      return ["\(key):", "  file: \(quoted(file))", "  line: \(start.line)", "  column: \(start.column)"]
    }
    return other.map { ["\(key):", "  file: \(quoted($0.path))", "  line: \($0.line)"] } ?? []
  }

  // MARK: YAML

  private static func block(_ lines: [String]) -> String {
    indented((["---"] + lines + ["..."]).joined(separator: "\n") + "\n", by: 2)
  }

  /// An item of a list.
  private static func item(_ lines: [String]) -> [String] {
    lines.enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
  }

  /// A description or a reason: in it, `#` would begin a directive.
  package static func escaped(_ text: String) -> String {
    sanitizedForTerminal(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }

  static func indented(_ lines: String, by columns: Int) -> String {
    guard columns > 0 else { return lines }
    let indentation = String(repeating: " ", count: columns)
    return lines.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : indentation + $0 }.joined(separator: "\n")
  }
}
