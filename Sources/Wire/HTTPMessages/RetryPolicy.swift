import Values

/// Which failed exchanges are sent again, how often, and after what delay.
package struct RetryPolicy: Sendable, Hashable {
  /// How the delay grows from one attempt to the next.
  package enum Backoff: Sendable, Hashable {
    case none, linear, exponential
  }

  /// How many attempts there are in all; 1 and less never repeat the first one.
  package var attempts: Int
  /// The methods of requests that may be sent again; nil for all.
  package var methods: Set<HTTPMethod>?
  package var statuses: Set<Int>
  package var failures: Set<TransportError.Kind>
  /// The delay before the second attempt.
  package var interval: Duration
  package var backoff: Backoff
  package var maximumInterval: Duration
  /// Draws each delay between half of it and all of it, so that many clients do not come back at the same moment.
  package var isJittered: Bool
  /// The longest delay that a server may ask for by `Retry-After`; nil ignores what it asks for.
  package var maximumRequestedDelay: Duration?

  package init(
    attempts: Int, methods: Set<HTTPMethod>? = nil, statuses: Set<Int> = [], failures: Set<TransportError.Kind> = [],
    interval: Duration = .zero, backoff: Backoff = .none, maximumInterval: Duration = .seconds(60),
    isJittered: Bool = false, maximumRequestedDelay: Duration? = nil
  ) {
    self.attempts = attempts
    self.methods = methods
    self.statuses = statuses
    self.failures = failures
    self.interval = interval
    self.backoff = backoff
    self.maximumInterval = maximumInterval
    self.isJittered = isJittered
    self.maximumRequestedDelay = maximumRequestedDelay
  }

  package func retries(_ method: HTTPMethod) -> Bool { methods?.contains(method) ?? true }

  package func retries(_ error: TransportError) -> Bool { failures.contains(error.kind) }

  /// - Parameter requested: the delay that the server asks for.
  package func retries(status: Int, requested: Duration? = nil) -> Bool {
    statuses.contains(status) && !exceedsMaximum(requested)
  }

  /// Whether a server asks for a longer delay than any that is waited for.
  package func exceedsMaximum(_ requested: Duration?) -> Bool {
    if let requested, let maximumRequestedDelay { requested > maximumRequestedDelay } else { false }
  }

  /// The delay before the next attempt; nil if there is none.
  ///
  /// - Parameters:
  ///   - attempts: how many there have been.
  ///   - requested: the delay that the server asks for, which takes the place of the policy's own.
  package func delay(after attempts: Int, requested: Duration? = nil) -> Duration? {
    var generator = SystemRandomNumberGenerator()
    return delay(after: attempts, requested: requested, using: &generator)
  }

  package func delay(
    after attempts: Int, requested: Duration? = nil, using generator: inout some RandomNumberGenerator
  ) -> Duration? {
    guard attempts < self.attempts else { return nil }
    if let requested, maximumRequestedDelay != nil {
      return exceedsMaximum(requested) ? nil : max(.zero, requested)
    }
    let retries = max(1, attempts) - 1
    let factor =
      switch backoff {
      case .none: 1
      case .linear: retries.addingClamped(1)
      case .exponential: 1 << min(retries, 62)
      }
    let delay = max(.zero, interval > maximumInterval / factor ? maximumInterval : interval * factor)
    return isJittered ? delay / 2 + delay / 2 * Double.random(in: 0...1, using: &generator) : delay
  }
}

extension Set<TransportError.Kind> {
  /// Failures of a connection that another one may not meet.
  package static let transient: Self = [
    .dns, .connection, .reset, .truncated, .workerEnded, .timeout(.connect), .timeout(.request),
  ]
}
