import HTTPSemantics
import Matching
import RequestSpecs
import SpecExecution
import Templates
import Values

/// A request as far as it is known before a run: with words in place of open values, and without secrets.
package struct ExportedRequest: Sendable {
  package let step: RequestStep
  /// The path of the file that it stands in.
  package let path: String
  package let label: String
  let request: ResolvedRequest
  private(set) var checks: ExportedChecks
  /// All texts in which words may stand.
  let texts: [String]
  /// The base of its URL, in which words stand; nil without one.
  let base: String?
  /// The variables that it reads, each after those that its value reads.
  private(set) var variables: [ExportedVariable] = []
  /// The files that it sends, by their names beside the export.
  let files: [ExportedInput]
  /// The parts that no kind can say.
  let remarks: [ExportRemark]
  /// The reason why it is left out; nil if it can be sent.
  let omission: String?
  private let scope: FileScope

  var place: String { "\(path):\(step.line)" }

  /// The boundary of forms.
  static let boundary = "form-boundary"

  /// The headers of its own, for tools that neither compress bodies nor compute their digests.
  var headers: [(name: String, value: String)] {
    let isDigested = !request.outgoing.digests.isEmpty || step.settings.bodyCoding?.digest.value != nil
    var headers = request.headers.map { (name: $0.name.string, value: $0.value.string) }
    // That of a form is random.
    if case .multipart(_, let boundary) = request.body {
      for index in headers.indices where headers[index].name.lowercased() == "content-type" {
        headers[index].value = headers[index].value.replacing(boundary, with: ExportedRequest.boundary)
      }
    }
    return headers.filter { name, value in
      switch name.lowercased() {
      case "accept": value != "*/*"
      case "user-agent": !value.hasPrefix("reqrun")
      case "content-encoding": request.coding == nil
      case "content-digest", "repr-digest": !isDigested
      default: true
      }
    }
  }

  package init(
    _ step: RequestStep, label: String, path: String, _ resolved: ResolvedRequest, in scope: FileScope,
    _ words: ExportWords
  ) {
    let (label, place) = (words.named(label), "\(path):\(step.line)")
    (self.step, self.path, self.label, self.scope) = (step, path, label, scope)
    let whole = try? step.settings.baseURL.value?.resolve(in: scope)
    base = whole.map { words.opened($0.asAddress ?? $0, named: "base_url", at: place, isURL: true) }
    let open = OpenRequest(resolved, at: place, base: base, words)
    request = open.request
    files = open.files
    checks = ExportedChecks(step, at: place, in: scope, words)
    omission = open.omission
    texts = open.texts + checks.texts
    remarks = (open.reasons + checks.missing + ExportedRequest.unsaid(step)).map { reason in
      ExportRemark(place: place, reason: reason, detail: label)
    }
  }

  /// Takes the variables, once all that are secrets are known.
  package mutating func takeVariables(_ words: ExportWords) {
    variables = ExportedVariable.all(
      texts.flatMap { words.values(in: $0) }, of: step, at: place, in: scope, words)
  }

  /// Adds captures of what the request captures, under the names outside its file.
  package mutating func take(_ names: [(name: String, capture: String)], _ words: ExportWords) {
    checks.add(names, words)
  }

  /// The settings that no other tool has.
  private static func unsaid(_ step: RequestStep) -> [String] {
    let settings = step.settings
    var words: [String] = []
    if settings.when.value != nil { words.append("`when` was evaluated by the export") }
    if settings.continueOnFailure.value != nil { words.append("`continue_on_failure`") }
    if settings.session.cache.value != nil { words.append("`session.cache`") }
    if !step.children.isEmpty { words.append("`during`") }
    if step.rows?.next != nil { words.append("rows of `next`: only the first request is exported") }
    return words
  }
}

/// A file beside the export.
package struct ExportedInput: Sendable, Hashable {
  package let name: String
  package let path: String
}

/// A variable of an export with its value, in which words may stand.
struct ExportedVariable: Sendable {
  let name: String
  let value: Value
  /// Indicates whether it has a new value for each request.
  let isOfRequest: Bool
  /// Indicates whether its value is made from captures.
  let readsCaptures: Bool

