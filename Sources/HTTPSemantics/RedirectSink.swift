import HTTPMessages
import Synchronization

/// Stands before a sink: swallows redirects that are followed, passes on everything else.
///
/// `onHead` is asked once, as soon as the final head is there, whether it is a redirect to follow.
final class RedirectSink: ResponseSink {
  private struct State {
    var head: ResponseHead?
    var isRedirect = false
    var informational: [ResponseHead] = []
    var drainedBytes = 0
  }

  /// How much of a redirect's body is read so that its connection can be used again.
  private static let drainLimit = 64 * 1024

  private let sink: any ResponseSink
  private let onHead: @Sendable (ResponseHead) -> Bool
  private let state = Mutex(State())

  init(_ sink: any ResponseSink, onHead: @escaping @Sendable (ResponseHead) -> Bool) {
    self.sink = sink
    self.onHead = onHead
  }

  /// The final head, and whether it is a redirect to follow.
  var outcome: (head: ResponseHead?, isRedirect: Bool) {
    state.withLock { ($0.head, $0.isRedirect) }
  }

  func receive(informational head: ResponseHead) {
    state.withLock { $0.informational.append(head) }
  }

  func receive(head: ResponseHead) -> SinkDecision {
    let isRedirect = onHead(head)
    let informational = state.withLock { state in
      state.head = head
      state.isRedirect = isRedirect
      defer { state.informational = [] }
      return state.informational
    }
    if isRedirect { return .more }
    for head in informational { sink.receive(informational: head) }
    return sink.receive(head: head)
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    let isDrained: Bool? = state.withLock { state in
      guard state.isRedirect else { return nil }
      state.drainedBytes += chunk.count
      return state.drainedBytes > RedirectSink.drainLimit
    }
    guard let isDrained else { return sink.receive(body: chunk) }
    return isDrained ? .stop : .more
  }

  func restart() -> Bool {
    let hasPassedOn = state.withLock { $0.head != nil && !$0.isRedirect }
    guard !hasPassedOn || sink.restart() else { return false }
    state.withLock { $0 = State() }
    return true
  }

  func receive(trailers: HeaderFields) {
    if !state.withLock({ $0.isRedirect }) { sink.receive(trailers: trailers) }
  }
}
