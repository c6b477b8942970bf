import HTTPMessages
import Synchronization

/// Keeps what an exchange brings, and stops it where a test says so.
final class CollectingSink: ResponseSink {
  struct Content {
    var informational: [ResponseHead] = []
    var heads: [ResponseHead] = []
    var body: [UInt8] = []
    var trailers: HeaderFields?
  }

  private let content = Mutex(Content())
  private let stopsAtHead: Bool
  private let stopsAfterBytes: Int

  init(stopsAtHead: Bool = false, stopsAfterBytes: Int = .max) {
    self.stopsAtHead = stopsAtHead
    self.stopsAfterBytes = stopsAfterBytes
  }

  var head: ResponseHead? { content.withLock { $0.heads.first } }
  var headCount: Int { content.withLock { $0.heads.count } }
  var informational: [ResponseHead] { content.withLock { $0.informational } }
  var body: [UInt8] { content.withLock { $0.body } }
  var text: String { String(decoding: body, as: UTF8.self) }
  var trailers: HeaderFields? { content.withLock { $0.trailers } }

  func receive(informational head: ResponseHead) { content.withLock { $0.informational.append(head) } }

  func receive(head: ResponseHead) -> SinkDecision {
    content.withLock { $0.heads.append(head) }
    return stopsAtHead ? .stop : .more
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    content.withLock { content in
      content.body.append(contentsOf: chunk)
      return content.body.count >= stopsAfterBytes ? .stop : .more
    }
  }

  func receive(trailers: HeaderFields) { content.withLock { $0.trailers = trailers } }
}
