import DocumentQueries
import HTTPSemantics
import RequestSpecs
import SpecExecution
import Values

/// A request of Postman's collections.
struct PostmanRequestWriter {
  private let request: ExportedRequest
  private let words: ExportWords
  private let curly: CurlyRendering
  /// The reasons why parts are missing.
  private(set) var missing: [String] = []
  /// The file for a body of bytes.
  private(set) var file: (name: String, bytes: [UInt8])?
  private var resolved: ResolvedRequest { request.request }

  init(_ request: ExportedRequest, _ words: ExportWords, _ curly: CurlyRendering) {
    (self.request, self.words, self.curly) = (request, words, curly)
    if case .data(let data) = resolved.body { file = (words.bodyName(at: request.place), data.bytes) }
    if case .text(let text) = resolved.body, text.string.contains("{{") {
      missing.append("braces in a text, which Postman reads as a variable")
    }
    missing += request.changedParts
  }

  var value: Value {
    var headers = request.headers.filter { header in
      guard header.name.lowercased() == "content-type" else { return true }
      switch resolved.body {
      case .multipart: return false
      case .text: return isForm ? header.value != "application/x-www-form-urlencoded" : true
      default: return true
      }
    }
    if !resolved.cookies.isEmpty {
      headers.append(
        ("Cookie", resolved.cookies.map { "\($0.name.string)=\($0.value.string)" }.joined(separator: "; ")))
    }
    return jsonObject([
      "method": .text(resolved.method.rawValue),
      "header": .list(headers.map { pair(curly($0.name), curly($0.value)) }), "body": body, "auth": auth, "url": url,
    ])
  }

  var behavior: Value? {
    var members: [(String, Value)] = []
    let redirects = resolved.outgoing.redirects
    if redirects.mode == .none { members.append(("followRedirects", .bool(false))) }
    if redirects.keepsMethod { members.append(("followOriginalHttpMethod", .bool(true))) }
    if redirects.maxCount != RedirectPolicy().maxCount {
      members.append(("maxRedirects", .integer(redirects.maxCount)))
    }
    if !resolved.outgoing.options.tls.verifies { members.append(("strictSSL", .bool(false))) }
    if resolved.outgoing.bodyOnGetAllowed { members.append(("disableBodyPruning", .bool(true))) }
    return members.isEmpty ? nil : .mapping(Mapping(members))
  }

  private func pair(_ key: String, _ value: String, type: String? = nil) -> Value {
    jsonObject(["key": .text(key), "value": .text(value), "type": type.map { .text($0) }])
  }

  // MARK: URL

  private var url: Value {
    let text = resolved.outgoing.url.string
    let raw = curly.encoding(for: request)(text)
    let mark = raw.firstIndex(of: "?") ?? raw.endIndex
    var place = raw[..<mark]
    var protocolName: String?
    if let end = place.firstRange(of: "://") {
      protocolName = String(place[..<end.lowerBound])
      place = place[end.upperBound...]
    }
    let parts = place.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    var host = parts.first ?? ""
    var port: String?
    if !host.contains("{{"), let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
      port = String(host[host.index(after: colon)...])
      host = String(host[..<colon])
    }
    let query = raw[mark...].dropFirst().split(separator: "&").map { item -> Value in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return jsonObject([
        "key": .text(String(parts[0])), "value": parts.count > 1 ? .text(String(parts[1])) : Value.null,
      ])
    }
    return jsonObject([
      "raw": .text(raw), "protocol": protocolName.map { .text($0) },
      "host": .list(texts: host.hasPrefix("{{") ? [host] : host.split(separator: ".").map(String.init)),
      "port": port.map { .text($0) }, "path": .list(texts: Array(parts.dropFirst())),
      "query": query.isEmpty ? nil : .list(query),
    ])
  }

  // MARK: credentials

  private var auth: Value? {
    guard resolved.outgoing.headers.values("Authorization").isEmpty else { return nil }
    func auth(_ type: String, _ members: [(String, String?)]) -> Value {
      let values = members.compactMap { name, value in value.map { pair(name, curly($0), type: "string") } }
      return .mapping(Mapping([("type", .text(type)), (type, .list(values))]))
    }
    switch resolved.credentials {
    case .bearer(let token): return auth("bearer", [("token", token.string)])
    case .password(let scheme, let username, let password):
      return auth(scheme.rawValue, [("username", username.string), ("password", password.string)])
    case .awsSigV4(let keys):
      let scope = AWSScope(keys.plain, host: resolved.outgoing.url.host)
      return auth(
        "awsv4",
        [
          ("accessKey", keys.accessKey.string), ("secretKey", keys.secretKey.string),
          ("region", keys.region?.string ?? scope?.region), ("service", keys.service?.string ?? scope?.service),
          ("sessionToken", keys.sessionToken?.string),
        ])
    case .netrc, .negotiate, .oauth2, nil: return nil
    }
  }

  // MARK: bodies

  private var isForm: Bool {
    guard case .text(let text) = resolved.body else { return false }
    return resolved.contentType.contains("x-www-form-urlencoded") && curly.parameters(text.string) != nil
  }

  private var body: Value? {
    switch resolved.body {
    case .none: return nil
    case .data:
      return jsonObject(["mode": .text("file"), "file": jsonObject(["src": (self.file?.name).map { .text($0) }])])
    case .file(let file):
      return jsonObject(["mode": .text("file"), "file": jsonObject(["src": .text(file.path.string)])])
    case .text(let text):
      if isForm, let pairs = curly.parameters(text.string) {
        let values = pairs.map { pair(curly($0.name), curly($0.value), type: "text") }
        return jsonObject(["mode": .text("urlencoded"), "urlencoded": .list(values)])
      }
      if let graphQL = graphQL(text.string) { return graphQL }
      let type = resolved.contentType
      let language =
        type.contains("json") ? "json" : type.contains("xml") ? "xml" : type.contains("html") ? "html" : "text"
      return jsonObject([
        "mode": .text("raw"), "raw": .text(curly(text.string)),
        "options": jsonObject(["raw": jsonObject(["language": .text(language)])]),
      ])
    case .multipart(let parts, _):
      return jsonObject(["mode": .text("formdata"), "formdata": .list(parts.map(value))])
    }
  }

  private func value(_ part: ResolvedPart) -> Value {
    let type = part.type.map { Value.text(curly($0.string)) }
    let name = Value.text(curly(part.name.string))
    switch part.content {
    case .text(let text):
      return jsonObject(["key": name, "value": .text(curly(text.string)), "type": .text("text"), "contentType": type])
    case .data(let data):
      let text = String(decoding: data.bytes, as: UTF8.self)
      return jsonObject(["key": name, "value": .text(text), "type": .text("text"), "contentType": type])
    case .file(let file):
      return jsonObject(["key": name, "type": .text("file"), "src": .text(file.path.string), "contentType": type])
    }
  }

  /// The body in parts; nil for any other.
  private func graphQL(_ text: String) -> Value? {
    guard case .graphQL? = request.step.settings.body.value,
      let document = try? JSONDocument(parsing: Array(text.utf8)),
      case .mapping(let mapping) = document.root.value, case .text(let query)? = mapping["query"]
    else { return nil }
    let operation = mapping["operationName"].map { Value.text(curly($0.asText.string)) }
    return jsonObject([
      "mode": .text("graphql"),
      "graphql": jsonObject([
        "query": .text(curly(query.string)),
        "variables": mapping["variables"].map { .text(curly($0.jsonText().string)) }, "operationName": operation,
      ]),
    ])
  }
}
