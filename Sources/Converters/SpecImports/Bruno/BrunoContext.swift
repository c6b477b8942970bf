import Values

/// The settings that a request of Bruno inherits from its folders and its collection.
struct BrunoContext {
  /// The number of folders above the spec: files are relative to the collection.
  let depth: Int
  private var headers: [BrunoPair] = []
  private var auth: BrunoAuth?
  private var captures: [BrunoPair] = []
  private var effects = ScriptEffects()

  init(depth: Int) {
    self.depth = depth
  }

  /// Adds what a folder or a collection says of its requests; returns what could not be translated.
  mutating func enter(_ scope: BrunoScope) -> [Untranslated] {
    headers = Self.merged(headers, scope.headers)
    if let own = scope.auth, own.mode != "inherit" {
      auth = own
      var request = ImportedRequest(url: ImportedText())
      set(own, of: &request)
      effects.untranslated += request.untranslated
    }
    effects.read(scope, assertions: [], isShared: true)
    defer { effects.untranslated = [] }
    return effects.untranslated
  }

  private static func merged(_ outer: [BrunoPair], _ own: [BrunoPair]) -> [BrunoPair] {
    let own = own.filter(\.isEnabled)
    let names = Set(own.map { $0.name.lowercased() })
    return outer.filter { !names.contains($0.name.lowercased()) } + own
  }

  /// A request as one of a spec; nil if it isn't one of HTTP.
  func request(_ source: BrunoRequest) -> ImportedRequest? {
    guard !["grpc", "grpc-request", "ws", "websocket", "ws-request", "js", "script"].contains(source.kind) else {
      return nil
    }
    var request = ImportedRequest(url: url(source))
    request.name = source.scope.name
    request.method = ImportedText(bruno: source.method)
    if !source.scope.docs.trimmed.isEmpty { request.settings.set(.description, .text(source.scope.docs.trimmed)) }
    if !source.tags.isEmpty { request.settings.set(.tags, .list(source.tags.map { .text($0) })) }
    for pair in source.path where pair.isEnabled && !pair.value.isEmpty {
      request.path.append(.init(name: ImportedText(pair.name), value: ImportedText(bruno: pair.value)))
    }
    request.headers = Self.merged(headers, source.scope.headers).map {
      .init(name: ImportedText(bruno: $0.name), value: ImportedText(bruno: $0.value))
    }
    setBody(source.body, of: &request)
    if let own = source.scope.auth, own.mode != "inherit" {
      set(own, of: &request)
    } else {
      // The folder remarks on its own credentials that have no form.
      let remarks = request.untranslated
      set(auth, of: &request)
      request.untranslated = remarks
    }
    set(source.settings, of: &request)
    setScripts(source, of: &request)
    return request
  }

  // MARK: URL

  private func url(_ source: BrunoRequest) -> ImportedText {
    var text = source.url.trimmed
    if !text.contains("?"), source.query.contains(where: \.isEnabled) {
      text += "?" + source.query.filter(\.isEnabled).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
    let names = Set(source.path.filter { $0.isEnabled && !$0.value.isEmpty }.map(\.name))
    var url = ImportedText()
    var isPath = true
    for part in ImportedText(bruno: text).parts {
      guard case .text(let known) = part else {
        url.append(part)
        continue
      }
      var result = ""
      for (index, piece) in known.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).enumerated() {
        if index > 0 {
          isPath = false
          result += "?"
        }
        let piece = encodedAsInPostman(String(piece))
        result += isPath ? Self.path(piece, names) : piece
      }
      url.append(result)
    }
    if case .text(let start)? = url.parts.first, !start.contains("://"), !start.hasPrefix("/") {
      url = ImportedText("http://") + url
    }
    return url
  }

