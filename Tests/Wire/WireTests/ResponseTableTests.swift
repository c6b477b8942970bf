import HTTPSemantics
import TestSupport
import Testing

/// Responses in all the forms that HTTP/1.1 and its elders allow.
@Suite(.timeLimit(.minutes(10)))
struct ResponseTableTests {
  static let framing = [
    WireRow(name: "a length", script: WireRow.ok, text: "ok", fields: [("Content-Length", "2")]),
    WireRow(
      name: "the same length twice",
      script: #"send "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok""#,
      text: "ok"),
    WireRow(name: "no length, until the end", script: #"send "HTTP/1.1 200 OK\r\n\r\nok"§close"#, text: "ok"),
    WireRow(name: "HTTP/1.0, until the end", script: #"send "HTTP/1.0 200 OK\r\n\r\nok"§close"#, text: "ok"),
    WireRow(
      name: "HTTP/1.0 with a length",
      script: #"send "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok""#, text: "ok"),
    WireRow(
      name: "chunks",
      script: #"send "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n""#, text: "ok"),
    WireRow(
      name: "chunk sizes in both cases, with zeros and extensions",
      script:
        #"send "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n0000a;x=\"y\"\r\n0123456789\r\nA ; z\r\n0123456789\r\n00\r\n\r\n""#,
      text: "01234567890123456789"),
    WireRow(
      name: "chunks in single bytes",
      script:
        #"trickle 1ms "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n""#,
      text: "ok"),
    WireRow(
      name: "chunks and a length: chunks count",
      script:
        #"send "HTTP/1.1 200 OK\r\nContent-Length: 900\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n""#,
      text: "ok"),
    WireRow(
      name: "trailers",
      script:
        #"send "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n""#,
      unsoundOutcome: .fails(.workerEnded), text: "ok"),
    WireRow(
      name: "an empty line before the status line", script: #"send "\r\n"§"# + WireRow.ok,
      outcome: .fails(.invalidResponse)),
    WireRow(name: "an empty body", script: #"send "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n""#, text: ""),
    WireRow(
      name: "1 MB",
      script: #"send "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"§repeat 100000 "0123456789""#,
      text: String(repeating: "0123456789", count: 100_000)),
  ]

  static let statuses = [
    WireRow(name: "204", script: #"send "HTTP/1.1 204 No Content\r\n\r\n""#, outcome: .answers(204), text: ""),
    WireRow(
      name: "204 with a length it can't have", script: #"send "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n""#,
      outcome: .answers(204), text: ""),
    WireRow(
      name: "304 with the length of what is not sent",
      script: #"send "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nContent-Length: 900\r\n\r\n""#,
      outcome: .answers(304),
      text: "", fields: [("ETag", #""a""#)]),
    WireRow(name: "205", script: #"send "HTTP/1.1 205 Reset\r\nContent-Length: 0\r\n\r\n""#, outcome: .answers(205)),
    WireRow(
      name: "206", headers: [("Range", "bytes=1-2")],
      script:
        #"send "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 1-2/5\r\nContent-Length: 2\r\n\r\nel""#,
      outcome: .answers(206), text: "el", fields: [("Content-Range", "bytes 1-2/5")]),
    WireRow(
      name: "416", headers: [("Range", "bytes=9-")],
      script: #"send "HTTP/1.1 416 Range\r\nContent-Range: bytes */5\r\nContent-Length: 2\r\n\r\nno""#,
      outcome: .answers(416), text: "no"),
    WireRow(name: "no reason", script: #"send "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok""#, text: "ok"),
    WireRow(
      name: "no space behind the status", script: #"send "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok""#,
      unsoundOutcome: .fails(.invalidResponse), text: "ok"),
    WireRow(name: "599", script: #"send "HTTP/1.1 599 Odd\r\nContent-Length: 0\r\n\r\n""#, outcome: .answers(599)),
    WireRow(name: "999", script: #"send "HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n""#, outcome: .answers(999)),
    WireRow(
      name: "401 without a challenge", script: #"send "HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\nno""#,
      outcome: .answers(401), text: "no"),
    WireRow(
      name: "407 from no proxy",
      script: #"send "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"a\"\r\nContent-Length: 2\r\n\r\nno""#,
      outcome: .answers(407), text: "no"),
    WireRow(
      name: "417", method: "POST", body: .bytes([65]),
      script: #"send "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n""#, outcome: .answers(417)),
    WireRow(
      name: "300 with a body", script: #"send "HTTP/1.1 300 Choices\r\nContent-Length: 2\r\n\r\nok""#,
      outcome: .answers(300), text: "ok"),
    WireRow(
      name: "307 to elsewhere is not followed", method: "POST", body: .bytes([65]),
      script: #"send "HTTP/1.1 307 Go\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 2\r\n\r\nok""#,
      outcome: .answers(307), text: "ok", fields: [("Location", "http://127.0.0.1:1/")]),
  ]

  static let fields = [
    WireRow(
      name: "a field several times",
      script: #"send "HTTP/1.1 200 OK\r\nX-A: 1\r\nX-B: x\r\nX-A: 2\r\nContent-Length: 2\r\n\r\nok""#,
      fields: [("X-A", "1"), ("X-A", "2"), ("X-B", "x")]),
    WireRow(
      name: "a field several times, in other letters",
      script: #"send "HTTP/1.1 200 OK\r\nETag: 1\r\netag: 2\r\nContent-Length: 2\r\n\r\nok""#),
    WireRow(
      name: "an empty value", script: #"send "HTTP/1.1 200 OK\r\nX-A:\r\nContent-Length: 2\r\n\r\nok""#,
      fields: [("X-A", "")]),
    WireRow(
      name: "a value without a space before it",
      script: #"send "HTTP/1.1 200 OK\r\nX-A:b\r\nContent-Length:2\r\n\r\nok""#,
      unsoundOutcome: .fails(.invalidResponse), text: "ok", fields: [("X-A", "b")]),
    WireRow(
      name: "a value with colons", script: #"send "HTTP/1.1 200 OK\r\nX-A: b: c:\r\nContent-Length: 2\r\n\r\nok""#,
      fields: [("X-A", "b: c:")]),
    WireRow(
      name: "a value in UTF-8", script: #"send "HTTP/1.1 200 OK\r\nX-A: caf\xc3\xa9\r\nContent-Length: 2\r\n\r\nok""#,
      fields: [("X-A", "café")]),
    WireRow(
      name: "a value in ISO 8859-1",
      script: #"send "HTTP/1.1 200 OK\r\nX-A: caf\xe9\r\nContent-Length: 2\r\n\r\nok""#,
      unsoundOutcome: .fails(.invalidResponse), fields: [("X-A", "café")]),
    WireRow(
      name: "folded lines",
      script: #"send "HTTP/1.1 200 OK\r\nX-A: one\r\n two\r\n\tthree\r\nContent-Length: 2\r\n\r\nok""#,
      fields: [("X-A", "one two three")]),
    WireRow(
      name: "Alt-Svc and HSTS to elsewhere",
      script:
        #"send "HTTP/1.1 200 OK\r\nAlt-Svc: h2=\"127.0.0.1:1\"\r\nStrict-Transport-Security: max-age=9999\r\nContent-Length: 2\r\n\r\nok""#,
      text: "ok"),
    WireRow(
      name: "1,000 fields",
      script: #"send "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"§repeat 1000 "X-A: b\r\n"§send "\r\nok""#,
      text: "ok"),
  ]

  static let codings = [
    coded("gzip", #"\x1f\x8b\x08\0\0\0\0\0\x02\xff\xcbH\xcd\xc9\xc9\x07\0\x86\xa6\x106\x05\0\0\0"#, 25),
    coded("x-gzip", #"\x1f\x8b\x08\0\0\0\0\0\x02\xff\xcbH\xcd\xc9\xc9\x07\0\x86\xa6\x106\x05\0\0\0"#, 25),
    coded("deflate", #"\x78\x9c\xcb\x48\xcd\xc9\xc9\x07\0\x06\x2c\x02\x15"#, 13),
    coded("br", #"\x0b\x02\x80hello\x03"#, 9),
    coded("zstd", #"\x28\xb5\x2f\xfd\x20\x05\x29\0\0hello"#, 14),
    coded("identity", "hello", 5),
    coded(
      "gzip, br", #"\x0b\x0c\x80\x1f\x8b\x08\0\0\0\0\0\x02\xff\xcbH\xcd\xc9\xc9\x07\0\x86\xa6\x106\x05\0\0\0\x03"#, 29),
  ]

  private static func coded(_ coding: String, _ bytes: String, _ count: Int) -> WireRow {
    WireRow(
      name: "Content-Encoding: \(coding)",
      script:
        #"send "HTTP/1.1 200 OK\r\nContent-Encoding: \#(coding)\r\nContent-Length: \#(count)\r\n\r\n\#(bytes)""#,
      text: "hello", fields: [("Content-Encoding", coding)])
  }

  @Test(
    "responses come as sent; the next request works", arguments: TransportUnderTest.allCases,
    framing + statuses + fields + codings)
  func answer(_ kind: TransportUnderTest, _ row: WireRow) async throws {
    let server = try FaultServer.start(
      "/\n\(row.script.replacing("§", with: "\n"))\n/next\n\(WireRow.ok.replacing("ok\"", with: "next\"").replacing(": 2", with: ": 4"))"
    )
    defer { server.stop() }
    let transport = kind.make()
    let sink = CollectingSink()
    row.check(await transport.failure(try row.request(.local(Int(server.port))), into: sink), sink, of: kind)
    let next = CollectingSink()
    _ = try await transport.exchange(WireRequest(.get, server, "/next"), into: next)
    #expect(next.text == "next")
  }

  struct Interim: Sendable, CustomTestStringConvertible {
    var statuses: [Int]
    var testDescription: String { statuses.map(String.init).joined(separator: ", ") }
  }

  @Test(
    "what comes before the response is not it",
    arguments: TransportUnderTest.allCases,
    [[100], [102], [103], [199], [100, 102, 103, 103]].map { Interim(statuses: $0) })
  func interim(_ kind: TransportUnderTest, _ example: Interim) async throws {
    let heads = example.statuses.map { #"send "HTTP/1.1 \#($0) Early\r\nLink: </\#($0)>\r\n\r\n""# }
    let server = try FaultServer.start((heads + [WireRow.ok]).joined(separator: "\n"))
    defer { server.stop() }
    for method in [HTTPMethod.get, .post] {
      let sink = CollectingSink()
      let body = method == .post ? RequestBody.bytes([65]) : .none
      _ = try await kind.make().exchange(WireRequest(method, server, "/", body: body), into: sink)
      #expect(sink.heads.map(\.status) == [200])
      #expect(sink.head?.headers.contains("Link") == false)
      #expect(sink.text == "ok")
      // Whoever tells of them at all tells of all.
      if kind == .curl {
        #expect(sink.informational.map(\.status) == example.statuses)
        #expect(sink.informational.map { $0.headers.first("Link") } == example.statuses.map { "</\($0)>" })
      }
    }
  }
}
