import OperatingSystem
import Synchronization

/// Writes the output of the current file directly, and keeps that of the others until their turn.
///
/// Waiting output takes at most a few megabytes of memory; the rest is in a temporary file.
package final class OrderedSpool: Sendable {
  private struct Waiting {
    /// The ranges that were moved to the file, in order.
    var moved: [Range<Int64>] = []
    var bytes: [UInt8] = []
    var isFinished = false
  }

  private struct State {
    var head = 0
    var waiting: [Int: Waiting] = [:]
    var waitingBytes = 0
    var file: TemporaryFile?
    var isIncomplete = false
  }

  private let memoryLimit: Int
  private let state = Mutex(State())
  private let output: @Sendable ([UInt8]) -> Void

  package init(memoryLimit: Int = 2 << 20, output: @escaping @Sendable ([UInt8]) -> Void) {
    self.memoryLimit = memoryLimit
    self.output = output
  }

  /// Indicates whether output was lost, for lack of disk space.
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
      state.waiting[position, default: Waiting()].bytes += bytes
      state.waitingBytes += bytes.count
      if state.waitingBytes > memoryLimit { moveToFile(&state) }
    }
  }

  package func finish(_ position: Int) {
    state.withLock { state in
      guard position == state.head else {
        state.waiting[position, default: Waiting()].isFinished = true
        return
      }
      state.head += 1
      while let next = state.waiting.removeValue(forKey: state.head) {
        release(next, &state)
        guard next.isFinished else { break }
        state.head += 1
      }
      if state.waiting.isEmpty { state.file?.removeAll() }
    }
  }

  private func release(_ waiting: Waiting, _ state: inout State) {
    for range in waiting.moved where state.file?.read(range, output) != true { state.isIncomplete = true }
    if !waiting.bytes.isEmpty { output(waiting.bytes) }
    state.waitingBytes -= waiting.bytes.count
  }

  private func moveToFile(_ state: inout State) {
    if state.file == nil { state.file = TemporaryFile() }
    // Without a temporary file, using memory is better than losing a report.
    guard let file = state.file else { return }
    for (position, waiting) in state.waiting where !waiting.bytes.isEmpty {
      let start = file.count
      if file.append(waiting.bytes) {
        state.waiting[position]?.moved.append(start..<file.count)
      } else {
        state.isIncomplete = true
      }
      state.waiting[position]?.bytes = []
    }
    state.waitingBytes = 0
  }
}
