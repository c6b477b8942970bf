/// A token bucket for the bytes of one response: bursts last up to a quarter of a second.
///
/// libcurl's own limit checks the rate too seldom for short responses.
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

  /// The time until which nothing more may be received; nil if it may be now.
  ///
  /// - Parameter received: the number of bytes received so far.
  mutating func pauseEnd(received: Int64, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    tokens = min(burst, tokens + (now - refilled) / .seconds(1) * bytesPerSecond) - Double(received - counted)
    (refilled, counted) = (now, received)
    // Rounding errors aren't worth a pause.
    guard tokens < -0.001 else { return nil }
    return now + .seconds(-tokens / bytesPerSecond)
  }
}
