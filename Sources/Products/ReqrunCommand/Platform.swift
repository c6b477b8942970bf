import CAllocator
import LibC
import OperatingSystem

/// The three standard streams.
enum StandardStream: Int32 {
  case input = 0
  case output = 1
  case error = 2

  /// How messages name it.
  var name: String { self == .output ? "standard output" : "standard error" }

  var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Writes all of it; a reader that has gone away is no error of ours.
  ///
  /// - Returns: why it could not be written.
  @discardableResult
  func write(_ bytes: [UInt8]) -> SystemProblem? {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer
      while !rest.isEmpty {
        _ = isWritable(within: -1)
        let (count, problem) = writeWhatFits(rest)
        if let problem { return problem }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      return nil
    }
  }

  @discardableResult
  func write(_ text: String) -> SystemProblem? { write(Array(text.utf8)) }

  /// Writes as long as that needs no waiting; a reader that has gone away takes all.
  ///
  /// A pipe that can be written to has room for at least `PIPE_BUF` bytes.
  func writeWhatFits(_ bytes: UnsafeRawBufferPointer) -> (count: Int, problem: SystemProblem?) {
    var done = 0
    while done < bytes.count, isWritable(within: 0) {
      let piece = UnsafeRawBufferPointer(rebasing: bytes[done..<min(bytes.count, done + Int(PIPE_BUF))])
      let count = platformWrite(rawValue, piece.baseAddress, piece.count)
      if count >= 0 {
        done += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: return (done, nil)
      case EPIPE: return (bytes.count, nil)
      default: return (done, SystemProblem(code: errno))
      }
    }
    return (done, nil)
  }

  /// Whether some bytes can be written without waiting, or will be before the time is up.
  func isWritable(within milliseconds: Int32) -> Bool {
    var stream = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
    return poll(&stream, 1, milliseconds) > 0
  }
}

private func platformWrite(_ descriptor: Int32, _ pointer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, pointer, count)
}

/// The terminal's width in columns; nil if neither standard output nor standard error is one.
func terminalWidth() -> Int? {
  for stream in [StandardStream.output, .error] {
    var size = winsize()
    if ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
  }
  return nil
}

func isExistingPath(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// SIGINT and SIGTERM, blocked in the calling thread and all that it starts, to be waited for.
///
/// To be made before there are other threads. A closed pipe is no reason to end either, nor is a file that may not grow:
/// who writes is told.
struct TerminationSignals {
  private let set: sigset_t

  init() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    self.set = set
  }

  /// The next of them, once it comes.
  func next() -> Int32 {
    var set = set
    var received: Int32 = 0
    while sigwait(&set, &received) != 0 {}
    return received
  }
}

/// Gives memory of a large body back to the system as soon as the body is gone, and asks for that of small things in
/// large pieces.
///
/// Of itself glibc raises the size from which it does the first to that of the first such body, up to 32 MiB, and keeps
/// what is smaller than that; and a thread's heap grows by 4 KiB, each with a call to the system. Others than glibc do
/// neither.
func setUpAllocator() {
  // What is set is adapted no more: so is how much the heap keeps at its end.
  reqrun_set_allocation_limits(1 << 20, 2 << 20, 2 << 20)
}

/// Ends the process at once: all is written by now, and libraries would clean up under threads that still use them.
func endProcess(_ status: Int32) -> Never {
  _exit(status)
}
