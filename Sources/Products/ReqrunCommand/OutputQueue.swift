import OperatingSystem
import Synchronization

/// What goes to the terminal or into pipes, in order; nobody who hands it in ever waits for the reader.
///
/// What the reader doesn't take at once waits: a few megabytes in memory, more in a file without a name.
final class OutputQueue: Sendable {
  private enum Piece {
    case bytes(StandardStream, [UInt8])
    case filed(StandardStream, Range<Int64>)
  }

  private struct State {
    var pieces: [Piece] = []
    /// The first that was not taken yet.
    var head = 0
    var memory = 0
    var file: TemporaryFile?
    var isDraining = false
    var signal: Int32?
    var isAborted = false
    var isFinishing = false
    var isGivenUp = false
    var waiter: CheckedContinuation<Void, Never>?
    /// The stream that took no more, and why; nothing else is written to it.
    var failure: (stream: StandardStream, problem: SystemProblem)?
  }

  private static let memoryLimit = 4 << 20
  private static let pieceSize: Int64 = 64 << 10
  private let state = Mutex(State())

  /// Whether the reader has not taken all yet.
  var isBehind: Bool { state.withLock { $0.isDraining } }

  /// The stream that could not be written to, and why.
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

  /// Once all is written: nil, or the signal after which the rest was given up.
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

  /// After the first signal, a reader that takes nothing for a second is left at the end; after the second, at once.
  func interrupt(signal: Int32) {
    state.withLock { state in
      state.isAborted = state.signal != nil
      state.signal = state.signal ?? signal
    }
  }

  // MARK: What waits

  private static func keep(_ bytes: [UInt8], _ stream: StandardStream, _ state: inout State) {
    if state.memory + bytes.count > memoryLimit {
      if state.file == nil { state.file = TemporaryFile() }
      // Without a file, memory is better than losing output.
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

  /// On a thread of its own, as long as something waits.
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
