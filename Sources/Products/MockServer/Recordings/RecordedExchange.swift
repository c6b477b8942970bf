import DocumentQueries
import HTTPSemantics
import LocalServer
import Values

/// The recorded response to a request.
struct RecordedResponse: MockedResponse {
  /// Indicates that the recording lacks the body.
  let isIncomplete: Bool
  private let response: ServerResponse
  /// The URL of the request.
  private let url: HTTPURL
  private let origin: String
  private let method: String
  /// The length of the body that a response to HEAD declares.
  private let length: Int?
  /// Indicates whether it names its server.
  private let namesOrigin: Bool

  /// - Parameters:
  ///   - node: an entry of an HTTP archive, or a hop of a JSON report.
  ///   - keepsDelay: whether the response comes as late as the recorded one.
  fileprivate init(
    _ node: JSONNode, _ method: String, _ url: HTTPURL, keepsDelay: Bool
  ) throws(RecordingProblem) {
    (self.method, self.url, origin) = (method, url, "\(url.scheme)://\(url.authority)")
    guard let response = node[member: "response"], let status = response[member: "status"].flatMap({ Int($0.text) }),
      status >= 100
    else { throw RecordingProblem(message: "they have no response") }
    // A cache has responses of what the server had sent before.
    let cache = node.text("cache") ?? node[member: "cache"]?.text("comment") ?? ""
    if cache == "hit" || cache.hasPrefix("a hit: nothing") { throw RecordingProblem(message: "they were not sent") }
    let isRevalidated = cache == "revalidated" || cache.hasPrefix("a hit: the server")
    let fields = response.fields.filter { !RecordedResponse.connectionFields.contains($0.name.lowercased()) }
    let content = try RecordedContent(response[member: "content"] ?? response[member: "body"])
    length = response.fields.first { equalsIgnoringCase($0.name, "content-length") }.flatMap { Int($0.value) }
    // What follows a redirect or a challenge doesn't depend on its body.
    isIncomplete = content.isMissing && (200..<300).contains(status)
    if isIncomplete, method == "GET" { throw RecordingProblem(message: "the recording lacks their bodies") }
    self.response = ServerResponse(
      status: isRevalidated ? 304 : status,
      headers: fields.map { name, value in
        (name, content.isText && equalsIgnoringCase(name, "content-type") ? RecordedResponse.asUTF8(value) : value)
      }, body: .bytes(isRevalidated ? [] : content.bytes),
      delay: keepsDelay ? node[member: "timings"]?.delay ?? .zero : .zero)
    let name = url.port == nil ? origin : url.authority
    namesOrigin =
      content.isText && content.bytes.firstRange(of: Array(name.utf8)) != nil
      || fields.contains { $0.value.contains(name) }
  }

  /// The fields of the connection, and of the coding that a recording doesn't have.
  private static let connectionFields: Set<String> = [
    "connection", "content-encoding", "content-length", "date", "keep-alive", "transfer-encoding", "alt-svc",
    "strict-transport-security",
  ]

  /// The content type of text that is UTF-8 now.
  private static func asUTF8(_ type: String) -> String {
    guard let charset = headerParameter("charset", of: type) else { return type }
    return type.replacing(charset, with: "utf-8")
  }

  /// The response, with the address of this server in place of the recorded one's.
  func response(to request: ServerRequest, _ bindings: Bindings) -> ServerResponse {
    var result = response
    if method == "HEAD" { result.body = .live(length: length) { _ in .end } }
    guard namesOrigin else { return result }
    result.headers = response.headers.map { ($0.name, moved($0.value, to: request)) }
    if case .bytes(let bytes) = response.body, let text = String(validating: bytes, as: UTF8.self) {
      result.body = .bytes(Array(moved(text, to: request).utf8))
    }
    return result
  }

  /// A text that names the server of a request, in place of the recorded one.
  private func moved(_ text: String, to request: ServerRequest) -> String {
    let text = text.replacing(origin, with: request.baseURL)
    // A name alone may stand in addresses of another kind.
    return url.port == nil ? text : text.replacing(url.authority, with: request.host)
  }

  func belongs(_ bindings: Bindings) -> Bool { false }

  /// The target of `Location`, and the identifiers of the body below the path of the request.
  var madePaths: [String] {
    guard (200..<400).contains(response.status) else { return [] }
    var paths: [String] = []
    if let location = response.header("Location") {
      paths.append(String(location.replacing(origin, with: "").prefix { $0 != "?" && $0 != "#" }))
    }
    if case .bytes(let bytes) = response.body, let root = (try? JSONDocument(parsing: bytes))?.root {
      for member in root.members where !member.value.isContainer && isIdentifierName(member.key) {
        paths.append("\(url.path)/\(percentEncoded(member.value.string, allowed: .unreserved))")
      }
    }
    return paths
  }
}

