import DocumentQueries

/// A request of Postman in the words of specs.
struct PostmanRequest {
  private let node: JSONNode
  private var scope: ImportedScope
  private var request: ImportedRequest
  private var bodyType: String?

  /// - Parameters:
  ///   - outer: the settings of the folders around it.
  ///   - lacksScheme: whether the value of a variable is a host without a scheme.
  static func read(
    _ item: JSONNode, _ node: JSONNode, _ outer: [(key: String, value: JSONNode)], _ lacksScheme: (String) -> Bool
  ) -> ImportedItem {
    let url = PostmanURL(node.kind == .text ? node : node[member: "url"], lacksScheme: lacksScheme)
    var reader = PostmanRequest(
      node: node, scope: ImportedScope(postman: item), request: ImportedRequest(url: url.url))
    reader.request.path = url.path
    reader.request.comments = url.disabled.map { "disabled parameter: \($0)" }
    reader.read(item, merged(outer, item[member: "protocolProfileBehavior"]))
    var result = ImportedItem(scope: reader.scope, request: reader.request, bodyType: reader.bodyType)
    result.source = item
    return result
  }

  private mutating func read(_ item: JSONNode, _ behaviour: [(key: String, value: JSONNode)]) {
    if let description = node.descriptionText ?? item.descriptionText {
      request.settings.set(.description, .text(ImportedText(description)))
    }
    let method = node.text("method").flatMap { $0.isEmpty ? nil : $0 } ?? "GET"
    request.method = ImportedText(postman: method).mapText { $0.uppercased() }
    readHeaders()
    readBody(method, behaviour)
    scope.auth = ImportedAuth(postman: node[member: "auth"], &request.untranslated)
    read(behaviour)
    if node.isTrue("disabled") { request.comments.append("disabled in the source") }
    for name in ["proxy", "certificate"] where node[member: name]?.kind == .mapping {
      request.remark("connection options", "\(name) \(node[member: name]?.text ?? "")")
    }
  }

  // MARK: Headers

  private mutating func readHeaders() {
    guard let headers = node[member: "header"] else { return }
    defer { removeOwnHeaders() }
    for line in headers.scalarText?.split(whereSeparator: \.isNewline) ?? [] { addHeader(String(line)) }
    for header in headers.items {
      if let line = header.scalarText { addHeader(line) }
      guard let key = header.text("key"), !key.trimmed.isEmpty else { continue }
      let value = header.text("value") ?? ""
      if header.isDisabled {
        request.comments.append("disabled header: \(key): \(value)")
      } else {
        addHeader(key.trimmed, value.trimmed)
      }
    }
  }

  /// Removes the headers that Postman adds by itself, and lists in some collections.
  private mutating func removeOwnHeaders() {
    let hasOwn = scope.headers.contains { $0.name.isHeader("Postman-Token") }
    scope.headers.removeAll { header in
      guard let name = header.name.literal?.lowercased() else { return false }
      let value = header.value?.source.lowercased() ?? ""
      return name == "postman-token" || name == "user-agent" && value.hasPrefix("postmanruntime/")
        || hasOwn && ["accept-encoding", "cache-control", "connection", "content-length", "host"].contains(name)
    }
  }

  private mutating func addHeader(_ line: String) {
    if let (name, value) = line.pair(at: ":") { addHeader(name, value) }
  }

  private mutating func addHeader(_ name: String, _ value: String) {
    scope.headers.append(.init(name: ImportedText(postman: name), value: ImportedText(postman: value)))
  }

  /// Removes a content type that the body can't have.
  private mutating func takeOtherType(than type: String) {
    let isType = { (header: ImportedRequest.Header) in header.name.isHeader("Content-Type") }
    guard let given = scope.headers.last(where: isType)?.value, !given.source.lowercased().hasPrefix(type) else {
      return
    }
    scope.headers.removeAll(where: isType)
    request.remark("headers that contradict the body", "Content-Type: \(given.source)")
  }

  // MARK: Bodies

  private mutating func readBody(_ method: String, _ behaviour: [(key: String, value: JSONNode)]) {
    guard let body = node[member: "body"] else { return }
    let keepsBody = behaviour.last { $0.key == "disableBodyPruning" }?.value.isBoolean(true) ?? false
    let headers = scope.headers
    if let text = body.scalarText {
      if !text.isEmpty { readRaw(text, body) }
    } else if body.kind == .mapping, !body.isDisabled {
      readBody(body)
    }
    if request.body != nil, !keepsBody, !request.opensWebSocket, bodiless.contains(method.uppercased()) {
      request.body = nil
      bodyType = nil
      scope.headers = headers
      request.comments.append("Postman sends no body with \(method)")
    }
  }

  private mutating func readBody(_ body: JSONNode) {
    let mode =
      body.text("mode") ?? ["raw", "urlencoded", "formdata", "file", "graphql"].first { body[member: $0] != nil }
    let content = mode.flatMap { body[member: $0] }
    switch mode {
    case "raw"?:
      if let content, content.kind == .mapping || content.kind == .list {
        readRaw(content.text, body)
      } else if let text = content?.scalarText, !text.isEmpty {
        readRaw(text, body)
      }
    case "urlencoded"?:
      if let text = content?.scalarText {
        if !text.isEmpty {
          request.body = .text(ImportedText(postman: text))
          bodyType = "application/x-www-form-urlencoded"
        }
        return
      }
      let pairs = entries(of: content, "field").map {
        ImportedRequest.Pair(
          name: ImportedText(postman: $0.text("key") ?? ""), value: ImportedText(postman: $0.text("value") ?? ""))
      }
      guard !pairs.isEmpty else { return }
      request.body = .form(pairs)
      takeOtherType(than: "application/x-www-form-urlencoded")
    case "formdata"?:
      var parts: [ImportedRequest.Part] = []
      for entry in entries(of: content, "field") { parts += self.parts(entry) }
      guard !parts.isEmpty else { return }
      request.body = .multipart(parts)
      takeOtherType(than: "multipart/")
    case "file"?:
      if let path = content?.text("src") ?? content?.scalarText, !path.isEmpty {
        request.body = .file(ImportedText(postman: request.localFile(path)))
      } else if let text = content?.text("content"), !text.isEmpty {
        request.body = .text(ImportedText(postman: text))
      } else {
        request.remark("files that are not chosen", "body of mode file")
      }
    case "graphql"?: readGraphQL(content)
    case nil: break
    case let mode?: request.remark("kinds of bodies", "body of mode \(mode)")
    }
  }

