import Cryptography
import Values

/// A Digest challenge that can be answered (RFC 7616, section 3.3; RFC 2617).
package struct DigestChallenge: Sendable, Hashable {
  /// Algorithms, the strongest last.
  package enum Algorithm: String, Sendable, Hashable, CaseIterable {
    case md5 = "MD5"
    case sha256 = "SHA-256"
    case sha512256 = "SHA-512-256"

    var digest: DigestAlgorithm {
      switch self {
      case .md5: .md5
      case .sha256: .sha256
      case .sha512256: .sha512256
      }
    }
  }

  package var realm: String
  package var nonce: String
  package var opaque: String?
  package var algorithm: Algorithm
  /// `-sess`: the password's hash is mixed with the nonces.
  package var isSession: Bool
  /// The algorithm as written; nil if the server named none.
  package var algorithmName: String?
  /// Without it, the response is that of RFC 2069.
  package var hasQualityOfProtection: Bool
  package var isStale: Bool
  /// Indicates whether the server reads UTF-8.
  package var isUTF8: Bool
  package var hashesUsername: Bool
  /// The URIs of the protection space, if it isn't the whole origin.
  package var domain: [String]
}

/// The reason why a server's challenges cannot be answered with Digest credentials, as a sentence.
package struct ChallengeRefusal: Error, Sendable, Hashable {
  package let message: String

  package init(message: String) {
    self.message = message
  }
}

extension DigestChallenge {
  /// The strongest of a response's Digest challenges, the first of equals.
  package static func strongest(in head: ResponseHead) throws(ChallengeRefusal) -> DigestChallenge {
    let challenges = parseChallenges(head.headers.values("WWW-Authenticate"))
    var best: DigestChallenge?
    var refusal: ChallengeRefusal?
    for challenge in challenges where equalsIgnoringCase(challenge.scheme, "Digest") {
      do throws(ChallengeRefusal) {
        let found = try DigestChallenge(challenge)
        if best.map({ $0.algorithm.rank < found.algorithm.rank }) ?? true { best = found }
      } catch {
        refusal = refusal ?? error
      }
    }
    if let best { return best }
    if let refusal { throw refusal }
    guard let other = challenges.first else {
      throw ChallengeRefusal(message: "the server gave no challenge that Digest credentials could answer")
    }
    throw ChallengeRefusal(message: "the server asks for \(shown(other.scheme)), not for Digest credentials")
  }

  init(_ challenge: Challenge) throws(ChallengeRefusal) {
    guard let realm = challenge.parameter("realm"), let nonce = challenge.parameter("nonce"), !nonce.isEmpty else {
      let missing = challenge.parameter("realm") == nil ? "realm" : "nonce"
      throw ChallengeRefusal(message: "the server's Digest challenge has no \(missing)")
    }
    let name = challenge.parameter("algorithm")
    var base = (name ?? "MD5").uppercased()
    isSession = base.hasSuffix("-SESS")
    if isSession { base.removeLast(5) }
    guard let algorithm = Algorithm(rawValue: base) else {
      throw ChallengeRefusal(
        message: "the server asks for Digest credentials by the algorithm \(shown(name ?? "")), which is not supported")
    }
    let qualities = (challenge.parameter("qop") ?? "").split { $0 == "," || $0 == " " }.map { $0.lowercased() }
    guard qualities.isEmpty || qualities.contains("auth") else {
      throw ChallengeRefusal(
        message:
          "the server offers Digest credentials only with qop \(shown(qualities.joined(separator: ", "))); "
          + "only auth is supported")
    }
    let opaque = challenge.parameter("opaque")
    for echoed in [realm, nonce, opaque ?? "", name ?? ""] where !isHeaderText(echoed) {
      throw ChallengeRefusal(message: "the server's Digest challenge has control characters")
    }
    self.realm = realm
    self.nonce = nonce
    self.opaque = opaque
    self.algorithm = algorithm
    algorithmName = name
    hasQualityOfProtection = !qualities.isEmpty
    isStale = challenge.parameter("stale")?.lowercased() == "true"
    isUTF8 = challenge.parameter("charset")?.lowercased() == "utf-8"
    hashesUsername = challenge.parameter("userhash")?.lowercased() == "true"
    domain = (challenge.parameter("domain") ?? "").split(separator: " ").map(String.init)
  }

  /// Returns whether a URL of the origin that gave the challenge lies in its protection space.
  func covers(_ url: HTTPURL, of origin: HTTPURL) -> Bool {
    domain.isEmpty
      || domain.contains { text in
        guard let covered = try? HTTPURL.resolve(text, against: origin), covered.hasSameOrigin(as: url) else {
          return false
        }
        return url.originForm.hasPrefix(covered.originForm)
      }
  }
}

extension DigestChallenge.Algorithm {
  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

private func shown(_ word: String) -> Excerpt { Excerpt(word, limit: 40) }
