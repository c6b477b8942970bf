import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A server on raw sockets that answers as its ``FaultScript`` says, however wrong.
///
/// It reads the request (head, and body by its framing), records it, then does the steps of its path.
package final class FaultServer: Sendable {
  package struct Request: Sendable, CustomStringConvertible {
    package var method: String
    package var target: String
    /// Lines as sent, in order.
    package var headerLines: [String]
    package var body: [UInt8]
    /// Which connection it came on, from 1.
    package var connection: Int

    package init(method: String, target: String, headerLines: [String], body: [UInt8], connection: Int) {
      self.method = method
      self.target = target
      self.headerLines = headerLines
      self.body = body
      self.connection = connection
    }

    package func header(_ name: String) -> String? {
      headerLines.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    package var withSortedHeaders: Request {
      var request = self
      request.headerLines.sort()
      return request
    }

    /// As it was sent, but for the list of codings, which is that of the libcurl at hand.
    package var description: String {
      let lines = headerLines.map { line in
        line.lowercased().hasPrefix("accept-encoding: ") && line.contains(",") ? "Accept-Encoding: <codings>" : line
      }
      let text = (["\(method) \(target)"] + lines).joined(separator: "\n") + "\n"
      return body.isEmpty ? text : "\(text)\n\(String(decoding: body, as: UTF8.self))\n"
    }
  }

  private struct Log {
    var requests: [Request] = []
    var requestsOfPath: [String: Int] = [:]
    var connections = 0
  }

  package let port: UInt16
  package var address: String { "http://127.0.0.1:\(port)" }
  private let listener: Int32
  private let script: FaultScript
  private let log = Mutex(Log())
  private let isStopping = Atomic(false)
  private let stopped = DispatchSemaphore(value: 0)

  package var requests: [Request] { log.withLock { $0.requests } }
  package var connectionCount: Int { log.withLock { $0.connections } }

  /// A server on a free port of the loopback address; it runs until ``stop()``.
  package static func start(_ script: String) throws -> FaultServer {
    let server = try FaultServer(script: FaultScript(script))
    Thread.detachNewThread { server.accept() }
    return server
  }

  private init(script: FaultScript) throws {
    self.script = script
    #if canImport(Glibc)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 512) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
  }

  package func stop() {
    isStopping.store(true, ordering: .releasing)
    shutdown(listener, Int32(SHUT_RDWR))
    stopped.wait()
    stopped.signal()
  }

  private func accept() {
    // Closed by the thread that uses it: a number that is free again may be another server's listener at once.
    defer {
      close(listener)
      stopped.signal()
    }
    while true {
      var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      let count = poll(&waiting, 1, 100)
      if isStopping.load(ordering: .acquiring) { return }
      if count <= 0 { continue }
      #if canImport(Glibc)
        let socket = Glibc.accept(listener, nil, nil)
      #else
        let socket = Darwin.accept(listener, nil, nil)
      #endif
      if socket < 0 { return }
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      let number = log.withLock { log in
        log.connections += 1
        return log.connections
      }
      Thread.detachNewThread {
        var connection = FaultConnection(socket: socket)
        var count = 0
        while let request = connection.readRequest(number: number) {
          count += 1
          guard connection.run(self.record(request, count)) else { return }
        }
        connection.close()
      }
    }
  }

  private func record(_ request: Request, _ requestOfConnection: Int) -> [FaultScript.Step] {
    let path = String(request.target.prefix { $0 != "?" })
    let requestOfPath = log.withLock { log in
      log.requests.append(request)
      log.requestsOfPath[path, default: 0] += 1
      return log.requestsOfPath[path, default: 0]
    }
    return script.steps(path: path, requestOfPath: requestOfPath, requestOfConnection: requestOfConnection)
      ?? [.send(Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8))]
  }
}
