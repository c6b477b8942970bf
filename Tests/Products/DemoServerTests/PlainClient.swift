import Foundation

/// A response as it came over the wire, its chunks joined and nothing else undone.
struct PlainResponse: Sendable {
  let status: Int
  let headers: [(name: String, value: String)]
  let body: [UInt8]
  let isChunked: Bool

  var text: String { String(decoding: body, as: UTF8.self) }

  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The JSON body; nil if it is none.
  var json: NSDictionary? { (try? JSONSerialization.jsonObject(with: Data(body))) as? NSDictionary }

  /// What stands at a key path such as `headers.Host`, as JSON text; nil if nothing does.
  func value(_ keyPath: String) -> String? {
    var value: Any? = try? JSONSerialization.jsonObject(with: Data(body))
    for key in keyPath.split(separator: ".") {
      if let list = value as? [Any], let index = Int(key) {
        value = list.indices.contains(index) ? list[index] : nil
      } else {
        value = (value as? [String: Any])?[String(key)]
      }
    }
    guard let value else { return nil }
    if let text = value as? String { return text }
    let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
    let data = try? JSONSerialization.data(withJSONObject: value, options: options)
    return data.map { String(decoding: $0, as: UTF8.self) }
  }
}

struct ClientError: Error { let message: String }

/// One exchange over a socket of its own, on a thread of its own.
func send(
  _ method: String, _ url: String, headers: [(String, String)] = [], body: [UInt8] = []
) async throws -> PlainResponse {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result { try exchange(method, url, headers, body) }) }.start()
  }
}

func send(
  _ method: String, _ url: String, headers: [(String, String)] = [], json: String
) async throws -> PlainResponse {
  try await send(method, url, headers: headers + [("Content-Type", "application/json")], body: Array(json.utf8))
}

private func exchange(
  _ method: String, _ url: String, _ headers: [(String, String)], _ body: [UInt8]
) throws -> PlainResponse {
  let rest = url.dropFirst("http://".count)
  let authority = rest.prefix { $0 != "/" }
  guard let port = authority.split(separator: ":").last.flatMap({ UInt16($0) }) else {
    throw ClientError(message: "no port in \(url)")
  }
  #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let connected = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard connected == 0 else { throw ClientError(message: "cannot connect to \(authority)") }

  var request = "\(method) \(rest.dropFirst(authority.count)) HTTP/1.1\r\nHost: \(authority)\r\n"
  // What follows the head of an upgrade is for the new protocol.
  let isUpgrade = headers.contains { $0.0 == "Upgrade" }
  if !isUpgrade { request += "Connection: close\r\n" }
  for (name, value) in headers { request += "\(name): \(value)\r\n" }
  if !body.isEmpty && !isUpgrade { request += "Content-Length: \(body.count)\r\n" }
  var outgoing = (Array(request.utf8) + Array("\r\n".utf8) + body)[...]
  while !outgoing.isEmpty {
    let written = outgoing.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard written > 0 else { break }
    outgoing = outgoing.dropFirst(written)
  }
  var incoming: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while case let count = read(descriptor, &buffer, buffer.count), count > 0 { incoming += buffer[..<count] }
  return try parse(incoming, hasBody: method != "HEAD")
}

private func parse(_ bytes: [UInt8], hasBody: Bool) throws -> PlainResponse {
  guard let end = Data(bytes).range(of: Data("\r\n\r\n".utf8)) else {
    throw ClientError(message: "no head in \(String(decoding: bytes.prefix(200), as: UTF8.self))")
  }
  let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
  let headers = lines.dropFirst().map { line in
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return (name: String(parts[0]), value: parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
  }
  let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  let isChunked = headers.contains { $0.name == "Transfer-Encoding" && $0.value == "chunked" }
  let rest = Array(bytes[end.upperBound...])
  return PlainResponse(
    status: status, headers: headers, body: isChunked && hasBody ? try unchunked(rest) : rest, isChunked: isChunked)
}

private func unchunked(_ bytes: [UInt8]) throws -> [UInt8] {
  var result: [UInt8] = []
  var rest = bytes[...]
  while let lineEnd = rest.firstIndex(of: 0x0D) {
    guard let size = Int(String(decoding: rest[..<lineEnd], as: UTF8.self), radix: 16) else {
      throw ClientError(message: "a chunk without a size")
    }
    guard size > 0 else { return result }
    let start = lineEnd + 2
    result += bytes[start..<start + size]
    rest = bytes[(start + size + 2)...]
  }
  throw ClientError(message: "the chunks end before the last one")
}
