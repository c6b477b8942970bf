import HTTPSemantics

/// Receives a small response as a whole.
// Unchecked: a transport calls its sink serially, and the owner reads only after the exchange.
final class ByteSink: ResponseSink, @unchecked Sendable {
  private(set) var bytes: [UInt8] = []

  func receive(head: ResponseHead) -> SinkDecision { .more }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    bytes.append(contentsOf: chunk)
    return .more
  }

  func restart() -> Bool {
    bytes = []
    return true
  }
}
