import HTTPSemantics
import TestSupport
import Testing

@Suite("Cache and the server")
struct CacheRevalidationTests {
  @Test("A 304 brings the stored response up to date")
  func merge() async throws {
    let bench = CacheBench([
      cacheResponse([
        ("Date", cacheStartText), ("ETag", "\"x\""), ("Last-Modified", cacheStartText), ("X-Old", "1"),
        ("X-New", "old"),
        ("Content-Type", "text/plain"), ("Content-Length", "4"),
      ]),
      cacheResponse(
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
        "Date: \(cacheStartText)", "ETag: \"x\"", "Last-Modified: \(cacheStartText)", "X-Old: 1", "X-New: new",
        "X-New: more",
        "Content-Type: text/plain", "Content-Length: 4", "Cache-Control: max-age=10", "Set-Cookie: a=1",
      ])
    let asked = try #require(bench.transport.requests.last)
    #expect(asked.headers.first("If-None-Match") == "\"x\"")
    #expect(asked.headers.first("If-Modified-Since") == cacheStartText)
  }

  @Test("Confirmed responses are fresh anew")
  func freshAnew() async throws {
    let bench = CacheBench([
      cacheResponse([("ETag", "\"x\""), ("Cache-Control", "max-age=10"), ("Age", "9")]),
      cacheResponse([], status: 304, ""),
    ])
    try await bench.send()
    bench.wait(2)
    #expect(try await bench.send().outcome == .revalidated)
    bench.wait(9)
    #expect(try await bench.send().outcome == .hit)
  }

  @Test("A new response takes the place of the old one")
  func changed() async throws {
    let bench = CacheBench([
      cacheResponse([("ETag", "\"x\"")], "old"),
      cacheResponse([("ETag", "\"y\""), ("Cache-Control", "max-age=10")], "new"),
    ])
    try await bench.send()
    let second = try await bench.send()
    #expect(second.outcome == .miss(isStored: true))
    #expect(second.sink.text == "new")
    #expect(try await bench.send().sink.text == "new")
    #expect(bench.transport.requests.count == 2)
  }

  @Test("A 304 of another response than the stored one is not believed")
  func otherTag() async throws {
    let bench = CacheBench([
      cacheResponse([("ETag", "\"x\"")], "old"), cacheResponse([("ETag", "\"y\"")], status: 304, ""),
      cacheResponse([], "new"),
    ])
    try await bench.send()
    let second = try await bench.send()
    #expect(second.sink.text == "new")
    #expect(second.sink.heads.map(\.status) == [200])
    #expect(bench.transport.requests.last?.headers.contains("If-None-Match") == false)
  }

  @Test("The user's own conditions go past the cache, and their 304 is shown")
  func ownConditions() async throws {
    let bench = CacheBench([
      cacheResponse([("ETag", "\"x\""), ("Cache-Control", "max-age=10")]), cacheResponse([], status: 304, ""),
    ])
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
      cacheResponse([("ETag", "\"x\"")], "old"), cacheResponse([], status: 503, "down"),
      cacheResponse([], status: 304, ""),
    ])
    try await bench.send()
    #expect(try await bench.send().sink.head?.status == 503)
    #expect(try await bench.send().sink.text == "old")
  }

  @Test("What is not whole is not stored")
  func incomplete() async throws {
    let headers = [("Cache-Control", "max-age=10")]
    let bench = CacheBench { _, index in
      var first = cacheResponse(headers)
      if index == 0 { first.failure = TransportError(.truncated, "cut") }
      return first
    }
    await #expect(throws: TransportError.self) { try await bench.send() }
    #expect(try await bench.send(sink: CollectingSink(stopsAtHead: true)).outcome == .miss(isStored: false))
    #expect(try await bench.send(sink: CollectingSink(stopsAfterBytes: 1)).outcome == .miss(isStored: false))
    #expect(try await bench.send().outcome == .miss(isStored: true))
  }

  @Test("HEAD says that the stored response is another, or brings it up to date")
  func head() async throws {
    let bench = CacheBench([
      cacheResponse([("Content-Length", "4"), ("X-A", "old")]),
      cacheResponse([("Content-Length", "4"), ("X-A", "new"), ("Cache-Control", "max-age=10")], ""),
      cacheResponse([("Content-Length", "9")], ""),
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

  @Test("only sends nothing; only-if-cached gets 504")
  func onlyStored() async throws {
    let bench = CacheBench([cacheResponse()])
    for method in [HTTPMethod.get, .head, .post] {
      do {
        try await bench.send(method, "http://h.example/", [], .only)
        Issue.record("\(method.rawValue) was answered")
      } catch let error as TransportError {
        #expect(error.kind == .notStored)
        #expect(error.message == "the cache has no response for \(method.rawValue) http://h.example/")
      }
    }
    let answer = try await bench.send(.get, "http://h.example/", [("Cache-Control", "only-if-cached")])
    #expect(answer.sink.head?.status == 504)
    #expect(bench.transport.requests.isEmpty)
  }
}
