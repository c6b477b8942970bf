import RequestSpecs
import Templates
import Values

/// The state of a poll after a round.
package enum PollState: Sendable, Hashable {
  case over
  /// The response isn't as it should be yet.
  case pending
}

/// Evaluates the conditions of a poll on a response that the other assertions were evaluated on.
struct PollEvaluation {
  let poll: PollSpec
  let response: Response
  let request: RequestStep
  let scope: FileScope
  /// Indicates whether the response passed validation.
  let isValid: Bool

  func evaluate(_ report: inout StepReport) -> PollState {
    if let failIf = poll.failIf {
      let evaluation = evaluation(of: failIf)
      if evaluation.problem == nil, evaluation.failures.isEmpty {
        report.failures = [
          AssertionReport(of: failIf, "a response that does not", "one that does", registry: scope.registry)
        ]
        report.assertionCount += 1
        report.problem = nil
        report.outcome = .failed
        return .over
      }
    }
    let state = stateByUntil(&report)
    if state == .over, let failIf = poll.failIf { report.warnings += evaluation(of: failIf).warnings(of: failIf) }
    return state
  }

  private func stateByUntil(_ report: inout StepReport) -> PollState {
    guard let until = poll.until else {
      return !report.failures.isEmpty || lacksCapture(report) ? .pending : .over
    }
    let evaluation = evaluation(of: until)
    report.assertionCount += evaluation.count
    if let problem = evaluation.problem, report.problem == nil { report.fail(problem, registry: scope.registry) }
    var unmet = evaluation.failures
    for index in unmet.indices { unmet[index].subject = "until \(unmet[index].subject)" }
    report.failures = (unmet + report.failures).folded
    if unmet.isEmpty { report.warnings += evaluation.responseWarnings.warnings }
    if report.outcome == .passed, !unmet.isEmpty { report.outcome = .failed }
    if let problem = evaluation.problem { return problem.unsetName == nil ? .over : .pending }
    return unmet.isEmpty && isValid ? .over : .pending
  }

  private func evaluation(of condition: ResponseCondition) -> AssertionEvaluation {
    AssertionEvaluation(of: condition, response: response, scope: scope, request: request)
  }

  /// Returns whether an assertion reads what a later response may have.
  private func lacksCapture(_ report: StepReport) -> Bool { report.outcome == .specError && report.unsetName != nil }
}

extension AssertionReport {
  /// Creates the failure of a poll whose `fail_if` was met.
  ///
  /// - Parameters:
  ///   - wanted: the words for what would not have met it.
  ///   - found: the words for what did.
  init(of condition: ResponseCondition, _ wanted: String, _ found: String, registry: SecretRegistry) {
    let labels = condition.assertions.map { registry.masked(message: $0.label) }
    self.init(
      subject: "fail_if", range: condition.range, expected: "\(wanted) meet all of it",
      actual: "\(found): \(labels.joined(separator: ", "))")
  }
}
