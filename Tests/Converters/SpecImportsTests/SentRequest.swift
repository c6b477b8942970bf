import Foundation
import SpecImports
import TestSupport

/// A request as a server receives it, in a form in which equal requests are equal.
struct SentRequest: Equatable, CustomStringConvertible {
  var method: String
  var target: String
  var headers: [String: [String]] = [:]
  var body: String

  init(method: String, target: String, headers: [(name: String, value: String)], body: String) {
    self.method = method
    self.target = target.removingPercentEncoding ?? target
    var boundary: String?
    for (name, text) in headers {
      let name = name.lowercased()
      var value = text
      if Self.automatic.contains(name) || name == "user-agent" && Self.tools.contains(where: value.hasPrefix) {
        continue
      }
      if name == "accept", value == "*/*" { continue }
      if name == "content-type" {
        if value.hasPrefix("application/x-www-form-urlencoded") { value = "application/x-www-form-urlencoded" }
        if let start = value.range(of: "boundary=") {
          boundary = String(value[start.upperBound...])
          value = String(value[..<start.upperBound])
        }
      }
      self.headers[name, default: []].append(value)
    }
    self.body = boundary.map { body.replacingOccurrences(of: $0, with: "BOUNDARY") } ?? Self.canonical(body)
    if self.headers["content-type"] == ["application/x-www-form-urlencoded"] {
      self.body = body.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? body
    }
  }

  init(_ request: FaultServer.Request) {
    let headers = request.headerLines.map { line in
      let name = line.prefix { $0 != ":" }
      return (String(name), line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces))
    }
    self.init(
      method: request.method, target: request.target, headers: headers,
      body: String(decoding: request.body, as: UTF8.self))
  }

  private static let automatic: Set<String> = [
    "accept-encoding", "connection", "content-length", "expect", "host", "http2-settings", "transfer-encoding",
    "upgrade",
  ]
  private static let tools = ["curl/", "reqrun/"]

  /// JSON with sorted members.
  private static func canonical(_ body: String) -> String {
    guard body.hasPrefix("{") || body.hasPrefix("["),
      let value = try? JSONSerialization.jsonObject(with: Data(body.utf8)),
      let data = try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
    else { return body }
    return String(decoding: data, as: UTF8.self)
  }

  var description: String {
    "\(method) \(target) \(headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.joined(separator: ", "))" }) \(body)"
  }
}

extension ComposedImport {
  /// The requests that the built command sends for the specs, to one server whatever their hosts.
  ///
  /// - Parameter files: other files beside the specs.
  func sent(files: [String: String] = [:], environment: [String: String] = [:]) async throws -> [SentRequest] {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(files)
    try folder.write(
      Dictionary(self.files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) }, uniquingKeysWith: { $1 }))
    let server = try FaultServer.start(#"send "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n""#)
    defer { server.stop() }
    let specs = self.files.map(\.path).filter { $0.hasSuffix(".yaml") && $0 != "reqrun.yaml" }
    var run = ProcessRun(
      try builtExecutable("reqrun"),
      specs + ["--connect-to", "::127.0.0.1:\(server.port)", "--keep-going", "--jobs", "1"], in: folder.path)
    run.environment = environment
    for (name, value) in secrets { run.environment[name] = value }
    _ = try await run.run()
    return server.requests.map { SentRequest($0) }
  }
}
