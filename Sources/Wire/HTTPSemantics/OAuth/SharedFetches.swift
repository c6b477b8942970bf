import Synchronization

/// Fetches values that many tasks need, each once: others wait for the fetch in progress.
package final class SharedFetches<Key: Sendable & Hashable, Value: Sendable>: Sendable {
  /// The end of a fetch.
  package enum Outcome: Sendable {
    /// A value for all who need it from now on.
    case kept(Value)
    /// A value for those who are waiting now.
    case passing(Value)
    /// The task was cancelled: another one fetches.
    case cancelled
  }

  private enum Admission {
    case known(Value)
    case fetch(last: Value?)
    case wait
  }

  private struct State {
    var known: [Key: Value] = [:]
    var running: Set<Key> = []
    var waiters: [Int: (key: Key, continuation: CheckedContinuation<Value?, Never>)] = [:]
    var nextWaiter = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Returns the value of a key, and whether this task fetched it; nil if the task is cancelled.
  ///
  /// - Parameters:
  ///   - isUsable: whether a known value can still be used.
  ///   - fetch: fetches the value, after the last known one.
  package func value(
    of key: Key, where isUsable: @Sendable (Value) -> Bool, fetch: @Sendable (_ last: Value?) async -> Outcome
  ) async -> (value: Value, isFetchedHere: Bool)? {
    while !Task.isCancelled {
      let admission: Admission = state.withLock { state in
        if state.running.contains(key) { return .wait }
        let last = state.known[key]
        if let last, isUsable(last) { return .known(last) }
        state.running.insert(key)
        return .fetch(last: last)
      }
      switch admission {
      case .known(let value): return (value, false)
      case .wait: if let value = await wait(for: key) { return (value, false) }
      case .fetch(let last):
        let outcome = await fetch(last)
        finish(key, outcome)
        switch outcome {
        case .kept(let value), .passing(let value): return (value, true)
        case .cancelled: return nil
        }
      }
    }
    return nil
  }

  private func finish(_ key: Key, _ outcome: Outcome) {
    let (waiters, value) = state.withLock { state in
      state.running.remove(key)
      var value: Value?
      switch outcome {
      case .kept(let kept):
        state.known[key] = kept
        value = kept
      case .passing(let passing): value = passing
      case .cancelled: break
      }
      let waiters = state.waiters.filter { $0.value.key == key }
      for number in waiters.keys { state.waiters[number] = nil }
      return (waiters.values.map(\.continuation), value)
    }
    for waiter in waiters { waiter.resume(returning: value) }
  }

  /// Waits for the fetch in progress; nil if it ended without a value, or the task is cancelled.
  private func wait(for key: Key) async -> Value? {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard state.running.contains(key), !Task.isCancelled else { return true }
          state.waiters[number] = (key, continuation)
          return false
        }
        if isOver { continuation.resume(returning: nil) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(returning: nil)
    }
  }
}
