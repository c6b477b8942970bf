import HTTPMessages

/// Requests for what an answer refers to, such as the segments of a playlist.
extension OutgoingRequest {
  /// The request as it stands where its redirects led: without what the URLs on the way were not to see.
  package func arrived(by result: ExchangeResult) -> OutgoingRequest {
    var request = self
    request.credentials = credentials ?? Credentials(userinfoOf: url)
    request.url.userinfo = nil
    for redirect in result.redirects { request.turn(to: redirect.url) }
    return request
  }

  /// A GET of what an answer of this request refers to. What only this request's origin may see goes to no other.
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

  /// Turns to another URL: what the user meant for the first origin alone is dropped where the origin changes.
  mutating func turn(to target: HTTPURL) {
    if !target.hasSameOrigin(as: url) {
      headers.removeAll("Host")
      let leavesTLS = url.isSecure && !target.isSecure
      if leavesTLS || !redirects.trusts(target) {
        headers.removeCredentials()
        for name in secretHeaders { headers.removeAll(name) }
        credentials = leavesTLS ? nil : credentials?.forAnyHost
        cookies = []
      }
    }
    url = target
  }
}

/// What a request asks of one resource's content alone.
private let conditionalHeaders = [
  "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
]