  /// The entries of a form that are not switched off.
  private mutating func entries(of content: JSONNode?, _ kind: String) -> [JSONNode] {
    (content?.items ?? []).filter { entry in
      if entry.isDisabled {
        request.comments.append("disabled \(kind): \(entry.text("key") ?? "")=\(entry.text("value") ?? "")")
      }
      return !entry.isDisabled && entry.kind == .mapping
    }
  }

  private mutating func readRaw(_ text: String, _ body: JSONNode) {
    let language = body[member: "options"]?[member: "raw"]?.text("language") ?? "text"
    bodyType = languages[language] ?? "text/plain"
    request.body = .text(ImportedText(postman: text))
  }

  private mutating func parts(_ entry: JSONNode) -> [ImportedRequest.Part] {
    let name = ImportedText(postman: entry.text("key") ?? "")
    let type = entry.text("contentType").flatMap { $0.isEmpty ? nil : ImportedText(postman: $0) }
    let filename = entry.text("fileName").flatMap { $0.isEmpty ? nil : ImportedText(postman: $0) }
    guard entry.text("type") == "file" else {
      let value = entry[member: "value"]
      let text = value?.scalarText ?? (value.map { $0.kind == .null ? "" : $0.text }) ?? ""
      return [ImportedRequest.Part(name: name, content: .text(ImportedText(postman: text)), type: type)]
    }
    let sources = entry[member: "src"]
    let paths = (sources?.items.compactMap(\.scalarText) ?? []) + (sources?.scalarText.map { [$0] } ?? [])
    if paths.allSatisfy(\.isEmpty) {
      request.remark("files that are not chosen", "form field \(name.source)")
      return []
    }
    return paths.filter { !$0.isEmpty }.map {
      ImportedRequest.Part(
        name: name, content: .file(ImportedText(postman: request.localFile($0))), filename: filename, type: type)
    }
  }

  private mutating func readGraphQL(_ content: JSONNode?) {
    guard let content, let query = content.text("query") else { return }
    let variables = content[member: "variables"]
    var text = variables?.scalarText
    if let variables, variables.kind == .mapping { text = variables.text }
    request.body = .graphql(
      query: ImportedText(postman: query), variables: text.map { ImportedText(postman: $0) },
      operation: content.text("operationName").flatMap { $0.isEmpty ? nil : ImportedText(postman: $0) })
  }

  // MARK: Behaviour

  /// The settings of a folder and of what is in it.
  static func merged(
    _ outer: [(key: String, value: JSONNode)], _ own: JSONNode?
  ) -> [(key: String, value: JSONNode)] {
    let members = own?.members ?? []
    return outer.filter { one in !members.contains { $0.key == one.key } } + members
  }

  private mutating func read(_ behaviour: [(key: String, value: JSONNode)]) {
    for (key, value) in behaviour {
      let isTrue = value.isBoolean(true)
      switch key {
      case "followRedirects":
        if value.isBoolean(false) { request.settings.set(.redirects, .text("none")) }
      case "maxRedirects":
        if let count = value.scalarText.flatMap({ Int($0) }), count >= 0, !hasNoRedirects(behaviour) {
          request.settings.set(redirects: .max, .integer(count))
        }
      case "followOriginalHttpMethod":
        if isTrue, !hasNoRedirects(behaviour) { request.settings.set(redirects: .keepMethod, .bool(true)) }
      case "strictSSL": if value.isBoolean(false) { request.settings.set(tls: .verify, .bool(false)) }
      case "disableCookies": if isTrue { request.settings.set(session: .cookies, .text("none")) }
      case "protocolVersion":
        if let version = ["http1": "1.1", "http2": "2"][value.scalarText ?? ""] {
          request.settings.set(.httpVersion, .text(version))
        }
      // Postman's editor switches it on for a body, which was read with it.
      case "disableBodyPruning": break
      case "disabledSystemHeaders":
        for (name, value) in value.members where value.isBoolean(true) {
          if ["accept", "user-agent", "content-type"].contains(name) {
            scope.headers.append(.init(name: ImportedText(name), value: nil))
          }
        }
      default:
        if isTrue || value.count > 0 || value.kind == .text {
          request.remark("settings of requests", "protocolProfileBehavior.\(key): \(value.text)")
        }
      }
    }
  }

  private func hasNoRedirects(_ behaviour: [(key: String, value: JSONNode)]) -> Bool {
    behaviour.contains { $0.key == "followRedirects" && $0.value.isBoolean(false) }
  }
}

/// The methods with which Postman sends no body, unless a setting asks for it.
private let bodiless: Set<String> = ["GET", "COPY", "HEAD", "PURGE", "UNLOCK"]

/// The types that Postman's editor sends for the languages of a body.
private let languages = [
  "json": "application/json", "xml": "application/xml", "html": "text/html", "javascript": "application/javascript",
  "text": "text/plain", "graphql": "text/plain",
]
