import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A proxy: HTTP (`CONNECT` and whole URLs), SOCKS4, 4a and 5, told apart by the first byte.
///
/// All names lead to 127.0.0.1, so that a test sees whether the proxy resolved one.
package final class ProxyServer: Sendable {
  /// What it was asked for, such as `CONNECT wire.test:443`, `socks5 127.0.0.1:80`, with ` as user:password`.
  package var requests: [String] { log.withLock { $0 } }
  package var port: Int { Int(listener.port) }

  private let listener: LoopbackListener
  /// `user:password` that it insists on.
  private let credentials: String?
  private let log = Mutex<[String]>([])

  package static func start(credentials: String? = nil) throws -> ProxyServer {
    let server = try ProxyServer(credentials: credentials)
    server.listener.start { server.serve($0) }
    return server
  }

  private init(credentials: String?) throws {
    self.credentials = credentials
    listener = try LoopbackListener()
  }

  package func stop() { listener.stop() }

  private func serve(_ socket: Int32) {
    var client = FaultConnection(socket: socket)
    defer { client.close() }
    guard let first = client.peek() else { return }
    switch first {
    case 4: serveSOCKS4(&client)
    case 5: serveSOCKS5(&client)
    // TLS, which this proxy does not speak.
    case 22: _ = client.send(Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8))
    default: serveHTTP(&client)
    }
  }

  private func note(_ request: String, _ credentials: String? = nil) {
    log.withLock { $0.append(request + (credentials.map { " as \($0)" } ?? "")) }
  }

  // MARK: HTTP

  private func serveHTTP(_ client: inout FaultConnection) {
    while let head = client.take(through: "\r\n\r\n") {
      let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n").filter { !$0.isEmpty }
      let words = lines.first?.split(separator: " ").map(String.init) ?? []
      guard words.count == 3 else { return }
      let given = lines.first { $0.lowercased().hasPrefix("proxy-authorization: basic ") }
        .flatMap { Data(base64Encoded: String($0.dropFirst("proxy-authorization: basic ".count))) }
        .map { String(decoding: $0, as: UTF8.self) }
      note("\(words[0]) \(words[1])", given)
      if let credentials, given != credentials {
        let refusal = "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"proxy\"\r\n"
        guard client.send(Array((refusal + "Content-Length: 0\r\n\r\n").utf8)) else { return }
        continue
      }
      if words[0] == "CONNECT" {
        guard let port = words[1].split(separator: ":").last.flatMap({ UInt16($0) }) else { return }
        guard let target = connectToLoopback(port: port) else {
          _ = client.send(Array("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n".utf8))
          return
        }
        guard client.send(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)) else { return }
        return relay(&client, target)
      }
      // One request, its body and its response; then both connections end.
      guard let url = URL(string: words[1]), let target = connectToLoopback(port: UInt16(url.port ?? 80)) else {
        return
      }
      let kept = lines.dropFirst().filter { !$0.lowercased().hasPrefix("proxy-") }
      let path = words[1].split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
      let origin = path.drop { $0 != "/" }
      let request = ["\(words[0]) \(origin) HTTP/1.1"] + kept + ["Connection: close", "", ""]
      guard FaultConnection(socket: target).send(Array(request.joined(separator: "\r\n").utf8)) else { return }
      return relay(&client, target)
    }
  }

  // MARK: SOCKS

  private func serveSOCKS4(_ client: inout FaultConnection) {
    guard let fixed = client.take(8), let user = client.take(through: "\0") else { return }
    var host = fixed[4...].map(String.init).joined(separator: ".")
    var version = "socks4"
    if host.hasPrefix("0.0.0.") {
      guard let name = client.take(through: "\0") else { return }
      host = String(decoding: name.dropLast(), as: UTF8.self)
      version = "socks4a"
    }
    let port = UInt16(fixed[2]) << 8 | UInt16(fixed[3])
    note("\(version) \(host):\(port)", user.count > 1 ? String(decoding: user.dropLast(), as: UTF8.self) : nil)
    let target = connectToLoopback(port: port)
    guard client.send([0, target == nil ? 91 : 90, 0, 0, 0, 0, 0, 0]), let target else { return }
    relay(&client, target)
  }

  private func serveSOCKS5(_ client: inout FaultConnection) {
    guard let greeting = client.take(2), let methods = client.take(Int(greeting[1])) else { return }
    var given: String?
    if credentials != nil {
      guard methods.contains(2) else {
        _ = client.send([5, 0xFF])
        return
      }
      guard client.send([5, 2]), let start = client.take(2), let user = client.take(Int(start[1])),
        let length = client.take(1), let password = client.take(Int(length[0]))
      else { return }
      given = "\(String(decoding: user, as: UTF8.self)):\(String(decoding: password, as: UTF8.self))"
      guard client.send([1, given == credentials ? 0 : 1]) else { return }
    } else if !client.send([5, 0]) {
      return
    }
    guard let request = client.take(4), let host = client.takeAddress(kind: request[3]), let bytes = client.take(2)
    else { return }
    let port = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    note("socks5 \(host):\(port)", given)
    guard given == credentials, let target = connectToLoopback(port: port) else {
      _ = client.send([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])
      return
    }
    guard client.send([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]) else { return }
    relay(&client, target)
  }

  /// Copies both ways until one side ends; closes the target.
  private func relay(_ client: inout FaultConnection, _ target: Int32) {
    let target = FaultConnection(socket: target)
    defer { target.close() }
    guard target.send(client.takeBuffered()) else { return }
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      var waiting = [
        pollfd(fd: client.socket, events: Int16(POLLIN), revents: 0),
        pollfd(fd: target.socket, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waiting, 2, 60_000) > 0 else { return }
      for (index, from) in waiting.enumerated() where from.revents != 0 {
        let count = recv(from.fd, &chunk, chunk.count, 0)
        guard count > 0, (index == 0 ? target : client).send(Array(chunk.prefix(count))) else { return }
      }
    }
  }
}

extension FaultConnection {
  /// The first byte to come, which stays; nil once the client has closed.
  fileprivate mutating func peek() -> UInt8? {
    guard let bytes = take(1) else { return nil }
    putBack(bytes)
    return bytes[0]
  }

  /// An address of SOCKS5: IPv4, a name, or IPv6 as hexadecimal digits.
  fileprivate mutating func takeAddress(kind: UInt8) -> String? {
    switch kind {
    case 1: return take(4)?.map(String.init).joined(separator: ".")
    case 3: return take(1).flatMap { take(Int($0[0])) }.map { String(decoding: $0, as: UTF8.self) }
    case 4: return take(16)?.map { String($0, radix: 16) }.joined(separator: ":")
    default: return nil
    }
  }
}
