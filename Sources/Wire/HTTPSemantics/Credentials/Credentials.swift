import Values

/// Credentials that authenticate a request to a server.
package enum Credentials: Sendable, Hashable {
  /// RFC 7617, in UTF-8; sent preemptively.
  case basic(username: String, password: String)
  /// RFC 6750; sent preemptively.
  case bearer(String)
  /// RFC 7616; sent after the server's challenge.
  case digest(username: String, password: String)
  /// AWS Signature Version 4, in headers; each request is signed.
  case awsSigV4(AWSCredentials)
  /// Each host's own entry, as Basic credentials.
  case netrc(Netrc)
  /// Authentication by the transport, since it belongs to a connection.
  case connection(ConnectionAuthentication)
}

extension Credentials {
  /// The Basic credentials in the userinfo of a URL; nil if there is none.
  package init?(userinfoOf url: HTTPURL) {
    guard let userinfo = url.userinfo else { return nil }
    let parts = userinfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    self = .basic(
      username: percentDecoded(parts[0]), password: parts.count > 1 ? percentDecoded(parts[1]) : "")
  }

  /// The credentials that remain after a redirect to an untrusted host: entries that name that host.
  var forAnyHost: Credentials? {
    if case .netrc(let netrc) = self { .netrc(netrc.withoutDefault) } else { nil }
  }
}

/// The value of an `Authorization` header with Basic credentials.
func basicAuthorization(username: String, password: String) -> String {
  "Basic " + base64Encoded(Array("\(username):\(password)".utf8))
}

/// Keeps secrets out of logs that print values by reflection.
extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String {
    switch self {
    case .basic: "basic credentials"
    case .bearer: "bearer token"
    case .digest: "digest credentials"
    case .awsSigV4: "AWS credentials"
    case .netrc: "netrc"
    case .connection(let authentication): authentication.description
    }
  }

  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
