import HTTPSemantics
import Testing

@Suite("Cache: freshness")
struct CacheFreshnessTests {
  /// A response is stored, time passes, and it is asked for again.
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
        name: "over, with a date", headers: [("Cache-Control", "max-age=10"), ("Last-Modified", cacheStartText)],
        after: 10,
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
        name: "Expires in another case", headers: [("Expires", "sUN, 06 NOV 1994 08:49:47 gmt")], after: 9,
        expected: .hit),
      Freshness(
        name: "Expires is over", headers: [("Expires", "Sun, 06 Nov 1994 08:49:47 GMT")], after: 10, expected: .miss),
      Freshness(
        name: "Expires counts from Date",
        headers: [("Expires", "Sun, 06 Nov 1994 08:49:47 GMT"), ("Date", "Sun, 06 Nov 1994 08:49:42 GMT")], after: 6,
        expected: .miss),
      Freshness(name: "Expires is not a date", headers: [("Expires", "0"), tag], expected: .revalidated),
      Freshness(name: "Expires is negative", headers: [("Expires", "-1"), tag], expected: .revalidated),
      Freshness(
        name: "Expires without its zone", headers: [("Expires", "Sun, 06 Nov 2094 08:49:47"), tag],
        expected: .revalidated),
      Freshness(
        name: "Expires in another zone", headers: [("Expires", "Sun, 06 Nov 2094 08:49:47 EST"), tag],
        expected: .revalidated),
      Freshness(
        name: "Expires as cookies have it", headers: [("Expires", "Sun, 06-Nov-2094 08:49:47 GMT"), tag],
        expected: .revalidated),
      Freshness(
        name: "an invalid Expires leaves no room for a guess",
        headers: [("Expires", "soon"), ("Last-Modified", "Sun, 06 Nov 1984 08:49:37 GMT")], expected: .revalidated),
      Freshness(
        name: "Expires as C has it", headers: [("Expires", "Sun Nov  6 08:49:47 1994")], after: 9, expected: .hit),
      Freshness(
        name: "a list of ages", headers: [("Cache-Control", "max-age=10"), ("Age", "12, 0")], expected: .miss),
      Freshness(
        name: "two lines of ages", headers: [("Cache-Control", "max-age=10"), ("Age", "2"), ("Age", "12")], after: 5,
        expected: .hit),
      Freshness(
        name: "an age that is none", headers: [("Cache-Control", "max-age=10"), ("Age", "-12")], after: 5,
        expected: .hit),
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
      return index > 0 && isConditional
        ? cacheResponse(status: 304, "") : cacheResponse(test.headers, status: test.status)
    }
    #expect(try await bench.send().outcome?.word == .miss)
    bench.wait(test.after)
    let second = try await bench.send(.get, "http://h.example/", test.request, test.policy)
    #expect(second.outcome?.word == test.expected)
    #expect(second.sink.text == "body")
    #expect(second.sink.head?.status == test.status)
    #expect(bench.transport.requests.count == (test.expected == .hit ? 1 : 2))
  }
}
