import Values

/// A message of a WebSocket as reports show it; all text is masked.
package struct ReportedMessage: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    case text, binary, ping, pong, close
  }

  /// The maximum number of messages in a report, and of their bytes together.
  package static let countLimit = 1000
  package static let sizeLimit = 1 << 20
  /// The maximum number of bytes of one message.
  package static let contentLimit = 16 << 10

  package var time: Timestamp
  package var isSent: Bool
  package var kind: Kind
  /// The size in bytes.
  package var size: Int
  /// The text, or the reason of a close frame, or its beginning.
  package var text: String?
  /// Other bytes, or their beginning.
  package var bytes: [UInt8]?
  /// The code of a close frame.
  package var code: Int?
  /// Indicates whether the content is longer.
  package var isCut = false

  package init(time: Timestamp, isSent: Bool, kind: Kind, size: Int) {
    (self.time, self.isSent, self.kind, self.size) = (time, isSent, kind, size)
  }

  /// A line for people, such as `close 1000 bye`.
  package var line: String {
    var parts = [kind.rawValue]
    if let code { parts.append(String(code)) }
    if let text, !text.isEmpty || kind == .text { parts.append(text + (isCut ? "…" : "")) }
    if bytes != nil, size > 0 { parts.append("\(size) byte\(size == 1 ? "" : "s")") }
    return parts.joined(separator: " ")
  }
}

extension HopReport {
  /// Indicates whether the exchange has opened a WebSocket.
  package var isWebSocket: Bool {
    guard let response, response.status == 101 else { return false }
    return response.headers.contains { $0.name.lowercased() == "upgrade" && $0.value.lowercased() == "websocket" }
  }
}
