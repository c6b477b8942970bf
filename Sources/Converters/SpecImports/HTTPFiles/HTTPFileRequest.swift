import RequestSpecs
import Values

/// Reads a block of a `.http` file as a request.
struct HTTPFileRequest {
  private let block: HTTPFile.Block
  private let index: Int
  private var names: HTTPFileNames
  private var request = ImportedRequest(url: ImportedText())
  private var isWebSocket = false

  /// - Parameters:
  ///   - index: the place of the request in the file.
  ///   - names: gets the captures that the request reads.
  /// - Returns: nil if it is not a request of HTTP.
  static func read(_ block: HTTPFile.Block, at index: Int, names: inout HTTPFileNames) -> ImportedRequest? {
    var reader = HTTPFileRequest(block: block, index: index, names: names)
    defer { names = reader.names }
    guard reader.readRequestLine() else { return nil }
    reader.readHeaders()
    reader.readAuthorization()
    reader.readBody()
    if reader.isWebSocket || reader.request.opensWebSocket { reader.openWebSocket() }
    reader.readTags()
    reader.readScripts()
    reader.request.name = HTTPFileRequest.name(of: block)
    reader.request.comments = block.comments + reader.request.comments
    reader.request.untranslated += block.others
    return reader.request
  }

  /// The name for people: the title, else that by which others refer to it.
  static func name(of block: HTTPFile.Block) -> String? {
    if !block.title.isEmpty { return block.title }
    return block.tags.first { ["title", "name"].contains($0.name) && !$0.value.isEmpty }?.value
  }

  private mutating func text(_ source: String) -> ImportedText { names.text(source, at: index) }

  // MARK: request line

  /// Returns false for a request of another protocol.
  private mutating func readRequestLine() -> Bool {
    var line = block.requestLine
    // The version may stand before further lines of the URL.
    if let version = line.firstRange(of: " HTTP/") {
      let number = line[version.upperBound...].prefix { $0.isNumber || $0 == "." }
      line = String(line[..<version.lowerBound] + line[version.upperBound...].dropFirst(number.count))
      if let word = ["1.0": "1.0", "2": "2", "2.0": "2", "3": "3"][String(number)] {
        request.settings.set(.httpVersion, .text(word))
      }
    }
    let word = line.prefix { !$0.isWhitespace }
    var target = line.trimmed
    let isMethod =
      !word.isEmpty && word.count < line.count && word.allSatisfy { $0.isASCII && $0.isUppercase || $0 == "-" }
    if isMethod {
      target = String(line.dropFirst(word.count)).trimmed
      switch word {
      case "GET": break
      case "GRAPHQL": request.method = ImportedText("POST")
      case "WEBSOCKET", "WS": isWebSocket = true
      case "GRPC", "MQTT", "AMQP", "RSOCKET", "SSE", "EVENT", "STOMP", "CONNECT":
        return false
      default: request.method = ImportedText(String(word))
      }
    } else if word == "curl" {
      return false
    }
    let scheme = target.firstRange(of: "://").map { target[..<$0.lowerBound].lowercased() }
    if let scheme, !scheme.contains("{"), !scheme.contains("?"), !["http", "https", "ws", "wss"].contains(scheme) {
      return false
    }
    readTarget(target)
    return true
  }

  private mutating func readTarget(_ target: String) {
    var target = target
    if let hash = target.firstIndex(of: "#"), !target[hash...].contains("}}") { target = String(target[..<hash]) }
    let url = text(target).mapText { percentEncoded(Array($0.utf8)[...]) }
    let host = block.header("host")
    if target == "*" || target.hasPrefix("/") {
      let host = text(host ?? "{{host}}")
      let isKnown = if case .text? = host.parts.first { true } else { false }
      let hasScheme = !isKnown || host.hasPrefix("http://") || host.hasPrefix("https://")
      request.url = (hasScheme ? "" : "http://") + host + (target == "*" ? "" : url)
      if target == "*" { request.settings.set(.requestTarget, .text("*")) }
    } else if case .text(let start)? = url.parts.first, !start.contains("://") {
      // Without a scheme it is http.
      request.url = ImportedText(isWebSocket ? "ws://" : "http://") + url
    } else {
      request.url = url
    }
  }

