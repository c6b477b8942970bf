import HTTPMessages

/// Takes a small answer as a whole.
//
// Unchecked: a transport calls its sink one call after another, and the owner reads only once the exchange is over.
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
