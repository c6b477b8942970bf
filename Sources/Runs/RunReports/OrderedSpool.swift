import OperatingSystem
import Synchronization

/// Writes the output of the current file directly, and keeps that of the others until their turn.
///
/// Waiting output takes at most a few megabytes of memory; the rest is in a temporary file.
package final class OrderedSpool: Sendable {
  private struct Waiting {
    var output: SpillBuffer
    var isFinished = false
  }

  private struct State {
    var head = 0
    var waiting: [Int: Waiting] = [:]
    var waitingBytes = 0
    /// Indicates whether the temporary file takes no more.
    var isFull = false
    var isIncomplete = false
  }

  private let memoryLimit: Int
  private let file = TemporaryFile()
  private let state = Mutex(State())
  private let output: @Sendable ([UInt8]) -> Void

  package init(memoryLimit: Int = 2 << 20, output: @escaping @Sendable ([UInt8]) -> Void) {
    self.memoryLimit = memoryLimit
    self.output = output
  }

  /// Indicates whether output was lost, since the temporary file can't be read.
  package var isIncomplete: Bool { state.withLock { $0.isIncomplete } }

  package func write(_ text: String, at position: Int) {
    write(Array(text.utf8), at: position)
  }

  package func write(_ bytes: [UInt8], at position: Int) {
    guard !bytes.isEmpty else { return }
    state.withLock { state in
      if position == state.head {
        output(bytes)
        return
      }
      state.waiting[position, default: Waiting(output: SpillBuffer(file: file))].output.append(bytes)
      state.waitingBytes += bytes.count
      if state.waitingBytes > memoryLimit, !state.isFull { spill(&state) }
    }
  }

  package func finish(_ position: Int) {
    state.withLock { state in
      guard position == state.head else {
        state.waiting[position, default: Waiting(output: SpillBuffer(file: file))].isFinished = true
        return
      }
      state.head += 1
      while let next = state.waiting.removeValue(forKey: state.head) {
        release(next, &state)
        guard next.isFinished else { break }
        state.head += 1
      }
      guard state.waiting.isEmpty else { return }
      file.removeAll()
      state.isFull = false
    }
  }

  private func release(_ waiting: Waiting, _ state: inout State) {
    var buffer = waiting.output
    state.waitingBytes -= buffer.memoryCount
    while let piece = buffer.next() { output(piece) }
    if buffer.isIncomplete { state.isIncomplete = true }
  }

  private func spill(_ state: inout State) {
    for index in state.waiting.values.indices where !state.waiting.values[index].output.spill() {
      state.isFull = true
      break
    }
    state.waitingBytes = state.waiting.values.reduce(0) { $0 + $1.output.memoryCount }
  }
}
