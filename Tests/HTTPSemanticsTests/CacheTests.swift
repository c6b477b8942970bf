import HTTPMessages
import HTTPSemantics
import Synchronization
import TestSupport
import Testing
import Values

/// Sun, 06 Nov 1994 08:49:37 GMT
private let start = Timestamp(seconds: 784_111_777)
private let startText = "Sun, 06 Nov 1994 08:49:37 GMT"

/// A cache whose clock stands until a test moves it, over a scripted server.
final class CacheBench: Sendable {
  let transport: ScriptedTransport
  let cache: ExchangeCache
  private let time: TestClock

  final class TestClock: Sendable {
    private let seconds = Mutex(start.seconds)
    var now: Timestamp { Timestamp(seconds: seconds.withLock { $0 }) }
    func advance(_ count: Int64) { seconds.withLock { $0 += count } }
  }

  init(
    limits: ExchangeCache.Limits = .init(), directory: CacheDirectory? = nil,
    _ script: @escaping @Sendable (WireRequest, Int) -> ScriptedTransport.Answer
  ) {
    transport = ScriptedTransport(script)
    let time = TestClock()
    self.time = time
    cache = ExchangeCache(directory: directory, limits: limits) { time.now }
  }

  convenience init(_ answers: [ScriptedTransport.Answer]) {
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

private func answer(_ headers: [(String, String)] = [], status: Int = 200, _ body: String = "body")
  -> ScriptedTransport.Answer
{
  ScriptedTransport.Answer(status: status, headers: headers, body: Array(body.utf8))
}

/// Breaks off after the first part of the answer and begins anew, as a transport may for a safe request.
private struct RestartingTransport: Transport {
  func exchange(
    _ request: WireRequest, into sink: any ResponseSink
  ) async throws(TransportError) -> ExchangeSummary {
    let head = ResponseHead(status: 200, headers: HeaderFields([("Cache-Control", "max-age=60")]))
    _ = sink.receive(head: head)
    _ = Array("lost".utf8).withUnsafeBytes { sink.receive(body: $0) }
    guard sink.restart() else { throw TransportError(.reset, "the sink can't begin anew") }
    _ = sink.receive(head: head)
    _ = Array("whole".utf8).withUnsafeBytes { sink.receive(body: $0) }
    return ExchangeSummary()
  }
}

private final class RestartableSink: ResponseSink {
  private let received = Mutex<[UInt8]>([])
  var text: String { received.withLock { String(decoding: $0, as: UTF8.self) } }

  func receive(head: ResponseHead) -> SinkDecision { .more }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    received.withLock { $0 += chunk }
    return .more
  }

  func restart() -> Bool {
    received.withLock { $0 = [] }
    return true
  }
}

@Suite("Cache")
struct CacheTests {
  @Test("An answer that begins anew is stored once")
  func restart() async throws {
    let cache = ExchangeCache()
    let request = WireRequest(method: .get, url: try url("http://h.example/"))
    let transport = CachingTransport(over: RestartingTransport(), cache: cache, policy: .protocol)
    for outcome in [CacheOutcome.miss(isStored: true), .hit] {
      let sink = RestartableSink()
      #expect(try await transport.exchange(request, into: sink).cache == outcome)
      #expect(sink.text == "whole")
    }
  }

  /// An answer is stored, time passes, and it is asked for again.
  struct Freshness: Sendable, CustomTestStringConvertible {
    let name: String
    let headers: [(String, String)]
    var status = 200
    var after: Int64 = 0
    var request: [(String, String)] = []
    var policy = CachePolicy.protocol
    let expected: CacheOutcome.Word
    var testDescription: String { name }
  }

  private static let tag = ("ETag", "\"x\"")

