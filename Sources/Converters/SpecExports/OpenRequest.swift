import HTTPSemantics
import SpecExecution
import Values

/// A resolved request whose secrets become words, and whose files are named beside the export.
struct OpenRequest {
  let words: ExportWords
  let place: String
  private let secrets: LiteralSecrets
  private(set) var request: ResolvedRequest
  private(set) var files: [ExportedInput] = []
  private(set) var reasons: [String] = []
  private(set) var omission: String?
  /// The texts that may have words.
  private(set) var texts: [String] = []

  init(_ resolved: ResolvedRequest, at place: String, base: String?, _ words: ExportWords) {
    (self.words, self.place, request) = (words, place, resolved)
    secrets = LiteralSecrets(hasWord: words.hides) { words.secretWord($0, named: $1, at: place) }
    let (url, userinfo) = openedURL(resolved, base)
    let headers = resolved.headers.map { name, value in
      (
        name: opened(name, "header"),
        value: noted(secrets.header(name.string, words.opened(value, named: name.string, at: place)))
      )
    }
    let cookies = resolved.cookies.map { name, value in
      (name: opened(name, "cookie"), value: secret(value, "cookie \(name.string)"))
    }
    let body = opened(resolved.body, type: resolved.contentType)
    let connection = resolved.connection.map { opened($0) }
    let target = resolved.requestTarget.map { opened($0, "request_target") }
    var credentials = opened(resolved.credentials)
    if let userinfo, credentials == nil, !resolved.outgoing.headers.contains("Authorization") {
      let parts = userinfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let password = Text(percentDecoded(String(parts.dropFirst().first ?? "")))
      credentials = .password(
        .basic, username: noted(percentDecoded(String(parts[0]))), password: secret(password, "password"))
    }
    var outgoing = resolved.outgoing
    outgoing.url = url
    outgoing.headers = HeaderFields(headers.map { ($0.name.string, $0.value.string) })
    outgoing.cookies = cookies.map { ($0.name.string, $0.value.string) }
    outgoing.credentials = credentials?.plain
    outgoing.body = body.plain
    // Those of the environment are those of whoever sends it.
    outgoing.proxies = nil
    if let passphrase = outgoing.options.tls.client?.passphrase {
      outgoing.options.tls.client?.passphrase = secret(Text(passphrase), "passphrase").string
    }
    if case .oauth2? = resolved.credentials { reasons.append("`auth.oauth2`: its token is read from the environment") }
    request = ResolvedRequest(
      method: resolved.method, url: Text(url.string), requestTarget: target, headers: headers, body: body,
      cookies: cookies, credentials: credentials, session: resolved.session, connection: connection,
      transfer: resolved.transfer, coding: resolved.coding, outgoing: outgoing)
  }

  /// The URL, and the userinfo that it had.
  private mutating func openedURL(_ resolved: ResolvedRequest, _ base: String?) -> (HTTPURL, userinfo: String?) {
    var url = HTTPURL(
      resolved.outgoing.url, replacing: secrets.url(words.opened(resolved.url, named: "url", at: place, isURL: true)))
    let userinfo = url.userinfo
    url.userinfo = nil
    url.fragment = nil
    url.query = url.query.map { words.placingParameters($0) }
    if let link = words.placingLink(url.string, base: base) { url = HTTPURL(url, replacing: link) }
    texts.append(url.string)
    return (url, userinfo)
  }

  private mutating func opened(_ connection: ResolvedConnection) -> ResolvedConnection {
    var result = connection
    func open(_ field: WritableKeyPath<ResolvedConnection, Text?>, _ name: String) {
      if let text = result[keyPath: field] { result[keyPath: field] = opened(text, name) }
    }
    open(\.proxyURL, "proxy")
    open(\.proxyUsername, "proxy_username")
    open(\.certificateAuthorities, "ca")
    open(\.certificate, "cert")
    open(\.key, "key")
    open(\.unixSocket, "unix_socket")
    result.connectTo = connection.connectTo.map { opened($0, "connect_to") }
    result.addressOverrides = connection.addressOverrides.map { opened($0, "resolve") }
    if let password = connection.proxy?.password {
      result.proxy?.password = secret(Text(password), "proxy_password").string
    }
    return result
  }

  // MARK: secrets

  /// A secret as a whole: it is not text of its own but for its words.
  private mutating func secret(_ text: Text, _ name: String) -> Text {
    let written = words.opened(text, named: name, at: place)
    let isHidden = written.isEmpty || words.hides(written[...])
    return noted(isHidden ? written : words.secretWord(written, named: name, at: place))
  }

  /// The text with words for its open and its secret parts.
  private mutating func opened(_ text: Text, _ name: String) -> Text {
    noted(words.opened(text, named: name, at: place))
  }

  private mutating func noted(_ text: String) -> Text {
    texts.append(text)
    return Text(text)
  }

  private mutating func opened(_ credentials: ResolvedCredentials?) -> ResolvedCredentials? {
    switch credentials {
    case .bearer(let token): .bearer(secret(token, "token"))
    case .password(let scheme, let username, let password):
      .password(scheme, username: opened(username, "username"), password: secret(password, "password"))
    case .awsSigV4(let keys):
      .awsSigV4(
        ResolvedAWSCredentials(
          accessKey: opened(keys.accessKey, "access_key"), secretKey: secret(keys.secretKey, "secret_key"),
          sessionToken: keys.sessionToken.map { secret($0, "session_token") },
          region: keys.region.map { opened($0, "region") }, service: keys.service.map { opened($0, "service") }))
    case .oauth2: .bearer(noted(words.secretWord("oauth2", named: "access_token", at: place)))
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
      var written = words.opened(text, named: "body", at: place)
      if type.contains("x-www-form-urlencoded") {
        written = words.placingParameters(secrets.parameters(written))
      } else if type.contains("json") {
        written = words.placingJSON(secrets.json(written))
      }
      return .text(noted(written))
    case .file(let file): return .file(named(file))
    case .multipart(let parts, let boundary):
      let own = parts.map { part in
        let name = opened(part.name, "name")
        let content: ResolvedPart.Content
        switch part.content {
        case .text(let text):
          content = .text(isSecretName(name.string) ? secret(text, name.string) : opened(text, name.string))
        case .data(let data):
          if data.isSecret { omission = "its body has a secret" }
          content = .data(data)
        case .file(let file): content = .file(named(file))
        }
        return ResolvedPart(
          name: name, content: content, filename: part.filename.map { opened($0, "filename") },
          type: part.type.map { opened($0, "type") })
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
    self = text == url.string ? url : (try? HTTPURL(parsing: text)) ?? url
  }
}
