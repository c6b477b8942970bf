import HTTPSemantics
import RequestSpecs
import Templates
import Values

/// Limits and defaults of the run for every request.
package struct RequestDefaults: Sendable {
  /// `--timeout`, which wins over the spec's.
  package var timeout: Duration?
  package var maxBodyBytes: Int64 = 1 << 30
  /// `--max-download`
  package var maxDownloadBytes: Int64?
  /// The default gap between packets, the same as in Alamofire and URLSession.
  package var requestTimeout: Duration = .seconds(60)
  package var resourceTimeout: Duration = .seconds(300)
  package var userAgent = "reqrun"
  /// Indicates whether reports show the heads as they were sent.
  package var keepsSentHeads = false

  package init() {}
}

/// Resolves a request's values from its settings and the scope.
package struct RequestResolver {
  package let request: RequestStep
  package let scope: FileScope
  package let defaults: RequestDefaults

  package func resolve() throws(TemplateError) -> ResolvedRequest {
    let encoding = try request.settings.encoding.resolve(in: scope)
    let method = try resolvedMethod()
    var url = try resolvedURL()
    var headers = try resolvedHeaders()
    let made = try resolvedBody(encoding, &headers)
    var (body, contentType) = (made.body, made.contentType)
    let subscription = try subscription(body)
    if subscription != nil { (body, contentType) = (.none, nil) }
    try apply(parameters: encoding, method: method, &url, &body, &contentType)
    let query = try encoded(request.settings.query, encoding)
    if !query.isEmpty { url = appendingQuery(query, to: url) }
    if let contentType { addBuiltIn("Content-Type", contentType, to: &headers) }
    var credentials = try resolvedCredentials()
    var cookies = try texts(request.settings.cookies, what: "cookie")
    let requestTarget = try request.settings.requestTarget.value?.resolve(in: scope)
    var outgoing = try outgoing(method, url, headers, body, credentials, cookies)
    outgoing.requestTarget = requestTarget?.string
    if let next = request.rows?.next, let row = try nextURL() {
      url = row
      if try move(&outgoing, to: row, of: next) {
        cookies = []
        if case .netrc? = credentials {} else { credentials = nil }
      }
      headers.removeAll { outgoing.headers.first($0.name.string) == nil }
    }
    let coding = try wrap(&outgoing, &headers)
    try checkUpload(method, headers)
    let connection = try resolvedConnection(into: &outgoing)
    var transfer = try request.settings.transfer?.resolve(in: scope)
    var shown = scope.withStandIns
    if case .stream(var stream)? = transfer, stream.format == .websocket {
      outgoing.opensWebSocket()
      stream.subscription = subscription
      transfer = .stream(stream)
      shown = { [scope] in webSocketForm(ofHTTP: scope.withStandIns($0)) }
    }
    return ResolvedRequest(
      method: method, url: url, requestTarget: requestTarget, headers: headers, body: body, cookies: cookies,
      credentials: credentials, session: try resolvedSession(), connection: connection,
      transfer: transfer, coding: coding, outgoing: outgoing,
      shown: shown)
  }

  /// The query of GraphQL that a WebSocket takes in place of a body.
  private func subscription(_ body: ResolvedBody) throws(TemplateError) -> ResolvedSubscription? {
    guard request.settings.stream?.format == .websocket, case .text(let query) = body,
      case .graphQL(_, _, _, let connection, _)? = request.settings.body.value
    else { return nil }
    let payload = try connection?.resolve(in: scope)
    return ResolvedSubscription(query: query, connection: payload.map { jsonBody($0, options: EncodingOptions()) })
  }

  private func resolvedMethod() throws(TemplateError) -> HTTPMethod {
    if let method = request.settings.method.value { return try method.resolve(in: scope) }
    if let method = request.impliedMethod { return method }
    return try uploadMethod() ?? .get
  }

  // MARK: URL

  private func resolvedURL() throws(TemplateError) -> Text {
    guard let field = request.settings.url.value else { throw TemplateError("the request has no `url`") }
    var url = try field.resolveURL(in: scope)
    let path = try request.settings.path.resolve(in: scope)
    if !path.isEmpty { url = try filled(url, path, at: field.range) }
    if !isAbsoluteURL(url.string) {
      if let address = url.asAddress { return address }
      guard let base = request.settings.baseURL.value else {
        throw TemplateError(
          "the URL has no scheme, and there is no `base_url` to put before it", at: field.range,
          help: "write http:// or https:// and the host, or set `base_url`")
      }
      let whole = try base.resolve(in: scope)
      url = try joined(whole.asAddress ?? whole, url, at: base.range)
    }
    return url
  }

  /// The row of `next` if it is a URL, which replaces the request's own.
  private func nextURL() throws(TemplateError) -> Text? {
    guard case .value(.text(let row)) = try scope.lookup("row"), isAbsoluteURL(row.string) else { return nil }
    return row
  }

  /// Moves a request to the URL of its row.
  ///
  /// - Returns: whether data for the request's own origin alone was dropped.
  private func move(
    _ outgoing: inout OutgoingRequest, to row: Text, of next: CaptureSpec
  ) throws(TemplateError) -> Bool {
    let target: HTTPURL
    do throws(URLProblem) {
      target = try HTTPURL(parsing: row.string)
    } catch {
      throw TemplateError("\(error.message) in \(withoutUserinfo(row).masked)", at: next.range, help: error.help)
    }
    do throws(TransportError) {
      return try outgoing.move(to: target)
    } catch {
      throw TemplateError("\(error.message)", at: next.range, help: error.help.map { "\($0)" })
    }
  }

  /// The base and the URL with exactly one `/` between; a URL that is only a query or a fragment gets none.
  private func joined(_ base: Text, _ url: Text, at range: SourceRange) throws(TemplateError) -> Text {
    if base.string.contains("?") || base.string.contains("#") {
      throw TemplateError(
        "`base_url` has a query or a fragment, and the URL would become part of it", at: range,
        help: "put the parameters into `query`")
    }
    var left = base
    if url.isEmpty { return left }
    if let first = url.string.first, first == "?" || first == "#" { return left + url }
    while left.string.hasSuffix("/") { left = left.dropping(last: 1) }
    return left + Text("/") + (url.string.hasPrefix("/") ? url.dropping(first: 1) : url)
  }

  /// Fills each `{name}` of the URL's path, percent-encoded.
  private func filled(_ url: Text, _ path: Mapping, at range: SourceRange) throws(TemplateError) -> Text {
    var values = Dictionary(
      path.members.map { (Array($0.key.string.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    let bytes = Array(url.string.utf8)
    var result = Text("")
    var filled: [(name: Text, bytes: Range<Int>)] = []
    var end = 0
    var open: Int?
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "{") { open = index }
      guard byte == UInt8(ascii: "}"), let start = open else { continue }
      open = nil
      // The first of duplicate names is filled.
      guard let member = values.removeValue(forKey: Array(bytes[start + 1..<index])) else { continue }
      switch member.value {
      case .null, .list, .mapping:
        throw TemplateError(
          "`path.\(member.key.masked)` is \(member.value.kind.phrase): a part of a path is text, a number or a boolean",
          at: range)
      default: break
      }
      result.append(url[utf8: end..<start])
      let place = result.string.utf8.count
      result.append(percentEncoded(member.value.asText, allowed: .pathSegment))
      filled.append((member.key, place..<result.string.utf8.count))
      end = index + 1
    }
    result.append(url[utf8: end..<bytes.count])
    let whole = Array(result.string.utf8)
    for (name, bytes) in filled {
      guard let problem = problem(ofPath: name.masked, filledAt: bytes, of: whole) else { continue }
      let entry = request.settings.path.entries.last { $0.key.text == name.string }
      throw TemplateError(problem, at: entry?.value?.range ?? range)
    }
    return result
  }

  // MARK: the plain form

  private func outgoing(
    _ method: HTTPMethod, _ url: Text, _ headers: [(name: Text, value: Text)], _ body: ResolvedBody,
    _ credentials: ResolvedCredentials?, _ cookies: [(name: Text, value: Text)]
  ) throws(TemplateError) -> OutgoingRequest {
    let range = request.settings.url.value?.range
    let parsed: HTTPURL
    do throws(URLProblem) {
      parsed = try HTTPURL(parsing: url.string)
    } catch {
      guard request.settings.stream?.format == .websocket, let form = httpForm(ofWebSocket: url.string),
        let socket = try? HTTPURL(parsing: form)
      else {
        throw TemplateError("\(error.message) in \(withoutUserinfo(url).masked)", at: range, help: error.help)
      }
      parsed = socket
    }
    var options = ConnectionOptions()
    options.maxConnectionsPerHost = try request.settings.session.maxConnectionsPerHost.value?.resolve(in: scope)
    options.wantsCertificates = request.interest.wantsCertificates
    var outgoing = OutgoingRequest(
      method: method, url: parsed, headers: HeaderFields(headers.map { ($0.name.string, $0.value.string) }),
      secretHeaders: headers.filter { $0.name.isSecret || $0.value.isSecret }.map(\.name.string), body: body.plain,
      credentials: credentials?.plain, cookies: cookies.map { ($0.name.string, $0.value.string) },
      redirects: try redirectPolicy(), timeouts: try timeouts(), maxBodyBytes: defaults.maxBodyBytes, options: options,
      bodyOnGetAllowed: try request.settings.bodyOnGet.value?.resolve(in: scope) ?? false)
    outgoing.keepsSentHead = defaults.keepsSentHeads
    return outgoing
  }

  private func redirectPolicy() throws(TemplateError) -> RedirectPolicy {
    var policy = RedirectPolicy()
    if try request.settings.redirects.mode.value?.resolve(in: scope) == RedirectMode.none { policy.mode = .none }
    if let count = try request.settings.redirects.max.value?.resolve(in: scope) { policy.maxCount = count }
    policy.keepsMethod = try request.settings.redirects.keepMethod.value?.resolve(in: scope) ?? false
    policy.allowsHTTP = try request.settings.redirects.allowHTTP.value?.resolve(in: scope) ?? false
    for host in request.settings.redirects.trustHosts.value ?? [] {
      policy.trustedHosts.append(try host.resolve(in: scope).string)
    }
    return policy
  }

  private func timeouts() throws(TemplateError) -> ExchangeTimeouts {
    var timeouts = ExchangeTimeouts()
    timeouts.connect = try request.settings.timeout.connect.value?.resolve(in: scope)
    let resource = try request.settings.timeout.resource.value?.resolve(in: scope)
    var whole = defaults.timeout ?? resource
    if whole == nil, let listening = try request.settings.stream?.timeout?.resolve(in: scope) {
      // Its own time limit ends it.
      whole = listening
    } else {
      timeouts.resource = whole ?? defaults.resourceTimeout
    }
    // A long time for the whole means that the default gap shouldn't end it.
    timeouts.request =
      try request.settings.timeout.request.value?.resolve(in: scope)
      ?? max(defaults.requestTimeout, whole ?? .zero)
    return timeouts
  }
}

extension OutgoingRequest {
  /// Sets the options of a connection that becomes a WebSocket: it begins with HTTP/1.1 (RFC 6455, section 4.1), and
  /// passes a proxy by a tunnel.
  fileprivate mutating func opensWebSocket() {
    options.httpVersion = .http11
    options.decompresses = false
    options.proxy?.tunnels = true
  }
}
