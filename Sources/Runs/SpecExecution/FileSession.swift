import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Synchronization
import Templates

/// State that the requests of one run of a file, or of a group, share: cookies, challenges, cached responses.
final class FileSession: Sendable {
  private let context: RunContext
  let authenticator = Authenticator()
  private let ownJar: CookieJar
  private let ownCache = Mutex<ExchangeCache?>(nil)

  init(context: RunContext, jar: CookieJar = CookieJar()) {
    self.context = context
    ownJar = jar
  }

  /// The session of a group inside.
  func session(for cookies: PlannedGroup.Cookies) -> FileSession {
    switch cookies {
    case .copied: FileSession(context: context, jar: CookieJar(copying: ownJar))
    case .none: FileSession(context: context)
    case .shared: self
    }
  }

  /// Takes over what a session that began as a copy of this one has set since then.
  func merge(_ other: FileSession) { ownJar.merge(other.ownJar) }

  /// Takes a copy of the cookies of another run.
  func add(_ other: FileSession) {
    if context.isJarForAll { return }
    for cookie in other.ownJar.all { ownJar.insert(cookie) }
  }

  /// The jar of a request; nil if it uses none.
  func jar(_ session: ResolvedSession) -> CookieJar? {
    switch session.cookies {
    case .keep: context.isJarForAll ? context.sharedJar : ownJar
    case .none: nil
    case .shared: context.sharedJar
    }
  }

  /// The transport, wrapped in a cache if the request uses one.
  ///
  /// In memory, each run of a file has a cache of its own: in a shared one, hits of parallel files would depend on
  /// chance.
  func transport(_ session: ResolvedSession, over transport: any Transport) -> any Transport {
    guard session.cache != .ignore else { return transport }
    let cache =
      session.cacheDirectory.map { context.caches.cache(in: $0) }
      ?? ownCache.withLock { cache in
        let known = cache ?? ExchangeCache()
        cache = known
        return known
      }
    return CachingTransport(over: transport, cache: cache, policy: session.cache)
  }
}

/// The caches on disk that a run has opened, one for each directory.
final class RunCaches: Sendable {
  private let caches = Mutex<[String: ExchangeCache]>([:])

  func cache(in directory: String) -> ExchangeCache {
    caches.withLock { caches in
      if let cache = caches[directory] { return cache }
      let cache = ExchangeCache(directory: CacheDirectory(directory))
      caches[directory] = cache
      return cache
    }
  }
}
