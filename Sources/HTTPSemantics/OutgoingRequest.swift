import HTTPMessages

/// A request as the user means it: what it becomes on the wire, hop by hop, is ``HTTPClient``'s business.
package struct OutgoingRequest: Sendable {
  package var method: HTTPMethod
  /// Its userinfo becomes Basic credentials, unless ``credentials`` or an `Authorization` header stand beside it.
  package var url: HTTPURL
  /// What stands in the request line of the first hop instead of the URL's path and query.
  package var requestTarget: String?
  /// As written; an `Authorization` here wins over ``credentials``, a `Cookie` here goes first.
  package var headers: HeaderFields
  /// The names of headers that are meant for the first origin alone, as `Authorization` is.
  package var secretHeaders: [String] = []
  package var body: RequestBody
  /// Those of the body that are told once it has been read; a header of the request's own is not among them.
  package var digests: [ContentDigest] = []
  package var credentials: Credentials?
  /// This request's own cookies. They win over the jar's of the same name and never enter the jar.
  package var cookies: [(name: String, value: String)]
  package var redirects: RedirectPolicy
  package var timeouts: ExchangeTimeouts
  /// The limit of the decoded body.
  package var maxBodyBytes: Int64?
  package var options: ConnectionOptions
  /// Nil goes to every server directly; the proxy of each hop's URL wins over that of ``options``.
  package var proxies: ProxyRules?
  /// Whether GET and HEAD may carry a body.
  package var bodyOnGetAllowed: Bool
  /// Whether each hop's head is kept as it was sent.
  package var keepsSentHead = false
}

// In an extension, by the memberwise initializer: one that sets property by property copies the whole once more.
extension OutgoingRequest {
  package init(
    method: HTTPMethod, url: HTTPURL, requestTarget: String? = nil, headers: HeaderFields = HeaderFields(),
    secretHeaders: [String] = [], body: RequestBody = .none, credentials: Credentials? = nil,
    cookies: [(name: String, value: String)] = [],
    redirects: RedirectPolicy = RedirectPolicy(), timeouts: ExchangeTimeouts = ExchangeTimeouts(),
    maxBodyBytes: Int64? = nil, options: ConnectionOptions = ConnectionOptions(),
    bodyOnGetAllowed: Bool = false
  ) {
    self.init(
      method: method, url: url, requestTarget: requestTarget, headers: headers, secretHeaders: secretHeaders,
      body: body,
      credentials: credentials, cookies: cookies, redirects: redirects, timeouts: timeouts, maxBodyBytes: maxBodyBytes,
      options: options,
      proxies: nil, bodyOnGetAllowed: bodyOnGetAllowed)
  }
}

/// Whether and how redirects are followed.
package struct RedirectPolicy: Sendable, Hashable {
  package enum Mode: Sendable, Hashable {
    case follow
    /// A redirect is the answer.
    case none
  }

  package var mode: Mode
  package var maxCount: Int
  /// Keeps POST and its body on 301 and 302.
  package var keepsMethod: Bool
  /// Whether a redirect may lead from https to http.
  package var allowsHTTP = false
  /// Host names that credentials, secret headers and the request's own cookies may go on to.
  package var trustedHosts: [String]

  package init(mode: Mode = .follow, maxCount: Int = 10, keepsMethod: Bool = false, trustedHosts: [String] = []) {
    self.mode = mode
    self.maxCount = maxCount
    self.keepsMethod = keepsMethod
    self.trustedHosts = trustedHosts
  }
}

/// How long an exchange may take; nil is without limit.
package struct ExchangeTimeouts: Sendable, Hashable {
  /// From the start of a hop until its connection (TLS included) stands.
  package var connect: Duration?
  /// The longest gap between two packets, and before the first.
  package var request: Duration?
  /// The whole, redirects included.
  package var resource: Duration?

  package init(connect: Duration? = nil, request: Duration? = nil, resource: Duration? = nil) {
    self.connect = connect
    self.request = request
    self.resource = resource
  }

  /// For one more exchange of those that the whole's time is for.
  package func left(after elapsed: Duration) -> ExchangeTimeouts {
    var left = self
    // Not 0, which would be over before it had begun.
    left.resource = resource.map { max(.milliseconds(1), $0 - elapsed) }
    return left
  }
}
