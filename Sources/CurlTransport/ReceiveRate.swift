/// A token bucket for the bytes of one answer: bursts are up to a quarter of a second's worth.
///
/// libcurl's own limit looks at the rate too seldom for short answers.
struct ReceiveRate {
  private let bytesPerSecond: Double
  private let burst: Double
  private var tokens: Double
  private var counted: Int64 = 0
  private var refilled: ContinuousClock.Instant

  init(bytesPerSecond: Int64, startingAt now: ContinuousClock.Instant) {
    self.bytesPerSecond = max(1, Double(bytesPerSecond))
    burst = self.bytesPerSecond / 4
    tokens = burst
    refilled = now
  }

  /// Until when nothing more may be taken; nil where it may be now.
  ///
  /// - Parameter received: how many bytes have come so far.
  mutating func pauseEnd(received: Int64, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    tokens = min(burst, tokens + (now - refilled) / .seconds(1) * bytesPerSecond) - Double(received - counted)
    (refilled, counted) = (now, received)
    // What rounding leaves is not worth a pause.
    guard tokens < -0.001 else { return nil }
    return now + .seconds(-tokens / bytesPerSecond)
  }
}
