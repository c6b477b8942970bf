import Synchronization

/// The bytes to send over a connection that turns to another protocol (RFC 9110, section 7.8).
///
/// Whoever speaks the protocol adds them on any thread; the transport takes them from the 101 response on.
package final class UpgradedConnection: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    /// The number of those bytes that were taken.
    var taken = 0
    /// Called once when there are bytes again.
    var onReadable: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// The number of bytes that wait to be sent.
  package var waitingCount: Int { state.withLock { $0.bytes.count - $0.taken } }

  package func send(_ bytes: [UInt8]) {
    let onReadable = state.withLock { state in
      if state.taken > 64 << 10, state.taken >= state.bytes.count / 2 {
        state.bytes.removeFirst(state.taken)
        state.taken = 0
      }
      state.bytes += bytes
      defer { state.onReadable = nil }
      return state.onReadable
    }
    onReadable?()
  }

  /// - Parameter onReadable: called on any thread when reading can continue after it returned nothing.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, _ onReadable: (@Sendable () -> Void)?
  ) -> BodyReading {
    state.withLock { state in
      let count = min(buffer.count, state.bytes.count - state.taken)
      guard count > 0 else {
        state.onReadable = onReadable
        return .nothingYet
      }
      state.bytes.withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[state.taken..<state.taken + count]))
      }
      state.taken += count
      if state.taken == state.bytes.count {
        state.bytes.removeAll(keepingCapacity: state.taken <= 64 << 10)
        state.taken = 0
      }
      return .bytes(count)
    }
  }
}