  @Test(
    "Freshness decides what is used again",
    arguments: [
      Freshness(name: "max-age", headers: [("Cache-Control", "max-age=10")], after: 9, expected: .hit),
      Freshness(name: "max-age is over", headers: [("Cache-Control", "max-age=10")], after: 10, expected: .miss),
      Freshness(
        name: "over, with a validator", headers: [("Cache-Control", "max-age=10"), tag], after: 10,
        expected: .revalidated),
      Freshness(
        name: "over, with a date", headers: [("Cache-Control", "max-age=10"), ("Last-Modified", startText)], after: 10,
        expected: .revalidated),
      Freshness(name: "in quotes", headers: [("cache-control", "public, Max-Age=\"10\"")], after: 9, expected: .hit),
      Freshness(
        name: "a comma in quotes", headers: [("Cache-Control", "private=\"a, no-store\", max-age=10")], after: 9,
        expected: .hit),
      Freshness(
        name: "two lines", headers: [("Cache-Control", "public"), ("Cache-Control", "max-age=10")], after: 9,
        expected: .hit),
      Freshness(
        name: "the first of two", headers: [("Cache-Control", "max-age=1, max-age=9")], after: 5, expected: .miss),
      Freshness(name: "no number", headers: [("Cache-Control", "max-age=ten")], expected: .miss),
      Freshness(
        name: "a huge number", headers: [("Cache-Control", "max-age=99999999999999999999")], after: 1 << 30,
        expected: .hit),
      Freshness(
        name: "s-maxage is for shared caches", headers: [("Cache-Control", "max-age=10, s-maxage=1")], after: 5,
        expected: .hit),
      Freshness(name: "private", headers: [("Cache-Control", "private, max-age=10")], after: 5, expected: .hit),
      Freshness(name: "no-store", headers: [("Cache-Control", "no-store, max-age=10")], expected: .miss),
      Freshness(name: "no-cache", headers: [("Cache-Control", "no-cache, max-age=10"), tag], expected: .revalidated),
      Freshness(
        name: "no-cache for a field", headers: [("Cache-Control", "no-cache=\"set-cookie\", max-age=10"), tag],
        expected: .revalidated),
      Freshness(
        name: "Expires", headers: [("Expires", "Sun, 06 Nov 1994 08:49:47 GMT")], after: 9, expected: .hit),
      Freshness(
        name: "Expires is over", headers: [("Expires", "Sun, 06 Nov 1994 08:49:47 GMT")], after: 10, expected: .miss),
      Freshness(
        name: "Expires counts from Date",
        headers: [("Expires", "Sun, 06 Nov 1994 08:49:47 GMT"), ("Date", "Sun, 06 Nov 1994 08:49:42 GMT")], after: 6,
        expected: .miss),
      Freshness(name: "Expires is no date", headers: [("Expires", "0"), tag], expected: .revalidated),
      Freshness(
        name: "max-age wins over Expires",
        headers: [("Cache-Control", "max-age=10"), ("Expires", "Thu, 01 Jan 1970 00:00:00 GMT")], after: 5,
        expected: .hit),
      Freshness(
        name: "a tenth of the age", headers: [("Last-Modified", "Sun, 06 Nov 1994 08:32:57 GMT")], after: 99,
        expected: .hit),
      Freshness(
        name: "more than a tenth", headers: [("Last-Modified", "Sun, 06 Nov 1994 08:32:57 GMT")], after: 100,
        expected: .revalidated),
      Freshness(
        name: "no guess for other statuses",
        headers: [("Last-Modified", "Sun, 06 Nov 1994 08:32:57 GMT"), ("Cache-Control", "private")], status: 400,
        after: 1, expected: .revalidated),
      Freshness(name: "nothing said", headers: [], expected: .miss),
      Freshness(name: "nothing but a validator", headers: [tag], expected: .revalidated),
      Freshness(
        name: "Age", headers: [("Cache-Control", "max-age=10"), ("Age", "8")], after: 2, expected: .miss),
      Freshness(
        name: "an old Date", headers: [("Cache-Control", "max-age=10"), ("Date", "Sun, 06 Nov 1994 08:49:29 GMT")],
        after: 2, expected: .miss),
      Freshness(
        name: "a Date to come", headers: [("Cache-Control", "max-age=10"), ("Date", "Sun, 06 Nov 1994 09:00:00 GMT")],
        after: 9, expected: .hit),
      Freshness(name: "a redirect", headers: [], status: 302, expected: .miss),
      Freshness(
        name: "a redirect for a while", headers: [("Cache-Control", "max-age=10")], status: 302, expected: .hit),
      Freshness(name: "404", headers: [("Cache-Control", "max-age=10")], status: 404, expected: .hit),
      Freshness(name: "206", headers: [("Cache-Control", "max-age=10")], status: 206, expected: .miss),
      Freshness(name: "Vary: *", headers: [("Cache-Control", "max-age=10"), ("Vary", "a, *")], expected: .miss),
      // The request's own word.
      Freshness(
        name: "the request's no-cache", headers: [("Cache-Control", "max-age=10"), tag],
        request: [("Cache-Control", "no-cache")], expected: .revalidated),
      Freshness(
        name: "Pragma", headers: [("Cache-Control", "max-age=10"), tag], request: [("Pragma", "no-cache")],
        expected: .revalidated),
      Freshness(
        name: "Pragma beside Cache-Control", headers: [("Cache-Control", "max-age=10"), tag],
        request: [("Pragma", "no-cache"), ("Cache-Control", "max-age=10")], expected: .hit),
      Freshness(
        name: "the request's max-age", headers: [("Cache-Control", "max-age=10"), tag], after: 5,
        request: [("Cache-Control", "max-age=4")], expected: .revalidated),
      Freshness(
        name: "the request's max-age is longer", headers: [("Cache-Control", "max-age=10"), tag], after: 11,
        request: [("Cache-Control", "max-age=100")], expected: .revalidated),
      Freshness(
        name: "min-fresh", headers: [("Cache-Control", "max-age=10"), tag], after: 5,
        request: [("Cache-Control", "min-fresh=5")], expected: .revalidated),
      Freshness(
        name: "min-fresh is met", headers: [("Cache-Control", "max-age=10")], after: 5,
        request: [("Cache-Control", "min-fresh=4")], expected: .hit),
      Freshness(
        name: "max-stale", headers: [("Cache-Control", "max-age=10")], after: 1000,
        request: [("Cache-Control", "max-stale")], expected: .hit),
      Freshness(
        name: "max-stale for a while", headers: [("Cache-Control", "max-age=10")], after: 15,
        request: [("Cache-Control", "max-stale=5")], expected: .hit),
      Freshness(
        name: "more than max-stale", headers: [("Cache-Control", "max-age=10"), tag], after: 16,
        request: [("Cache-Control", "max-stale=5")], expected: .revalidated),
      Freshness(
        name: "must-revalidate", headers: [("Cache-Control", "max-age=10, must-revalidate"), tag], after: 11,
        request: [("Cache-Control", "max-stale")], expected: .revalidated),
      Freshness(
        name: "the request's no-store", headers: [("Cache-Control", "max-age=10")],
        request: [("Cache-Control", "no-store")], expected: .bypass),
      Freshness(
        name: "a range", headers: [("Cache-Control", "max-age=10")], request: [("Range", "bytes=0-1")],
        expected: .bypass),
      // The user's policies.
      Freshness(
        name: "reload", headers: [("Cache-Control", "max-age=10, immutable"), tag], policy: .reload,
        expected: .revalidated),
      Freshness(
        name: "reload without a validator", headers: [("Cache-Control", "max-age=10")], policy: .reload, expected: .miss
      ),
      Freshness(
        name: "only", headers: [("Cache-Control", "max-age=10, must-revalidate")], after: 1000, policy: .only,
        expected: .hit),
    ])
  func freshness(_ test: Freshness) async throws {
    let bench = CacheBench { request, index in
      let isConditional = request.headers.contains("If-None-Match") || request.headers.contains("If-Modified-Since")
      return index > 0 && isConditional ? answer(status: 304, "") : answer(test.headers, status: test.status)
    }
    #expect(try await bench.send().outcome?.word == .miss)
    bench.wait(test.after)
    let second = try await bench.send(.get, "http://h.example/", test.request, test.policy)
    #expect(second.outcome?.word == test.expected)
    #expect(second.sink.text == "body")
    #expect(second.sink.head?.status == test.status)
    #expect(bench.transport.requests.count == (test.expected == .hit ? 1 : 2))
  }

