import HTTPMessages

/// What the next request of a chain of redirects and challenges is made of.
struct RedirectChain {
  private let original: OutgoingRequest
  private(set) var url: HTTPURL
  private var method: HTTPMethod
  private var requestTarget: String?
  private var headers: HeaderFields
  private var body: RequestBody
  private var credentials: Credentials?
  /// Whether the credentials came with a redirect's target.
  private var areFromTarget = false
  private var cookies: [(name: String, value: String)]
  /// What the answer to the next request may call for.
  private(set) var rule: FollowUpRule

  init(_ request: OutgoingRequest) {
    original = request
    url = request.url
    url.userinfo = nil
    method = request.method
    requestTarget = request.requestTarget
    headers = request.headers
    body = request.body
    credentials = request.credentials ?? Credentials(userinfoOf: request.url)
    cookies = request.cookies
    rule = FollowUpRule(redirects: request.redirects, answersDigest: false)
    rule.answersDigest = hasDigestCredentials
  }

  /// A header of the user's own comes before credentials.
  private var hasDigestCredentials: Bool {
    if case .digest? = credentials { !headers.contains("Authorization") } else { false }
  }

  /// The request to send now; `elapsed` of the whole exchange's time is gone.
  func wireRequest(
    jar: CookieJar?, authenticator: Authenticator, elapsed: Duration
  ) throws(TransportError) -> WireRequest {
    let limits = ExchangeLimits(
      connect: original.timeouts.connect, idle: original.timeouts.request,
      total: original.timeouts.resource.map { $0 - elapsed }, maxBodyBytes: original.maxBodyBytes)
    var options = original.options
    if let proxies = original.proxies { options.proxy = proxies.proxy(for: url) }
    var request = WireRequest(
      method: method, url: url, requestTarget: requestTarget, headers: headers, body: body, limits: limits,
      options: options)
    if let credentials, !headers.contains("Authorization") {
      try authenticator.authorize(&request, with: credentials)
    }
    if let cookie = cookieHeader(jar: jar) {
      if headers.contains("Cookie") {
        request.headers.set("Cookie", cookie)
      } else {
        request.headers.append("Cookie", cookie)
      }
    }
    return request
  }

  /// One line: the user's own header, then the request's cookies, then those of the jar under other names.
  private func cookieHeader(jar: CookieJar?) -> String? {
    let stored = jar?.cookies(for: url) ?? []
    if stored.isEmpty, cookies.isEmpty, !headers.contains("Cookie") { return nil }
    var pairs = headers.values("Cookie").filter { !$0.isEmpty }
    var names = Set(pairs.flatMap { $0.split(separator: ";").map { nameOfPair($0) } })
    pairs += cookies.map { "\($0.name)=\($0.value)" }
    names.formUnion(cookies.map(\.name))
    for cookie in stored where !names.contains(cookie.name) {
      pairs.append("\(cookie.name)=\(cookie.value)")
    }
    return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
  }

  private func nameOfPair(_ pair: Substring) -> String {
    String(pair.prefix { $0 != "=" }.drop { $0 == " " })
  }

  /// Stays where it is, to answer a challenge.
  mutating func answer(_ challenge: DigestChallenge, by authenticator: Authenticator) {
    authenticator.keep(challenge, of: url)
    rule.answeredNonces.append(challenge.nonce)
  }

  /// Turns to the target of a redirect, whose hop is the last of `hops`.
  ///
  /// What the user meant for the first origin alone is dropped once the origin changes, and stays so when a later
  /// redirect leads back.
  mutating func follow(_ head: ResponseHead, after hops: [Hop], isStored: Bool) throws(TransportError) {
    let policy = original.redirects
    var target = try redirectTarget(head, from: url)
    let own = Credentials(userinfoOf: target)
    target.userinfo = nil
    let urls = hops.filter { !$0.isChallenged }.map(\.request.url)
    guard urls.count <= policy.maxCount else {
      let limit = "\(policy.maxCount) \(policy.maxCount == 1 ? "redirect" : "redirects")"
      throw TransportError(
        .redirects, "more than \(limit): \(chainText(urls + [target]))",
        help: "`redirects: {max: …}` allows more")
    }
    if policy.becomesGet(method, status: head.status) {
      method = .get
      body = .none
      headers.removeBodyHeaders()
    }
    requestTarget = nil
    if isStored {
      // A cookie that the server sets on the way is newer than the request's own.
      let renewed = Set(head.headers.values("Set-Cookie").compactMap { SetCookie(parsing: $0)?.name })
      cookies.removeAll { renewed.contains($0.name) }
    }
    if !target.hasSameOrigin(as: url) {
      headers.removeAll("Host")
      if areFromTarget { credentials = nil }
      if !policy.trusts(target) {
        headers.removeCredentials()
        credentials = credentials?.forAnyHost
        cookies = []
      }
    }
    // Credentials that a server wrote into its redirect are for that origin; the user's own come before them.
    if let own, credentials == nil || areFromTarget {
      credentials = own
      areFromTarget = true
    }
    url = target
    rule.answersDigest = hasDigestCredentials
    rule.answeredNonces = []
  }
}
