/// Makes the frames of messages.
package struct WebSocketWriter: Sendable {
  private let role: WebSocketRole
  private let compression: MessageCompression?

  /// - Parameters:
  ///   - role: the end that writes.
  ///   - compression: that of messages which become shorter.
  package init(as role: WebSocketRole, compression: MessageCompression? = nil) {
    (self.role, self.compression) = (role, compression)
  }

  /// The frames of a message, or the frame of a control frame that is not too long and has a code that can be sent.
  ///
  /// - Parameter pieceSize: the maximum payload of a frame in bytes, above which a message is fragmented.
  package func frames(of message: WebSocketMessage, pieceSize: Int = .max) throws(WebSocketError) -> [UInt8] {
    switch message {
    case .text(let text): return self.message(.text, Array(text.utf8), pieceSize)
    case .data(let bytes): return self.message(.binary, bytes, pieceSize)
    case .ping(let bytes): return try control(.ping, bytes)
    case .pong(let bytes): return try control(.pong, bytes)
    case .close(let code?, let reason):
      if !isSendable(closeCode: code) { throw .wrongCloseCode(code) }
      return try control(.close, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason.utf8)
    case .close: return try control(.close, [])
    }
  }

  private func control(_ opcode: Opcode, _ payload: [UInt8]) throws(WebSocketError) -> [UInt8] {
    if payload.count > controlLimit { throw .longControl(opcode) }
    return fragments(opcode.rawValue, payload[...], .max)
  }

  private func message(_ opcode: Opcode, _ payload: [UInt8], _ pieceSize: Int) -> [UInt8] {
    guard let data = compression?.compressed(payload) else {
      return fragments(opcode.rawValue, payload[...], pieceSize)
    }
    return fragments(opcode.rawValue | FrameHead.mark, data, pieceSize)
  }

  /// - Parameter start: the first byte of the first head, without the bit of the last one.
  private func fragments(_ start: UInt8, _ payload: ArraySlice<UInt8>, _ pieceSize: Int) -> [UInt8] {
    var result: [UInt8] = []
    var rest = payload
    repeat {
      let piece = rest.prefix(pieceSize)
      let isFirst = rest.startIndex == payload.startIndex
      rest = rest.dropFirst(piece.count)
      append(isFirst ? start : Opcode.continuation.rawValue, isFinal: rest.isEmpty, piece, to: &result)
    } while !rest.isEmpty
    return result
  }

  private func append(
    _ start: UInt8, isFinal: Bool, _ payload: ArraySlice<UInt8>, to result: inout [UInt8]
  ) {
    let maskBit: UInt8 = role == .client ? 0x80 : 0
    result.reserveCapacity(result.count + payload.count + 14)
    result.append((isFinal ? 0x80 : 0) | start)
    switch payload.count {
    case ..<126: result.append(maskBit | UInt8(payload.count))
    case ...0xFFFF:
      result.append(maskBit | 126)
      withUnsafeBytes(of: UInt16(payload.count).bigEndian) { result.append(contentsOf: $0) }
    default:
      result.append(maskBit | 127)
      withUnsafeBytes(of: UInt64(payload.count).bigEndian) { result.append(contentsOf: $0) }
    }
    guard role == .client else {
      result.append(contentsOf: payload)
      return
    }
    // A new one that nobody can predict for each frame (RFC 6455, section 5.3): Swift's generator is the system's.
    let mask = UInt32.random(in: .min ... .max)
    withUnsafeBytes(of: mask.bigEndian) { result.append(contentsOf: $0) }
    let start = result.count
    result.append(contentsOf: payload)
    result.withUnsafeMutableBytes { applyMask(mask, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
  }
}