  @Test("Without a cache everything is sent")
  func ignored() async throws {
    let bench = CacheBench([answer([("Cache-Control", "max-age=10")])])
    for _ in 0..<2 { #expect(try await bench.send(.get, "http://h.example/", [], .ignore).outcome == nil) }
    #expect(bench.transport.requests.count == 2)
  }

  @Test("A stored answer is given as it came, with its age, and without what belonged to its connection")
  func replay() async throws {
    let bench = CacheBench { _, _ in
      var first = answer([
        ("Cache-Control", "max-age=10"), ("X-Two", "a"), ("Set-Cookie", "a=1"), ("Connection", "close, X-Hop"),
        ("X-Hop", "1"), ("x-two", "b"), ("Age", "1"),
      ])
      first.trailers = [("X-End", "1")]
      return first
    }
    #expect(try await bench.send().outcome == .miss(isStored: true))
    bench.wait(3)
    let second = try await bench.send()
    #expect(second.outcome == .hit)
    #expect(
      second.sink.head?.headers.fields.map { "\($0.name): \($0.value)" } == [
        "Cache-Control: max-age=10", "X-Two: a", "x-two: b", "Age: 4",
      ])
    #expect(second.sink.trailers.map { $0.first("X-End") } == ["1"])
    let head = try await bench.send(.head)
    #expect(head.outcome == .hit)
    #expect(head.sink.body.isEmpty)
  }

