import CLibMicroHTTPD
import Values

/// The next piece of a response that is produced while it is sent.
enum LivePiece: Sendable {
  case bytes([UInt8])
  case bytesAfter(Duration, [UInt8])
  /// No piece yet.
  case wait(Duration)
  case end
}

/// A response to send.
struct DemoResponse: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// Pieces sent as they are produced, chunked if the length is unknown.
    case live(length: Int? = nil, @Sendable (_ isFirst: Bool) -> LivePiece)
  }

  var status = 200
  var headers: [(name: String, value: String)] = []
  var body = Body.bytes([])
  /// The delay before the response.
  var delay = Duration.zero

  static func json(_ value: Value, status: Int = 200, type: String = "application/json") -> DemoResponse {
    text(value.jsonText(.pretty).string + "\n", type: type, status: status)
  }

  static func text(_ text: String, type: String, status: Int = 200) -> DemoResponse {
    DemoResponse(status: status, headers: [("Content-Type", type)], body: .bytes(Array(text.utf8)))
  }

  static func bytes(_ bytes: [UInt8], type: String = "application/octet-stream") -> DemoResponse {
    DemoResponse(headers: [("Content-Type", type)], body: .bytes(bytes))
  }

  static func redirect(to location: String, status: Int = 302) -> DemoResponse {
    var response = text("Redirecting to \(location)\n", type: "text/plain; charset=utf-8", status: status)
    response.headers.append(("Location", location))
    return response
  }

  /// A problem details response (RFC 9457).
  static func problem(_ status: Int, _ detail: String, _ more: [(String, Value)] = []) -> DemoResponse {
    let members: [(String, Value)] = [
      ("type", .text("about:blank")), ("title", .text(reasonPhrase(status))), ("status", .integer(status)),
      ("detail", .text(detail)),
    ]
    return json(.mapping(Mapping(members + more)), status: status, type: "application/problem+json")
  }

  static let nameTooLong = problem(414, "a name has at most \(DemoState.nameLengthLimit) bytes")

  static let tooLarge = problem(413, "a request body may have at most \(DemoServerCore.bodyLimit) bytes")

  func with(_ name: String, _ value: String) -> DemoResponse {
    var copy = self
    copy.headers.append((name, value))
    return copy
  }

  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Queues the response; if libmicrohttpd rejects a header, a problem that names it.
  func queue(on connection: OpaquePointer, of server: DemoServerCore) -> MHD_Result {
    guard let response = created(for: connection, of: server) else { return .NO }
    defer { MHD_destroy_response(response) }
    for (name, value) in headers where MHD_add_response_header(response, name, value) != .YES {
      // libmicrohttpd cannot send an empty value, and its absence means the same.
      if value.isEmpty { continue }
      let problem = DemoResponse.problem(400, "this server cannot send the header \"\(name)\" with that value")
      return problem.queue(on: connection, of: server)
    }
    return MHD_queue_response(connection, UInt32(clamping: status), response)
  }

  private func created(for connection: OpaquePointer, of server: DemoServerCore) -> OpaquePointer? {
    switch body {
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
  private let server: DemoServerCore
  private var isFirst = true
  private var rest: ArraySlice<UInt8> = []

  init(
    _ next: @escaping @Sendable (_ isFirst: Bool) -> LivePiece, _ connection: OpaquePointer, _ server: DemoServerCore
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
func reasonPhrase(_ status: Int) -> String {
  guard Libmicrohttpd.isReady else { return "Unknown" }
  return MHD_get_reason_phrase_for(UInt32(clamping: status)).map { String(cString: $0) } ?? "Unknown"
}

extension Value {
  static func object(_ members: [(String, Value)]) -> Value { .mapping(Mapping(members)) }

  /// Pairs as a mapping; a duplicate name becomes a list.
  static func grouped(_ pairs: [(name: String, value: String)]) -> Value {
    grouped(pairs.map { ($0.name, .text($0.value)) })
  }

  static func grouped(_ pairs: [(name: String, value: Value)]) -> Value {
    var names: [String] = []
    var values: [String: [Value]] = [:]
    for (name, value) in pairs {
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(value)
    }
    return .object(
      names.map { name in
        let all = values[name] ?? []
        return (name, all.count == 1 ? all[0] : .list(all))
      })
  }
}
