import DocumentQueries
import HTTPSemantics
import Synchronization

/// A part of an exchange while it takes place: the first request, and the final response as it arrives.
package enum ExchangePart {
  /// A hop without a response.
  case request(HopReport)
  case head(ResponseHead)
  case body(UnsafeRawBufferPointer)
  /// A WebSocket is open, over which messages can be sent.
  case opened(OpenConversation)
  /// A message of a WebSocket, in either direction.
  case message(StreamEvent)
}

/// Wraps a sink: shows each part of the response to an observer, before it is stored.
final class ObservedSink: ResponseSink {
  private let sink: any ResponseSink
  private let registry: SecretRegistry
  private let observer: RunContext.ExchangeObserver
  private let hasBegun = Mutex(false)

  init(_ sink: any ResponseSink, _ registry: SecretRegistry, _ observer: @escaping RunContext.ExchangeObserver) {
    (self.sink, self.registry, self.observer) = (sink, registry, observer)
  }

  func sent(bodyBytes: Int64) { sink.sent(bodyBytes: bodyBytes) }

  func receive(informational head: ResponseHead) { sink.receive(informational: head) }

  func receive(head: ResponseHead) -> SinkDecision {
    hasBegun.withLock { $0 = true }
    observer(.head(head), registry)
    return sink.receive(head: head)
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    observer(.body(chunk), registry)
    return sink.receive(body: chunk)
  }

  func receive(trailers: HeaderFields) { sink.receive(trailers: trailers) }

  /// False after the beginning of a response, since what was shown can't be taken back.
  func restart() -> Bool { !hasBegun.withLock { $0 } && sink.restart() }
}
