import LibC
import OperatingSystem

#if canImport(Glibc)
  private let ipv6Level = Int32(IPPROTO_IPV6)
  let streamSocket = Int32(SOCK_STREAM.rawValue)
  /// A peer that is gone is not a reason to end the process.
  private let noSignal = Int32(MSG_NOSIGNAL)
#else
  private let ipv6Level = IPPROTO_IPV6
  let streamSocket = SOCK_STREAM
  private let noSignal: Int32 = 0
#endif

/// A socket that listens at a port of the loopback.
///
/// - Parameter port: 0 for one that the system chooses.
func listeningSocket(isIPv6: Bool, port: UInt16) throws(SystemProblem) -> (descriptor: Int32, port: UInt16) {
  let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, streamSocket, 0)
  guard descriptor >= 0 else { throw SystemProblem(code: errno) }
  makeNonblocking(descriptor)
  var isOn: Int32 = 1
  let size = socklen_t(MemoryLayout<Int32>.size)
  // A fixed port is free again at once, whatever connections it had.
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, size)
  let chosen: UInt16?
  if isIPv6 {
    setsockopt(descriptor, ipv6Level, IPV6_V6ONLY, &isOn, size)
    var address = sockaddr_in6()
    #if canImport(Darwin)
      address.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
    #endif
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    address.sin6_port = port.bigEndian
    chosen = listen(descriptor, at: &address) ? UInt16(bigEndian: address.sin6_port) : nil
  } else {
    var address = sockaddr_in()
    #if canImport(Darwin)
      address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
    #endif
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    chosen = listen(descriptor, at: &address) ? UInt16(bigEndian: address.sin_port) : nil
  }
  guard let chosen else {
    let problem = SystemProblem(code: errno)
    close(descriptor)
    throw problem
  }
  return (descriptor, chosen)
}

/// Listens at an address, which gets the port; false if that fails.
private func listen<Address>(_ descriptor: Int32, at address: inout Address) -> Bool {
  var size = socklen_t(MemoryLayout<Address>.size)
  return withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
      bind(descriptor, pointer, size) == 0 && listen(descriptor, SOMAXCONN) == 0
        && getsockname(descriptor, pointer, &size) == 0
    }
  }
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
