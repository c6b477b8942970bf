import HTTPMessages
import URLs

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

  /// Changes the URL; data meant for the first origin alone is dropped if the origin changes.
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

/// Headers whose conditions apply to one resource's content alone.
private let conditionalHeaders = [
  "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
]
