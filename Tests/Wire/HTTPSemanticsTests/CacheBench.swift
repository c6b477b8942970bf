import HTTPSemantics
import Synchronization
import TestSupport
import Values

/// Sun, 06 Nov 1994 08:49:37 GMT
let cacheStart = Timestamp(seconds: 784_111_777)
let cacheStartText = "Sun, 06 Nov 1994 08:49:37 GMT"

/// A cache whose clock stands until a test moves it, over a scripted server.
final class CacheBench: Sendable {
  let transport: ScriptedTransport
  let cache: ExchangeCache
  private let time: TestClock

  final class TestClock: Sendable {
    private let seconds = Mutex(cacheStart.seconds)
    var now: Timestamp { Timestamp(seconds: seconds.withLock { $0 }) }
    func advance(_ count: Int64) { seconds.withLock { $0 += count } }
  }

  init(
    limits: ExchangeCache.Limits = .init(), directory: CacheDirectory? = nil,
    _ script: @escaping @Sendable (WireRequest, Int) -> ScriptedTransport.Response
  ) {
    transport = ScriptedTransport(script)
    let time = TestClock()
    self.time = time
    cache = ExchangeCache(directory: directory, limits: limits) { time.now }
  }

  convenience init(_ answers: [ScriptedTransport.Response]) {
    self.init { _, index in answers[min(index, answers.count - 1)] }
  }

  func wait(_ seconds: Int64) { time.advance(seconds) }

  /// What one exchange brings, and what the cache did.
  @discardableResult
  func send(
    _ method: HTTPMethod = .get, _ address: String = "http://h.example/", _ headers: [(String, String)] = [],
    _ policy: CachePolicy = .protocol, sink: CollectingSink = CollectingSink(), limit: Int64? = nil
  ) async throws -> (outcome: CacheOutcome?, sink: CollectingSink) {
    var request = WireRequest(method: method, url: try url(address), headers: HeaderFields(headers))
    request.limits.maxBodyBytes = limit
    let summary = try await CachingTransport(over: transport, cache: cache, policy: policy)
      .exchange(request, into: sink)
    return (summary.cache, sink)
  }
}

func cacheResponse(_ headers: [(String, String)] = [], status: Int = 200, _ body: String = "body")
  -> ScriptedTransport.Response
{
  ScriptedTransport.Response(status: status, headers: headers, body: Array(body.utf8))
}
