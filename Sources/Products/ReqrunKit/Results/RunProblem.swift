/// A reason why not everything that was selected ran and passed.
public struct RunProblem: Sendable, Hashable, CustomStringConvertible {
  /// The problem in one sentence, after the name of its request.
  public let message: String
  /// The place; nil if no file is the cause.
  public let location: SpecLocation?

  /// The problem in one line, with its place.
  public var description: String { "\(location.map { "\($0): " } ?? "")\(message)" }
}

extension RunResult {
  /// All reasons for which the run is not a success: errors in files and options, failed assertions, requests without a
  /// response, and what ended the run early or left nothing to run. Empty if ``isSuccess`` is true.
  public var problems: [RunProblem] {
    if isSuccess { return [] }
    var problems = diagnostics.filter { $0.severity == .error }.map {
      RunProblem(message: $0.message + ($0.fix.map { "; \($0)" } ?? ""), location: $0.location)
    }
    for request in requests where request.isFailure {
      let ownPlace = SpecLocation(path: request.path, line: request.line, column: 1)
      if let problem = request.problem {
        problems.append(
          RunProblem(message: "\(request.name): \(problem.message)", location: problem.location ?? ownPlace))
      }
      problems += request.failures.map {
        RunProblem(message: "\(request.name): \($0.message)", location: $0.location ?? ownPlace)
      }
    }
    var ends: [(isSo: Bool, message: String)] = [
      (signal != nil, "the run was interrupted"), (isCancelled, "the run was cancelled"),
      (exceededTime, "the run exceeded its time limit"),
      (coverageIsTooLow, "fewer operations of contracts were covered than required"),
      (selectedNothing, "no request was selected"), (skippedAll, "every request was skipped"),
    ]
    ends += FailOn.allCases.map { (forbiddenOutcomes.contains($0), $0.reason) }
    problems += ends.filter(\.isSo).map { RunProblem(message: $0.message, location: nil) }
    // Without the requests, their number is all that is known.
    return problems.isEmpty
      ? [RunProblem(message: "the run failed with exit code \(exitCode)", location: nil)] : problems
  }
}