  /// A path with `{name}` for `:name`.
  private static func path(_ text: String, _ names: Set<String>) -> String {
    text.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      segment.first == ":" && names.contains(String(segment.dropFirst())) ? "{\(segment.dropFirst())}" : String(segment)
    }.joined(separator: "/")
  }

  // MARK: body

  private func setBody(_ body: BrunoBody, of request: inout ImportedRequest) {
    func setType(_ type: String) {
      if request.header("Content-Type") == nil {
        request.headers.append(.init(name: ImportedText("Content-Type"), value: ImportedText(type)))
      }
    }
    let pairs = body.pairs.filter(\.isEnabled)
    let text = ImportedText(bruno: body.text)
    switch body.mode {
    case "json":
      let plain = ImportedText(bruno: withoutComments(body.text))
      if !body.text.trimmed.isEmpty { request.body = .json(plain.json == nil ? text : plain) }
    case "text", "xml", "sparql":
      request.body = .text(text)
      setType(["text": "text/plain", "xml": "application/xml"][body.mode] ?? "application/sparql-query")
    case "graphql":
      let variables = ImportedText(bruno: withoutComments(body.variables)).trimmed
      request.body = .graphql(query: text.trimmed, variables: variables.isEmpty ? nil : variables, operation: nil)
    case "form-urlencoded":
      request.body = .form(
        pairs.map { .init(name: ImportedText(bruno: $0.name), value: ImportedText(bruno: $0.value)) })
    case "multipart-form":
      request.body = .multipart(
        pairs.flatMap { pair in
          let name = ImportedText(bruno: pair.name)
          let type = pair.contentType.map { ImportedText(bruno: $0) }
          if !pair.isFile {
            return [ImportedRequest.Part(name: name, content: .text(ImportedText(bruno: pair.value)), type: type)]
          }
          return pair.value.split(separator: "|").map {
            ImportedRequest.Part(name: name, content: .file(file(String($0))), type: type)
          }
        })
    case "file":
      guard let pair = pairs.first else { return }
      request.body = .file(file(pair.value))
      if let type = pair.contentType, !type.isEmpty { setType(type) }
    case "", "none": break
    default: request.remark("kinds of bodies", "body: \(body.mode)")
    }
  }

  private func file(_ path: String) -> ImportedText {
    let isAbsolute = path.hasPrefix("/") || path.hasPrefix("{{")
    return ImportedText(isAbsolute ? "" : String(repeating: "../", count: depth)) + ImportedText(bruno: path)
  }

  // MARK: credentials and settings

  private func set(_ auth: BrunoAuth?, of request: inout ImportedRequest) {
    guard let auth else { return }
    func text(_ name: String) -> ImportedText { ImportedText(bruno: auth[name] ?? "") }
    func given(_ name: String) -> ImportedText? { auth[name].flatMap { $0.isEmpty ? nil : ImportedText(bruno: $0) } }
    switch auth.mode {
    case "none", "inherit", "": break
    case "basic": request.credentials = .basic(username: text("username"), password: text("password"))
    case "digest": request.credentials = .digest(username: text("username"), password: text("password"))
    case "ntlm":
      let name = given("domain").map { $0 + ImportedText("\\") + text("username") } ?? text("username")
      request.credentials = .ntlm(username: name, password: text("password"))
    case "bearer": if let token = given("token") { request.credentials = .bearer(token) }
    case "awsv4":
      request.credentials = .aws(
        accessKey: text("accessKeyId"), secretKey: text("secretAccessKey"), region: given("region"),
        service: given("service"), sessionToken: given("sessionToken"))
      if given("profileName") != nil { request.remark("settings of credentials", "awsv4 profileName") }
    case "apikey":
      guard let name = given("key") else { return }
      let value = text("value").secret(name.literal ?? "api_key")
      if auth["placement"] == "queryparams" {
        request.settings.set(.query, .keyed([(name, .text(value))]))
      } else {
        request.headers.append(.init(name: name, value: value))
      }
    case "oauth2": setOAuth(auth, given, of: &request)
    default: request.remark("kinds of credentials", "auth: \(auth.mode)")
    }
  }

  private func setOAuth(
    _ auth: BrunoAuth, _ given: (String) -> ImportedText?, of request: inout ImportedRequest
  ) {
    var oauth = ImportedOAuth(grant: auth["grant_type"] ?? auth["flow"] ?? "")
    oauth.authorizationURL = given("authorization_url")
    oauth.tokenURL = given("access_token_url")
    oauth.clientID = given("client_id")
    oauth.clientSecret = given("client_secret")
    oauth.sendsClientInBody = auth["credentials_placement"] ?? auth["placement"] == "body"
    oauth.scope = given("scope").map { .text($0) }
    oauth.username = given("username")
    oauth.password = given("password")
    oauth.redirectURI = given("callback_url")
    oauth.apply(to: &request, source: "auth: oauth2")
  }

  private func set(_ settings: [String: String], of request: inout ImportedRequest) {
    if settings["followRedirects"] == "false" {
      request.settings.set(.redirects, .text("none"))
    } else if let count = settings["maxRedirects"].flatMap({ Int($0) }), count != 5 {
      request.settings.set(.redirects, count == 0 ? .text("none") : .mapping([("max", .integer(min(count, 1000)))]))
    }
    if let time = settings["timeout"].flatMap({ Int($0) }), time > 0 {
      request.settings.set(.timeout, .text(time.isMultiple(of: 1000) ? "\(time / 1000)s" : "\(time)ms"))
    }
  }

  // MARK: scripts

  private func setScripts(_ source: BrunoRequest, of request: inout ImportedRequest) {
    var own = ScriptEffects()
    // What outer scripts expect holds for conditions of inner ones.
    own.expectations = effects.expectations
    own.read(source.scope, assertions: source.assertions, isShared: false)
    request.headers += effects.headers + own.headers
    var expectations = effects.expectations
    expectations.add(own.expectations)
    for (key, value) in expectations.expect { request.expect.set(key, value) }
    request.expect = Self.withTexts(request.expect)
    request.captures = effects.captures
    for (key, value) in own.captures { request.captures.set(key, value) }
    request.untranslated += own.untranslated
    var variables = source.scope.variables.filter(\.isEnabled).map(\.variable)
    for variable in effects.variables + own.variables {
      variables.removeAll { $0.name == variable.name }
      variables.append(variable)
    }
    for variable in variables {
      if variable.readsItself {
        request.remark("variables that read themselves", variable.name)
      } else if request.captures.contains(where: { $0.key == variable.name }) {
        request.remark("variables that are also captured", variable.name)
      } else {
        request.variables.append(variable)
      }
    }
  }
}

