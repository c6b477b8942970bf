import CommandLineOptions
import OperatingSystem
import Synchronization

/// Output to the terminal or to pipes, in order, which never blocks its producers.
///
/// Output that the reader doesn't accept immediately is queued: a few megabytes in memory, more in a temporary file.
final class OutputQueue: Sendable {
  private struct State {
    var waiting = SpillBuffer(memoryLimit: OutputQueue.memoryLimit)
    /// The stream of each part of the waiting bytes.
    var parts: [(stream: StandardStream, count: Int)] = []
    /// The index of the first part that wasn't written yet.
    var head = 0
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
  private static let pieceSize = 64 << 10
  private let state = Mutex(State())

  /// Indicates whether the reader hasn't accepted all output yet.
  var isBehind: Bool { state.withLock { $0.isDraining } }

  /// The stream that could not be written to, with the problem.
  var failure: (stream: StandardStream, problem: SystemProblem)? { state.withLock { $0.failure } }

  func write(_ bytes: [UInt8], to stream: StandardStream) {
    let needsThread = state.withLock { state in
      guard !state.isGivenUp, !bytes.isEmpty, state.failure?.stream != stream else { return false }
      if state.isDraining {
        Self.keep(bytes[...], stream, &state)
        return false
      }
      let (written, problem) = bytes.withUnsafeBytes { stream.writeWhatFits($0) }
      if let problem {
        state.failure = (stream, problem)
        return false
      }
      if written == bytes.count { return false }
      Self.keep(bytes[written...], stream, &state)
      state.isDraining = true
      return true
    }
    if needsThread, !startThread({ self.drain() }) { drain() }
  }

  func write(_ text: String, to stream: StandardStream) {
    write(Array(text.utf8), to: stream)
  }

  /// Waits until all is written, and returns the exit code: the given one, unless a stream failed.
  func end(_ exitCode: Int32) async -> Int32 {
    if let signal = await flush() { return 128 + signal }
    guard let (stream, problem) = failure else { return exitCode }
    let status = stream.report(problem)
    return exitCode == 0 ? status : exitCode
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

  private static func keep(_ bytes: ArraySlice<UInt8>, _ stream: StandardStream, _ state: inout State) {
    bytes.withUnsafeBytes { state.waiting.append($0) }
    if state.head < state.parts.count, state.parts[state.parts.count - 1].stream == stream {
      state.parts[state.parts.count - 1].count += bytes.count
    } else {
      state.parts.append((stream, bytes.count))
    }
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
      if !state.isGivenUp, state.head < state.parts.count {
        let (stream, count) = state.parts[state.head]
        if let bytes = state.waiting.next(upTo: min(count, Self.pieceSize)) {
          state.parts[state.head].count -= bytes.count
          if bytes.count == count { state.head += 1 }
          if state.head > 1024 {
            state.parts.removeFirst(state.head)
            state.head = 0
          }
          return ((stream, bytes), nil)
        }
      }
      state.waiting = SpillBuffer(memoryLimit: Self.memoryLimit)
      (state.parts, state.head) = ([], 0)
      state.isDraining = false
      defer { state.waiter = nil }
      return (nil, state.waiter)
    }
    waiter?.resume()
    return found
  }
}
