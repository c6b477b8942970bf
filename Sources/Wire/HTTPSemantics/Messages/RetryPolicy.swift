import Values

/// A policy for sending failed exchanges again: which ones, how often, and after what delay.
package struct RetryPolicy: Sendable, Hashable {
  /// The growth of the delay from one attempt to the next.
  package enum Backoff: String, Sendable, Hashable, CaseIterable {
    case none, linear, exponential
  }

  /// The maximum number of attempts; with 1 or less the first one is never repeated.
  package var attempts: Int
  /// The methods of requests that may be sent again; nil for all.
  package var methods: Set<HTTPMethod>?
  package var statuses: Set<Int>
  package var failures: Set<TransportError.Kind>
  /// The delay before the second attempt.
  package var interval: Duration
  package var backoff: Backoff
  package var maximumInterval: Duration
  /// Indicates whether each delay is random, from half of it to all of it, so that clients don't retry simultaneously.
  package var isJittered: Bool
  /// The maximum delay that a server may request with `Retry-After`; nil ignores the header.
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

  /// - Parameter requested: the delay that the server requests.
  package func retries(status: Int, requested: Duration? = nil) -> Bool {
    statuses.contains(status) && !exceedsMaximum(requested)
  }

  /// Returns whether a server requests a longer delay than the maximum.
  package func exceedsMaximum(_ requested: Duration?) -> Bool {
    if let requested, let maximumRequestedDelay { requested > maximumRequestedDelay } else { false }
  }

  /// The delay before the next attempt; nil if there is none.
  ///
  /// - Parameters:
  ///   - attempts: the number of attempts so far.
  ///   - requested: the delay that the server requests, which replaces the policy's own.
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
  /// Failures to connect, and of a connection before the response is complete.
  package static let connection: Self = [
    .dns, .connection, .tls, .reset, .truncated, .invalidResponse, .workerEnded,
  ]
  package static let timeouts: Self = [.timeout(.connect), .timeout(.request), .timeout(.resource)]
  /// Failures of a connection that another attempt may not have.
  package static let transient: Self = [
    .dns, .connection, .reset, .truncated, .workerEnded, .timeout(.connect), .timeout(.request),
  ]
}
