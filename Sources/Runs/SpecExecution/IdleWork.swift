import HTTPMessages
import Synchronization

/// Events of a file on the way to its sink: told while the thread of libcurl waits for a response.
final class EventOutbox: FileEventSink {
  private let sink: any FileEventSink
  private let executor: any ExchangeExecutor
  private let waiting = Mutex<[FileEvent]>([])

  init(_ sink: any FileEventSink, _ executor: any ExchangeExecutor) {
    self.sink = sink
    self.executor = executor
  }

  func receive(_ event: FileEvent) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(event)
      return waiting.count == 1
    }
    if isFirst { executor.whenIdle { self.flush() } }
  }

  func flush() {
    let events = waiting.withLock { waiting in
      defer { waiting.removeAll(keepingCapacity: true) }
      return waiting
    }
    for event in events { sink.receive(event) }
  }
}

/// The next requests of a file with their values, made while the thread of libcurl waits for a response.
final class RequestLookahead: Sendable {
  private struct State {
    /// How many requests have had their turn.
    var taken = 0
    /// The first of which nothing is known yet.
    var next = 0
    var resolved: [Int: ResolvedRequest] = [:]
  }

  /// Several at a time take less time than one by one, and few hold up no response.
  private static let size = 2
  private let requests: [PreparedRequest]
  private let resolve: @Sendable (PreparedRequest) -> ResolvedRequest?
  private let state = Mutex(State())

  init(_ requests: [PreparedRequest], _ resolve: @escaping @Sendable (PreparedRequest) -> ResolvedRequest?) {
    self.requests = requests
    self.resolve = resolve
  }

  /// Nil for a request that is resolved no earlier than it is its turn.
  func take(_ index: Int) -> ResolvedRequest? {
    state.withLock { state in
      state.taken = index + 1
      return state.resolved.removeValue(forKey: index)
    }
  }

  /// Makes some ready, unless there still are.
  func fill() {
    let range = state.withLock { state in
      let start = state.taken
      guard state.next <= start else { return start..<start }
      state.next = min(requests.count, start + Self.size)
      return start..<state.next
    }
    for index in range {
      let resolved = resolve(requests[index])
      state.withLock { $0.resolved[index] = resolved }
    }
  }
}