  @Test("A limit of the body holds for stored ones too")
  func bodyLimit() async throws {
    let bench = CacheBench([answer([("Cache-Control", "max-age=10")], "12345")])
    try await bench.send()
    await #expect(throws: TransportError.bodyTooLarge(limit: 4)) { try await bench.send(limit: 4) }
    #expect(try await bench.send(limit: 5).outcome == .hit)
  }

  @Test("Vary: a stored answer is for requests that are alike")
  func vary() async throws {
    let bench = CacheBench { request, index in
      answer(
        [("Cache-Control", "max-age=10"), ("Vary", "Accept-Language, X-Two")],
        "\(index) \(request.headers.first("accept-language") ?? "-")")
    }
    let address = "http://h.example/"
    #expect(try await bench.send(.get, address, [("Accept-Language", "de")]).sink.text == "0 de")
    #expect(try await bench.send(.get, address, [("Accept-Language", "en")]).sink.text == "1 en")
    #expect(try await bench.send(.get, address, []).sink.text == "2 -")
    #expect(try await bench.send(.get, address, [("accept-language", " de ")]).sink.text == "0 de")
    #expect(try await bench.send(.get, address, [("Accept-Language", "en"), ("X-Other", "1")]).sink.text == "1 en")
    #expect(try await bench.send(.get, address, [("Accept-Language", "en"), ("X-Two", "1")]).sink.text == "3 en")
    #expect(try await bench.send(.get, address, []).sink.text == "2 -")
  }

  @Test("Other credentials are another user's, though nothing says so")
  func credentials() async throws {
    let bench = CacheBench { request, _ in
      answer([("Cache-Control", "max-age=10")], request.headers.first("Authorization") ?? "nobody")
    }
    for user in ["Basic YTph", "Basic Yjpi", "Basic YTph"] {
      #expect(try await bench.send(.get, "http://h.example/", [("Authorization", user)]).sink.text == user)
    }
    #expect(try await bench.send().sink.text == "nobody")
    #expect(bench.transport.requests.count == 3)
  }

  @Test("URLs and ways to the server are told apart")
  func keys() async throws {
    let bench = CacheBench([answer([("Cache-Control", "max-age=10")])])
    for address in ["http://h.example/", "https://h.example/", "http://h.example/?", "http://h.example:81/"] {
      #expect(try await bench.send(.get, address).outcome?.word == .miss)
    }
    #expect(try await bench.send(.get, "http://h.example:80/#part").outcome == .hit)
    var request = WireRequest(method: .get, url: try url("http://h.example/"))
    request.options.unixSocket = "/tmp/other"
    let other = CachingTransport(over: bench.transport, cache: bench.cache, policy: .protocol)
    #expect(try await other.exchange(request, into: CollectingSink()).cache?.word == .miss)
  }
}

@Suite("Cache and the server")
struct CacheRevalidationTests {
  @Test("A 304 brings the stored answer up to date")
  func merge() async throws {
    let bench = CacheBench([
      answer([
        ("Date", startText), ("ETag", "\"x\""), ("Last-Modified", startText), ("X-Old", "1"), ("X-New", "old"),
        ("Content-Type", "text/plain"), ("Content-Length", "4"),
      ]),
      answer(
        [
          ("ETag", "\"x\""), ("Cache-Control", "max-age=10"), ("X-New", "new"), ("X-New", "more"),
          ("Content-Length", "0"), ("Content-Type", "text/html"), ("Set-Cookie", "a=1"),
        ], status: 304, ""),
    ])
    try await bench.send()
    bench.wait(1000)
    let second = try await bench.send()
    #expect(second.outcome == .revalidated)
    #expect(second.sink.text == "body")
    #expect(
      second.sink.head?.headers.fields.map { "\($0.name): \($0.value)" } == [
        "Date: \(startText)", "ETag: \"x\"", "Last-Modified: \(startText)", "X-Old: 1", "X-New: new", "X-New: more",
        "Content-Type: text/plain", "Content-Length: 4", "Cache-Control: max-age=10", "Set-Cookie: a=1",
      ])
    let asked = try #require(bench.transport.requests.last)
    #expect(asked.headers.first("If-None-Match") == "\"x\"")
    #expect(asked.headers.first("If-Modified-Since") == startText)
  }

