import OperatingSystem
import Synchronization

/// Output to the terminal or to pipes, in order, which never blocks its producers.
///
/// Output that the reader doesn't accept immediately is queued: a few megabytes in memory, more in a temporary file.
final class OutputQueue: Sendable {
  private enum Piece {
    case bytes(StandardStream, [UInt8])
    case filed(StandardStream, Range<Int64>)
  }

  private struct State {
    var pieces: [Piece] = []
    /// The index of the first that wasn't written yet.
    var head = 0
    var memory = 0
    var file: TemporaryFile?
    var isDraining = false
    var signal: Int32?
    var isAborted = false
    var isFinishing = false
    var isGivenUp = false
    var waiter: CheckedContinuation<Void, Never>?
    /// The stream that failed, with the problem; nothing else is written to it.
    var failure: (stream: StandardStream, problem: SystemProblem)?
  }

  private static let memoryLimit = 4 << 20
  private static let pieceSize: Int64 = 64 << 10
  private let state = Mutex(State())

  /// Indicates whether the reader hasn't accepted all output yet.
  var isBehind: Bool { state.withLock { $0.isDraining } }

  /// The stream that could not be written to, with the problem.
  var failure: (stream: StandardStream, problem: SystemProblem)? { state.withLock { $0.failure } }

  func write(_ bytes: [UInt8], to stream: StandardStream) {
    let needsThread = state.withLock { state in
      guard !state.isGivenUp, !bytes.isEmpty, state.failure?.stream != stream else { return false }
      if state.isDraining {
        Self.keep(bytes, stream, &state)
        return false
      }
      let (written, problem) = bytes.withUnsafeBytes { stream.writeWhatFits($0) }
      if let problem {
        state.failure = (stream, problem)
        return false
      }
      if written == bytes.count { return false }
      Self.keep(written == 0 ? bytes : Array(bytes[written...]), stream, &state)
      state.isDraining = true
      return true
    }
    if needsThread, !startThread({ self.drain() }) { drain() }
  }

  func write(_ text: String, to stream: StandardStream) {
    write(Array(text.utf8), to: stream)
  }

  /// Waits until all is written: nil, or the signal after which the rest was dropped.
  func flush() async -> Int32? {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isDone = state.withLock { state in
        state.isFinishing = true
        if !state.isDraining { return true }
        state.waiter = continuation
        return false
      }
      if isDone { continuation.resume() }
    }
    return state.withLock { $0.isGivenUp ? $0.signal : nil }
  }

  /// Limits the wait for a reader: after the first signal, the rest is dropped if it accepts nothing for a second;
  /// after the second, immediately.
  func interrupt(signal: Int32) {
    state.withLock { state in
      state.isAborted = state.signal != nil
      state.signal = state.signal ?? signal
    }
  }

  // MARK: Queued output

  private static func keep(_ bytes: [UInt8], _ stream: StandardStream, _ state: inout State) {
    if state.memory + bytes.count > memoryLimit {
      if state.file == nil { state.file = TemporaryFile() }
      // Without a temporary file, using memory is better than losing output.
      if let file = state.file {
        let start = file.count
        if file.append(bytes) {
          state.pieces.append(.filed(stream, start..<start + Int64(bytes.count)))
          return
        }
      }
    }
    state.memory += bytes.count
    state.pieces.append(.bytes(stream, bytes))
  }

  /// Writes queued output on a thread of its own, as long as there is any.
  private func drain() {
    var lastProgress = ContinuousClock.now
    while let (stream, bytes) = next() {
      bytes.withUnsafeBytes { buffer in
        var rest = buffer
        while !rest.isEmpty, !state.withLock({ $0.isGivenUp || $0.failure?.stream == stream }) {
          if stream.isWritable(within: 50) {
            let (count, problem) = stream.writeWhatFits(rest)
            if let problem { state.withLock { $0.failure = (stream, problem) } }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            lastProgress = .now
          } else {
            giveUpIfAsked(since: lastProgress)
          }
        }
      }
    }
  }

  private func giveUpIfAsked(since lastProgress: ContinuousClock.Instant) {
    state.withLock { state in
      let isStalled = state.isFinishing && lastProgress.duration(to: .now) > .seconds(1)
      if state.isAborted || state.signal != nil && isStalled { state.isGivenUp = true }
    }
  }

  private func next() -> (StandardStream, [UInt8])? {
    let (found, waiter) = state.withLock { state -> ((StandardStream, [UInt8])?, CheckedContinuation<Void, Never>?) in
      while !state.isGivenUp, state.head < state.pieces.count {
        let index = state.head
        switch state.pieces[index] {
        case .bytes(let stream, let bytes):
          state.pieces[index] = .bytes(stream, [])
          state.head += 1
          state.memory -= bytes.count
          if state.head > 1024 {
            state.pieces.removeFirst(state.head)
            state.head = 0
          }
          if !bytes.isEmpty { return ((stream, bytes), nil) }
        case .filed(let stream, let range):
          let end = min(range.upperBound, range.lowerBound + Self.pieceSize)
          if end == range.upperBound {
            state.head += 1
          } else {
            state.pieces[index] = .filed(stream, end..<range.upperBound)
          }
          var bytes: [UInt8] = []
          if state.file?.read(range.lowerBound..<end, { bytes += $0 }) == true { return ((stream, bytes), nil) }
        }
      }
      state.pieces = []
      state.head = 0
      state.file = nil
      state.isDraining = false
      defer { state.waiter = nil }
      return (nil, state.waiter)
    }
    waiter?.resume()
    return found
  }
}
