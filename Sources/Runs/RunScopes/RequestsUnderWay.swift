import Synchronization

/// The exchanges of a run in progress, the oldest first.
package final class RequestsUnderWay: Sendable {
  package struct Entry: Sendable {
    /// The request's name, without secrets.
    package let name: String
    package let start: ContinuousClock.Instant
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var last = 0
  }

  private let state = Mutex(State())

  package init() {}

  package var all: [Entry] { state.withLock { $0.entries }.sorted { $0.key < $1.key }.map(\.value) }

  /// - Returns: the number for ``end(_:)``.
  package func begin(_ name: String) -> Int {
    let now = ContinuousClock.now
    return state.withLock { state in
      state.last += 1
      state.entries[state.last] = Entry(name: name, start: now)
      return state.last
    }
  }

  package func end(_ number: Int) {
    state.withLock { _ = $0.entries.removeValue(forKey: number) }
  }
}