  @Test("Confirmed answers are fresh anew")
  func freshAnew() async throws {
    let bench = CacheBench([
      answer([("ETag", "\"x\""), ("Cache-Control", "max-age=10"), ("Age", "9")]), answer([], status: 304, ""),
    ])
    try await bench.send()
    bench.wait(2)
    #expect(try await bench.send().outcome == .revalidated)
    bench.wait(9)
    #expect(try await bench.send().outcome == .hit)
  }

  @Test("A new answer takes the place of the old one")
  func changed() async throws {
    let bench = CacheBench([
      answer([("ETag", "\"x\"")], "old"), answer([("ETag", "\"y\""), ("Cache-Control", "max-age=10")], "new"),
    ])
    try await bench.send()
    let second = try await bench.send()
    #expect(second.outcome == .miss(isStored: true))
    #expect(second.sink.text == "new")
    #expect(try await bench.send().sink.text == "new")
    #expect(bench.transport.requests.count == 2)
  }

  @Test("A 304 of another answer than the stored one is not believed")
  func otherTag() async throws {
    let bench = CacheBench([
      answer([("ETag", "\"x\"")], "old"), answer([("ETag", "\"y\"")], status: 304, ""), answer([], "new"),
    ])
    try await bench.send()
    let second = try await bench.send()
    #expect(second.sink.text == "new")
    #expect(second.sink.heads.map(\.status) == [200])
    #expect(bench.transport.requests.last?.headers.contains("If-None-Match") == false)
  }

  @Test("The user's own conditions go past the cache, and their 304 is shown")
  func ownConditions() async throws {
    let bench = CacheBench([answer([("ETag", "\"x\""), ("Cache-Control", "max-age=10")]), answer([], status: 304, "")])
    try await bench.send()
    for name in ["If-None-Match", "If-Modified-Since", "if-match"] {
      let second = try await bench.send(.get, "http://h.example/", [(name, "\"x\"")])
      #expect(second.outcome == .bypass)
      #expect(second.sink.head?.status == 304)
    }
    #expect(try await bench.send().outcome == .hit)
  }

  @Test("A server in trouble leaves what is stored")
  func serverError() async throws {
    let bench = CacheBench([
      answer([("ETag", "\"x\"")], "old"), answer([], status: 503, "down"), answer([], status: 304, ""),
    ])
    try await bench.send()
    #expect(try await bench.send().sink.head?.status == 503)
    #expect(try await bench.send().sink.text == "old")
  }

  @Test("What is not whole is not stored")
  func incomplete() async throws {
    let headers = [("Cache-Control", "max-age=10")]
    let bench = CacheBench { _, index in
      var first = answer(headers)
      if index == 0 { first.failure = TransportError(.truncated, "cut") }
      return first
    }
    await #expect(throws: TransportError.self) { try await bench.send() }
    #expect(try await bench.send(sink: CollectingSink(stopsAtHead: true)).outcome == .miss(isStored: false))
    #expect(try await bench.send(sink: CollectingSink(stopsAfterBytes: 1)).outcome == .miss(isStored: false))
    #expect(try await bench.send().outcome == .miss(isStored: true))
  }

