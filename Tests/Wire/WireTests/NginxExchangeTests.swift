import HTTPSemantics
import TestSupport
import Testing
import Values

/// The same exchanges with nginx, over each transport and each version of HTTP.
@Suite(.serialized, .enabled(if: NginxServer.isAvailable, "needs nginx and openssl"), .timeLimit(.minutes(10)))
struct NginxExchangeTests {
  /// A way to reach the server.
  struct Route: Sendable, CustomTestStringConvertible {
    var kind: TransportUnderTest
    var listener = NginxServer.Listener.plain
    var version = HTTPVersionChoice.automatic
    /// The version that the response then has.
    var expected = "1.1"
    var testDescription: String { "\(kind), \(listener), \(version.rawValue)" }

    var isSecure: Bool { listener != .plain && listener != .prior }

    func request(_ row: WireRow, _ nginx: NginxServer) throws -> WireRequest {
      var url = HTTPURL.local(nginx.port(listener))
      if isSecure {
        url.scheme = "https"
        url.host = "localhost"
      }
      var request = try row.request(url)
      if isSecure { request.options.tls.certificateAuthorities = nginx.certificates.path("ca.pem") }
      request.options.httpVersion = version
      return request
    }
  }

  static let routes: [Route] =
    TransportUnderTest.allCases.map { Route(kind: $0) } + [
      Route(kind: .curl, listener: .secure, expected: "2"),
      Route(kind: .curl, listener: .secure, version: .http11),
      Route(kind: .curl, listener: .secure, version: .http2, expected: "2"),
      Route(kind: .curl, listener: .prior, version: .http2PriorKnowledge, expected: "2"),
      Route(kind: .curl, listener: .old),
      Route(kind: .curl, listener: .plain, version: .http10, expected: "1.1"),
    ]

  private static func echo(_ method: String, _ target: String = "/echo", body: String? = nil) -> WireRow {
    WireRow(
      name: "\(method) \(target)\(body == nil ? "" : " with a body")", method: method, target: target,
      body: body.map { .bytes(Array($0.utf8)) } ?? .none, text: "\(method) \(target)")
  }

