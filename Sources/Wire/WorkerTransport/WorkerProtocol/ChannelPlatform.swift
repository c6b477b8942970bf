import LibC

/// The descriptor of a connected stream socket, which it owns.
final class ChannelSocket: Sendable {
  enum Received {
    case bytes(Int)
    /// The receive timeout passed.
    case nothing
    case end
  }

  private let descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
    #if canImport(Darwin)
      var isOn: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { close(descriptor) }

  /// Sends all bytes, waiting up to that many seconds for the other side to read; nil waits forever.
  ///
  /// - Returns: the number of bytes sent; -1 if the other side is gone, or has read nothing for that time (but not with
  /// 0).
  func send(_ bytes: UnsafeRawBufferPointer, waiting seconds: Int?) -> Int {
    #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    #else
      let flags = Int32(MSG_DONTWAIT)
    #endif
    var done = 0
    while done < bytes.count {
      #if canImport(Glibc)
        let count = Glibc.send(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, flags)
      #else
        let count = Darwin.send(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, flags)
      #endif
      if count > 0 {
        done += count
      } else if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
        if seconds == 0 { return done }
        guard isWritable(within: seconds) else { return -1 }
      } else if count == 0 || errno != EINTR {
        return -1
      }
    }
    return done
  }

  private func isWritable(within seconds: Int?) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while true {
      let count = poll(&entry, 1, seconds.map { Int32($0 * 1000) } ?? -1)
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { return .bytes(count) }
      if count < 0, errno == EINTR { continue }
      return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? .nothing : .end
    }
  }

  func setReceiveTimeout(milliseconds: Int) {
    var timeout = timeval()
    timeout.tv_sec = milliseconds / 1000
    timeout.tv_usec = .init((milliseconds % 1000) * 1000)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Shuts down both directions, which wakes up a reading thread.
  func shutdown() {
    #if canImport(Glibc)
      _ = Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
    #else
      _ = Darwin.shutdown(descriptor, Int32(SHUT_RDWR))
    #endif
  }
}