  @Test("HEAD says that the stored answer is another, or brings it up to date")
  func head() async throws {
    let bench = CacheBench([
      answer([("Content-Length", "4"), ("X-A", "old")]),
      answer([("Content-Length", "4"), ("X-A", "new"), ("Cache-Control", "max-age=10")], ""),
      answer([("Content-Length", "9")], ""),
    ])
    try await bench.send()
    #expect(try await bench.send(.head).outcome == .miss(isStored: false))
    let third = try await bench.send()
    #expect(third.outcome == .hit)
    #expect(third.sink.head?.headers.first("X-A") == "new")
    bench.wait(11)
    try await bench.send(.head)
    await #expect(throws: TransportError.self) { try await bench.send(.get, "http://h.example/", [], .only) }
  }

  struct Invalidation: Sendable, CustomTestStringConvertible {
    let name: String
    var method = HTTPMethod.post
    var target = "http://h.example/a"
    var status = 200
    var headers: [(String, String)] = []
    /// Of `/a` and `/b`.
    let isForgotten: [Bool]
    var testDescription: String { name }
  }

  @Test(
    "Unsafe methods make the cache forget what they may have changed",
    arguments: [
      Invalidation(name: "POST", isForgotten: [true, false]),
      Invalidation(name: "DELETE", method: .delete, isForgotten: [true, false]),
      Invalidation(name: "an unknown method", method: HTTPMethod("PURGE") ?? .post, isForgotten: [true, false]),
      Invalidation(name: "OPTIONS", method: .options, isForgotten: [false, false]),
      Invalidation(name: "a failed one", status: 404, isForgotten: [false, false]),
      Invalidation(name: "a redirect", status: 303, headers: [("Location", "/b")], isForgotten: [true, true]),
      Invalidation(name: "Content-Location", headers: [("Content-Location", "b")], isForgotten: [true, true]),
      Invalidation(
        name: "a Location elsewhere", target: "http://other.example/", headers: [("Location", "http://h.example/b")],
        isForgotten: [false, false]),
    ])
  func invalidation(_ test: Invalidation) async throws {
    let bench = CacheBench { request, _ in
      request.method == .get
        ? answer([("Cache-Control", "max-age=10")]) : answer(test.headers, status: test.status)
    }
    try await bench.send(.get, "http://h.example/a")
    try await bench.send(.get, "http://h.example/b")
    #expect(try await bench.send(test.method, test.target).outcome == .bypass)
    let outcomes = [
      try await bench.send(.get, "http://h.example/a").outcome?.word,
      try await bench.send(.get, "http://h.example/b").outcome?.word,
    ]
    #expect(outcomes == test.isForgotten.map { $0 ? .miss : .hit })
  }

  @Test("only sends nothing; only-if-cached gets 504")
  func onlyStored() async throws {
    let bench = CacheBench([answer()])
    for method in [HTTPMethod.get, .head, .post] {
      do {
        try await bench.send(method, "http://h.example/", [], .only)
        Issue.record("\(method.rawValue) was answered")
      } catch let error as TransportError {
        #expect(error.kind == .notStored)
        #expect(error.message == "the cache has no answer for \(method.rawValue) http://h.example/")
      }
    }
    let answer = try await bench.send(.get, "http://h.example/", [("Cache-Control", "only-if-cached")])
    #expect(answer.sink.head?.status == 504)
    #expect(bench.transport.requests.isEmpty)
  }
}

@Suite("Room of a cache")
struct CacheRoomTests {
  @Test("What is too large is not stored, and what was not used for longest goes first")
  func bounded() async throws {
    let bench = CacheBench(limits: .init(entry: 2000, total: 4000)) { request, _ in
      answer(
        [("Cache-Control", "max-age=10")], String(repeating: "x", count: request.url.path == "/big" ? 2000 : 1000))
    }
    #expect(try await bench.send(.get, "http://h.example/big").outcome == .miss(isStored: false))
    for path in ["1", "2"] { try await bench.send(.get, "http://h.example/\(path)") }
    #expect(try await bench.send(.get, "http://h.example/1").outcome == .hit)
    for path in ["3", "4"] { try await bench.send(.get, "http://h.example/\(path)") }
    #expect(try await bench.send(.get, "http://h.example/1").outcome == .hit)
    #expect(try await bench.send(.get, "http://h.example/2").outcome?.word == .miss)
  }
}
