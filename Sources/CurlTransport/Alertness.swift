import OperatingSystem

/// Whether a thread waits awake: what comes soon comes sooner than a thread falls asleep and wakes up again.
///
/// It does so for a short time at most, and as long as what it waited for last did come within it.
struct Alertness: Sendable {
  private static let isWorthwhile = processorCount > 1

  private let longest: Duration
  private var isAlert = Alertness.isWorthwhile
  private var idleSince: ContinuousClock.Instant?

  init(longest: Duration) {
    self.longest = longest
  }

  /// Something else has come up than what is waited for.
  mutating func beginAnew() { idleSince = nil }

  /// What was waited for has come.
  mutating func noteArrival(_ now: ContinuousClock.Instant) {
    guard let since = idleSince else { return }
    isAlert = Self.isWorthwhile && since.duration(to: now) < longest
    idleSince = nil
  }

  /// Whether to look again at once.
  mutating func staysAwake(_ now: ContinuousClock.Instant) -> Bool {
    let since = idleSince ?? now
    idleSince = since
    return isAlert && since.duration(to: now) < longest
  }
}
