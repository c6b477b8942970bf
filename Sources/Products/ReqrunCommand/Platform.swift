import CAllocator
import LibC
import OperatingSystem

/// The three standard streams.
enum StandardStream: Int32 {
  case input = 0
  case output = 1
  case error = 2

  /// The stream's name in messages.
  var name: String { self == .output ? "standard output" : "standard error" }

  var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Writes all bytes; a closed pipe isn't an error.
  ///
  /// - Returns: the problem if writing failed.
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

  /// Writes as much as possible without blocking; a closed pipe accepts all.
  ///
  /// A writable pipe has room for at least `PIPE_BUF` bytes.
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

  /// Returns whether bytes can be written without blocking, now or within that time.
  func isWritable(within milliseconds: Int32) -> Bool { isReady(for: POLLOUT, within: milliseconds) }

  /// Indicates whether it is a pipe that nothing reads any more.
  var hasNoReader: Bool {
    var stream = pollfd(fd: rawValue, events: 0, revents: 0)
    return poll(&stream, 1, 0) > 0 && Int32(stream.revents) & POLLERR != 0
  }

  private func isReady(for events: Int32, within milliseconds: Int32) -> Bool {
    var stream = pollfd(fd: rawValue, events: Int16(events), revents: 0)
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

#if canImport(Darwin)
  private let browserOpener = "open"
  /// `FIONREAD`, a macro that Swift doesn't import there.
  private let readableCountRequest: UInt = 0x4004_667F
#else
  private let browserOpener = "xdg-open"
  private let readableCountRequest = UInt(FIONREAD)
#endif

/// Opens a page in the user's browser; nothing happens if there is none.
func openInBrowser(_ page: String) {
  #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
  #else
    var actions = posix_spawn_file_actions_t()
  #endif
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for descriptor in [Int32(0), 1, 2] {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
  }
  var arguments = [strdup(browserOpener), strdup(page), nil]
  defer { for argument in arguments { free(argument) } }
  var id: pid_t = 0
  guard posix_spawnp(&id, browserOpener, &actions, nil, &arguments, environ) == 0 else { return }
  // Waits for its end on a thread of its own.
  let started = id
  _ = callLater(after: .zero) {
    var status: Int32 = 0
    waitpid(started, &status, 0)
  }
}

/// Indicates whether an argument is not UTF-8: `CommandLine.arguments` has other bytes in its place.
var hasUnreadableArguments: Bool {
  (0..<Int(CommandLine.argc)).contains { index in
    CommandLine.unsafeArgv[index].map { String(validatingCString: $0) == nil } ?? false
  }
}

func isExistingPath(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// The signal of a pipe that nothing reads any more.
let brokenPipeSignal = SIGPIPE

/// SIGINT and SIGTERM, blocked in the calling thread and all threads that it starts, so that they can be waited for.
///
/// Must be created before there are other threads. It also ignores SIGPIPE and SIGXFSZ: writing reports those errors.
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

  /// Waits for the next signal.
  func next() -> Int32 {
    var set = set
    var received: Int32 = 0
    while sigwait(&set, &received) != 0 {}
    return received
  }
}

/// Configures glibc's allocator to return the memory of a large body as soon as it is freed, and to request memory for
/// small objects in large pieces.
///
/// By default glibc raises the threshold for the former to the size of the first such body, up to 32 MiB, and keeps
/// smaller blocks; and a thread's heap grows by 4 KiB, each with a system call. Other libraries do neither.
func setUpAllocator() {
  // A value that was set is no longer adapted; the same applies to the memory kept at the heap's end.
  reqrun_set_allocation_limits(1 << 20, 2 << 20, 2 << 20)
}

/// Ends the process immediately: all output is written, and libraries would clean up under threads that still use them.
func endProcess(_ status: Int32) -> Never {
  _exit(status)
}

extension StandardStream {
  /// Indicates whether the stream is a pipe, a socket or a file: something that has content for a program.
  var hasContent: Bool {
    var status = stat()
    guard fstat(rawValue, &status) == 0 else { return false }
    return [S_IFIFO, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// Indicates whether bytes can be read without waiting.
  var hasBytes: Bool {
    var count: Int32 = 0
    return ioctl(rawValue, readableCountRequest, &count) == 0 && count > 0
  }

  /// Returns whether there are bytes to read, or their end, within that time.
  func isReadable(within milliseconds: Int32) -> Bool { isReady(for: POLLIN, within: milliseconds) }
}

/// Asks for a secret on the terminal of the process, which doesn't show what is typed; nil if there is no terminal.
func readSecret(prompt: String) -> String? {
  let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
  guard terminal >= 0 else { return nil }
  defer { close(terminal) }
  var shown = termios()
  guard tcgetattr(terminal, &shown) == 0 else { return nil }
  var hidden = shown
  hidden.c_lflag &= ~tcflag_t(ECHO)
  tcsetattr(terminal, TCSAFLUSH, &hidden)
  signalHandler.set { [shown] signal in
    var shown = shown
    tcsetattr(terminal, TCSAFLUSH, &shown)
    endProcess(128 + signal)
  }
  defer {
    tcsetattr(terminal, TCSAFLUSH, &shown)
    _ = platformWrite(terminal, "\n", 1)
  }
  _ = platformWrite(terminal, prompt, prompt.utf8.count)
  var bytes: [UInt8] = []
  var byte: UInt8 = 0
  while platformRead(terminal, &byte, 1) == 1, byte != 0x0A { bytes.append(byte) }
  return String(decoding: bytes, as: UTF8.self)
}

private func platformRead(_ descriptor: Int32, _ pointer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, pointer, count)
}
