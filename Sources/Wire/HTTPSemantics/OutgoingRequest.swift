import Values

/// A request as the user means it; ``HTTPClient`` decides what is sent in each hop.
package struct OutgoingRequest: Sendable {
  package var method: HTTPMethod
  /// The URL. Its userinfo becomes Basic credentials, unless there are ``credentials`` or an `Authorization` header.
  package var url: HTTPURL
  /// The request target of the first hop, if it isn't the URL's path and query.
  package var requestTarget: String?
  /// Headers as written; an `Authorization` wins over ``credentials``, a `Cookie` is sent first.
  package var headers: HeaderFields
  /// The names of headers that are meant for the first origin alone, like `Authorization`.
  package var secretHeaders: [String] = []
  package var body: RequestBody
  /// Body digests that are sent once the body has been read; headers of the request's own win over them.
  package var digests: [ContentDigest] = []
  package var credentials: Credentials?
  /// This request's own cookies. They win over the jar's of the same name and never enter the jar.
  package var cookies: [(name: String, value: String)]
  package var redirects: RedirectPolicy
  package var timeouts: ExchangeTimeouts
  /// The limit of the decoded body.
  package var maxBodyBytes: Int64?
  package var options: ConnectionOptions
  /// The proxy rules; nil connects directly to every server. A proxy from these rules wins over that of ``options``.
  package var proxies: ProxyRules?
  /// Indicates whether GET and HEAD may have a body.
  package var bodyOnGetAllowed: Bool
  /// Indicates whether each hop keeps its head as it was sent.
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

package struct RedirectPolicy: Sendable, Hashable {
  package enum Mode: Sendable, Hashable {
    case follow
    /// Redirects are final responses.
    case none
  }

  package var mode: Mode
  package var maxCount: Int
  /// Keeps POST and its body on 301 and 302.
  package var keepsMethod: Bool
  /// Indicates whether a redirect may lead from https to http.
  package var allowsHTTP = false
  /// Host names that credentials, secret headers and the request's own cookies may be forwarded to.
  package var trustedHosts: [String]

  package init(mode: Mode = .follow, maxCount: Int = 10, keepsMethod: Bool = false, trustedHosts: [String] = []) {
    self.mode = mode
    self.maxCount = maxCount
    self.keepsMethod = keepsMethod
    self.trustedHosts = trustedHosts
  }
}

/// The time limits of an exchange; nil means no limit.
package struct ExchangeTimeouts: Sendable, Hashable {
  /// The time from the start of a hop until its connection is established, TLS included.
  package var connect: Duration?
  /// The longest gap between two packets, and before the first.
  package var request: Duration?
  /// The whole time, redirects included.
  package var resource: Duration?

  package init(connect: Duration? = nil, request: Duration? = nil, resource: Duration? = nil) {
    self.connect = connect
    self.request = request
    self.resource = resource
  }

  /// The timeouts for another hop after a part of the whole time has elapsed.
  package func left(after elapsed: Duration) -> ExchangeTimeouts {
    var left = self
    // At least a millisecond: 0 would be over before it begins.
    left.resource = resource.map { max(.milliseconds(1), $0 - elapsed) }
    return left
  }
}
