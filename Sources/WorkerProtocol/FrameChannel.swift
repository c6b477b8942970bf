import Synchronization

/// One end of the socket pair between `reqrun` and its worker, carrying ``WorkerFrame``s.
///
/// A frame is its length (4 bytes, little endian) and that many bytes. Any thread may send; one receives.
package final class FrameChannel: Sendable {
  /// No frame is larger; a length beyond it means that the stream is out of step.
  private static let largestFrame = 64 << 20

  private let descriptor: Int32
  private let sending = Mutex(())

  /// Takes over the descriptor.
  ///
  /// - Parameter sendTimeout: seconds after which an end that takes nothing counts as gone; nil waits for ever.
  package init(descriptor: Int32, sendTimeout: Int? = nil) {
    self.descriptor = descriptor
    if let sendTimeout { setSendTimeout(descriptor, seconds: sendTimeout) }
  }

  deinit { closeDescriptor(descriptor) }

  /// Whether the frame went out; after false the channel is of no more use.
  @discardableResult
  package func send(_ frame: WorkerFrame) -> Bool {
    var encoder = FrameEncoder()
    encoder.put(UInt32(0))
    frame.encode(into: &encoder)
    encoder.patchLength()
    return sending.withLock { _ in
      encoder.bytes.withUnsafeBytes { sendFully(descriptor, $0) }
    }
  }

  /// The next frame; nil at the end of the stream, or where it makes no sense.
  package func receive() -> WorkerFrame? {
    var length: UInt32 = 0
    guard withUnsafeMutableBytes(of: &length, { readFully(descriptor, into: $0) }) else { return nil }
    let count = Int(UInt32(littleEndian: length))
    guard count <= Self.largestFrame else { return nil }
    var isWhole = false
    let payload = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      isWhole = readFully(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
      initialized = isWhole ? count : 0
    }
    guard isWhole else { return nil }
    var decoder = FrameDecoder(payload)
    return WorkerFrame(from: &decoder)
  }

  /// Ends the stream in both directions.
  package func shutdown() { shutdownSocket(descriptor) }
}
