import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A second address of the loopback; macOS has but one unless more are set up.
#if os(Linux)
  package let secondLoopbackAddress = "127.0.0.2"
#else
  package let secondLoopbackAddress = "127.0.0.1"
#endif

/// A listening socket on a free port of the loopback address, each of its connections on a thread of its own.
final class LoopbackListener: Sendable {
  let port: UInt16
  private let descriptor: Int32
  private let isStopping = Atomic(false)
  private let stopped = DispatchSemaphore(value: 0)
  /// The pause after each connection that is taken from the queue.
  private let pause: TimeInterval

  init(backlog: Int32 = 512, pause: TimeInterval = 0) throws {
    self.pause = pause
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in.loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, backlog) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
  }

  #if os(Linux)
    /// On an abstract Unix socket, without a port.
    init(abstractSocket name: String) throws {
      pause = 0
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      port = 0
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) {
        UnsafeMutableRawBufferPointer(rebasing: $0.dropFirst()).copyBytes(from: name.utf8.prefix($0.count - 1))
      }
      let length = MemoryLayout<sa_family_t>.size + 1 + name.utf8.count
      let descriptor = descriptor
      let isBound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(length)) == 0 && listen(descriptor, 512) == 0
        }
      }
      guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRNOTAVAIL) }
    }
  #endif

  /// Calls the function for each connection; the socket is its own to close.
  func start(_ serve: @escaping @Sendable (_ socket: Int32) -> Void) {
    Thread.detachNewThread { self.accept(serve) }
  }

  /// Closes a socket that was never started.
  func abandon() { close(descriptor) }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    shutdown(descriptor, Int32(SHUT_RDWR))
    stopped.wait()
    stopped.signal()
  }

  private func accept(_ serve: @escaping @Sendable (_ socket: Int32) -> Void) {
    // Closed by the thread that uses it: a number that is free again may be another server's listener at once.
    defer {
      close(descriptor)
      stopped.signal()
    }
    while true {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&waiting, 1, 100)
      if isStopping.load(ordering: .acquiring) { return }
      if count <= 0 { continue }
      #if canImport(Glibc)
        let socket = Glibc.accept(descriptor, nil, nil)
      #else
        let socket = Darwin.accept(descriptor, nil, nil)
      #endif
      if socket < 0 { return }
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      Thread.detachNewThread { serve(socket) }
      if pause > 0 { Thread.sleep(forTimeInterval: pause) }
    }
  }
}

extension sockaddr_in {
  static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return address
  }
}

/// Ports of the loopback address that nothing listens on, each another one.
package func unusedPorts(_ count: Int) throws -> [UInt16] {
  // All are open at once: the system gives a port that was closed out again.
  let listeners = try (0..<count).map { _ in try LoopbackListener() }
  for listener in listeners { listener.abandon() }
  return listeners.map(\.port)
}

/// A port of the loopback address that nothing listens on.
package func unusedPort() throws -> UInt16 { try unusedPorts(1)[0] }
