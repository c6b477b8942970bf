import LibC
import OperatingSystem

/// The three standard streams.
package enum StandardStream: Int32, Sendable {
  case input = 0
  case output = 1
  case error = 2

  /// The stream's name in messages.
  package var name: String { self == .output ? "standard output" : "standard error" }

  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Writes all bytes; a closed pipe isn't an error.
  ///
  /// - Returns: the problem if writing failed.
  @discardableResult
  package func write(_ bytes: [UInt8]) -> SystemProblem? {
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

  /// The next bytes; none at the end.
  package func read() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
      repeat { count = platformRead(rawValue, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
      count = max(0, count)
    }
  }

  @discardableResult
  package func write(_ text: String) -> SystemProblem? { write(Array(text.utf8)) }

  /// Writes as much as possible without blocking; a closed pipe accepts all.
  ///
  /// A writable pipe has room for at least `PIPE_BUF` bytes.
  package func writeWhatFits(_ bytes: UnsafeRawBufferPointer) -> (count: Int, problem: SystemProblem?) {
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
  package func isWritable(within milliseconds: Int32) -> Bool { isReady(for: POLLOUT, within: milliseconds) }

  /// Indicates whether it is a pipe that nothing reads any more.
  package var hasNoReader: Bool {
    var stream = pollfd(fd: rawValue, events: 0, revents: 0)
    return poll(&stream, 1, 0) > 0 && Int32(stream.revents) & POLLERR != 0
  }

  package func isReady(for events: Int32, within milliseconds: Int32) -> Bool {
    var stream = pollfd(fd: rawValue, events: Int16(events), revents: 0)
    return poll(&stream, 1, milliseconds) > 0
  }
}

private func platformWrite(_ descriptor: Int32, _ pointer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, pointer, count)
}

private func platformRead(_ descriptor: Int32, _ pointer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, pointer, count)
}

/// The terminal's width in columns; nil if neither standard output nor standard error is one.
package func terminalWidth() -> Int? { terminalSize().map { Int($0.ws_col) } }

/// The terminal's height in lines; nil if neither standard output nor standard error is one.
func terminalHeight() -> Int? { terminalSize().flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

private func terminalSize() -> winsize? {
  for stream in [StandardStream.output, .error] {
    var size = winsize()
    if ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return size }
  }
  return nil
}

extension StandardStream {
  /// Reports on standard error that the stream cannot be written, and returns the exit code for that.
  package func report(_ problem: SystemProblem) -> Int32 {
    StandardStream.error.write("error: \(name) cannot be written: \(problem.reason)\n")
    return 5
  }
}