  /// The variables among the values, and those that they are made from.
  static func all(
    _ values: [ExportedValue], of step: RequestStep, at place: String, in scope: FileScope, _ words: ExportWords
  ) -> [ExportedVariable] {
    var result: [ExportedVariable] = []
    var seen: [String: Bool] = [:]
    /// Returns whether the value is made from captures.
    func add(_ value: ExportedValue, depth: Int) -> Bool {
      switch value {
      case .environment, .function(_, nil): return false
      case .capture: return true
      case .placed(let value, _): return add(value, depth: depth)
      case .function(let function, let name?):
        guard seen.updateValue(false, forKey: name) == nil else { return false }
        let text = Value.text(words.wordForValue(.function(function, name: nil)))
        result.append(
          ExportedVariable(name: name, value: text, isOfRequest: step.names != nil, readsCaptures: false))
        return false
      case .variable(let name):
        if let known = seen[name] { return known }
        guard depth < 64, case .value(var value)? = try? scope.lookup(name) else { return false }
        seen[name] = false
        var readsCaptures = false
        if case .text(let text) = value {
          let written = words.opened(text, named: name, at: place)
          for inner in words.values(in: written) where add(inner, depth: depth + 1) { readsCaptures = true }
          value = .text(written)
        }
        seen[name] = readsCaptures
        result.append(
          ExportedVariable(
            name: name, value: value, isOfRequest: step.names?.variables[name] != nil, readsCaptures: readsCaptures))
        return readsCaptures
      }
    }
    for value in values { _ = add(value, depth: 0) }
    return result
  }
}

/// A resolved request whose secrets become words, and whose files are named beside the export.
private struct OpenRequest {
  let words: ExportWords
  let place: String
  private let secrets: LiteralSecrets
  private(set) var request: ResolvedRequest
  private(set) var files: [ExportedInput] = []
  private(set) var reasons: [String] = []
  private(set) var omission: String?

  init(_ resolved: ResolvedRequest, at place: String, base: String?, _ words: ExportWords) {
    (self.words, self.place, request) = (words, place, resolved)
    secrets = LiteralSecrets(hasWord: words.hides) { words.secretWord($0, named: $1, at: place) }
    var credentials = opened(resolved.credentials)
    var url = HTTPURL(
      resolved.outgoing.url, replacing: secrets.url(words.opened(resolved.url, named: "url", at: place, isURL: true)))
    if let userinfo = url.userinfo, credentials == nil, !resolved.outgoing.headers.contains("Authorization") {
      let parts = userinfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      credentials = .password(
        .basic, username: Text(percentDecoded(String(parts[0]))),
        password: Text(secret(Text(percentDecoded(String(parts.dropFirst().first ?? ""))), "password")))
    }
    url.userinfo = nil
    url.fragment = nil
    url.query = url.query.map { words.placingParameters($0) }
    if let link = words.placingLink(url.string, base: base) { url = HTTPURL(url, replacing: link) }
    let headers = resolved.headers.map { name, value in
      (name: Text(opened(name, "header")), value: Text(secrets.header(name.string, opened(value, name.string))))
    }
    let cookies = resolved.cookies.map { name, value in
      (name: Text(opened(name, "cookie")), value: Text(secret(value, "cookie \(name.string)")))
    }
    let body = opened(resolved.body, type: resolved.outgoing.headers.values("Content-Type").last ?? "")
    var outgoing = resolved.outgoing
    outgoing.url = url
    outgoing.headers = HeaderFields(headers.map { ($0.name.string, $0.value.string) })
    outgoing.cookies = cookies.map { ($0.name.string, $0.value.string) }
    outgoing.credentials = credentials?.plain
    outgoing.body = body.plain
    // Those of the environment are those of whoever sends it.
    outgoing.proxies = nil
    var connection = resolved.connection
    func open(_ field: WritableKeyPath<ResolvedConnection, Text?>, _ name: String) {
      if let text = connection?[keyPath: field] { connection?[keyPath: field] = Text(opened(text, name)) }
    }
    open(\.proxyURL, "proxy")
    open(\.proxyUsername, "proxy_username")
    open(\.certificateAuthorities, "ca")
    open(\.certificate, "cert")
    open(\.key, "key")
    open(\.unixSocket, "unix_socket")
    connection?.connectTo = resolved.connection?.connectTo.map { Text(opened($0, "connect_to")) } ?? []
    connection?.addressOverrides = resolved.connection?.addressOverrides.map { Text(opened($0, "resolve")) } ?? []
    if let password = connection?.proxy?.password {
      connection?.proxy?.password = secret(Text(password), "proxy_password")
    }
    if let passphrase = outgoing.options.tls.client?.passphrase {
      outgoing.options.tls.client?.passphrase = secret(Text(passphrase), "passphrase")
    }
    if case .oauth2? = resolved.credentials { reasons.append("`auth.oauth2`: its token is read from the environment") }
    request = ResolvedRequest(
      method: resolved.method, url: Text(url.string),
      requestTarget: resolved.requestTarget.map { Text(opened($0, "request_target")) }, headers: headers,
      body: body, cookies: cookies, credentials: credentials, session: resolved.session,
      connection: connection, transfer: resolved.transfer, coding: resolved.coding, outgoing: outgoing)
  }

