/// Exchanges that are over here, while the worker may still be receiving their responses.
struct EndingTasks {
  private struct Entry {
    let since: ContinuousClock.Instant
    /// Indicates whether the worker has reported that the task outlives the exchange.
    var isConfirmed = false
  }

  /// The time within which a task usually ends: a longer one is in the middle of a response that libcurl goes on
  /// decoding.
  private static let patience = Duration.milliseconds(250)

  private var entries: [UInt32: Entry] = [:]

  var isEmpty: Bool { entries.isEmpty }

  mutating func begin(_ id: UInt32) { entries[id] = entries[id] ?? Entry(since: .now) }

  /// Notes that the worker's task goes on.
  mutating func confirm(_ id: UInt32) {
    begin(id)
    entries[id]?.isConfirmed = true
  }

  /// Notes that the exchange has ended in the worker, or its task too.
  mutating func end(_ id: UInt32, isTaskOver: Bool) {
    guard let entry = entries[id], isTaskOver || !entry.isConfirmed else { return }
    entries[id] = nil
  }

  func isOverdue(_ now: ContinuousClock.Instant) -> Bool {
    entries.values.contains { now - $0.since >= Self.patience }
  }
}
