import CLibMicroHTTPD
import Values

/// An answer to be sent.
struct DemoResponse: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// Sent one by one, chunked.
    case chunks([[UInt8]])
  }

  var status = 200
  var headers: [(name: String, value: String)] = []
  var body = Body.bytes([])
  /// How long the answer is held back.
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

  /// A problem (RFC 9457).
  static func problem(_ status: Int, _ detail: String, _ more: [(String, Value)] = []) -> DemoResponse {
    let members: [(String, Value)] = [
      ("type", .text("about:blank")), ("title", .text(reasonPhrase(status))), ("status", .integer(status)),
      ("detail", .text(detail)),
    ]
    return json(.mapping(Mapping(members + more)), status: status, type: "application/problem+json")
  }

  static let tooLarge = problem(413, "a request body may have at most \(DemoServerCore.bodyLimit) bytes")

  func with(_ name: String, _ value: String) -> DemoResponse {
    var copy = self
    copy.headers.append((name, value))
    return copy
  }

  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Hands the answer to libmicrohttpd; if it refuses a header, a problem that names it.
  func queue(on connection: OpaquePointer) -> MHD_Result {
    guard let response = created else { return .NO }
    defer { MHD_destroy_response(response) }
    for (name, value) in headers where MHD_add_response_header(response, name, value) != .YES {
      // An empty value cannot be sent by libmicrohttpd, and its absence says the same.
      if value.isEmpty { continue }
      let problem = DemoResponse.problem(400, "this server cannot send the header \"\(name)\" with that value")
      return problem.queue(on: connection)
    }
    return MHD_queue_response(connection, UInt32(status), response)
  }

  private var created: OpaquePointer? {
    switch body {
    case .bytes(var bytes):
      return bytes.withUnsafeMutableBytes {
        MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
      }
    case .chunks(let chunks):
      let source = Unmanaged.passRetained(ChunkSource(chunks)).toOpaque()
      return MHD_create_response_from_callback(
        UInt64.max, 64 << 10,
        { source, _, buffer, size in
          guard let source, let buffer else { return Int(MHD_CONTENT_READER_END_OF_STREAM) }
          let chunks = Unmanaged<ChunkSource>.fromOpaque(source).takeUnretainedValue()
          return chunks.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
        }, source, { source in if let source { Unmanaged<ChunkSource>.fromOpaque(source).release() } })
    }
  }
}

/// What is left of a chunked body; only the thread of its connection touches it.
private final class ChunkSource {
  private let chunks: [[UInt8]]
  private var index = 0
  private var offset = 0

  init(_ chunks: [[UInt8]]) {
    self.chunks = chunks.filter { !$0.isEmpty }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard index < chunks.count else { return Int(MHD_CONTENT_READER_END_OF_STREAM) }
    let part = chunks[index][offset...].prefix(buffer.count)
    buffer.copyBytes(from: part)
    offset += part.count
    if offset == chunks[index].count { (index, offset) = (index + 1, 0) }
    return part.count
  }
}

/// The phrase of RFC 9110, section 15, for titles.
func reasonPhrase(_ status: Int) -> String {
  MHD_get_reason_phrase_for(UInt32(max(0, status))).map { String(cString: $0) } ?? "Unknown"
}

extension Value {
  static func object(_ members: [(String, Value)]) -> Value { .mapping(Mapping(members)) }

  /// Pairs as a mapping; a name that stands several times becomes a list.
  static func grouped(_ pairs: [(name: String, value: String)]) -> Value {
    var names: [String] = []
    var values: [String: [Value]] = [:]
    for (name, value) in pairs {
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(.text(value))
    }
    return .object(
      names.map { name in
        let all = values[name] ?? []
        return (name, all.count == 1 ? all[0] : .list(all))
      })
  }
}
