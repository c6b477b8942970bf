import HTTPSemantics
import Synchronization

/// Keeps what an exchange brings, and stops it where a test says so.
package final class CollectingSink: ResponseSink {
  private struct Content {
    var informational: [ResponseHead] = []
    var heads: [ResponseHead] = []
    var body: [UInt8] = []
    var trailers: [HeaderFields] = []
    var sent: [Int64] = []
  }

  private let content = Mutex(Content())
  private let stopsAtHead: Bool
  private let stopsAfterBytes: Int
  private let restarts: Bool

  package init(stopsAtHead: Bool = false, stopsAfterBytes: Int = .max, restarts: Bool = false) {
    self.stopsAtHead = stopsAtHead
    self.stopsAfterBytes = stopsAfterBytes
    self.restarts = restarts
  }

  package func restart() -> Bool {
    if restarts { content.withLock { $0 = Content() } }
    return restarts
  }

  package var head: ResponseHead? { heads.first }
  package var heads: [ResponseHead] { content.withLock { $0.heads } }
  package var informational: [ResponseHead] { content.withLock { $0.informational } }
  package var body: [UInt8] { content.withLock { $0.body } }
  package var text: String { String(decoding: body, as: UTF8.self) }
  package var trailers: [HeaderFields] { content.withLock { $0.trailers } }
  /// What was told of the request's body.
  package var sent: [Int64] { content.withLock { $0.sent } }

  package func receive(informational head: ResponseHead) { content.withLock { $0.informational.append(head) } }

  package func receive(head: ResponseHead) -> SinkDecision {
    content.withLock { $0.heads.append(head) }
    return stopsAtHead ? .stop : .more
  }

  package func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    content.withLock { content in
      content.body.append(contentsOf: chunk)
      return content.body.count >= stopsAfterBytes ? .stop : .more
    }
  }

  package func sent(bodyBytes: Int64) { content.withLock { $0.sent.append(bodyBytes) } }

  package func receive(trailers: HeaderFields) { content.withLock { $0.trailers.append(trailers) } }
}
