import HTTPSemantics
import RequestSpecs
import Templates

/// The limits of a poll.
package struct PollLimits: Sendable {
  /// The time from the first round to the end.
  package let timeout: Duration?
  /// The pauses between rounds, and the number of rounds.
  package let policy: RetryPolicy
}

extension PollSpec {
  /// - Parameter longest: the time that the command gives each request.
  package func limits(in scope: FileScope, atMost longest: Duration?) throws(TemplateError) -> PollLimits {
    let attempts = try self.attempts?.resolve(in: scope)
    let interval = try self.interval?.resolve(in: scope) ?? .milliseconds(500)
    let timeout = try self.timeout?.resolve(in: scope) ?? (attempts == nil ? .seconds(30) : nil)
    return PollLimits(
      timeout: longest.map { min($0, timeout ?? $0) } ?? timeout,
      policy: RetryPolicy(
        attempts: attempts ?? .max, interval: interval, backoff: try backoff?.resolve(in: scope) ?? .none,
        maximumInterval: max(interval, .seconds(60))))
  }
}
