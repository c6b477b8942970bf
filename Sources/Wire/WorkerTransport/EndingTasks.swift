import HTTPSemantics

/// Exchanges that are over here, while the worker may still be receiving their responses.
struct EndingTasks {
  private struct Entry {
    let since: ContinuousClock.Instant
    /// Indicates whether the worker has reported that the task outlives the exchange.
    var isConfirmed = false
    /// The timeout that ends the exchange, unless the worker is too busy to end its task.
    var timeout: TransportError?
  }

  /// The time within which a task usually ends: a longer one is in the middle of a response that libcurl goes on
  /// decoding.
  private static let patience = Duration.milliseconds(250)

  private var entries: [UInt32: Entry] = [:]

  var isEmpty: Bool { entries.isEmpty }
  var ids: Set<UInt32> { Set(entries.keys) }

  mutating func begin(_ id: UInt32) { entries[id] = entries[id] ?? Entry(since: .now) }

  /// Notes that the worker's task goes on.
  mutating func confirm(_ id: UInt32) {
    begin(id)
    entries[id]?.isConfirmed = true
  }

  /// Keeps the timeout of an exchange whose task goes on; false if it has ended.
  mutating func keep(_ timeout: TransportError, of id: UInt32) -> Bool {
    guard entries[id]?.isConfirmed == true else { return false }
    entries[id]?.timeout = timeout
    return true
  }

  /// Notes that the exchange has ended in the worker, or its task too.
  ///
  /// - Returns: the timeout that was kept.
  mutating func end(_ id: UInt32, isTaskOver: Bool) -> TransportError? {
    guard let entry = entries[id], isTaskOver || !entry.isConfirmed else { return nil }
    entries[id] = nil
    return entry.timeout
  }

  func isOverdue(_ now: ContinuousClock.Instant) -> Bool {
    entries.values.contains { now - $0.since >= Self.patience }
  }
}
