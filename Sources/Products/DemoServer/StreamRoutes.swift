import LocalServer
import Synchronization
import Values

/// Bytes, whole, in pieces and in ranges.
let streamRoutes: [Route] = [
  Route("GET", "/bytes/{n}", "n random bytes (at most 64 MiB), the same for the same ?seed=") { call in
    guard let count = call.integer("n", 0...byteLimit) else { return badByteCount(call) }
    return randomBytes(count, seed: seed(call), length: count)
  },
  Route("GET", "/stream-bytes/{n}", "The same bytes, chunked by ?chunk_size= (10 KiB)") { call in
    guard let count = call.integer("n", 0...byteLimit) else { return badByteCount(call) }
    let size = call.request.parameter("chunk_size").flatMap { Int($0) } ?? 10 << 10
    return randomBytes(count, seed: seed(call), pieces: min(max(1, size), 64 << 10))
  },
  Route("GET", "/stream/{n}", "n lines of JSON (at most 100), chunked") { call in
    guard let count = call.integer("n", 0...100) else {
      return .problem(400, "the number of lines is from 0 to 100, not \"\(call["n"])\"")
    }
    guard case .mapping(let echoed) = echo(call.request, ["args", "headers"]) else { return .bytes([]) }
    let position = Mutex(0)
    var response = ServerResponse.bytes([], type: "application/json")
    response.body = .live { _ in
      position.withLock { index in
        guard index < count else { return .end }
        var line = echoed
        line["id"] = .integer(index)
        index += 1
        return .bytes(Array((Value.mapping(line).jsonText().string + "\n").utf8))
      }
    }
    return response
  },
  Route("GET", "/range/{n}", "n letters (at most 100 KiB), and parts of them by Range") { call in
    guard let count = call.integer("n", 0...100 << 10) else {
      return .problem(400, "the number of letters is from 0 to \(100 << 10), not \"\(call["n"])\"")
    }
    let letters = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
    return ranged(letters, entityTag: "\"range\(count)\"", call.request)
  },
]

private let byteLimit = 64 << 20

private func badByteCount(_ call: RouteCall) -> ServerResponse {
  .problem(400, "the number of bytes is from 0 to \(byteLimit), not \"\(call["n"])\"")
}

private func seed(_ call: RouteCall) -> UInt64 {
  call.request.parameter("seed").flatMap { Int64($0) }.map { UInt64(bitPattern: $0) } ?? .random(in: .min ... .max)
}

/// Random bytes, produced as they are sent: a slow client takes no memory.
///
/// - Parameters:
///   - length: the length to announce.
///   - pieces: the number of bytes in a piece.
private func randomBytes(_ count: Int, seed: UInt64, length: Int? = nil, pieces: Int = 64 << 10) -> ServerResponse {
  let source = Mutex((generator: SplitMix64(seed: seed), ready: [UInt8](), rest: count))
  var response = ServerResponse.bytes([])
  response.body = .live(length: length) { _ in
    source.withLock { source in
      guard source.rest > 0 else { return .end }
      let size = min(pieces, source.rest)
      while source.ready.count < size {
        withUnsafeBytes(of: source.generator.next().littleEndian) { source.ready.append(contentsOf: $0) }
      }
      defer {
        source.ready.removeFirst(size)
        source.rest -= size
      }
      return .bytes(Array(source.ready.prefix(size)))
    }
  }
  return response
}

/// The whole, or the one range that is requested (RFC 9110, section 14).
func ranged(_ bytes: [UInt8], entityTag: String, _ request: ServerRequest) -> ServerResponse {
  let headers = [("ETag", entityTag), ("Accept-Ranges", "bytes")]
  let whole = headers.reduce(ServerResponse.bytes(bytes)) { $0.with($1.0, $1.1) }
  guard let header = request.header("Range"), header.hasPrefix("bytes="),
    request.header("If-Range").map({ $0 == entityTag }) ?? true
  else { return whole }
  let parts = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
  guard parts.count == 2, !header.contains(",") else { return whole }
  let (first, last) = (Int(parts[0]), Int(parts[1]))
  let range: Range<Int>? =
    switch (first, last) {
    case (let first?, let last?) where first <= last && first < bytes.count: first..<min(last, bytes.count - 1) + 1
    case (let first?, nil) where parts[1].isEmpty && first < bytes.count: first..<bytes.count
    case (nil, let count?) where parts[0].isEmpty && count > 0 && !bytes.isEmpty:
      max(0, bytes.count - count)..<bytes.count
    default: nil
    }
  guard let range else {
    return .problem(416, "the range \"\(header)\" lies outside of \(bytes.count) bytes")
      .with("Content-Range", "bytes */\(bytes.count)")
  }
  var response = whole.with("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)")
  response.status = 206
  response.body = .bytes(Array(bytes[range]))
  return response
}
