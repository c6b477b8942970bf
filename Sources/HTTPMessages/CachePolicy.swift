/// How answers are kept and used again (RFC 9111): the words of `session.cache`, as `URLRequest.CachePolicy` has them.
package enum CachePolicy: String, Sendable, Hashable, CaseIterable {
  /// As the protocol says: fresh answers are used again, others revalidated.
  case `protocol`
  /// No cache at all.
  case ignore
  /// Every stored answer is revalidated before it is used.
  case reload
  /// Stored answers alone, whatever their age; nothing is sent.
  case only
}

/// What a cache did for an exchange.
package enum CacheOutcome: Sendable, Hashable {
  /// A stored answer; nothing was sent.
  case hit
  /// A stored answer that the server said is still right.
  case revalidated
  /// The server's answer, since none was stored that could be used.
  case miss(isStored: Bool)
  /// The server's answer to a request that is none of the cache's business.
  case bypass

  /// The word of `expect: {cache: …}`.
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
