import OperatingSystem

/// Produces a body on a thread of its own, a few pieces ahead of the transport that sends it.
final class BodyPump: Sendable {
  private struct State: Sendable {
    var ready: [[UInt8]] = []
    /// The bytes of the first piece that were handed out.
    var handedOut = 0
    var end: Result<Void, TransportError>?
    var isCancelled = false
    /// Indicates whether the reader found nothing and must be notified.
    var isAwaited = false
  }

  /// The maximum number of pieces that wait to be sent.
  private static let ahead = 4

  private let state = WatchedState(State())
  private let onReadable: (@Sendable () -> Void)?

  init(_ source: any BodySource, onReadable: (@Sendable () -> Void)?) {
    self.onReadable = onReadable
    let isStarted = startThread { [self] in
      do throws(TransportError) {
        try source.produce { put(Array($0)) }
        signal { $0.end = .success(()) }
      } catch {
        signal { $0.end = .failure(error) }
      }
    }
    if !isStarted { signal { $0.end = .failure(TransportError(.body, "no thread could be started to make the body")) } }
  }

  func cancel() { state.update { $0.isCancelled = true } }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> BodyReading {
    let result = state.update { state -> Result<BodyReading, TransportError> in
      guard let first = state.ready.first else {
        state.isAwaited = state.end == nil
        return state.end.map { $0.map { .end } } ?? .success(.nothingYet)
      }
      let count = min(buffer.count, first.count - state.handedOut)
      first.withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[state.handedOut..<state.handedOut + count]))
      }
      state.handedOut += count
      if state.handedOut == first.count {
        state.ready.removeFirst()
        state.handedOut = 0
      }
      return .success(.bytes(count))
    }
    return try result.get()
  }

  /// Waits while enough is ready; false once nobody reads any more.
  private func put(_ piece: [UInt8]) -> Bool {
    guard !piece.isEmpty else { return true }
    let (goesOn, isAwaited) = state.wait { state -> (Bool, Bool)? in
      if state.isCancelled { return (false, false) }
      guard state.ready.count < BodyPump.ahead else { return nil }
      state.ready.append(piece)
      defer { state.isAwaited = false }
      return (true, state.isAwaited)
    }
    if isAwaited { onReadable?() }
    return goesOn
  }

  private func signal(_ change: (inout State) -> Void) {
    let isAwaited = state.update { state in
      change(&state)
      defer { state.isAwaited = false }
      return state.isAwaited && !state.isCancelled
    }
    if isAwaited { onReadable?() }
  }
}
