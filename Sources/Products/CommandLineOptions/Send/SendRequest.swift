import Values
import YAMLNodes

/// A request line as a person would write it in a spec.
package struct SendRequest: Sendable {
  /// The keys of the request.
  package let keys: [(key: String, value: YAMLNode)]
  /// The values of the secrets that the keys read.
  package let secrets: [(name: String, value: String)]
}

extension SendArguments {
  /// Writes the request.
  ///
  /// - Parameter files: the files that items name.
  package func request(_ files: Files) throws(SendProblem) -> SendRequest {
    var writer = LineWriter(line: self, files: files)
    try writer.write()
    return SendRequest(keys: writer.keys, secrets: writer.secrets.all)
  }
}

/// Writes the keys of a request line.
struct LineWriter {
  let line: SendArguments
  let files: SendArguments.Files
  var keys: [(key: String, value: YAMLNode)] = []
  var secrets: SendSecrets
  /// The value of `stream` for a WebSocket.
  private var stream: YAMLNode?
  /// The headers by their names in lower case.
  var headers = OrderedMembers<(name: String, values: [YAMLNode])>()

  init(line: SendArguments, files: SendArguments.Files) {
    (self.line, self.files) = (line, files)
    secrets = SendSecrets(taken: line.takenNames, known: line.knownSecrets, isSaved: line.isSaved)
  }

  mutating func write() throws(SendProblem) {
    try readHeaders()
    var body = try body()
    if line.opensWebSocket { body = try webSocket(startingWith: body) }
    let method = line.opensWebSocket ? "GET" : line.method ?? (body == nil && line.raw == nil ? "GET" : "POST")
    if let name = line.name { keys.append(("name", .text(secrets.text(name)))) }
    if method != (body == nil || line.opensWebSocket ? "GET" : "POST") { keys.append(("method", .text(method))) }
    keys.append(
      ("url", .text(secrets.url(line.isPathAsIs ? line.url.text : removingDotSegments(ofURL: line.url.text)))))
    if !headers.all.isEmpty {
      keys.append(
        (
          "headers",
          .mapping(headers.all.map(\.value).map { ($0.name, $0.values.count == 1 ? $0.values[0] : .list($0.values)) })
        ))
    }
    let query = try query()
    if !query.isEmpty { keys.append(("query", .mapping(query))) }
    if let body { keys.append(body) }
    if let stream { keys.append(("stream", stream)) }
    if body != nil, !line.opensWebSocket, ["GET", "HEAD"].contains(method) {
      keys.append(("body_on_get", .bool(true)))
    }
    if body != nil, try isCompressed() { keys.append(("compress", .text("deflate"))) }
    if let credentials = line.credentials ?? line.session?.credentials { keys.append(("auth", node(credentials))) }
    if line.followsRedirects == false {
      keys.append(("redirects", .text("none")))
    } else if let limit = line.maxRedirects {
      keys.append(("redirects", .mapping([("max", .number(String(limit)))])))
    }
    if let path = line.download {
      let members: [(key: String, value: YAMLNode)] = [("to", .text(files.written(path)))]
      // A name that the server chooses replaces nothing.
      keys.append(("download", .mapping(members + (path.hasSuffix("/") ? [] : [("overwrite", .bool(true))]))))
    }
    if line.isStream || line.opensWebSocket {
      keys.append(("timeout", .mapping([("request", .text("1h")), ("resource", .text("24h"))])))
    }
    if let socket = line.url.socket { keys.append(("unix_socket", .text(socket))) }
    writeVariables()
  }

  /// The keys of a WebSocket, whose first message is what would be the body.
  private mutating func webSocket(
    startingWith body: (key: String, value: YAMLNode)?
  ) throws(SendProblem) -> (key: String, value: YAMLNode)? {
    if let method = line.method, method != "GET" {
      throw SendProblem("a WebSocket is opened by GET, not by \(method)", help: "leave the method out")
    }
    var members: [(key: String, value: YAMLNode)] = [("format", .text("websocket"))]
    var query: (key: String, value: YAMLNode)?
    switch body?.key {
    case nil: break
    case "graphql"?: query = body
    case "json"?: members.append(("send", .list([.mapping([("json", body?.value ?? .null)])])))
    case "body"? where body?.value.scalar != nil:
      members.append(("send", .list([.mapping([("text", body?.value ?? .null)])])))
    default:
      throw SendProblem("the first message of a WebSocket is a text, or JSON", help: "write --raw TEXT, or name=value")
    }
    members.append(("timeout", .text("24h")))
    stream = .mapping(members)
    return query
  }

