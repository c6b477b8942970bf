import OperatingSystem

/// Decides whether a waiting thread spins: a response that arrives soon is then handled sooner than by a sleeping
/// thread.
///
/// It spins for a short time at most, and only as long as the last wait ended within that time.
struct SpinPolicy: Sendable {
  private static let isWorthwhile = processorCount > 1

  private let longest: Duration
  private var isSpinning = SpinPolicy.isWorthwhile
  private var idleSince: ContinuousClock.Instant?

  init(longest: Duration) {
    self.longest = longest
  }

  /// Restarts the time, since something other than the awaited event has happened.
  mutating func beginAnew() { idleSince = nil }

  /// Notes that the awaited event has happened.
  mutating func noteArrival(_ now: ContinuousClock.Instant) {
    guard let since = idleSince else { return }
    isSpinning = Self.isWorthwhile && since.duration(to: now) < longest
    idleSince = nil
  }

  /// Returns whether to poll again immediately.
  mutating func staysAwake(_ now: ContinuousClock.Instant) -> Bool {
    let since = idleSince ?? now
    idleSince = since
    return isSpinning && since.duration(to: now) < longest
  }
}
