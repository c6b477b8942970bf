import Synchronization
import Values

/// Adds credentials to requests, and keeps the Digest challenges of servers so that later requests carry credentials
/// from the start.
package final class Authenticator: Sendable {
  private struct ProtectionSpace {
    var origin: HTTPURL
    var challenge: DigestChallenge
    /// The number of times the nonce was used.
    var uses = 0
  }

  /// Protection spaces by scheme and authority; the last challenge of an origin counts.
  private let spaces = Mutex<[String: ProtectionSpace]>([:])
  private let now: @Sendable () -> Timestamp
  private let makeClientNonce: @Sendable () -> String

  package convenience init() {
    self.init(now: { .now }) {
      var generator = SystemRandomNumberGenerator()
      return hexEncoded((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
  }

  /// - Parameters:
  ///   - now: the time of signatures.
  ///   - clientNonce: makes a value that no other request has.
  package init(
    now: @escaping @Sendable () -> Timestamp, clientNonce: @escaping @Sendable () -> String
  ) {
    self.now = now
    makeClientNonce = clientNonce
  }

  /// Adds the credentials for the request's origin. The request must be in its final form.
  ///
  /// - Parameter fileDigest: the SHA-256 of a body that is in a file, for signatures.
  func authorize(
    _ request: inout WireRequest, with credentials: Credentials, fileDigest: [UInt8]?
  ) throws(TransportError) {
    switch credentials {
    case .basic(let username, let password):
      request.headers.append("Authorization", basicAuthorization(username: username, password: password))
    case .bearer(let token): request.headers.append("Authorization", "Bearer " + token)
    case .digest(let username, let password):
      guard let (challenge, count) = use(of: request.url) else { return }
      let response = DigestResponse(
        challenge: challenge, username: username, password: password, method: request.method.rawValue,
        uri: request.requestTarget ?? request.url.originForm, clientNonce: makeClientNonce(), count: count)
      request.headers.append("Authorization", response.headerValue)
    case .awsSigV4(let credentials): try request.sign(credentials, fileDigest: fileDigest, at: now())
    case .netrc(let netrc):
      guard let entry = netrc.entry(for: request.url.host) else { return }
      request.headers.append(
        "Authorization", basicAuthorization(username: entry.login ?? "", password: entry.password ?? ""))
    case .connection(let authentication): request.options.connectionAuthentication = authentication
    }
  }

  /// Keeps a challenge that was received from that URL.
  func keep(_ challenge: DigestChallenge, of url: HTTPURL) {
    spaces.withLock { $0[url.origin] = ProtectionSpace(origin: url, challenge: challenge) }
  }

  /// Takes the next nonce that a response offers (`Authentication-Info`, RFC 7616, section 3.5).
  func note(_ head: ResponseHead, from url: HTTPURL) {
    let info = head.headers.values("Authentication-Info")
    guard !info.isEmpty,
      let nonce = parseChallenges(["Digest " + info.joined(separator: ", ")]).first?.parameter("nextnonce"),
      !nonce.isEmpty, isHeaderText(nonce)
    else { return }
    spaces.withLock { spaces in
      spaces[url.origin]?.challenge.nonce = nonce
      spaces[url.origin]?.uses = 0
    }
  }

  /// The challenge to answer at that URL, and the number of its uses so far, this one included.
  private func use(of url: HTTPURL) -> (challenge: DigestChallenge, count: Int)? {
    spaces.withLock { spaces in
      guard let space = spaces[url.origin], space.challenge.covers(url, of: space.origin) else { return nil }
      spaces[url.origin]?.uses += 1
      return (space.challenge, space.uses + 1)
    }
  }
}

extension HTTPURL {
  fileprivate var origin: String { "\(scheme)://\(hostAndPort)" }
}
