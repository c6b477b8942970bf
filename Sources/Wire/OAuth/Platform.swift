import LibC

#if canImport(Glibc)
  let streamSocket = Int32(SOCK_STREAM.rawValue)
  /// A peer that is gone is no reason to end the process.
  private let noSignal = Int32(MSG_NOSIGNAL)
#else
  let streamSocket = SOCK_STREAM
  private let noSignal: Int32 = 0
#endif

/// An address of the loopback with a port that the system chooses.
func loopbackAddress() -> sockaddr_in {
  var address = sockaddr_in()
  #if canImport(Darwin)
    address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
  #endif
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  return address
}

/// Makes a descriptor one that never blocks, and that no other program inherits.
func makeNonblocking(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  #if canImport(Darwin)
    var isOn: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
  #endif
}

func sendAll(_ text: String, to descriptor: Int32) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, noSignal) }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}

func readSome(_ descriptor: Int32) -> (bytes: [UInt8], isOpen: Bool) {
  var buffer = [UInt8](repeating: 0, count: 4096)
  let count = read(descriptor, &buffer, buffer.count)
  if count > 0 { return (Array(buffer[..<count]), true) }
  return ([], count < 0 && (errno == EAGAIN || errno == EINTR))
}