/// The reason why an exchange can't be played back.
struct RecordingProblem: Error {
  let message: String
}

/// An exchange of a recording, and the host that it was sent to.
struct RecordedExchange {
  let exchange: MockedExchange
  let host: String
  let isIncomplete: Bool

  /// - Parameters:
  ///   - node: an entry of an HTTP archive, or a hop of a JSON report.
  ///   - keepsDelay: whether the response comes as late as the recorded one.
  init(_ node: JSONNode, keepsDelay: Bool) throws(RecordingProblem) {
    guard let request = node[member: "request"], let text = request.text("url"), let url = try? HTTPURL(parsing: text)
    else { throw RecordingProblem(message: "their requests have no URL of HTTP") }
    let method = request.text("method") ?? "GET"
    let port = url.port.map { ":\($0)" }
    let fields = request.fields.filter { !equalsIgnoringCase($0.name, "cookie") }.map { name, value in
      // Another port is not another host.
      let isHost = equalsIgnoringCase(name, "host")
      return (name: name, value: isHost ? port.map { value.replacing($0, with: ":\(Text.mask)") } ?? value : value)
    }
    let cookies = (request[member: "cookies"]?.items ?? []).map { cookie in
      (name: "cookie \(cookie.text("name") ?? "")", value: cookie.text("value") ?? Text.mask)
    }
    let type = request.fields.first { equalsIgnoringCase($0.name, "content-type") }?.value ?? ""
    let response = try RecordedResponse(node, method, url, keepsDelay: keepsDelay)
    (host, isIncomplete) = (url.host, response.isIncomplete)
    exchange = MockedExchange(
      method: method, path: url.path.isEmpty ? "/" : url.path, query: url.query ?? "", fields: fields + cookies,
      body: SentBody(of: request, type: mediaType(of: type)), response: response)
  }
}

/// The content of a response.
private struct RecordedContent {
  var bytes: [UInt8] = []
  var isText = false
  /// Indicates that the recording lacks it.
  var isMissing = false

  init(_ node: JSONNode?) throws(RecordingProblem) {
    guard let node else { return }
    let comment = node.text("comment") ?? ""
    if node[member: "cut"] != nil || comment.hasPrefix("the beginning of ") || comment.hasPrefix("a part of ") {
      throw RecordingProblem(message: "the recording has only the beginning of their bodies")
    }
    let isEncoded = node.text("encoding") == "base64"
    if let data = node.text("base64") ?? (isEncoded ? node.text("text") : nil) {
      bytes = base64Decoded(data) ?? []
    } else if let text = node.text("text") {
      (bytes, isText) = (Array(text.utf8), true)
    } else {
      isMissing = node[member: "size"].flatMap({ Int($0.text) }) ?? 0 > 0
    }
  }
}

extension SentBody {
  fileprivate init(of request: JSONNode, type: String) {
    guard let data = request[member: "postData"] ?? request[member: "body"] else {
      self = .none
      return
    }
    if let parameters = data[member: "params"], parameters.count > 0 {
      self = .form(
        parameters.items.map { part in
          let isFile = part.text("fileName") != nil || part.text("_encoding") != nil
          return (part.text("name") ?? "", isFile ? nil : part.text("value") ?? "")
        })
    } else if let encoded = data.text("base64") ?? (data.text("_encoding") == "base64" ? data.text("text") : nil) {
      self = base64Decoded(encoded).map { .data($0) } ?? .unknown
    } else if let text = data.text("text"), data[member: "cut"] == nil {
      self.init(text: text, type: type)
    } else {
      self = .unknown
    }
  }
}

extension JSONNode {
  /// The time to the first byte of a response, in milliseconds or in seconds.
  fileprivate var delay: Duration? {
    if let wait = self[member: "wait"].flatMap({ Double($0.text) }) {
      return .milliseconds(min(max(0, wait), 3_600_000))
    }
    return self[member: "first_byte"].flatMap { Double($0.text) }.map { .seconds(min(max(0, $0), 3600)) }
  }

  func text(_ name: String) -> String? {
    guard let node = self[member: name], node.kind == .text else { return nil }
    return node.string
  }

  fileprivate var fields: [(name: String, value: String)] {
    (self[member: "headers"]?.items ?? []).compactMap { item in item.text("name").map { ($0, item.text("value") ?? "") }
    }
  }
}