extension BrunoContext {
  private static let textPredicates: Set<String> = [
    "equals", "not_equals", "contains", "not_contains", "starts_with", "ends_with", "matches", "not_matches",
  ]

  /// Expectations in which texts are compared with the body's text: Bruno has a text for a body that isn't JSON.
  fileprivate static func withTexts(
    _ expect: [(key: String, value: ImportedValue)]
  ) -> [(key: String, value: ImportedValue)] {
    guard let paths = expect.first(where: { $0.key == "json" })?.value.members,
      let whole = paths.first(where: { $0.key == "$" })?.value, !expect.contains(where: { $0.key == "body" }),
      isText(whole) || (whole.members?.allSatisfy { textPredicates.contains($0.key) && isText($0.value) } ?? false)
    else { return expect }
    let others = paths.filter { $0.key != "$" }
    return expect.flatMap { key, value in
      if key != "json" { return [(key, value)] }
      return (others.isEmpty ? [] : [("json", .mapping(others))]) + [("body", whole)]
    }
  }

  private static func isText(_ value: ImportedValue) -> Bool {
    switch value {
    case .text: return true
    case .node(let node):
      if case .text? = node.scalar?.meaning { return true }
      return false
    default: return false
    }
  }
}

extension ImportedVariable {
  fileprivate var readsItself: Bool {
    guard case .text(let text) = value else { return false }
    return text.parts.contains(.variable(name))
  }
}

/// JSON without comments, which Bruno allows.
private func withoutComments(_ text: String) -> String {
  guard text.contains("//") || text.contains("/*") else { return text }
  var result: [UInt8] = []
  let bytes = Array(text.utf8)
  var index = 0
  var isQuoted = false
  while index < bytes.count {
    let byte = bytes[index]
    let next = index + 1 < bytes.count ? bytes[index + 1] : 0
    if isQuoted, byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
      result += [byte, next]
      index += 2
      continue
    }
    if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
    if !isQuoted, byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
      while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      continue
    }
    if !isQuoted, byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
      index += 2
      while index + 1 < bytes.count, bytes[index] != UInt8(ascii: "*") || bytes[index + 1] != UInt8(ascii: "/") {
        index += 1
      }
      index += 2
      continue
    }
    result.append(byte)
    index += 1
  }
  return String(decoding: result, as: UTF8.self)
}
