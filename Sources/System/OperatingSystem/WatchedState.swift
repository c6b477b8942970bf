import LibC

/// State behind a lock, with waiting for changes.
///
/// `@unchecked`: all access to the state is under the lock.
package final class WatchedState<State: Sendable>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var state: State

  package init(_ state: State) {
    lock = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    self.state = state
    pthread_mutex_init(lock, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    pthread_cond_destroy(changed)
    lock.deallocate()
    changed.deallocate()
  }

  /// Reads or changes the state, and wakes up waiting threads.
  package func update<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(lock)
    }
    return body(&state)
  }

  /// Waits until the body returns a result.
  package func wait<Result>(for body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(lock)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(lock)
    }
    while true {
      if let result = body(&state) { return result }
      pthread_cond_wait(changed, lock)
    }
  }
}
