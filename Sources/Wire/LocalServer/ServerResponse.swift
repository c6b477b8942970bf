import CLibMicroHTTPD
import Values

/// The next piece of a response that is produced while it is sent.
package enum LivePiece: Sendable {
  case bytes([UInt8])
  case bytesAfter(Duration, [UInt8])
  /// No piece yet.
  case wait(Duration)
  case end
  /// The end of a response that is not whole: the connection is closed.
  case failed
}

/// A response to send.
package struct ServerResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Pieces sent as they are produced, chunked if the length is unknown.
    case live(length: Int? = nil, @Sendable (_ isFirst: Bool) -> LivePiece)
    /// A conversation after a 101 response, on a thread of its own.
    case webSocket(@Sendable (ServerWebSocket) -> Void)
  }

  /// A way to break the connection instead of a response.
  package enum Fault: Sendable {
    case close, reset
  }

  package var fault: Fault?
  package var status = 200
  package var headers: [(name: String, value: String)] = []
  package var body = Body.bytes([])
  /// The delay before the response.
  package var delay = Duration.zero
  /// Begins to make the response that is sent in place of this one, whose connection holds no thread meanwhile.
  private(set) var begin: (@Sendable (_ respond: @escaping @Sendable (ServerResponse) -> Void) -> Void)?

  /// A response that a function gets once it is there, on any thread.
  package static func later(
    _ begin: @escaping @Sendable (_ respond: @escaping @Sendable (ServerResponse) -> Void) -> Void
  ) -> ServerResponse {
    var response = ServerResponse()
    response.begin = begin
    return response
  }

  /// The response that a function makes of this one, once it is there.
  package func changed(_ change: @escaping @Sendable (ServerResponse) -> ServerResponse) -> ServerResponse {
    guard let begin else { return change(self) }
    return .later { respond in begin { respond(change($0)) } }
  }

  package init(
    status: Int = 200, headers: [(name: String, value: String)] = [], body: Body = .bytes([]),
    delay: Duration = .zero
  ) {
    (self.status, self.headers, self.body, self.delay) = (status, headers, body, delay)
  }

  package static func json(_ value: Value, status: Int = 200, type: String = "application/json") -> ServerResponse {
    text(value.jsonText(.pretty).string + "\n", type: type, status: status)
  }

  package static func text(_ text: String, type: String, status: Int = 200) -> ServerResponse {
    ServerResponse(status: status, headers: [("Content-Type", type)], body: .bytes(Array(text.utf8)))
  }

  package static func bytes(_ bytes: [UInt8], type: String = "application/octet-stream") -> ServerResponse {
    ServerResponse(headers: [("Content-Type", type)], body: .bytes(bytes))
  }

  package static func redirect(to location: String, status: Int = 302) -> ServerResponse {
    var response = text("Redirecting to \(location)\n", type: "text/plain; charset=utf-8", status: status)
    response.headers.append(("Location", location))
    return response
  }

  /// A problem details response (RFC 9457).
  package static func problem(_ status: Int, _ detail: String, _ more: [(String, Value)] = []) -> ServerResponse {
    let members: [(String, Value)] = [
      ("type", .text("about:blank")), ("title", .text(reasonPhrase(status))), ("status", .integer(status)),
      ("detail", .text(detail)),
    ]
    return json(.mapping(Mapping(members + more)), status: status, type: "application/problem+json")
  }

  static let stopping = problem(503, "the server is stopping")
  static let tooLarge = problem(413, "a request body may have at most \(ServerCore.bodyLimit) bytes")

  package func with(_ name: String, _ value: String) -> ServerResponse {
    var copy = self
    copy.headers.append((name, value))
    return copy
  }

  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Queues the response; if libmicrohttpd rejects a header, a problem that names it.
  func queue(on connection: OpaquePointer, of server: ServerCore) -> MHD_Result {
    if let fault {
      if case .reset = fault { reqrun_MHD_reset(connection) }
      return .NO
    }
    guard let response = created(for: connection, of: server) else { return .NO }
    defer { MHD_destroy_response(response) }
    for (name, value) in headers where MHD_add_response_header(response, name, value) != .YES {
      // libmicrohttpd cannot send an empty value, and its absence means the same.
      if value.isEmpty { continue }
      let problem = ServerResponse.problem(400, "this server cannot send the header \"\(name)\" with that value")
      return problem.queue(on: connection, of: server)
    }
    return MHD_queue_response(connection, UInt32(clamping: status), response)
  }

  private func created(for connection: OpaquePointer, of server: ServerCore) -> OpaquePointer? {
    switch body {
    case .webSocket:
      return MHD_create_response_for_upgrade(serverUpgrade, Unmanaged.passUnretained(server).toOpaque())
    case .live(let length, let next):
      let source = Unmanaged.passRetained(LiveSource(next, connection, server)).toOpaque()
      return MHD_create_response_from_callback(
        length.map { UInt64($0) } ?? .max, 64 << 10,
        { source, _, buffer, size in
          guard let source, let buffer else { return Int(MHD_CONTENT_READER_END_OF_STREAM) }
          let live = Unmanaged<LiveSource>.fromOpaque(source).takeUnretainedValue()
          return live.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
        }, source, { source in if let source { Unmanaged<LiveSource>.fromOpaque(source).release() } })
    case .bytes(var bytes):
      return bytes.withUnsafeMutableBytes {
        MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
      }
    }
  }
}

/// A body that is produced while it is sent; used by its connection's thread alone.
private final class LiveSource {
  private let next: @Sendable (_ isFirst: Bool) -> LivePiece
  private let connection: OpaquePointer
  private let server: ServerCore
  private var isFirst = true
  private var rest: ArraySlice<UInt8> = []

  init(
    _ next: @escaping @Sendable (_ isFirst: Bool) -> LivePiece, _ connection: OpaquePointer, _ server: ServerCore
  ) {
    self.next = next
    self.connection = connection
    self.server = server
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if rest.isEmpty {
      let piece = next(isFirst)
      isFirst = false
      switch piece {
      case .bytes(let bytes): rest = bytes[...]
      case .bytesAfter(let pause, let bytes):
        rest = bytes[...]
        return wait(pause)
      case .wait(let pause): return wait(pause)
      case .end: return Int(MHD_CONTENT_READER_END_OF_STREAM)
      case .failed: return Int(MHD_CONTENT_READER_END_WITH_ERROR)
      }
    }
    let part = rest.prefix(buffer.count)
    buffer.copyBytes(from: part)
    rest = rest.dropFirst(part.count)
    return part.count
  }

  /// Blocks until the pause is over; the response ends when the server stops.
  private func wait(_ pause: Duration) -> Int {
    server.suspend(connection, for: pause) ? 0 : Int(MHD_CONTENT_READER_END_OF_STREAM)
  }
}

/// The reason phrase of RFC 9110, section 15, for titles.
package func reasonPhrase(_ status: Int) -> String {
  guard Libmicrohttpd.isReady else { return "Unknown" }
  return MHD_get_reason_phrase_for(UInt32(clamping: status)).map { String(cString: $0) } ?? "Unknown"
}
