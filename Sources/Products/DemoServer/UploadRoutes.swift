import LocalServer
import Cryptography
import HTTPSemantics
import Transfers
import Values

/// Files that arrive in one piece or in segments.
let uploadRoutes: [Route] = [
  Route(
    "PUT PATCH POST", "/upload/{name}",
    "Assembles a file from Content-Range or the fields of a form; 201 when whole, 202 or ?incomplete= before;"
      + " ?fail=N answers 503 N times"
  ) { receive($0) },
  Route("GET", "/upload/{name}", "What has come of a file, and its SHA-256 when whole") { call in
    call.state.withContents { contents in
      contents.uploads[call["name"]].map { .json($0.value) } ?? .problem(404, "nothing came under that name")
    }
  },
  Route("DELETE", "/upload/{name}", "Forgets a file") { call in
    call.state.withContents { $0.uploads[call["name"]] = nil }
    return ServerResponse(status: 204)
  },
]

/// A file that a client uploads.
struct ReceivedFile: Sendable {
  /// The maximum size of all files together.
  static let sizeLimit = 256 << 20

  let size: Int
  var bytes: [UInt8]
  var received = ByteRanges()
  var segments = 0
  var refusals = 0

  init(size: Int) {
    self.size = size
    bytes = [UInt8](repeating: 0, count: size)
  }

  var isWhole: Bool { segments > 0 && received.count == size }

  mutating func take(_ content: some Collection<UInt8>, at offset: Int) {
    bytes.replaceSubrange(offset..<offset + content.count, with: content)
    received.insert(Int64(offset)..<Int64(offset + content.count))
    segments += 1
  }

  var value: Value {
    .object([
      ("size", .integer(size)), ("received", .integer(received.count)), ("segments", .integer(segments)),
      ("complete", .bool(isWhole)),
      ("sha256", isWhole ? .text(hexEncoded(DigestAlgorithm.sha256.digest(of: bytes))) : .null),
    ])
  }
}

/// A part of a file, and its position.
private struct Piece {
  let content: [UInt8]
  let offset: Int
  let size: Int
}

private func receive(_ call: RouteCall) -> ServerResponse {
  guard let piece = piece(of: call.request), piece.offset >= 0,
    let end = piece.offset.adding(piece.content.count), end <= piece.size
  else {
    return .problem(400, "Content-Range, or the fields of the form, do not say which part of a file this is")
  }
  guard piece.size <= ReceivedFile.sizeLimit else { return .problem(413, "a file may have 256 MiB") }
  let failures = call.request.parameter("fail").flatMap { Int($0) } ?? 0
  let status = call.request.parameter("incomplete").map { Int($0) } ?? 202
  guard let status, (200...999).contains(status) else { return .problem(400, "a status is a number from 200 to 999") }
  let name = call["name"]
  guard name.utf8.count <= DemoState.nameLengthLimit else { return .nameTooLong }
  return call.state.withContents { contents in
    let others = contents.uploads.reduce(0) { $0 + ($1.key == name ? 0 : $1.value.size) }
    guard others + piece.size <= ReceivedFile.sizeLimit,
      contents.uploads[name] != nil || contents.uploads.count < DemoState.nameLimit
    else { return .problem(507, "all files together may have 256 MiB; DELETE forgets one") }
    var file = contents.uploads[name] ?? ReceivedFile(size: piece.size)
    // A complete one is overwritten by the next.
    if file.size != piece.size || file.isWhole {
      file = ReceivedFile(size: piece.size)
    }
    contents.uploads[name] = nil
    defer { contents.uploads[name] = file }
    if file.refusals < failures {
      file.refusals += 1
      return .problem(503, "failure \(file.refusals) of \(failures)").with("Retry-After", "0")
    }
    file.take(piece.content, at: piece.offset)
    if file.isWhole { return .json(file.value, status: 201) }
    let response = ServerResponse.json(file.value, status: status)
    guard status == 308, file.received.beginning > 0 else { return response }
    return response.with("Range", "bytes=0-\(file.received.beginning - 1)")
  }
}

private func piece(of request: ServerRequest) -> Piece? {
  let range = request.header("Content-Range").flatMap(contentRange)
  guard request.mediaType == "multipart/form-data" else {
    guard request.header("Content-Range") != nil else {
      return Piece(content: request.body, offset: 0, size: request.body.count)
    }
    guard let range, range.count == request.body.count else { return nil }
    return Piece(content: request.body, offset: range.offset, size: range.size)
  }
  let parts = headerParameter("boundary", of: request.header("Content-Type") ?? "").map {
    multipartParts(request.body, boundary: $0)
  }
  guard let parts, let content = parts.first(where: { $0.filename != nil })?.content else { return nil }
  if let range { return Piece(content: content, offset: range.offset, size: range.size) }
  func number(_ names: String...) -> Int? {
    parts.first { names.contains($0.name) }.flatMap { Int(String(decoding: $0.content, as: UTF8.self)) }
  }
  let size = number("dztotalfilesize", "resumableTotalSize", "total") ?? content.count
  let offset =
    number("dzchunkbyteoffset", "offset")
    ?? number("resumableChunkNumber").flatMap { index in
      number("resumableChunkSize").flatMap { index.subtracting(1)?.multiplied(by: $0) } ?? -1
    }
  return Piece(content: content, offset: offset ?? 0, size: size)
}

/// The numbers of `bytes 0-99/1000`; nil for another form.
private func contentRange(_ text: String) -> (offset: Int, count: Int, size: Int)? {
  guard text.hasPrefix("bytes ") else { return nil }
  let numbers = text.dropFirst(6).split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }.map { Int($0) }
  guard numbers.count == 3, let first = numbers[0], let last = numbers[1], let size = numbers[2], first <= last,
    last < size
  else { return nil }
  return (first, last - first + 1, size)
}
