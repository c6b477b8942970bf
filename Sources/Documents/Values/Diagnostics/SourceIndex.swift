import Synchronization

/// Finds living sources by their numbers.
enum SourceIndex {
  private struct Entry {
    weak var source: SourceText?
  }

  private static let last = Atomic<UInt32>(0)
  private static let entries = Mutex<[UInt32: Entry]>([:])

  /// A number that no living source has.
  static func reserve() -> UInt32 {
    while true {
      let id = last.add(1, ordering: .relaxed).newValue
      // After four billion sources the numbers start again.
      if id != 0, entries.withLock({ $0[id] == nil }) { return id }
    }
  }

  static func register(_ source: SourceText) {
    entries.withLock { $0[source.id] = Entry(source: source) }
  }

  static func remove(_ id: UInt32) {
    guard id != 0 else { return }
    _ = entries.withLock { $0.removeValue(forKey: id) }
  }

  static func source(_ id: UInt32) -> SourceText? {
    id == 0 ? nil : entries.withLock { $0[id]?.source }
  }

  /// The number of living sources.
  static var count: Int { entries.withLock { $0.count } }
}
