/// How fast bytes move: a mean of the last seconds, in which the latest count most.
struct TransferRate {
  /// What is longer ago than that hardly counts.
  private static let memory = 3.0

  private(set) var bytesPerSecond: Double?
  /// When it was measured last, and how many bytes there were.
  private var last: (time: ContinuousClock.Instant, count: Int64)?

  /// - Parameter count: of all bytes so far. The first is what measuring begins with.
  mutating func note(_ count: Int64, at time: ContinuousClock.Instant) {
    guard let last else {
      self.last = (time, count)
      return
    }
    let seconds = (time - last.time) / .seconds(1)
    // Too short to tell by.
    guard seconds >= 0.05 else { return }
    self.last = (time, count)
    let latest = Double(count - last.count) / seconds
    // The share that `1 - exp(-seconds / memory)` comes to, near enough.
    let share = seconds / (seconds + TransferRate.memory)
    bytesPerSecond = bytesPerSecond.map { $0 + (latest - $0) * share } ?? latest
  }

  /// Bytes that nobody moved now: no part of the rate.
  mutating func rebase(to count: Int64) { last?.count = count }

  /// Bytes that were counted and did not arrive.
  mutating func withdraw(_ count: Int64) { last?.count -= count }

  func time(for bytes: Int64) -> Duration? {
    guard let bytesPerSecond, bytesPerSecond >= 1 else { return nil }
    // What takes longer than ten years takes for ever.
    let seconds = Double(bytes) / bytesPerSecond
    return seconds < 315_360_000 ? .seconds(seconds.rounded(.up)) : nil
  }
}
