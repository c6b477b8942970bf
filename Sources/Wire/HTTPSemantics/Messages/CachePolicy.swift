/// The policy for storing and reusing responses (RFC 9111): the values of `session.cache`, like
/// `URLRequest.CachePolicy`.
package enum CachePolicy: String, Sendable, Hashable, CaseIterable {
  /// The protocol's rules: fresh responses are reused, others revalidated.
  case `protocol`
  /// No cache at all.
  case ignore
  /// Every stored response is revalidated before use.
  case reload
  /// Only stored responses, whatever their age; nothing is sent.
  case only
}

/// The cache's part in an exchange.
package enum CacheOutcome: Sendable, Hashable {
  /// A stored response; nothing was sent.
  case hit
  /// A stored response that the server confirmed.
  case revalidated
  /// The server's response, since no stored one could be used.
  case miss(isStored: Bool)
  /// The server's response to a request that can't be cached.
  case bypass

  /// The values of `expect: {cache: …}`.
  package enum Word: String, Sendable, Hashable, CaseIterable {
    case hit, revalidated, miss, bypass
  }

  package var word: Word {
    switch self {
    case .hit: .hit
    case .revalidated: .revalidated
    case .miss: .miss
    case .bypass: .bypass
    }
  }
}
