import Foundation
import Synchronization

/// A server on raw sockets that answers as its ``FaultScript`` says, however wrong.
///
/// It reads the request (head, and body by its framing), records it, then does the steps of its path. Of one that says
/// `Expect: 100-continue` it reads the body only where a step does.
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

  package var port: UInt16 { listener.port }
  package var address: String { "http://127.0.0.1:\(port)" }
  private let listener: LoopbackListener
  private let script: FaultScript
  private let log = Mutex(Log())

  package var requests: [Request] { log.withLock { $0.requests } }
  package var connectionCount: Int { log.withLock { $0.connections } }

  /// A server on a free port of the loopback address; it runs until ``stop()``.
  package static func start(_ script: String) throws -> FaultServer {
    try start(FaultScript(script))
  }

  /// A server that takes connections slowly out of a short queue.
  package static func startSlowly(_ script: String) throws -> FaultServer {
    let server = try FaultServer(script: FaultScript(script), listener: LoopbackListener(backlog: 4, pause: 0.001))
    server.listener.start { server.serve($0) }
    return server
  }

  #if os(Linux)
    /// A server on an abstract Unix socket, which is a name in no file system.
    package static func start(_ script: String, abstractSocket name: String) throws -> FaultServer {
      let server = try FaultServer(script: FaultScript(script), listener: LoopbackListener(abstractSocket: name))
      server.listener.start { server.serve($0) }
      return server
    }
  #endif

  package static func start(_ script: FaultScript) throws -> FaultServer {
    let server = try FaultServer(script: script, listener: LoopbackListener())
    server.listener.start { server.serve($0) }
    return server
  }

  private init(script: FaultScript, listener: LoopbackListener) {
    self.script = script
    self.listener = listener
  }

  package func stop() { listener.stop() }

  private func serve(_ socket: Int32) {
    let number = log.withLock { log in
      log.connections += 1
      return log.connections
    }
    var connection = FaultConnection(socket: socket)
    var count = 0
    while let request = connection.readRequest(number: number) {
      count += 1
      let (steps, index) = record(request, count)
      let isOpen = connection.run(steps, answering: request) { body in log.withLock { $0.requests[index].body = body } }
      guard isOpen else { return }
    }
    connection.close()
  }

  private func record(_ request: Request, _ requestOfConnection: Int) -> (steps: [FaultScript.Step], index: Int) {
    let path = String(request.target.prefix { $0 != "?" })
    let (requestOfPath, index) = log.withLock { log in
      log.requests.append(request)
      log.requestsOfPath[path, default: 0] += 1
      return (log.requestsOfPath[path, default: 0], log.requests.count - 1)
    }
    let steps =
      script.steps(path: path, requestOfPath: requestOfPath, requestOfConnection: requestOfConnection)
      ?? [.send(Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8))]
    return (steps, index)
  }
}