  // MARK: headers

  /// The name and the value of a line.
  static func header(_ line: String) -> (name: String, value: String)? {
    var start = line.startIndex
    // A colon in a placeholder doesn't end the name.
    if line.hasPrefix("{{"), let end = line.firstRange(of: "}}") { start = end.upperBound }
    guard let colon = line[start...].firstIndex(of: ":") else { return nil }
    return (String(line[..<colon]).trimmed, String(line[line.index(after: colon)...]).trimmed)
  }

  private mutating func readHeaders() {
    let isRelative = !block.requestLine.contains("://")
    for line in block.headers {
      guard let (name, value) = HTTPFileRequest.header(line) else { continue }
      switch name.lowercased() {
      // It became a part of the URL.
      case "host" where isRelative && !block.requestLine.contains("{{"): continue
      case "x-request-type" where value.lowercased() == "graphql", "x-graphql-operation": continue
      case "clientcert", "x-clientcert":
        request.remark("client certificates", "\(name): …")
        continue
      default: request.headers.append(ImportedRequest.Header(name: text(name), value: text(value)))
      }
    }
  }

  /// Takes the short forms of credentials, such as `Basic user password`.
  private mutating func readAuthorization() {
    guard let header = request.headers.first(where: { $0.name.isHeader("Authorization") })?.value,
      let auth = ImportedAuth(http: header, &request.untranslated)
    else { return }
    _ = request.takeHeader("Authorization")
    request.add(auth, replaces: false)
  }

  // MARK: tags

  private mutating func readTags() {
    for tag in block.tags {
      switch tag.name {
      case "name", "title": break
      case "description": request.comments.append(tag.value)
      case "no-redirect": request.settings.set(.redirects, .text("none"))
      case "no-cookie-jar": request.settings.set(session: .cookies, .text("none"))
      case "timeout": readTimeout(.resource, tag)
      case "connection-timeout": readTimeout(.connect, tag)
      case "no-reject-unauthorized": request.settings.set(tls: .verify, .bool(false))
      case "proxy": request.settings.set(.proxy, .text(text(tag.value)))
      case "no-proxy": request.settings.set(.proxy, .text("none"))
      case "disabled" where tag.value.isEmpty || tag.value == "true": request.settings.set(.skip, .bool(true))
      case "sleep", "pre-delay":
        if let time = HTTPFileRequest.duration(tag.value, unit: "ms") {
          request.settings.set(.delay, .text(time))
        } else {
          request.remark("delays", tag.line)
        }
      case "loop":
        let words = tag.value.split(separator: " ")
        if words.count == 2, words[0] == "for", let count = Int(words[1]), count > 0 {
          request.settings.set(.each, .mapping([("count", .integer(count))]))
        } else if let list = names.list(at: index) {
          request.settings.set(.each, .text(text("{{\(list)}}")))
        } else {
          request.remark("loops", tag.line)
        }
      // A request of the same file has run before this one.
      case "ref", "forceRef", "depends-on", "dependsOn":
        if !names.isEarlier(tag.value, than: index), !names.isImported(tag.value) {
          request.remark("needed requests", tag.line)
        }
      case "prompt": request.comments.append("asks for \(tag.value)")
      case "note": request.comments.append(tag.value)
      // Requests to the same URL go on with the conversation.
      case "keepStreaming" where request.settings[.stream] != nil: request.keepsStreaming = true
      case "no-log", "no-response-view", "debug", "verbose", "noStreamingLog", "openWith", "grid", "save", "extension",
        "jwt", "keepStreaming", "no-auto-encoding", "lang", "language":
        request.remark("settings of the editor", tag.line)
      case "import": if !names.hasImports { request.remark("requests of other files", tag.line) }
      case "if", "if-not", "disabled": request.remark("conditions", tag.line)
      case "ratelimit": request.remark("rate limits", tag.line)
      default: request.remark("settings", tag.line)
      }
    }
  }

