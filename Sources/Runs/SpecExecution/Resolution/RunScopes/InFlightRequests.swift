import Synchronization

/// The exchanges and polls of a run in progress, the oldest first.
package final class InFlightRequests: Sendable {
  package struct Entry: Sendable {
    /// The request's name, without secrets.
    package fileprivate(set) var name: String
    package let start: ContinuousClock.Instant
    /// The round of a poll, counted from 1; nil for an exchange.
    package fileprivate(set) var round: Int?
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

  /// Notes that a round of a poll begins.
  package func begin(round: Int, of number: Int, _ name: String) {
    state.withLock { state in
      state.entries[number]?.name = name
      state.entries[number]?.round = round
    }
  }

  package func end(_ number: Int) {
    state.withLock { _ = $0.entries.removeValue(forKey: number) }
  }
}
