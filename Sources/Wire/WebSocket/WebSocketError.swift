/// A violation of the protocol, after which a connection can only be closed.
package struct WebSocketError: Error, Sendable, Hashable {
  package let message: String
  /// The rule that is violated, such as `RFC 6455, section 5.1`.
  package let section: String
  /// The code for the close frame that reports it to the other end; nil if none can be sent.
  package let closeCode: Int?

  init(_ message: String, _ section: String, of document: String = "RFC 6455", closeCode: Int? = 1002) {
    self.message = message
    self.section = "\(document), section \(section)"
    self.closeCode = closeCode
  }
}

extension WebSocketError {
  static func reservedBits(_ head: UInt8) -> WebSocketError {
    let names = [(0x40, "RSV1"), (0x20, "RSV2"), (0x10, "RSV3")].filter { head & $0.0 != 0 }.map(\.1)
    return WebSocketError(
      "a frame has \(names.joined(separator: " and ")) set, which no agreed extension uses", "5.2")
  }

  static func reservedOpcode(_ code: UInt8) -> WebSocketError {
    WebSocketError("a frame has the reserved opcode \(code)", "5.2")
  }

  static func wrongMask(reader: WebSocketRole) -> WebSocketError {
    switch reader {
    case .client: WebSocketError("the server masks a frame", "5.1")
    case .server: WebSocketError("the client doesn't mask a frame", "5.1")
    }
  }

  static func fragmentedControl(_ opcode: Opcode) -> WebSocketError {
    WebSocketError("a \(opcode.name) frame is fragmented", "5.5")
  }

  static func longControl(_ opcode: Opcode) -> WebSocketError {
    WebSocketError("a \(opcode.name) frame has more than \(controlLimit) bytes", "5.5")
  }

  static let nothingToContinue = WebSocketError("a continuation frame has no message to continue", "5.4")

  static func unfinishedMessage(_ opcode: Opcode) -> WebSocketError {
    WebSocketError("a \(opcode.name) frame comes before the last fragment of another message", "5.4")
  }

  static let longLengthForm = WebSocketError("the length of a frame is written in more bytes than it needs", "5.2")
  static let lengthWithSign = WebSocketError("the length of a frame has its highest bit set", "5.2")

  static func tooLarge(limit: Int) -> WebSocketError {
    WebSocketError("a message has more than \(limit) bytes", "7.4.1", closeCode: 1009)
  }

  static let notDeflated = WebSocketError(
    "a compressed message is not deflate data", "7.2.2", of: "RFC 7692", closeCode: 1007)
  static let endWithinBlock = WebSocketError(
    "a compressed message ends within a block of deflate data", "7.2.2", of: "RFC 7692", closeCode: 1007)

  static func compressionMismatch(_ chosen: String) -> WebSocketError {
    WebSocketError("the server chooses \(chosen), which doesn't fit the offer", "7.1", of: "RFC 7692", closeCode: nil)
  }

  static let textNotUTF8 = WebSocketError("a text message is not UTF-8", "8.1", closeCode: 1007)
  static let reasonNotUTF8 = WebSocketError("the reason of a close frame is not UTF-8", "5.5.1", closeCode: 1007)
  static let halfCloseCode = WebSocketError("a close frame has 1 byte, half a code", "5.5.1")

  static func wrongCloseCode(_ code: Int) -> WebSocketError {
    WebSocketError("a close frame has the code \(code), which can't be sent", "7.4")
  }

  static let noClose = WebSocketError("the connection ended without a close frame", "7.1.5", closeCode: nil)
  static let endWithinMessage = WebSocketError("the connection ended within a message", "7.1.5", closeCode: nil)

  static func handshake(_ message: String, _ section: String) -> WebSocketError {
    WebSocketError(message, section, closeCode: nil)
  }
}
