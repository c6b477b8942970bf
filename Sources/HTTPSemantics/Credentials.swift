import HTTPMessages
import Values

/// Credentials that are sent with the first request, without being asked for.
package enum Credentials: Sendable, Hashable {
  /// RFC 7617, in UTF-8.
  case basic(username: String, password: String)
  /// RFC 6750.
  case bearer(String)

  /// The value of the `Authorization` header.
  package var headerValue: String {
    switch self {
    case .basic(let username, let password): "Basic " + base64Encoded(Array("\(username):\(password)".utf8))
    case .bearer(let token): "Bearer " + token
    }
  }
}

extension Credentials {
  /// The Basic credentials in the userinfo of a URL; nil if there is none.
  package init?(userinfoOf url: HTTPURL) {
    guard let userinfo = url.userinfo else { return nil }
    let parts = userinfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    self = .basic(
      username: percentDecoded(parts[0]), password: parts.count > 1 ? percentDecoded(parts[1]) : "")
  }
}

/// Keeps secrets out of logs that print values by reflection.
extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String {
    switch self {
    case .basic: "basic credentials"
    case .bearer: "bearer token"
    }
  }

  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
