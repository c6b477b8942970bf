import DocumentQueries
import Synchronization
import Values
import WebSocket

/// The messages of a WebSocket for reports: of very many or large ones the first.
final class MessageLog: Sendable {
  private struct Entry {
    let instant: ContinuousClock.Instant
    let isSent: Bool
    let kind: ReportedMessage.Kind
    /// The beginning of its text or of its bytes, with their secrets.
    let beginning: [UInt8]
    let size: Int
    let code: Int?
  }

  private struct State {
    var entries: [Entry] = []
    var size = 0
    var leftOut = 0
  }

  private let state = Mutex(State())

  func append(_ event: StreamEvent) {
    let instant = ContinuousClock.now
    guard let message = event.message, let kind = event.type.flatMap(ReportedMessage.Kind.init) else { return }
    let isText = kind == .text || kind == .close
    let bytes = isText ? Array(event.data.utf8) : base64Decoded(event.data) ?? []
    state.withLock { state in
      let beginning = bytes.prefix(ReportedMessage.contentLimit)
      guard state.entries.count < ReportedMessage.countLimit,
        state.size + beginning.count <= ReportedMessage.sizeLimit
      else {
        state.leftOut += 1
        return
      }
      state.size += beginning.count
      state.entries.append(
        Entry(
          instant: instant, isSent: message.isSent, kind: kind, beginning: Array(beginning), size: bytes.count,
          code: message.code))
    }
  }

  /// The messages with their secrets masked, and the number of those after them.
  ///
  /// - Parameter time: the time of an instant.
  func messages(
    _ registry: SecretRegistry, at time: (ContinuousClock.Instant) -> Timestamp
  ) -> (messages: [ReportedMessage], more: Int) {
    let (entries, leftOut) = state.withLock { ($0.entries, $0.leftOut) }
    let messages = entries.map { entry in
      var message = ReportedMessage(
        time: time(entry.instant), isSent: entry.isSent, kind: entry.kind, size: entry.size)
      message.code = entry.code
      message.isCut = entry.beginning.count < entry.size
      let bytes =
        message.isCut ? registry.masked(prefix: withoutHalfCharacter(entry)) : registry.masked(entry.beginning)
      switch entry.kind {
      case .text, .close: message.text = String(decoding: bytes, as: UTF8.self)
      case .binary, .ping, .pong:
        // A secret may be the base64 that reports write.
        let base64 = base64Encoded(bytes)
        message.bytes = registry.masked(base64) == base64 ? bytes : Array(Text.mask.utf8)
      }
      return message
    }
    return (messages, leftOut)
  }

  /// The beginning of a text without a character that is cut.
  private func withoutHalfCharacter(_ entry: Entry) -> [UInt8] {
    guard entry.kind == .text else { return entry.beginning }
    var bytes = entry.beginning
    let tail = bytes.suffix(3)
    if let start = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }), bytes[start] >= 0xC0 {
      bytes.removeLast(bytes.count - start)
    }
    return bytes
  }
}

extension StreamEvent {
  init(_ message: WebSocketMessage, isSent: Bool) {
    switch message {
    case .text(let text): self.init(message: "text", text, isSent: isSent)
    case .data(let bytes): self.init(message: "binary", base64Encoded(bytes), isSent: isSent)
    case .ping(let bytes): self.init(message: "ping", base64Encoded(bytes), isSent: isSent)
    case .pong(let bytes): self.init(message: "pong", base64Encoded(bytes), isSent: isSent)
    case .close(let code, let reason): self.init(message: "close", reason, isSent: isSent, code: code)
    }
  }
}
