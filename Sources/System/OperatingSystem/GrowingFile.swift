import LibC
import Synchronization

/// A file that a user chose, or a stream, that is written piece by piece: what was written stays there.
///
/// A regular file is locked, so that one program at a time writes to it, and emptied by the first piece. A pipe's reader
/// never delays who writes: what it doesn't accept waits in memory, then in a temporary file.
package final class GrowingFile: Sendable {
  private struct Queue {
    var waiting = SpillBuffer(memoryLimit: 1 << 20)
    var isDraining = false
    /// Indicates whether the file has its earlier content.
    var isUntouched: Bool
  }

  private let descriptor: Int32
  private let isRegular: Bool
  private let queue: Mutex<Queue>
  /// The first problem; nothing else is written after it.
  private let problem = Mutex<SystemProblem?>(nil)

  package init(of path: String) throws(SystemProblem) {
    switch try WritePlace(following: path) {
    case .descriptor(let number): (descriptor, isRegular) = (try duplicate(number), false)
    case .special(let path):
      (descriptor, isRegular) = (try openSpecial(path), false)
    case .file(let path, _): (descriptor, isRegular) = (try openLocked(path), true)
    }
    queue = Mutex(Queue(isUntouched: isRegular))
  }

  deinit { closeDescriptor(descriptor) }

  package func write(_ bytes: [UInt8]) {
    let startsDraining = queue.withLock { queue in
      if queue.isUntouched { truncate(descriptor) }
      queue.isUntouched = false
      queue.waiting.append(bytes)
      defer { queue.isDraining = true }
      return !queue.isDraining
    }
    if isRegular {
      drain()
    } else if startsDraining, !startThread({ self.drain() }) {
      drain()
    }
  }

  /// Waits until all is written.
  package func finish() throws(SystemProblem) {
    drain()
    if let problem = problem.withLock({ $0 }) { throw problem }
  }

  private func drain() {
    var isDone = false
    while !isDone {
      // Pieces are taken and written in order, whatever thread does it.
      problem.withLock { problem in
        let piece = queue.withLock { queue in
          let piece = queue.waiting.next(upTo: 1 << 16)
          if piece == nil { queue.isDraining = false }
          if queue.waiting.isIncomplete, problem == nil { problem = SystemProblem("the disk takes no more") }
          return piece
        }
        guard let piece else {
          isDone = true
          return
        }
        if problem == nil, !piece.withUnsafeBytes({ writeAll($0, to: descriptor) }) { problem = .ofWriting() }
      }
    }
  }
}

private func openLocked(_ path: String) throws(SystemProblem) -> Int32 {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
  if descriptor < 0 { throw SystemProblem(code: errno) }
  guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
    let code = errno
    close(descriptor)
    if code == EWOULDBLOCK { throw SystemProblem("another run is writing it, or it is being read") }
    throw SystemProblem(code: code)
  }
  return descriptor
}
