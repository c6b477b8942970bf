/// The rate of a transfer: a mean of the last seconds, in which the latest count most.
struct TransferRate {
  /// The time in seconds after which measurements hardly count.
  private static let memory = 3.0

  private(set) var bytesPerSecond: Double?
  /// The time of the last measurement, and its number of bytes.
  private var last: (time: ContinuousClock.Instant, count: Int64)?

  /// - Parameter count: the number of all bytes so far. The first call starts the measurement.
  mutating func note(_ count: Int64, at time: ContinuousClock.Instant) {
    guard let last else {
      self.last = (time, count)
      return
    }
    let seconds = (time - last.time) / .seconds(1)
    // Too short an interval to measure.
    guard seconds >= 0.05 else { return }
    self.last = (time, count)
    let latest = Double(count - last.count) / seconds
    // Approximately `1 - exp(-seconds / memory)`.
    let share = seconds / (seconds + TransferRate.memory)
    bytesPerSecond = bytesPerSecond.map { $0 + (latest - $0) * share } ?? latest
  }

  /// Adjusts the count by bytes that aren't part of the rate.
  mutating func rebase(to count: Int64) { last?.count = count }

  /// Subtracts counted bytes that did not arrive.
  mutating func withdraw(_ count: Int64) { last?.count -= count }

  func time(for bytes: Int64) -> Duration? {
    guard let bytesPerSecond, bytesPerSecond >= 1 else { return nil }
    // A time of more than ten years means forever.
    let seconds = Double(bytes) / bytesPerSecond
    return seconds < 315_360_000 ? .seconds(seconds.rounded(.up)) : nil
  }
}
