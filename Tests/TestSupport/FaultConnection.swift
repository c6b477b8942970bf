import Foundation
import WebSocket

#if canImport(Glibc)
  import Glibc
#endif

/// One connection of a ``FaultServer``.
struct FaultConnection {
  let socket: Int32
  private var buffer: [UInt8] = []

  init(socket: Int32) {
    self.socket = socket
    #if !canImport(Glibc)
      var on: Int32 = 1
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    var noDelay: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, socklen_t(MemoryLayout<Int32>.size))
  }

  func close() {
    #if canImport(Glibc)
      _ = Glibc.close(socket)
    #else
      _ = Darwin.close(socket)
    #endif
  }

  // MARK: Reading

  /// Nil once the client has closed.
  mutating func readRequest(number: Int) -> FaultServer.Request? {
    guard let head = take(through: "\r\n\r\n") else { return nil }
    var lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n").filter { !$0.isEmpty }
    guard !lines.isEmpty else { return nil }
    let words = lines.removeFirst().split(separator: " ").map(String.init)
    var request = FaultServer.Request(
      method: words.first ?? "", target: words.count > 1 ? words[1] : "", headerLines: lines, body: [],
      connection: number)
    // Who expects a word before the body may never send it.
    if request.header("Expect")?.lowercased() == "100-continue" { return request }
    guard let body = takeBody(of: request) else { return nil }
    request.body = body
    return request
  }

  private mutating func takeBody(of request: FaultServer.Request) -> [UInt8]? {
    if request.header("Transfer-Encoding")?.lowercased() == "chunked" { return takeChunks() }
    guard let length = request.header("Content-Length").flatMap(Int.init) else { return [] }
    return take(length)
  }

  private mutating func takeChunks() -> [UInt8]? {
    var body: [UInt8] = []
    while let line = take(through: "\r\n") {
      let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      guard let size = Int(text, radix: 16), let chunk = take(size), take(2) != nil else { return nil }
      if size == 0 { return body }
      body += chunk
    }
    return nil
  }

  mutating func take(through end: String) -> [UInt8]? {
    let end = Array(end.utf8)
    var searched = 0
    while true {
      while searched + end.count <= buffer.count {
        if buffer[searched..<searched + end.count].elementsEqual(end) { return take(searched + end.count) }
        searched += 1
      }
      guard receive() else { return nil }
    }
  }

  mutating func take(_ count: Int) -> [UInt8]? {
    while buffer.count < count {
      guard receive() else { return nil }
    }
    defer { buffer.removeFirst(count) }
    return Array(buffer.prefix(count))
  }

  mutating func putBack(_ bytes: [UInt8]) { buffer.insert(contentsOf: bytes, at: 0) }

  /// What has come and was not taken.
  mutating func takeBuffered() -> [UInt8] {
    defer { buffer = [] }
    return buffer
  }

  private mutating func receive() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65536)
    let count = recv(socket, &chunk, chunk.count, 0)
    if count > 0 { buffer += chunk.prefix(count) }
    return count > 0
  }

  // MARK: Answering

  /// Opens a WebSocket; false if none is asked for.
  private func upgrade(_ request: FaultServer.Request, _ subprotocol: String?) -> Bool {
    let asked = try? WebSocketRequest(method: request.method) { name in request.header(name).map { [$0] } ?? [] }
    guard let asked else { return false }
    let lines = asked.responseHeaders(subprotocol: subprotocol).map { "\($0.name): \($0.value)\r\n" }
    return send(Array("HTTP/1.1 101 Switching Protocols\r\n\(lines.joined())\r\n".utf8))
  }

  /// - Parameters:
  ///   - request: what the steps response.
  ///   - record: takes its body, where a step reads it.
  /// - Returns: whether the connection is still open afterwards.
  mutating func run(
    _ steps: [FaultScript.Step], answering request: FaultServer.Request, record: ([UInt8]) -> Void
  ) -> Bool {
    for step in steps {
      var isOpen = true
      switch step {
      case .send(let bytes): isOpen = send(bytes)
      case .repeated(let count, let bytes): isOpen = sendRepeatedly(count, bytes)
      case .trickle(let pause, let bytes):
        for byte in bytes where isOpen {
          sleep(pause)
          isOpen = send([byte])
        }
      case .wait(let pause): sleep(pause)
      case .read: isOpen = receive()
      case .upgrade(let subprotocol): isOpen = upgrade(request, subprotocol)
      case .body:
        let body = takeBody(of: request)
        if let body { record(body) }
        isOpen = body != nil
      case .hang:
        while receive() {}
        isOpen = false
      case .close: isOpen = false
      case .reset:
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        isOpen = false
      }
      guard isOpen else {
        close()
        return false
      }
    }
    return true
  }

  private func sendRepeatedly(_ count: Int, _ bytes: [UInt8]) -> Bool {
    let perBlock = max(1, 65536 / max(1, bytes.count))
    var block: [UInt8] = []
    for _ in 0..<min(count, perBlock) { block += bytes }
    for _ in 0..<(count / perBlock) {
      guard send(block) else { return false }
    }
    return send(Array(block.prefix(count % perBlock * bytes.count)))
  }

  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
        #if canImport(Glibc)
          return Glibc.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        #else
          return Darwin.send(socket, rest.baseAddress, rest.count, 0)
        #endif
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  private func sleep(_ pause: Duration) {
    let (seconds, attoseconds) = pause.components
    Thread.sleep(forTimeInterval: Double(seconds) + Double(attoseconds) / 1e18)
  }
}
