#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads until the buffer is full; false at the end of the stream or on an error.
func readFully(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
  var done = 0
  while done < buffer.count {
    let count = read(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    done += count
  }
  return true
}

/// Sends all bytes; false if the other side is gone or takes nothing for the socket's send timeout.
func sendFully(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
  #if canImport(Glibc)
    let flags = Int32(MSG_NOSIGNAL)
  #else
    let flags: Int32 = 0
  #endif
  var done = 0
  while done < bytes.count {
    let count = send(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, flags)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    done += count
  }
  return true
}

/// How long ``sendFully(_:_:)`` waits for the other side to take something.
func setSendTimeout(_ descriptor: Int32, seconds: Int) {
  var timeout = timeval(tv_sec: seconds, tv_usec: 0)
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
}

/// Ends both directions; a thread that reads wakes up.
func shutdownSocket(_ descriptor: Int32) {
  _ = shutdown(descriptor, Int32(SHUT_RDWR))
}

func closeDescriptor(_ descriptor: Int32) {
  _ = close(descriptor)
}
