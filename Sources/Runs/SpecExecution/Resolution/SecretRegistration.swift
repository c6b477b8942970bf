import HTTPSemantics
import RequestSpecs
import Values

extension ResolvedRequest {
  /// Registers all its secrets, so that they are found if the response repeats them.
  package func register(in registry: SecretRegistry) {
    registry.add(url)
    // A server that echoes the request shows it decoded.
    for run in url.runs where run.isSecret { registry.add(formDecoded(run.text)) }
    if let requestTarget { registry.add(requestTarget) }
    for header in headers {
      registry.add(header.name)
      registry.add(header: header.name.string, header.value)
    }
    for cookie in cookies { registry.add(cookie.value) }
    if let credentials {
      for text in credentials.texts { registry.add(text) }
      for pair in credentials.basicPairs { registry.add(credentialsOf: pair.username, pair.password) }
    }
    switch body {
    case .none: break
    case .text(let text): registry.add(text)
    case .data(let data): registry.add(.data(data))
    case .file(let file): registry.add(file.path)
    case .multipart(let parts, _): for part in parts { part.register(in: registry) }
    }
    if let userinfo = outgoing.url.userinfo { registry.add(userinfo: userinfo) }
    connection?.register(in: registry)
  }
}

extension PlannedRequest {
  /// Registers the passwords and tokens that are literals in the file.
  package func registerLiteralSecrets(in registry: SecretRegistry) {
    for field in settings.auth.value?.secretFields ?? [] { field.literal.map { registry.add($0.string) } }
    if case .password(.basic, let username, let password)? = settings.auth.value, let username = username.literal,
      let password = password.literal
    {
      registry.add(credentialsOf: username.string, password.string)
    }
    for entry in settings.headers.entries {
      if case .text(let value)? = entry.value?.literal { registry.add(header: entry.key.text, value) }
    }
    if let connection = settings.connection { registry.addLiteralSecrets(of: connection) }
    for url in [settings.url.value, settings.baseURL.value] {
      guard let url = url?.literal?.string, let range = userinfoRange(url) else { continue }
      registry.add(userinfo: String(decoding: Array(url.utf8)[range], as: UTF8.self))
    }
  }
}

extension ResolvedPart {
  fileprivate func register(in registry: SecretRegistry) {
    for text in [name, filename, type].compactMap({ $0 }) { registry.add(text) }
    switch content {
    case .text(let text): registry.add(text)
    case .data(let data): registry.add(.data(data))
    case .file(let file): registry.add(file.path)
    }
  }
}

extension ResolvedConnection {
  fileprivate func register(in registry: SecretRegistry) {
    if let passphrase { registry.add(passphrase) }
    for text in shownTexts { registry.add(text) }
    if let proxy, proxy.password != nil { registry.add(credentialsOf: proxy) }
  }
}

extension SecretRegistry {
  /// Adds the computed credentials of requests: a server may echo them.
  package func add(authorizationsOf requests: [WireRequest]) {
    for request in requests {
      request.headers.first("Authorization").map { add($0) }
    }
  }

  /// Adds the secrets that servers wrote into their redirects: credentials, and parts of a secret that a URL splits.
  package func add(secretsOfRedirects hops: [ExchangeHop]) {
    // By indices: a hop is large.
    for index in hops.indices {
      guard let location = hops[index].head.headers.first("Location") else { continue }
      for run in filtered(location).runs where run.isSecret {
        for part in run.text.split(whereSeparator: { "/?#@:".contains($0) }) where part.count < run.text.count {
          add(searched: String(part))
        }
        // A URL is shown without its fragment.
        if let mark = run.text.firstIndex(of: "#") { add(searched: String(run.text[..<mark])) }
      }
      guard location.utf8.contains(UInt8(ascii: "@")),
        let userinfo = try? HTTPURL.resolve(location, against: hops[index].request.url).userinfo
      else { continue }
      add(userinfo: userinfo)
    }
  }

  /// Adds a proxy's credentials; a name without a password is a token, as in the userinfo of any URL.
  package func add(credentialsOf proxy: Proxy) {
    guard let secret = proxy.password ?? proxy.username else { return }
    add(secret)
    add(credentialsOf: proxy.username ?? "", proxy.password ?? "")
  }

  /// Adds a literal token or password in a header, which is secret too, but not its scheme.
  fileprivate func add(header name: String, _ value: Text) {
    add(value)
    guard ["Authorization", "Proxy-Authorization"].contains(where: { equalsIgnoringCase($0, name) }) else { return }
    add(String(value.string.split(separator: " ", maxSplits: 1).last ?? ""))
  }

  fileprivate func addLiteralSecrets(of connection: ConnectionSettings) {
    if let passphrase = connection.tls.passphrase.value?.literal { add(passphrase) }
    if let password = connection.proxy.password.value?.literal {
      add(password)
      add(credentialsOf: connection.proxy.username.value?.literal?.string ?? "", password.string)
    }
    if case .proxy(let proxy)? = connection.proxy.url.value?.literal {
      var content = proxy.content
      // The name's password is beside it.
      if content.password == nil, connection.proxy.password.value != nil { content.username = nil }
      add(credentialsOf: content)
    }
  }

  /// The token of a Basic header (RFC 7617): the password in it may be too short to be found by itself.
  fileprivate func add(credentialsOf username: String, _ password: String) {
    add(base64Encoded(Array("\(username):\(password)".utf8)))
  }

  /// The part after the colon of a URL's userinfo; without a colon all of it, which is then a token.
  fileprivate func add(userinfo: String) {
    let secret = userinfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
    add(String(secret))
    add(percentDecoded(secret))
    let parts = userinfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    add(credentialsOf: percentDecoded(parts[0]), parts.count > 1 ? percentDecoded(parts[1]) : "")
  }
}

extension RunEnvironment {
  /// Registers the credentials of the environment's proxies.
  package func registerProxies(in registry: SecretRegistry) {
    guard case .success(let rules?) = proxies else { return }
    for proxy in rules.proxies { registry.add(credentialsOf: proxy) }
  }
}
