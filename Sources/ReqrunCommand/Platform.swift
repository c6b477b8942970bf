#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The three standard streams.
enum StandardStream: Int32 {
  case input = 0
  case output = 1
  case error = 2

  var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Writes all of it; a reader that has gone away is no error of ours.
  func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer
      while !rest.isEmpty {
        let count = platformWrite(rawValue, rest.baseAddress, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          if errno == EAGAIN {
            var waiting = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
            _ = poll(&waiting, 1, -1)
            continue
          }
          return
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  func write(_ text: String) { write(Array(text.utf8)) }
}

private func platformWrite(_ descriptor: Int32, _ pointer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, pointer, count)
}

/// The terminal's width in columns: asked of the terminal, else `COLUMNS`; nil if neither says.
func terminalWidth() -> Int? {
  var size = winsize()
  if ioctl(StandardStream.output.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
  return environmentValue("COLUMNS").flatMap { Int($0) }
}

func environmentValue(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

func isExistingPath(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// Takes SIGINT and SIGTERM on a thread of their own, for the whole process; a closed pipe is no reason to die.
func takeSignals(_ body: @escaping @Sendable (Int32) -> Void) {
  signal(SIGPIPE, SIG_IGN)
  var set = sigset_t()
  sigemptyset(&set)
  sigaddset(&set, SIGINT)
  sigaddset(&set, SIGTERM)
  pthread_sigmask(SIG_BLOCK, &set, nil)
  let waiter = SignalWaiter(body: body)
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  pthread_create(&thread, nil, signalThread, Unmanaged.passRetained(waiter).toOpaque())
}

#if canImport(Darwin)
  private func signalThread(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    waitForSignals(context)
  }
#else
  private func signalThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    context.flatMap { waitForSignals($0) }
  }
#endif

private final class SignalWaiter: Sendable {
  let body: @Sendable (Int32) -> Void

  init(body: @escaping @Sendable (Int32) -> Void) { self.body = body }
}

private func waitForSignals(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  let waiter = Unmanaged<SignalWaiter>.fromOpaque(context).takeRetainedValue()
  var set = sigset_t()
  sigemptyset(&set)
  sigaddset(&set, SIGINT)
  sigaddset(&set, SIGTERM)
  while true {
    var received: Int32 = 0
    if sigwait(&set, &received) == 0 { waiter.body(received) }
  }
}

func endProcess(_ status: Int32) -> Never {
  exit(status)
}
