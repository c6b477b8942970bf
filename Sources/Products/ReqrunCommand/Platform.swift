import CAllocator
import CommandLineOptions
import LibC
import OperatingSystem

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

/// The signal of a pipe that nothing reads any more.
let brokenPipeSignal = SIGPIPE

/// SIGINT, SIGTERM and SIGHUP, blocked in the calling thread and all threads that it starts, so that they can be waited
/// for; not SIGHUP if it is ignored, as under `nohup`.
///
/// Must be created before there are other threads. It also ignores SIGPIPE and SIGXFSZ.
struct TerminationSignals {
  private let set: sigset_t

  init() {
    reportClosedPipes()
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGTERM)
    let before = unsafeBitCast(signal(SIGHUP, SIG_IGN), to: Int.self)
    if before != unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(SIGHUP, SIG_DFL)
      sigaddset(&set, SIGHUP)
    }
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
  // An arena of its own takes 64 MiB of addresses for each thread.
  if addressSpaceLimit() < .max { reqrun_share_arena() }
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
    _ = write(terminal, "\n", 1)
  }
  _ = write(terminal, prompt, prompt.utf8.count)
  var bytes: [UInt8] = []
  var byte: UInt8 = 0
  while platformRead(terminal, &byte, 1) == 1, byte != 0x0A { bytes.append(byte) }
  return String(decoding: bytes, as: UTF8.self)
}

private func platformRead(_ descriptor: Int32, _ pointer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, pointer, count)
}
