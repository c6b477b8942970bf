import HTTPSemantics
import Synchronization

/// Work that is done while the thread of a transport waits for a response: the next requests are resolved, and events
/// are passed on.
///
/// Only a file that has such a thread to itself has that time; otherwise nothing is done ahead.
package final class Lookahead: FileEventSink {
  private struct State {
    var events: [FileEvent] = []
    /// Memory for the next events.
    var spare: [FileEvent] = []
    /// The number of steps taken.
    var taken = 0
    /// The index of the first step that was not tried yet.
    var next = 0
    var resolved: [Int: ResolvedRequest] = [:]
  }

  /// The batch size: several at a time are faster than one by one, and few delay no response.
  private static let size = 2
  /// The number of events that wait at most: with rows side by side, the thread may never be idle.
  package static let maxEvents = 64
  private let steps: [RequestStep]
  private let executor: (any ExchangeExecutor)?
  private let sink: any FileEventSink
  private let resolve: @Sendable (RequestStep) -> ResolvedRequest?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - executor: the file's own thread; nil without one.
  ///   - resolve: returns nil for a request that can't be resolved before its turn.
  package init(
    _ steps: [RequestStep], on executor: (any ExchangeExecutor)?, reportingTo sink: any FileEventSink,
    _ resolve: @escaping @Sendable (RequestStep) -> ResolvedRequest?
  ) {
    self.steps = steps
    self.executor = executor
    self.sink = sink
    self.resolve = resolve
  }

  /// The request of a step at its turn, if it was resolved ahead.
  func take(_ index: Int) -> ResolvedRequest? {
    guard let executor else { return nil }
    let resolved = state.withLock { state in
      state.taken = index + 1
      return state.resolved.removeValue(forKey: index)
    }
    executor.whenIdle { self.fill() }
    return resolved
  }

  /// Resolves the next requests, unless enough are ready.
  private func fill() {
    let range = state.withLock { state in
      let start = state.taken
      guard state.next <= start else { return start..<start }
      state.next = min(steps.count, start + Self.size)
      return start..<state.next
    }
    for index in range {
      let resolved = resolve(steps[index])
      state.withLock { $0.resolved[index] = resolved }
    }
  }

  package func receive(_ event: FileEvent) {
    guard let executor else {
      sink.receive(event)
      return
    }
    let count = state.withLock { state in
      state.events.append(event)
      return state.events.count
    }
    if count == 1 {
      executor.whenIdle { self.flush() }
    } else if count >= Self.maxEvents {
      flush()
    }
  }

  /// Passes on the waiting events.
  package func flush() {
    var events: [FileEvent] = []
    state.withLock { state in
      swap(&events, &state.events)
      swap(&state.events, &state.spare)
    }
    for event in events { sink.receive(event) }
    events.removeAll(keepingCapacity: true)
    state.withLock { swap(&$0.spare, &events) }
  }
}
