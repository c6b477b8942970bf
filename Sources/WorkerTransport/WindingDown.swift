/// Exchanges that are over here, while the worker may still be at work on their answers.
struct WindingDown {
  private struct Entry {
    let since: ContinuousClock.Instant
    /// Whether the worker has said that the task goes on behind the exchange's end.
    var isConfirmed = false
  }

  /// How long a task may take to end: one that takes longer is in the middle of an answer that libcurl goes on decoding.
  private static let patience = Duration.milliseconds(250)

  private var entries: [UInt32: Entry] = [:]

  var isEmpty: Bool { entries.isEmpty }

  mutating func begin(_ id: UInt32) { entries[id] = entries[id] ?? Entry(since: .now) }

  /// The worker says that the task goes on.
  mutating func confirm(_ id: UInt32) {
    begin(id)
    entries[id]?.isConfirmed = true
  }

  /// The exchange has ended in the worker, or its task too.
  mutating func end(_ id: UInt32, isTaskOver: Bool) {
    guard let entry = entries[id], isTaskOver || !entry.isConfirmed else { return }
    entries[id] = nil
  }

  func isOverdue(_ now: ContinuousClock.Instant) -> Bool {
    entries.values.contains { now - $0.since >= Self.patience }
  }
}