  /// `text` is the beginning of the response's.
  static let rows: [WireRow] = [
    WireRow(
      name: "a file", target: "/hello.txt", text: "hello",
      fields: [("Content-Length", "5"), ("Accept-Ranges", "bytes")]),
    WireRow(name: "HEAD of a file", method: "HEAD", target: "/hello.txt", text: "", fields: [("Content-Length", "5")]),
    WireRow(name: "256 KB", target: "/big.txt", text: NginxServer.bigText),
    WireRow(
      name: "256 KB, compressed", target: "/zipped", text: NginxServer.bigText, fields: [("Content-Encoding", "gzip")]),
    WireRow(
      name: "a range", target: "/hello.txt", headers: [("Range", "bytes=1-2")], outcome: .answers(206), text: "el",
      fields: [("Content-Range", "bytes 1-2/5")]),
    WireRow(
      name: "a range behind the end", target: "/hello.txt", headers: [("Range", "bytes=9-")], outcome: .answers(416),
      fields: [("Content-Range", "bytes */5")]),
    WireRow(name: "two ranges", target: "/hello.txt", headers: [("Range", "bytes=0-0,4-4")], outcome: .answers(206)),
    WireRow(
      name: "not modified", target: "/hello.txt", headers: [("If-None-Match", "*")], outcome: .answers(304), text: ""),
    WireRow(
      name: "a failed precondition", target: "/hello.txt", headers: [("If-Match", "\"x\"")], outcome: .answers(412)),
    WireRow(name: "no such file", target: "/none", outcome: .answers(404)),
    WireRow(name: "a method that a file has not", method: "POST", target: "/hello.txt", outcome: .answers(405)),
    WireRow(name: "no content", target: "/204", outcome: .answers(204), text: ""),
    WireRow(
      name: "a challenge", target: "/401", outcome: .answers(401), text: "who?",
      fields: [("WWW-Authenticate", "Basic realm=\"wire\"")]),
    WireRow(name: "418", target: "/418", outcome: .answers(418), text: "teapot"),
    WireRow(name: "a redirect", target: "/moved", outcome: .answers(307)),
    WireRow(name: "closed without a response", target: "/silent", outcome: .fails(.reset)),
    echo("GET"), echo("PURGE"), echo("M-SEARCH"), echo("OPTIONS"), echo("DELETE"), echo("POST", body: "hello"),
    echo("PATCH", body: "hello"), echo("PURGE", body: "hello"), echo("GET", "/echo/a%2Fb%20c"), echo("GET", "/echo//x"),
    echo("GET", "/echo?"), echo("GET", "/echo?a=1&a=%5B2%5D"),
    WireRow(
      name: "brackets in the query", target: "/echo?a[]=1", needs: .requestTarget, text: "GET /echo?a[]=1"),
    WireRow(name: "dot segments", target: "/echo/../echo/./x", needs: .requestTarget, text: "GET /echo/../echo/./x"),
    WireRow(
      name: "a body on GET", target: "/echo", body: .bytes(Array("hello".utf8)), needs: .bodyOnGet, text: "GET /echo"),
    WireRow(
      name: "2 MB to a file", method: "PUT", target: "/dav/new/big.bin",
      body: .bytes((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0) })),
    WireRow(name: "an empty file", method: "PUT", target: "/dav/empty"),
    WireRow(name: "a folder", method: "MKCOL", target: "/dav/folder/", outcome: .answers(201)),
    WireRow(
      name: "a copy", method: "COPY", target: "/dav/there.txt", headers: [("Destination", "/dav/copy.txt")],
      outcome: .answers(204)),
    WireRow(name: "a file to be deleted", method: "DELETE", target: "/dav/copy.txt", outcome: .answers(204)),
    WireRow(name: "a folder to be deleted", method: "DELETE", target: "/dav/folder/", outcome: .answers(204)),
  ]

  @Test("an exchange", arguments: routes)
  func exchanges(_ route: Route) async throws {
    let nginx = try NginxServer.shared.get()
    // One transport for all: connections are used again, whatever came before.
    let transport = route.kind.make()
    // A connection that is not used again has just begun, and nginx may refuse a body on it (REFUSED_STREAM).
    for row in Self.rows where route.listener != .prior || row.body.isEmpty && row.method != "PUT" {
      let sink = CollectingSink()
      let error = await transport.failure(try route.request(row, nginx), into: sink)
      check(row, error, sink, route)
    }
  }

  private func check(_ row: WireRow, _ error: TransportError?, _ sink: CollectingSink, _ route: Route) {
    var expected = row
    // Made by the first route, replaced by the others.
    if row.method == "PUT" { expected.outcome = sink.head?.status == 204 ? .answers(204) : .answers(201) }
    if row.target.hasPrefix("/echo"), let text = row.text {
      expected.text = nil
      let lines = sink.text.split(separator: "\n").map(String.init)
      #expect(error != nil || lines.first?.hasPrefix("\(text) HTTP/") == true, "\(row.name): \(sink.text)")
      if let length = row.body.length, length > 0 {
        #expect(error != nil || lines.last == "Bytes: \(length)", "\(row.name)")
      }
    }
    expected.check(error, sink, of: route.kind, "\(route.testDescription): \(row.name)")
    if route.kind == .curl, let head = sink.head { #expect(head.httpVersion == route.expected, "\(row.name)") }
  }

  @Test("trailers, of HTTP/2 too", arguments: routes.filter { $0.kind == .curl && $0.version != .http10 })
  func trailers(_ route: Route) async throws {
    let nginx = try NginxServer.shared.get()
    let row = WireRow(name: "", target: "/trailer", headers: [("TE", "trailers")])
    let sink = CollectingSink()
    #expect(await route.kind.make().failure(try route.request(row, nginx), into: sink) == nil)
    #expect(sink.text == "hello")
    #expect(
      sink.trailers.flatMap(\.fields)
        == [HeaderFields.Field(name: "x-sum", value: "5")].map { field in
          HeaderFields.Field(name: route.expected == "2" ? "x-sum" : "X-Sum", value: field.value)
        })
  }

  @Test("64 requests at once share what HTTP/2 lets them share")
  func multiplexed() async throws {
    let nginx = try NginxServer.shared.get()
    let route = Route(kind: .curl, listener: .secure, expected: "2")
    let transport = route.kind.make()
    let request = try route.request(WireRow(name: "", target: "/big.txt"), nginx)
    _ = try await transport.exchange(request, into: CollectingSink())
    let results = await withTaskGroup(of: (Bool, Bool).self) { group in
      for _ in 0..<64 {
        group.addTask {
          let sink = CollectingSink()
          let summary = try? await transport.exchange(request, into: sink)
          return (sink.body.count == 262_144, summary?.wasConnectionReused == true)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.allSatisfy { $0.0 })
    #expect(results.contains { $0.1 })
  }
}
