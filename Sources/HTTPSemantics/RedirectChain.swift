import HTTPMessages

/// What the next request of a chain of redirects and challenges is made of.
struct RedirectChain {
  private let original: OutgoingRequest
  private(set) var url: HTTPURL
  private var method: HTTPMethod
  private var requestTarget: String?
  private var headers: HeaderFields
  private var body: RequestBody
  /// The user's own.
  private var credentials: Credentials?
  /// Those in the URL: what a server wrote into its redirect is for that origin only.
  private var urlCredentials: Credentials?
  private let fileDigest: [UInt8]?
  private var cookies: [(name: String, value: String)]
  /// What the answer to the next request may call for.
  private(set) var rule: FollowUpRule

  /// - Parameter fileDigest: the SHA-256 of a body that is in a file.
  init(_ request: OutgoingRequest, fileDigest: [UInt8]?) {
    self.fileDigest = fileDigest
    original = request
    url = request.url
    url.userinfo = nil
    method = request.method
    requestTarget = request.requestTarget
    headers = request.headers
    body = request.body
    urlCredentials = Credentials(userinfoOf: request.url)
    credentials = request.credentials ?? urlCredentials
    cookies = request.cookies
    rule = FollowUpRule(redirects: request.redirects, answersDigest: false)
    rule.answersDigest = hasDigestCredentials
  }

  /// A header of the user's own comes before credentials.
  private var hasDigestCredentials: Bool {
    if case .digest? = credentials { !headers.contains("Authorization") } else { false }
  }

  /// The user's own, where they have some for this host, come before those of the URL.
  private var credentialsHere: Credentials? {
    if case .netrc(let netrc)? = credentials, netrc.entry(for: url.host) == nil { return urlCredentials }
    return credentials ?? urlCredentials
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
    if let credentials = credentialsHere, !headers.contains("Authorization") {
      try authenticator.authorize(&request, with: credentials, fileDigest: fileDigest)
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
    var target = try redirectTarget(head, from: url, allowsHTTP: policy.allowsHTTP)
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
      urlCredentials = nil
      let leavesTLS = url.isSecure && !target.isSecure
      if leavesTLS || !policy.trusts(target) {
        headers.removeCredentials()
        credentials = leavesTLS ? nil : credentials?.forAnyHost
        cookies = []
      }
    }
    if let own { urlCredentials = own }
    url = target
    rule.answersDigest = hasDigestCredentials
    rule.answeredNonces = []
  }
}