  /// Adds the variables of the command line that the request reads. Those that are secrets by their names, or where it
  /// reads them, are read as such.
  private mutating func writeVariables() {
    var members: [(key: String, value: YAMLNode)] = []
    for (name, value) in line.variables where reads(name) {
      if isSecretName(name) || readsSecret(name) {
        secrets.take(name)
      } else {
        members.append((name, secrets.protected(value, named: name)))
      }
    }
    if !members.isEmpty { keys.insert(("variables", .mapping(members)), at: 0) }
  }

  /// Returns whether a template reads a variable.
  private func reads(_ name: String) -> Bool { text(replacing: name, with: "") != text(replacing: "", with: "") }

  /// Returns whether a variable is read where a secret stands.
  private func readsSecret(_ name: String) -> Bool {
    let text = text(replacing: name, with: "x7Qv2Lk9Zt4Rw8")
    return secretRanges(in: text, named: "").contains { range in
      String(decoding: Array(text.utf8)[range], as: UTF8.self).contains("x7Qv2Lk9Zt4Rw8")
    }
  }

  /// The text of the request with another text for each template that reads a variable.
  private func text(replacing name: String, with text: String) -> String {
    func replaced(_ old: String) -> String {
      templateParts(old).map { part in
        let words = part.isTemplate ? part.text.split { !($0.isLetter || $0.isNumber || $0 == "_") } : []
        return words.contains { $0 == name } ? text : part.text
      }.joined()
    }
    func replaced(_ node: YAMLNode) -> YAMLNode {
      if let items = node.items { return .list(items.map(replaced)) }
      if let members = node.members { return .mapping(members.map { (replaced($0.key), replaced($0.value)) }) }
      guard case .text(let text)? = node.scalar?.meaning else { return node }
      return .text(replaced(text))
    }
    return YAMLWriter.text(of: replaced(.mapping(keys)))
  }

  // MARK: Headers and query

  private mutating func readHeaders() throws(SendProblem) {
    for (name, value) in try line.ownHeaders(files) {
      let key = name.lowercased()
      // The jar of the session has them.
      if line.session != nil, key == "cookie" { continue }
      let node = value.map { secrets.node($0, named: name) } ?? .null
      headers.change(key, first: (name, [])) { header in
        // It removes what was given so far, too.
        if node.isNull || header.values.first?.isNull ?? false { header.values = [] }
        header.values.append(node)
      }
    }
    let own = Set(headers.all.map(\.key))
    for header in line.session?.headers ?? [] where !own.contains(header.name.lowercased()) {
      let node = secrets.node(header.value, named: header.name)
      headers.change(header.name.lowercased(), first: (header.name, [])) { $0.values.append(node) }
    }
  }

  /// Adds a header unless an item has it, or removes it.
  mutating func addHeader(_ name: String, _ value: String) {
    // A handshake has no body.
    if line.opensWebSocket { return }
    headers.change(name.lowercased(), first: (name, [])) { if $0.values.isEmpty { $0.values = [.text(value)] } }
  }

  private mutating func query() throws(SendProblem) -> [(key: String, value: YAMLNode)] {
    var pairs = OrderedMembers<[YAMLNode]>()
    for item in line.items {
      let value: String
      switch item.kind {
      case .query: value = item.value
      case .queryFile: value = withoutLineEnd(try files.literal(of: item))
      default: continue
      }
      pairs.add(secrets.node(value, named: item.name), named: item.name)
    }
    return pairs.members
  }

  private mutating func node(_ credentials: SendCredentials) -> YAMLNode {
    let secret = credentials.secret ?? ""
    let isToken = credentials.scheme == .bearer
    let value =
      secret.isEmpty || secret.contains("${{")
      ? secret : secrets.template(secret, named: isToken ? "token" : "password")
    let content: YAMLNode =
      isToken
      ? .text(value) : .mapping([("username", .text(secrets.text(credentials.user))), ("password", .text(value))])
    return .mapping([(credentials.scheme.rawValue, content)])
  }
}

extension SendArguments {
  /// The headers of the items in their order; nil removes one.
  func ownHeaders(_ files: Files) throws(SendProblem) -> [(name: String, value: String?)] {
    var headers: [(name: String, value: String?)] = []
    for item in items {
      switch item.kind {
      case .header:
        headers.append((item.name, item.value.isEmpty ? nil : String(item.value.trimming(while: \.isWhitespace))))
      case .emptyHeader: headers.append((item.name, ""))
      case .headerFile: headers.append((item.name, String(try files.literal(of: item).trimming(while: \.isWhitespace))))
      default: break
      }
    }
    return headers
  }
}

private func withoutLineEnd(_ text: String) -> String {
  var text = text[...]
  while text.last?.isNewline ?? false { text.removeLast() }
  return String(text)
}

extension YAMLNode {
  var isNull: Bool { if case .null? = scalar?.meaning { true } else { false } }
}
