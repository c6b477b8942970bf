/// A reason why not everything that was selected ran and passed.
public struct RunProblem: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The problem in one sentence, after the name of its request.
  public let message: String
  /// The place; nil if no file is the cause.
  public let location: SpecLocation?

  /// Creates a problem.
  public init(_ message: String, at location: SpecLocation? = nil) {
    (self.message, self.location) = (message, location)
  }

  /// The problem in one line, with its place.
  public var description: String { "\(location.map { "\($0): " } ?? "")\(message)" }
}

extension RunResult {
  /// All reasons for which the run is not a success: errors in files and options, failed assertions, requests without a
  /// response, and what ended the run early or left nothing to run. Empty if ``isSuccess`` is true.
  public var problems: [RunProblem] {
    if isSuccess { return [] }
    var problems = diagnostics.filter { $0.severity == .error || forbiddenOutcomes.contains(.warnings) }.map {
      RunProblem($0.message + ($0.fix.map { "; \($0)" } ?? ""), at: $0.location)
    }
    for request in requests {
      let ownPlace = SpecLocation(path: request.path, line: request.line)
      func add(_ message: String, at place: SpecLocation?) {
        problems.append(RunProblem("\(request.name): \(message)", at: place ?? ownPlace))
      }
      if request.isFailure, let problem = request.problem { add(problem.message, at: problem.location) }
      for failure in request.failures { add(failure.message, at: failure.location) }
      if forbiddenOutcomes.contains(.warnings) {
        for warning in request.warnings { add(warning.message, at: warning.location) }
      }
      if case .skipped(let reason) = request.outcome, skippedAll || forbiddenOutcomes.contains(.skipped) {
        add("skipped: \(reason)", at: nil)
      }
    }
    var ends: [(isSo: Bool, message: String)] = [
      (signal != nil, "the run was interrupted"), (isCancelled, "the run was cancelled"),
      (exceededTime, "the run exceeded its time limit"),
      (coverageIsTooLow, "fewer operations of contracts were covered than required"),
      (selectedNothing, "no request was selected"), (skippedAll, "every request was skipped"),
    ]
    ends += FailOn.allCases.map { (forbiddenOutcomes.contains($0), $0.reason) }
    problems += ends.filter(\.isSo).map { RunProblem($0.message) }
    // Without the requests, their number is all that is known.
    return problems.isEmpty ? [RunProblem("the run failed with exit code \(exitCode)")] : problems
  }
}
