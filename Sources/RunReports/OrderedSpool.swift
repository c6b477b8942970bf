import Synchronization

/// Bytes that wait: up to 256 KiB in memory, more in a file without a name.
struct SpillBuffer: ~Copyable {
  private static let limit = 256 << 10
  private var bytes: [UInt8] = []
  private var descriptor: Int32 = -1
  /// What could not be kept, for want of room on disk.
  private(set) var lost = false

  deinit {
    if descriptor >= 0 { closeDescriptor(descriptor) }
  }

  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    guard bytes.count > SpillBuffer.limit else { return }
    if descriptor < 0 { descriptor = openUnlinkedFile() }
    // Without a file to spill to, memory is better than losing a report.
    guard descriptor >= 0 else { return }
    if !bytes.withUnsafeBytes({ writeAll($0, to: descriptor) }) { lost = true }
    bytes = []
  }

  /// Hands out all that was appended, in order.
  borrowing func copy(to body: ([UInt8]) -> Void) {
    if descriptor >= 0 { readFromStart(descriptor, body) }
    if !bytes.isEmpty { body(bytes) }
  }
}

/// Lets the file whose turn it is write through, and keeps the others' output until theirs comes.
final class OrderedSpool: Sendable {
  private struct State: ~Copyable {
    var head = 0
    var waiting: [Int: Waiting] = [:]
  }

  private final class Waiting {
    var buffer = SpillBuffer()
    var isFinished = false
  }

  private let state = Mutex(State())
  private let output: @Sendable ([UInt8]) -> Void

  init(output: @escaping @Sendable ([UInt8]) -> Void) {
    self.output = output
  }

  func write(_ text: String, at position: Int) {
    guard !text.isEmpty else { return }
    state.withLock { state in
      if position == state.head {
        output(Array(text.utf8))
      } else {
        let waiting = state.waiting[position] ?? Waiting()
        waiting.buffer.append(text)
        state.waiting[position] = waiting
      }
    }
  }

  func finish(_ position: Int) {
    state.withLock { state in
      guard position == state.head else {
        let waiting = state.waiting[position] ?? Waiting()
        waiting.isFinished = true
        state.waiting[position] = waiting
        return
      }
      state.head += 1
      while let next = state.waiting.removeValue(forKey: state.head) {
        next.buffer.copy(to: output)
        guard next.isFinished else { return }
        state.head += 1
      }
    }
  }
}
