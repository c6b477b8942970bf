import Synchronization

/// Wraps a sink: discards intermediate responses, and passes on the final one.
///
/// `onHead` is called once for each response head, and decides on the next step.
final class HopSink: ResponseSink {
  private struct State {
    var head: ResponseHead?
    var trailers = HeaderFields()
    var followUp = FollowUp.none
    var isSwallowed = false
    var informational: [ResponseHead] = []
    var drainedBytes = 0
  }

  /// The limit up to which a discarded body is read, so that its connection can be reused.
  private static let drainLimit = 64 * 1024

  private let sink: any ResponseSink
  private let onHead: @Sendable (ResponseHead) -> FollowUp
  private let state = Mutex(State())

  init(_ sink: any ResponseSink, onHead: @escaping @Sendable (ResponseHead) -> FollowUp) {
    self.sink = sink
    self.onHead = onHead
  }

  /// The final head, the trailers behind its body, and the next step that it calls for.
  var outcome: (head: ResponseHead?, trailers: HeaderFields, followUp: FollowUp) {
    state.withLock { ($0.head, $0.trailers, $0.followUp) }
  }

  func receive(informational head: ResponseHead) {
    state.withLock { $0.informational.append(head) }
  }

  func receive(head: ResponseHead) -> SinkDecision {
    let followUp = onHead(head)
    let isSwallowed = if case .none = followUp { false } else { true }
    let informational = state.withLock { state in
      state.head = head
      state.followUp = followUp
      state.isSwallowed = isSwallowed
      defer { state.informational = [] }
      return state.informational
    }
    if isSwallowed { return .more }
    for head in informational { sink.receive(informational: head) }
    return sink.receive(head: head)
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    let isDrained: Bool? = state.withLock { state in
      guard state.isSwallowed else { return nil }
      state.drainedBytes += chunk.count
      return state.drainedBytes > HopSink.drainLimit
    }
    guard let isDrained else { return sink.receive(body: chunk) }
    return isDrained ? .stop : .more
  }

  /// Counts the bytes sent in this hop; the count restarts with the next one.
  func sent(bodyBytes: Int64) { sink.sent(bodyBytes: bodyBytes) }

  func restart() -> Bool {
    let hasPassedOn = state.withLock { $0.head != nil && !$0.isSwallowed }
    guard !hasPassedOn || sink.restart() else { return false }
    state.withLock { $0 = State() }
    return true
  }

  func receive(trailers: HeaderFields) {
    let isSwallowed = state.withLock { state in
      state.trailers = trailers
      return state.isSwallowed
    }
    if !isSwallowed { sink.receive(trailers: trailers) }
  }
}
