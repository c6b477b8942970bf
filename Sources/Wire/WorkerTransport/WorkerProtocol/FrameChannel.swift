import OperatingSystem
import Synchronization

/// One end of the socket pair between `reqrun` and its worker, for ``WorkerFrame``s.
///
/// Any thread may send; one reads, with a ``FrameReader``.
package final class FrameChannel: Sendable {
  /// The policy for sending while the other side isn't reading.
  package enum WhenFull: Sendable {
    /// Block: nothing accumulates on this side.
    case wait
    /// Return; a thread of the channel sends the rest, until the other side has read nothing for that many seconds.
    case queue(giveUpAfter: Int)
  }

  private struct Outgoing {
    var frames = FrameEncoder()
    /// Indicates whether a thread is sending; it also sends what is added meanwhile.
    var isSending = false
    var isBroken = false
  }

  private let socket: ChannelSocket
  private let whenFull: WhenFull
  private let outgoing = Mutex(Outgoing())

  /// Takes ownership of the descriptor.
  ///
  /// - Parameter receiveTimeout: the number of milliseconds after which a reader reports that nothing arrived; nil
  /// waits forever.
  package init(descriptor: Int32, whenFull: WhenFull = .wait, receiveTimeout: Int? = nil) {
    socket = ChannelSocket(descriptor: descriptor)
    self.whenFull = whenFull
    if let receiveTimeout { socket.setReceiveTimeout(milliseconds: receiveTimeout) }
  }

  /// Sends a frame; false if the channel is unusable from now on.
  @discardableResult
  package func send(_ frame: WorkerFrame) -> Bool { send { $0.append(frame) } }

  /// Sends several frames at once.
  @discardableResult
  package func send(_ frames: [UInt8]) -> Bool { send { $0.append(encoded: frames) } }

  @discardableResult
  package func send(_ write: (inout FrameEncoder) -> Void) -> Bool {
    switch whenFull {
    case .wait:
      return outgoing.withLock { state in
        guard !state.isBroken else { return false }
        write(&state.frames)
        state.isBroken = !state.frames.bytes.withUnsafeBytes { socket.send($0, waiting: nil) == $0.count }
        state.frames.removeAll()
        return !state.isBroken
      }
    case .queue:
      let (isBroken, isMine) = outgoing.withLock { state in
        guard !state.isBroken else { return (true, false) }
        write(&state.frames)
        defer { state.isSending = true }
        return (false, !state.isSending)
      }
      return isMine ? flush() : !isBroken
    }
  }

  /// Shuts down both directions.
  package func shutdown() { socket.shutdown() }

  fileprivate func receive(into buffer: UnsafeMutableRawBufferPointer) -> ChannelSocket.Received {
    socket.receive(into: buffer)
  }

  // MARK: The sending thread

  /// Sends the queued bytes; if the socket is full, a thread takes over.
  private func flush() -> Bool {
    while let batch = nextBatch() {
      let sent = batch.withUnsafeBytes { socket.send($0, waiting: 0) }
      if sent == batch.count { continue }
      if sent >= 0, startThread({ self.flushPatiently(batch, from: sent) }) { return true }
      breakOff()
      return false
    }
    return true
  }

  private func flushPatiently(_ first: [UInt8], from start: Int) {
    guard case .queue(let patience) = whenFull else { return }
    var batch = first
    var start = start
    while true {
      let isSent = batch.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        return socket.send(rest, waiting: patience) == rest.count
      }
      guard isSent else { return breakOff() }
      guard let next = nextBatch() else { return }
      batch = next
      start = 0
    }
  }

  /// The next bytes to send; nil, and the thread stops sending, if there are none.
  private func nextBatch() -> [UInt8]? {
    outgoing.withLock { state in
      guard state.frames.count > 0, !state.isBroken else {
        state.isSending = false
        return nil
      }
      return state.frames.take()
    }
  }

  private func breakOff() {
    outgoing.withLock { state in
      state.isBroken = true
      state.isSending = false
      state.frames.removeAll()
    }
    shutdown()
  }
}

/// Reads the frames of a channel, several with one system call if possible.
package struct FrameReader: ~Copyable {
  package enum Received {
    case frame(WorkerFrame)
    /// Nothing arrived within the channel's receive timeout.
    case nothing
    /// The end of the stream, or invalid bytes.
    case end
  }

  /// The maximum length of a frame; a larger one means that the stream is corrupt.
  private static let maxFrameSize = 64 << 20
  private static let usualCapacity = 128 << 10

  private let channel: FrameChannel
  private var buffer = [UInt8](repeating: 0, count: usualCapacity)
  private var filled = 0..<0

  package init(_ channel: FrameChannel) { self.channel = channel }

  package mutating func next() -> Received {
    while true {
      var needed = 4
      if filled.count >= 4 {
        let length = buffer.withUnsafeBytes {
          Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: filled.lowerBound, as: UInt32.self)))
        }
        guard length <= Self.maxFrameSize else { return .end }
        needed += length
        if filled.count >= needed {
          let range = filled.lowerBound + 4..<filled.lowerBound + needed
          filled = range.upperBound..<filled.upperBound
          let frame = buffer.withUnsafeBytes { bytes in
            var decoder = FrameDecoder(UnsafeRawBufferPointer(rebasing: bytes[range]))
            return WorkerFrame(from: &decoder)
          }
          return frame.map { .frame($0) } ?? .end
        }
      }
      makeRoom(for: needed)
      let start = filled.upperBound
      let received = buffer.withUnsafeMutableBytes {
        channel.receive(into: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
      }
      switch received {
      case .bytes(let count): filled = filled.lowerBound..<start + count
      case .nothing: return .nothing
      case .end: return .end
      }
    }
  }

  private mutating func makeRoom(for size: Int) {
    if filled.isEmpty { filled = 0..<0 }
    if filled.lowerBound + size <= buffer.count, filled.upperBound < buffer.count { return }
    var next = buffer
    if size > buffer.count || (buffer.count > Self.usualCapacity && size <= Self.usualCapacity) {
      next = [UInt8](repeating: 0, count: max(size, Self.usualCapacity, filled.count + 1))
    }
    let count = filled.count
    if count > 0 { next.replaceSubrange(0..<count, with: buffer[filled]) }
    buffer = next
    filled = 0..<count
  }
}
