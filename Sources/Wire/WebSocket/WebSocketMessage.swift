/// A message, or a control frame, of a WebSocket (RFC 6455).
package enum WebSocketMessage: Sendable, Hashable {
  case text(String)
  case data([UInt8])
  case ping([UInt8])
  case pong([UInt8])
  /// - Parameter code: nil if the frame has none.
  case close(code: Int?, reason: String)
}

/// The end of a connection that reads and writes: clients mask their frames, servers don't (section 5.1).
package enum WebSocketRole: Sendable, Hashable {
  case client, server
}

/// The types of frames (RFC 6455, section 5.2).
enum Opcode: UInt8 {
  case continuation = 0
  case text, binary
  case close = 8
  case ping, pong

  var isControl: Bool { rawValue & 0x8 != 0 }

  /// The name for messages.
  var name: String {
    switch self {
    case .continuation: "continuation"
    case .text: "text"
    case .binary: "binary"
    case .close: "close"
    case .ping: "ping"
    case .pong: "pong"
    }
  }
}

/// The maximum payload of a control frame in bytes (RFC 6455, section 5.5).
let controlLimit = 125

/// Returns whether a close frame may have the code: it is defined, or of those for libraries and applications (RFC 6455,
/// section 7.4, and IANA's registry).
package func isSendable(closeCode code: Int) -> Bool {
  switch code {
  case 1000...1003, 1007...1014, 3000...4999: true
  default: false
  }
}
