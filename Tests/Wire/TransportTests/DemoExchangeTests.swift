import DemoServer
import Foundation
import HTTPSemantics
import TestSupport
import Testing
import Values

/// Every transport against the demo server, whose responses are those of a well-built API.
@Suite(.timeLimit(.minutes(10)))
struct DemoExchangeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var method = "GET"
    var target: String
    var body: String?
    var status = 200
    /// Stands in the body.
    var contains: String?
    var bytes: Int?
    var testDescription: String { "\(method) \(target)" }
  }

  static let cases = [
    Case(target: "/get?a=1&b=%20", contains: #""a": "1""#),
    Case(method: "POST", target: "/post", body: "hello", contains: "hello"),
    Case(method: "PATCH", target: "/patch", body: "hello", contains: "hello"),
    Case(method: "DELETE", target: "/delete", status: 200),
    Case(target: "/status/418", status: 418),
    Case(target: "/status/204", status: 204, bytes: 0),
    Case(target: "/redirect-to?url=%2Fget", status: 302),
    Case(target: "/basic-auth/user/pass", status: 401),
    Case(target: "/gzip", contains: "gzipped"),
    Case(target: "/deflate", contains: "deflated"),
    Case(target: "/bytes/100000", bytes: 100_000),
    Case(target: "/stream-bytes/50000", bytes: 50_000),
    Case(method: "HEAD", target: "/get", bytes: 0),
    Case(target: "/no/such/place", status: 404),
  ]

  @Test("responses of the demo server", arguments: TransportUnderTest.allCases, cases)
  func demo(_ kind: TransportUnderTest, _ example: Case) async throws {
    let server = try DemoAPI.start()
    defer { server.stop() }
    let parts = example.target.split(separator: "?", maxSplits: 1).map(String.init)
    let request = WireRequest(
      method: try #require(HTTPMethod(example.method)),
      url: HTTPURL(
        scheme: "http", host: "127.0.0.1", port: try #require(URL(string: server.address)?.port), path: parts[0],
        query: parts.count > 1 ? parts[1] : nil),
      headers: HeaderFields([("Content-Type", "text/plain")]),
      body: example.body.map { .bytes(Array($0.utf8)) } ?? .none, limits: ExchangeLimits(total: .seconds(10)))
    let transport = kind.make()
    for _ in 0..<2 {
      let sink = CollectingSink()
      _ = try await transport.exchange(request, into: sink)
      #expect(sink.head?.status == example.status)
      if let text = example.contains { #expect(sink.text.contains(text)) }
      if let count = example.bytes { #expect(sink.body.count == count) }
    }
  }
}
