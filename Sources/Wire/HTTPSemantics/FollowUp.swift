/// The next step that a response calls for.
enum FollowUp: Sendable {
  /// The response is final.
  case none
  /// The redirect is followed.
  case redirect
  /// The same request is sent again, with credentials for the challenge.
  case challenge(DigestChallenge)
}

/// Decides on the next step after a response.
struct FollowUpRule: Sendable {
  let redirects: RedirectPolicy
  /// Indicates whether the request has Digest credentials for its origin.
  var answersDigest: Bool
  /// The nonces used since the last redirect.
  var answeredNonces: [String] = []

  func followUp(to head: ResponseHead) -> FollowUp {
    if redirects.follows(head) { return .redirect }
    guard answersDigest, head.status == 401, let challenge = try? DigestChallenge.strongest(in: head) else {
      return .none
    }
    // The first challenge is answered, and one more only if the server says that just the nonce was stale.
    switch answeredNonces.count {
    case 0: return .challenge(challenge)
    case 1 where challenge.isStale && !answeredNonces.contains(challenge.nonce): return .challenge(challenge)
    default: return .none
    }
  }

  /// Returns the reason why a final 401 came, and what would satisfy the server; nil for any other response.
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
