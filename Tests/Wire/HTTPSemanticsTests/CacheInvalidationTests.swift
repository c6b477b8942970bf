import HTTPSemantics
import Testing

@Suite("Cache: what others change")
struct CacheInvalidationTests {
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
        ? cacheResponse([("Cache-Control", "max-age=10")]) : cacheResponse(test.headers, status: test.status)
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
}
