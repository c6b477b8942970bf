import HTTPSemantics
import RequestSpecs
import Values

/// The identity of a token: requests for which it is equal share one.
struct TokenKey: Sendable, Hashable {
  let grant: ResolvedOAuth2
  let options: ConnectionOptions
}

/// The state of a token in a run.
enum TokenState: Sendable {
  case issued(IssuedToken, renewal: ContinuousClock.Instant?)
  case rejected(TokenProblem)

  /// The time before its end at which a token is renewed: requests and clocks take some.
  private static let margin = Duration.seconds(30)

  init(_ token: IssuedToken, requestedAt start: ContinuousClock.Instant) {
    self = .issued(token, renewal: token.lifetime.map { start + $0 - min(TokenState.margin, $0 / 4) })
  }

  /// - Parameter time: the current time.
  init(_ kept: KeptToken, at time: Timestamp) {
    let left = kept.end.map { Duration.seconds($0.seconds - time.seconds) }
    self = .issued(kept.token, renewal: left.map { .now + $0 - min(TokenState.margin, max(.zero, $0 / 4)) })
  }

  var token: IssuedToken? { if case .issued(let token, _) = self { token } else { nil } }

  /// - Parameter refused: a token that a server has just refused.
  func isUsable(otherThan refused: String?) -> Bool {
    switch self {
    case .issued(let token, let renewal):
      token.accessToken != refused && renewal.map { ContinuousClock.now < $0 } ?? true
    case .rejected: refused == nil
    }
  }
}
