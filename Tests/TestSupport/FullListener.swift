import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A listening socket that takes no more connections: to connect takes until a deadline.
package final class FullListener {
  private let listener: LoopbackListener
  private var sockets: [Int32] = []

  package var port: Int { Int(listener.port) }

  package init() throws {
    listener = try LoopbackListener(backlog: 0)
    var address = sockaddr_in.loopback(port: listener.port)
    for _ in 0..<4 {
      #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #endif
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      sockets.append(descriptor)
    }
  }

  deinit {
    for socket in sockets { close(socket) }
    listener.abandon()
  }
}
