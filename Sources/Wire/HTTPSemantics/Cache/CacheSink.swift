import Synchronization

/// Wraps a sink: passes the response on, and keeps a copy if it may be stored.
final class CacheSink: ResponseSink {
  /// A response as it was received, complete or not.
  struct Received {
    var head: ResponseHead?
    /// Nil if the body isn't to be stored, or is too large.
    var body: [UInt8]?
    var trailers: HeaderFields?
    /// Indicates whether the sink asked to stop.
    var isStopped = false
  }

  private let sink: any ResponseSink
  private let limit: Int
  private let keeps: @Sendable (ResponseHead) -> Bool
  /// Indicates whether a 304 responds to the cache's own validation, and must not reach the sink.
  private let isValidating: Bool
  private let state = Mutex((received: Received(), isSwallowed: false))

  init(
    _ sink: any ResponseSink, limit: Int, isValidating: Bool = false,
    keeps: @escaping @Sendable (ResponseHead) -> Bool = { _ in false }
  ) {
    self.sink = sink
    self.limit = limit
    self.isValidating = isValidating
    self.keeps = keeps
  }

  var received: Received { state.withLock { $0.received } }

  func receive(informational head: ResponseHead) { sink.receive(informational: head) }

  func sent(bodyBytes: Int64) { sink.sent(bodyBytes: bodyBytes) }

  func receive(head: ResponseHead) -> SinkDecision {
    let isSwallowed = isValidating && head.status == 304
    state.withLock { state in
      state.received.head = head
      state.isSwallowed = isSwallowed
      if !isSwallowed, keeps(head) { state.received.body = [] }
    }
    return isSwallowed ? .more : noting(sink.receive(head: head))
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    let isSwallowed = state.withLock { state in
      guard let count = state.received.body?.count else { return state.isSwallowed }
      if count + chunk.count <= limit {
        state.received.body?.append(contentsOf: chunk)
      } else {
        state.received.body = nil
      }
      return state.isSwallowed
    }
    return isSwallowed ? .more : noting(sink.receive(body: chunk))
  }

  func receive(trailers: HeaderFields) {
    let isSwallowed = state.withLock { state in
      state.received.trailers = trailers
      return state.isSwallowed
    }
    if !isSwallowed { sink.receive(trailers: trailers) }
  }

  func restart() -> Bool {
    let hasPassedOn = state.withLock { $0.received.head != nil && !$0.isSwallowed }
    guard !hasPassedOn || sink.restart() else { return false }
    state.withLock { $0 = (Received(), false) }
    return true
  }

  private func noting(_ decision: SinkDecision) -> SinkDecision {
    if decision == .stop { state.withLock { $0.received.isStopped = true } }
    return decision
  }
}
