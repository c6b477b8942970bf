/// The two time limits that any transport can enforce: for the whole exchange, and for the gap between packets.
package struct ExchangeClock: Sendable {
  package struct Deadline: Sendable {
    package let instant: ContinuousClock.Instant
    fileprivate let clock: TransportError.Clock
    fileprivate let limit: Duration

    /// Computed, since it is hardly ever needed.
    package var error: TransportError { .timeout(clock, after: limit) }
  }

  private let total: Duration?
  private let idle: Duration?
  private let began: ContinuousClock.Instant
  private var lastActivity: ContinuousClock.Instant

  package init(_ limits: ExchangeLimits, startingAt now: ContinuousClock.Instant = .now) {
    total = limits.total
    idle = limits.idle
    began = now
    lastActivity = now
  }

  package mutating func noteActivity() {
    if idle != nil { lastActivity = .now }
  }

  /// Restarts the gap at that instant, which may be in the future.
  package mutating func noteActivity(at instant: ContinuousClock.Instant) { lastActivity = instant }

  package var elapsed: Duration { ContinuousClock.now - began }

  /// The earlier of both deadlines; nil if there is none.
  package var nearestDeadline: Deadline? {
    let total = total.map { Deadline(instant: began + $0, clock: .resource, limit: $0) }
    let idle = idle.map { Deadline(instant: lastActivity + $0, clock: .request, limit: $0) }
    guard let total, let idle else { return total ?? idle }
    return total.instant <= idle.instant ? total : idle
  }
}
