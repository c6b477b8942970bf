import OperatingSystem

/// Reads messages and control frames from a connection as it arrives, in chunks with arbitrary boundaries.
package struct WebSocketReader {
  /// The maximum size of a message in bytes: the other end could send one without end.
  package static let standardLimit = 16 << 20

  private let role: WebSocketRole
  private let limit: Int
  /// The beginning of the head of a frame.
  private var headStart: [UInt8] = []
  /// The frame whose payload arrives, and the number of bytes of it that are there.
  private var frame: FrameHead?
  private var position = 0
  /// The message whose fragments arrive, between which there may be control frames.
  private var message: Opcode?
  private var payload: [UInt8] = []
  private var controlPayload: [UInt8] = []
  private var utf8 = UTF8Progress()
  /// Decompresses messages; nil if compression is not agreed on.
  private let inflater: Inflater?
  /// Indicates whether the message is compressed, and a piece of it without its mask.
  private var isCompressed = false
  private var compressedPiece: [UInt8] = []
  /// Indicates whether the other end has sent a close frame: it sends nothing after it.
  package private(set) var isClosed = false

  /// - Parameters:
  ///   - role: the end that reads.
  ///   - limit: the maximum number of bytes in a message, as it is when decompressed.
  ///   - decompresses: whether messages may be compressed.
  package init(as role: WebSocketRole, limit: Int = WebSocketReader.standardLimit, decompresses: Bool = false) {
    self.role = role
    self.limit = limit
    inflater = decompresses ? Inflater() : nil
  }

  /// Calls `body` with each complete message and control frame until it returns false, and then returns false, as after a
  /// close frame: what follows is dropped.
  package mutating func read(
    _ bytes: UnsafeRawBufferPointer, _ body: (WebSocketMessage) -> Bool
  ) throws(WebSocketError) -> Bool {
    var rest = bytes
    while !isClosed {
      if frame == nil { frame = try readHead(&rest) }
      guard let frame else { return true }
      let piece = rest.prefix(frame.length - position)
      rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
      try append(UnsafeRawBufferPointer(rebasing: piece), of: frame)
      guard position == frame.length else { return true }
      self.frame = nil
      position = 0
      if let message = try finished(frame), !body(message) { return false }
    }
    return false
  }

  /// Indicates whether a message has begun and not ended.
  package var isWithinMessage: Bool { frame != nil || message != nil || !headStart.isEmpty }

  /// Ends the connection, which is an error without a close frame.
  package func finish() throws(WebSocketError) {
    if isClosed { return }
    throw isWithinMessage ? .endWithinMessage : .noClose
  }

  /// The next head; nil until it is whole.
  private mutating func readHead(_ rest: inout UnsafeRawBufferPointer) throws(WebSocketError) -> FrameHead? {
    let head: FrameHead
    if headStart.isEmpty, rest.count >= 2, case let size = FrameHead.size(rest), rest.count >= size {
      head = try self.head(rest.prefix(size))
      rest = UnsafeRawBufferPointer(rebasing: rest[size...])
    } else {
      while headStart.count < FrameHead.size(headStart) {
        guard let byte = rest.first else { return nil }
        headStart.append(byte)
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
      }
      head = try self.head(headStart)
      headStart.removeAll(keepingCapacity: true)
    }
    return head
  }

  /// The head, if it may come here.
  private mutating func head(_ bytes: some Collection<UInt8>) throws(WebSocketError) -> FrameHead {
    let head = try FrameHead(bytes, reader: role, allowsMark: inflater != nil)
    if head.opcode.isControl { return head }
    if head.opcode == .continuation {
      if message == nil { throw .nothingToContinue }
    } else {
      if message != nil { throw .unfinishedMessage(head.opcode) }
      message = head.opcode
      isCompressed = head.isMarked
    }
    // A compressed one is measured as it is decompressed.
    if !isCompressed, head.length > limit - payload.count { throw .tooLarge(limit: limit) }
    return head
  }

  private mutating func append(_ piece: UnsafeRawBufferPointer, of frame: FrameHead) throws(WebSocketError) {
    if piece.isEmpty { return }
    if frame.opcode.isControl {
      unmask(piece, frame.mask, position, to: &controlPayload)
    } else {
      let start = payload.count
      if isCompressed {
        compressedPiece.removeAll(keepingCapacity: true)
        unmask(piece, frame.mask, position, to: &compressedPiece)
        try inflate(compressedPiece)
      } else {
        unmask(piece, frame.mask, position, to: &payload)
      }
      try checkText(from: start)
    }
    position += piece.count
  }

  /// Checks that a text is UTF-8, from that byte on.
  private mutating func checkText(from start: Int) throws(WebSocketError) {
    guard message == .text else { return }
    let isValid = payload.withUnsafeBytes { utf8.accept(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    if !isValid { throw .textNotUTF8 }
  }

  /// Decompresses a piece of the message, as far as the limit.
  private mutating func inflate(_ bytes: [UInt8]) throws(WebSocketError) {
    guard let inflater else { return }
    do {
      let isWhole = try bytes.withUnsafeBytes { bytes in
        try inflater.inflate(bytes) { piece in
          guard piece.count <= limit - payload.count else { return false }
          payload.append(contentsOf: piece)
          return true
        }
      }
      if isWhole { return }
    } catch {
      throw .notDeflated
    }
    throw .tooLarge(limit: limit)
  }

  /// Decompresses the end of the message.
  private mutating func finishInflating() throws(WebSocketError) {
    guard isCompressed, let inflater else { return }
    let start = payload.count
    try inflate(MessageCompression.tail)
    if !inflater.isBetweenBlocks { throw .endWithinBlock }
    try checkText(from: start)
  }

  /// The message that ends with the frame.
  private mutating func finished(_ frame: FrameHead) throws(WebSocketError) -> WebSocketMessage? {
    if frame.opcode.isControl {
      defer { controlPayload.removeAll(keepingCapacity: true) }
      switch frame.opcode {
      case .ping: return .ping(controlPayload)
      case .pong: return .pong(controlPayload)
      default:
        isClosed = true
        return try closeMessage()
      }
    }
    guard frame.isFinal else { return nil }
    try finishInflating()
    defer {
      message = nil
      payload.removeAll(keepingCapacity: payload.count <= 64 << 10)
    }
    guard message == .text else { return .data(payload) }
    if !utf8.isAtBoundary { throw .textNotUTF8 }
    return .text(String(decoding: payload, as: UTF8.self))
  }

  private func closeMessage() throws(WebSocketError) -> WebSocketMessage {
    if controlPayload.isEmpty { return .close(code: nil, reason: "") }
    if controlPayload.count == 1 { throw .halfCloseCode }
    let code = Int(controlPayload[0]) << 8 | Int(controlPayload[1])
    if !isSendable(closeCode: code) { throw .wrongCloseCode(code) }
    guard let reason = String(validating: controlPayload[2...], as: UTF8.self) else { throw .reasonNotUTF8 }
    return .close(code: code, reason: reason)
  }
}

/// Appends a piece of a payload without its mask.
///
/// - Parameter position: that of the piece within the payload.
private func unmask(_ piece: UnsafeRawBufferPointer, _ mask: UInt32?, _ position: Int, to payload: inout [UInt8]) {
  let start = payload.count
  payload.append(contentsOf: piece)
  guard let mask else { return }
  payload.withUnsafeMutableBytes {
    applyMask(mask, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]), from: position)
  }
}
