import Values

/// Requests for resources that a response refers to, such as the segments of a playlist.
extension OutgoingRequest {
  /// The request at the target of its redirects, without data that other origins must not see.
  package func arrived(by result: ExchangeResult) -> OutgoingRequest {
    var request = self
    request.credentials = credentials ?? Credentials(userinfoOf: url)
    request.url.userinfo = nil
    for redirect in result.redirects { request.turn(to: redirect.url) }
    return request
  }

  /// A GET of a resource that a response to this request refers to. Data for this request's origin goes to no other.
  package func followUp(to target: HTTPURL) -> OutgoingRequest {
    var request = self
    request.method = .get
    request.body = .none
    request.requestTarget = nil
    request.headers.removeBodyHeaders()
    for name in conditionalHeaders { request.headers.removeAll(name) }
    request.turn(to: target)
    return request
  }

  /// Moves to a URL that a response names, under the rules of redirects.
  ///
  /// - Returns: whether data for the first origin alone was dropped.
  package mutating func move(to target: HTTPURL) throws(TransportError) -> Bool {
    guard target.isSecure || !url.isSecure || redirects.allowsHTTP else { throw leavingTLS(from: url, to: target) }
    credentials = credentials ?? Credentials(userinfoOf: url)
    url.userinfo = nil
    requestTarget = nil
    return turn(to: target)
  }

  /// Changes the URL; data meant for the first origin alone is dropped if the origin changes.
  ///
  /// - Returns: whether it was.
  @discardableResult mutating func turn(to target: HTTPURL) -> Bool {
    var isDropped = false
    if !target.hasSameOrigin(as: url) {
      headers.removeAll("Host")
      let leavesTLS = url.isSecure && !target.isSecure
      isDropped = leavesTLS || !redirects.trusts(target)
      if isDropped {
        headers.removeCredentials()
        for name in secretHeaders { headers.removeAll(name) }
        credentials = leavesTLS ? nil : credentials?.forAnyHost
        cookies = []
      }
    }
    url = target
    return isDropped
  }
}

/// Headers whose conditions apply to one resource's content alone.
private let conditionalHeaders = [
  "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
]
