import HTTPSemantics
import Matching
import Values

/// `retry`: a request is sent again after a failed exchange.
extension RequestExecution {
  /// The reason for another attempt.
  private struct Cause {
    let reason: String
    let outcome: RequestOutcome
    /// The delay in the response's `Retry-After`.
    var requested: Duration?
  }

  /// Sends the request again as long as its policy asks for it.
  ///
  /// - Parameter attempt: the first attempt, then the last one.
  /// - Returns: false if the run ended during a pause.
  func sendAgain(
    _ resolved: ResolvedRequest, by policy: RetryPolicy, after attempt: inout Attempt, _ evaluation: ResponseEvaluation,
    _ report: inout StepReport
  ) async -> Bool {
    guard policy.retries(resolved.method) else { return true }
    var count = 1
    while let cause = cause(attempt, resolved, by: policy, evaluation, report),
      let delay = policy.delay(after: count, requested: cause.requested)
    {
      if case .success(let result) = attempt.outcome.result, context.needs.contains(.hops) {
        evaluation.registerSecrets(of: response(result, attempt, resolved))
      }
      end(attempt, resolved, cause.outcome, reason: cause.reason, &report)
      attempt.isReported = true
      if delay > .zero, await !context.control.pause(delay, in: request.stage) {
        guard context.control.phase > .running else { return true }
        report.status = attempt.status
        report.cutShort(context.control, at: request.range, help: "attempt \(count) ended with: \(cause.reason)")
        return false
      }
      attempt = await self.attempt(resolved, &report)
      count += 1
    }
    return true
  }

  /// Nil if the result stands.
  private func cause(
    _ attempt: Attempt, _ resolved: ResolvedRequest, by policy: RetryPolicy, _ evaluation: ResponseEvaluation,
    _ report: StepReport
  ) -> Cause? {
    switch attempt.outcome.result {
    case .success(let result):
      let requested = retryAfter(result.head)
      guard policy.retries(status: result.head.status, requested: requested), !expects(result.head.status)
      else { return nil }
      let pause = requested.map { $0 > .zero ? ", which asks to wait \(durationText($0))" : "" } ?? ""
      return Cause(reason: "status \(result.head.status)\(pause)", outcome: .failed, requested: requested)
    case .failure(let failure):
      guard policy.retries(failure.error) else { return nil }
      var failed = report
      evaluation.evaluate(failure, of: resolved, &failed)
      // `expect: {error: …}` may name it.
      guard failed.outcome == .transportError else { return nil }
      return Cause(reason: failed.message ?? failure.error.message, outcome: .transportError)
    }
  }

  /// Notes that a server asked for a longer pause than the policy allows.
  func noteLongPause(_ attempt: Attempt, by policy: RetryPolicy, _ report: inout StepReport) {
    guard case .success(let result) = attempt.outcome.result, policy.statuses.contains(result.head.status),
      let requested = retryAfter(result.head), policy.exceedsMaximum(requested),
      let limit = policy.maximumRequestedDelay
    else { return }
    report.addHint(
      "its `Retry-After` asks to wait \(durationText(requested)), longer than `retry` waits (max_interval: "
        + "\(durationText(limit)))")
  }
}
