import LibC

#if canImport(Darwin)
  private let noSignal: Int32 = 0
#else
  /// A peer that is gone is not a reason to end the process.
  private let noSignal = Int32(MSG_NOSIGNAL)
#endif

/// The socket of an upgraded connection, which never blocks.
struct UpgradedSocket {
  let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    var isOn: Int32 = 1
    // A small message doesn't wait for the acknowledgement of the one before it.
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #if canImport(Darwin)
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  /// Waits until there is something to read, or the end; false if the time is up before.
  ///
  /// - Parameter end: nil for any time.
  func waitToRead(until end: ContinuousClock.Instant?) -> Bool { wait(for: POLLIN, until: end) }

  /// Reads what has arrived; nil at the end, and none if there is nothing.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
    if count > 0 { return count }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : nil
  }

  /// Sends all bytes; false if the connection is over, or the other end reads nothing for 30 seconds.
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { LibC.send(descriptor, $0.baseAddress, $0.count, noSignal) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        guard wait(for: POLLOUT, until: .now + .seconds(30)) else { return false }
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Sends nothing more, but receives.
  func finishSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends both directions, from any thread.
  func end() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  private func wait(for event: Int32, until end: ContinuousClock.Instant?) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    while true {
      var milliseconds: Int32 = -1
      if let end {
        let left = max(.zero, end - .now)
        milliseconds = Int32(
          clamping: left / .milliseconds(1) < 1e9 ? Int((left / .milliseconds(1)).rounded(.up)) : .max)
      }
      let count = poll(&entry, 1, milliseconds)
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }
}