  private mutating func readTimeout(_ key: TimeoutKey, _ tag: HTTPFile.Tag) {
    guard let time = HTTPFileRequest.duration(tag.value, unit: "s") else {
      request.remark("timeouts", tag.line)
      return
    }
    request.settings.set(timeout: key, .text(time))
  }

  /// A duration such as `600` or `2 m`.
  private static func duration(_ text: String, unit: String) -> String? {
    let number = text.prefix { $0.isNumber && $0.isASCII }
    let own = String(text.dropFirst(number.count)).trimmed
    guard !number.isEmpty, number.count < 10, ["", "ms", "s", "m"].contains(own) else { return nil }
    return number + (own.isEmpty ? unit : own)
  }

  // MARK: bodies

  private mutating func readBody() {
    let body = HTTPFileBody(block: block, type: request.header("Content-Type")?.literal)
    guard let content = body.read({ names.text($0, at: index) }) else { return }
    switch content {
    case .template(let path):
      request.settings.set(.body, .mapping([("file", .text(path))]))
      request.remark("placeholders in files", "<@ \(path.source)")
    case .queryFile(let path, let variables):
      var members: [(key: String, value: ImportedValue)] = [("query", .mapping([("file", .text(path))]))]
      if let variables { members.append(("variables", variables)) }
      request.settings.set(.graphql, .mapping(members))
      _ = request.takeHeader("Content-Type")
    case .body(let value): request.body = value
    }
    // A request without a method is a GET, also with a body.
    if request.method == nil { request.method = ImportedText("GET") }
  }

  /// Takes the messages, which `===` separates; `=== wait-for-server` waits for one of the server before the next.
  private mutating func openWebSocket() {
    var messages: [ImportedMessage] = []
    var lines: [String] = []
    func add() {
      let text = lines.joined(separator: "\n").trimmed
      if !text.isEmpty { messages.append(.sent(names.text(text, at: index))) }
      lines = []
    }
    for line in block.body {
      guard line.hasPrefix("===") else {
        lines.append(line)
        continue
      }
      add()
      if line.contains("wait-for-server") { messages.append(.awaited()) }
    }
    add()
    request.openWebSocket(messages)
  }

  // MARK: scripts

  private mutating func readScripts() {
    var effects = ScriptEffects()
    for (script, isTest) in block.before.map({ ($0, false) }) + block.after.map({ ($0, true) }) {
      effects.read(ImportedScript(dialect: .http, text: script, isTest: isTest), isShared: false)
    }
    var paths: [(key: String, value: ImportedValue)] = []
    for assertion in block.assertions {
      if let (path, value) = HTTPFileAssertion.xpath(assertion) {
        paths.set(path, value)
      } else if !HTTPFileAssertion.add(assertion, to: &effects.expectations) {
        guard assertion.hasPrefix("js ") else {
          effects.untranslated.remark("assertions", assertion)
          continue
        }
        let remark = Untranslated(reason: "assertions", source: assertion)
        let script = "client.assert(\(assertion.dropFirst(3)))"
        effects.read(ImportedScript(dialect: .http, text: script, isTest: true, remark: remark), isShared: false)
      }
    }
    request.variables = effects.variables
    request.headers += effects.headers
    request.expect = effects.expectations.expect
    request.conditionalExpect = effects.expectations.conditional
    if effects.delay > 0, request.settings[.delay] == nil {
      request.settings.set(.delay, .text("\(effects.delay)ms"))
    }
    if !paths.isEmpty { request.expect.set("xpath", .mapping(paths)) }
    request.captures = effects.captures.members
    request.untranslated += effects.untranslated
  }
}
