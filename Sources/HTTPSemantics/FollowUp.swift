import HTTPMessages

/// What an answer calls for.
enum FollowUp: Sendable {
  /// It is the final one.
  case none
  /// Its redirect is followed.
  case redirect
  /// The same request again, with an answer to the challenge.
  case challenge(DigestChallenge)
}

/// Tells what an answer calls for.
struct FollowUpRule: Sendable {
  let redirects: RedirectPolicy
  /// Whether the request has Digest credentials for its origin.
  var answersDigest: Bool
  /// The nonces that were answered since the last redirect.
  var answeredNonces: [String] = []

  func followUp(to head: ResponseHead) -> FollowUp {
    if redirects.follows(head) { return .redirect }
    guard answersDigest, head.status == 401, let challenge = try? DigestChallenge.strongest(in: head) else {
      return .none
    }
    // The first challenge is answered; then only one more, if the server says that nothing but the nonce was wrong.
    switch answeredNonces.count {
    case 0: return .challenge(challenge)
    case 1 where challenge.isStale && !answeredNonces.contains(challenge.nonce): return .challenge(challenge)
    default: return .none
    }
  }

  /// Why a final 401 came, and what would satisfy the server; nil for any other response.
  ///
  /// - Parameter sent: the `Authorization` that was sent.
  func note(on head: ResponseHead, sent: String?) -> String? {
    guard head.status == 401 else { return nil }
    guard answersDigest else { return AccessNote(head: head, sent: sent).text }
    do throws(ChallengeRefusal) {
      _ = try DigestChallenge.strongest(in: head)
      return "the server did not accept the Digest credentials"
    } catch {
      return error.message
    }
  }
}
