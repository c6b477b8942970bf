import HTTPMessages

/// What the next request of a chain of redirects is made of.
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
  }

  /// The request to send now; `elapsed` of the whole exchange's time is gone.
  func wireRequest(jar: CookieJar?, elapsed: Duration) -> WireRequest {
    var fields = headers
    if let credentials, !fields.contains("Authorization") {
      fields.append("Authorization", credentials.headerValue)
    }
    if let cookie = cookieHeader(jar: jar) {
      if fields.contains("Cookie") { fields.set("Cookie", cookie) } else { fields.append("Cookie", cookie) }
    }
    let limits = ExchangeLimits(
      connect: original.timeouts.connect, idle: original.timeouts.request,
      total: original.timeouts.resource.map { $0 - elapsed }, maxBodyBytes: original.maxBodyBytes)
    return WireRequest(
      method: method, url: url, requestTarget: requestTarget, headers: fields, body: body, limits: limits,
      options: original.options)
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

  /// Turns to the target of a redirect, whose hop is the last of `hops`.
  ///
  /// What the user meant for the first origin alone is dropped once the origin changes, and stays so when a later
  /// redirect leads back.
  mutating func follow(_ head: ResponseHead, after hops: [Hop], isStored: Bool) throws(TransportError) {
    let policy = original.redirects
    var target = try redirectTarget(head, from: url)
    let own = Credentials(userinfoOf: target)
    target.userinfo = nil
    guard hops.count <= policy.maxCount else {
      let limit = "\(policy.maxCount) \(policy.maxCount == 1 ? "redirect" : "redirects")"
      throw TransportError(
        .redirects, "more than \(limit): \(chainText(hops.map(\.request.url) + [target]))",
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
        credentials = nil
        cookies = []
      }
    }
    // Credentials that a server wrote into its redirect are for that origin; the user's own come before them.
    if let own, credentials == nil || areFromTarget {
      credentials = own
      areFromTarget = true
    }
    url = target
  }
}
