import Values

/// The state from which the next request of a chain of redirects and challenges is made.
struct RedirectChain {
  /// The user's request, as far as it still applies after the hops so far; its credentials are the user's own.
  private var request: OutgoingRequest
  /// The credentials in the URL: those from a server's redirect are for that origin only.
  private var urlCredentials: Credentials?
  /// The SHA-256 of a body that is in a file.
  private var fileDigest: [UInt8]?
  /// The rule for the response to the next request.
  private(set) var rule: FollowUpRule

  var url: HTTPURL { request.url }

  /// A header of the user's own takes precedence over credentials.
  private var hasDigestCredentials: Bool {
    if case .digest? = request.credentials { !request.headers.contains("Authorization") } else { false }
  }

  /// The user's own credentials for this host, else those of the URL.
  private var credentialsHere: Credentials? {
    if case .netrc(let netrc)? = request.credentials, netrc.entry(for: url.host) == nil { return urlCredentials }
    return request.credentials ?? urlCredentials
  }

  /// Adds the digests of the body.
  mutating func addDigests() async throws(TransportError) {
    fileDigest = try await request.addDigests()
  }

  /// The next request to send, after `elapsed` of the whole exchange's time.
  func wireRequest(
    jar: CookieJar?, authenticator: Authenticator, elapsed: Duration
  ) throws(TransportError) -> WireRequest {
    let limits = ExchangeLimits(
      connect: request.timeouts.connect, idle: request.timeouts.request,
      total: request.timeouts.resource.map { $0 - elapsed }, maxBodyBytes: request.maxBodyBytes)
    var wire = WireRequest(
      method: request.method, url: url, requestTarget: request.requestTarget, headers: request.headers,
      body: request.body, limits: limits, options: request.options)
    wire.keepsSentHead = request.keepsSentHead
    if let proxies = request.proxies { wire.options.proxy = proxies.proxy(for: url) }
    if request.body.isUpgrade { wire.options.proxy?.tunnels = true }
    if let credentials = credentialsHere, !request.headers.contains("Authorization") {
      try authenticator.authorize(&wire, with: credentials, fileDigest: fileDigest)
    }
    if let cookies = cookieField(jar: jar) {
      if let place = wire.headers.fields.firstIndex(where: { equalsIgnoringCase($0.name, "Cookie") }) {
        wire.headers.set("Cookie", cookies.value)
        wire.headers.fields[place].isLatin1 = cookies.isLatin1
      } else {
        wire.headers.fields.append(cookies)
      }
    }
    return wire
  }

  /// One line: the user's own header, then the request's cookies, then those of the jar with other names.
  private func cookieField(jar: CookieJar?) -> HeaderFields.Field? {
    let stored = jar?.cookies(for: url) ?? []
    if stored.isEmpty, request.cookies.isEmpty, !request.headers.contains("Cookie") { return nil }
    var pairs = request.headers.values("Cookie").filter { !$0.isEmpty }
    var names = Set(pairs.flatMap { $0.split(separator: ";").map { nameOfPair($0) } })
    pairs += request.cookies.map { "\($0.name)=\($0.value)" }
    names.formUnion(request.cookies.map(\.name))
    let own = stored.filter { !names.contains($0.name) }
    let isLatin1 = own.contains(where: \.isLatin1)
    // The bytes of all others stay as they are in UTF-8.
    if isLatin1 { pairs = pairs.map { latin1Text($0.utf8) } }
    pairs += own.map { isLatin1 && !$0.isLatin1 ? latin1Text($0.pair.utf8) : $0.pair }
    guard !pairs.isEmpty else { return nil }
    return HeaderFields.Field(name: "Cookie", value: pairs.joined(separator: "; "), isLatin1: isLatin1)
  }

  private func nameOfPair(_ pair: Substring) -> String {
    String(pair.prefix { $0 != "=" }.drop { $0 == " " })
  }

  /// Keeps the URL, and answers a challenge.
  mutating func response(_ challenge: DigestChallenge, by authenticator: Authenticator) {
    authenticator.keep(challenge, of: url)
    rule.answeredNonces.append(challenge.nonce)
  }

  /// Moves to the target of a redirect, whose hop is the last of `hops`.
  ///
  /// Data for the first origin alone is dropped once the origin changes, and stays dropped if a later redirect leads
  /// back.
  mutating func follow(_ head: ResponseHead, after hops: [ExchangeHop], isStored: Bool) throws(TransportError) {
    let policy = request.redirects
    var target = try redirectTarget(head, from: url, allowsHTTP: policy.allowsHTTP, isUpgrade: request.body.isUpgrade)
    let own = Credentials(userinfoOf: target)
    target.userinfo = nil
    let urls = hops.filter { !$0.isChallenged }.map(\.request.url)
    guard urls.count <= policy.maxCount else {
      throw tooManyRedirects(urls + [target], atMost: policy.maxCount)
    }
    if policy.becomesGet(request.method, status: head.status) {
      request.method = .get
      request.body = .none
      request.headers.removeBodyHeaders()
    }
    request.requestTarget = nil
    if isStored {
      // A cookie set by a redirect is newer than the request's own.
      let renewed = Set(head.headers.values("Set-Cookie").compactMap { SetCookie(parsing: $0)?.name })
      request.cookies.removeAll { renewed.contains($0.name) }
    }
    if !target.hasSameOrigin(as: url) { urlCredentials = nil }
    if let own { urlCredentials = own }
    request.turn(to: target)
    rule.answersDigest = hasDigestCredentials
    rule.answeredNonces = []
  }
}

// In an extension, by the memberwise initializer: one that sets property by property copies the whole once more.
extension RedirectChain {
  init(_ request: OutgoingRequest) {
    let urlCredentials = Credentials(userinfoOf: request.url)
    self.init(
      request: request, urlCredentials: urlCredentials, fileDigest: nil,
      rule: FollowUpRule(redirects: request.redirects, answersDigest: false))
    self.request.url.userinfo = nil
    self.request.credentials = request.credentials ?? urlCredentials
    rule.answersDigest = hasDigestCredentials
  }
}