  /// The texts in which words may stand.
  var texts: [String] {
    var texts =
      [request.outgoing.url.string] + request.headers.map(\.value.string) + request.cookies.map(\.value.string)
    texts += request.headers.map(\.name.string)
    if let connection = request.connection {
      texts += [connection.proxy?.password, request.outgoing.options.tls.client?.passphrase].compactMap(\.self)
      let own = [
        connection.proxyURL, connection.proxyUsername, connection.certificateAuthorities, connection.unixSocket,
      ]
      texts += (own.compactMap(\.self) + connection.connectTo + connection.addressOverrides).map(\.string)
    }
    switch request.body {
    case .none, .data, .file: break
    case .text(let text): texts.append(text.string)
    case .multipart(let parts, _):
      for part in parts {
        texts += [part.name.string, part.filename?.string ?? ""]
        if case .text(let text) = part.content { texts.append(text.string) }
      }
    }
    switch request.credentials {
    case .bearer(let token): texts.append(token.string)
    case .password(_, let username, let password): texts += [username.string, password.string]
    case .awsSigV4(let keys): texts += [keys.accessKey.string, keys.secretKey.string, keys.sessionToken?.string ?? ""]
    case .netrc, .negotiate, .oauth2, nil: break
    }
    return texts
  }

  // MARK: secrets

  /// A secret as a whole: it is not text of its own but for its words.
  private func secret(_ text: Text, _ name: String) -> String {
    let written = opened(text, name)
    return written.isEmpty || words.hides(written[...]) ? written : words.secretWord(written, named: name, at: place)
  }

  /// The text with words for its open and its secret parts.
  private func opened(_ text: Text, _ name: String) -> String { words.opened(text, named: name, at: place) }

  private func opened(_ credentials: ResolvedCredentials?) -> ResolvedCredentials? {
    switch credentials {
    case .bearer(let token): .bearer(Text(secret(token, "token")))
    case .password(let scheme, let username, let password):
      .password(
        scheme, username: Text(opened(username, "username")), password: Text(secret(password, "password")))
    case .awsSigV4(let keys):
      .awsSigV4(
        ResolvedAWSCredentials(
          accessKey: Text(opened(keys.accessKey, "access_key")),
          secretKey: Text(secret(keys.secretKey, "secret_key")),
          sessionToken: keys.sessionToken.map { Text(secret($0, "session_token")) },
          region: keys.region.map { Text(opened($0, "region")) },
          service: keys.service.map { Text(opened($0, "service")) }
        ))
    case .oauth2: .bearer(Text(words.secretWord("oauth2", named: "access_token", at: place)))
    case .netrc, .negotiate, nil: credentials
    }
  }

  // MARK: bodies

  private mutating func opened(_ body: ResolvedBody, type: String) -> ResolvedBody {
    switch body {
    case .none: return .none
    case .data(let data):
      if data.isSecret { omission = "its body has a secret" }
      return .data(data)
    case .text(let text):
      var written = opened(text, "body")
      let type = type.lowercased()
      if type.contains("x-www-form-urlencoded") {
        written = words.placingParameters(secrets.parameters(written))
      } else if type.contains("json") {
        written = words.placingJSON(secrets.json(written))
      }
      return .text(Text(written))
    case .file(let file): return .file(named(file))
    case .multipart(let parts, let boundary):
      let own = parts.map { part in
        let name = opened(part.name, "name")
        let content: ResolvedPart.Content
        switch part.content {
        case .text(let text):
          content = .text(Text(isSecretName(name) ? secret(text, name) : opened(text, name)))
        case .data(let data):
          if data.isSecret { omission = "its body has a secret" }
          content = .data(data)
        case .file(let file): content = .file(named(file))
        }
        return ResolvedPart(
          name: Text(name), content: content, filename: part.filename.map { Text(opened($0, "filename")) },
          type: part.type.map { Text(opened($0, "type")) })
      }
      return .multipart(own, boundary: boundary)
    }
  }

  /// The file under its name beside the export.
  private mutating func named(_ file: ResolvedFile) -> ResolvedFile {
    let name = words.fileName(file.range.path)
    files.append(ExportedInput(name: name, path: file.range.path))
    return ResolvedFile(path: Text(name), range: file.range)
  }
}

extension HTTPURL {
  /// The URL with another text, if that is one.
  fileprivate init(_ url: HTTPURL, replacing text: String) {
    self = (try? HTTPURL(parsing: text)) ?? url
  }
}

extension ExportedRequest {
  /// The keys of the request that interactive clients lack.
  var keysThatClientsLack: [String] {
    var keys: [String] = []
    if request.coding != nil { keys.append("`compress`") }
    if !request.outgoing.digests.isEmpty { keys.append("`digest`") }
    if step.retry != nil { keys.append("`retry`") }
    if step.poll != nil { keys.append("`poll`") }
    return keys
  }
}
