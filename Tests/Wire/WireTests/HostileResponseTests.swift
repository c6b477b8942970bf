import HTTPSemantics
import TestSupport
import Testing

/// Responses that are large, endless or lies: a typed error or a response, and the next request works.
///
/// How much memory they take is seen through the program itself, by the cases of the end-to-end tests.
@Suite(.timeLimit(.minutes(10)))
struct HostileResponseTests {
  private static let head = #"send "HTTP/1.1 200 OK\r\n"§"#

  static let heads = [
    WireRow(
      name: "100 MB of headers",
      script: head + #"repeat 1000000 "X-Filler: \#(String(repeating: "f", count: 88))\r\n"§close"#,
      outcome: .fails(.tooLarge)),
    WireRow(
      name: "a header line of 10 MB", script: head + #"send "X-A: "§repeat 10000000 "x"§send "\r\n\r\n"§close"#,
      outcome: .fails(.tooLarge)),
    WireRow(
      name: "a status line of 10 MB", script: #"send "HTTP/1.1 200 "§repeat 10000000 "x"§send "\r\n\r\n"§close"#,
      outcome: .fails(.tooLarge)),
    WireRow(
      name: "10,000 headers", script: head + #"repeat 10000 "X-A: b\r\n"§send "Content-Length: 2\r\n\r\nok""#,
      text: "ok"),
    WireRow(
      name: "5,000 cookies",
      script: head + #"repeat 5000 "Set-Cookie: a=b; Path=/; HttpOnly\r\n"§send "Content-Length: 2\r\n\r\nok""#,
      text: "ok"),
    WireRow(
      name: "a fold without end", script: head + #"send "X-A: b\r\n"§repeat 40000 " folded line\r\n"§close"#,
      outcome: .fails(.tooLarge)),
    WireRow(
      name: "NUL in a value", script: head + #"send "X-A: a\0b\r\nContent-Length: 2\r\n\r\nok""#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      name: "control bytes in a value",
      script: head + #"send "X-A: a\x01\x1b[31m\x7fb\r\nContent-Length: 2\r\n\r\nok""#,
      text: "ok", fields: [("X-A", "a\u{1}\u{1B}[31m\u{7F}b")]),
    WireRow(
      name: "a CR alone in a value", script: head + #"send "X-A: a\rX-B: b\r\nContent-Length: 2\r\n\r\nok""#, text: "ok"
    ),
    WireRow(
      name: "a line without a colon", script: head + #"send "nonsense\r\nContent-Length: 2\r\n\r\nok""#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      name: "a line with an empty name", script: head + #"send ": b\r\nContent-Length: 2\r\n\r\nok""#,
      unsoundOutcome: .fails(.invalidResponse)),
    WireRow(
      name: "a space before the colon", script: head + #"send "Content-Length : 2\r\n\r\nok"§close"#,
      unsoundOutcome: .fails(.invalidResponse), text: "ok"),
    WireRow(
      name: "HTTP/9.9", script: #"send "HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\nok""#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      name: "HTTP/2 in the words of HTTP/1", script: #"send "HTTP/2 200\r\nContent-Length: 2\r\n\r\nok"§close"#,
      unsoundOutcome: .fails(.invalidResponse)),
    WireRow(
      name: "status 1000", script: #"send "HTTP/1.1 1000 OK\r\nContent-Length: 2\r\n\r\nok"§close"#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      name: "status 099", script: #"send "HTTP/1.1 099 OK\r\nContent-Length: 2\r\n\r\nok"§close"#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      name: "status -20", script: #"send "HTTP/1.1 -20 OK\r\nContent-Length: 2\r\n\r\nok"§close"#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      name: "ICY", script: #"send "ICY 200 OK\r\nContent-Length: 2\r\n\r\nok"§close"#, outcome: .fails(.invalidResponse)
    ),
    WireRow(name: "SSH", script: #"send "SSH-2.0-OpenSSH_9.2\r\n"§close"#, outcome: .fails(.invalidResponse)),
    WireRow(
      name: "an HTTP/2 frame", script: #"send "\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64"§close"#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      name: "interim responses without end",
      script: #"repeat 2000000 "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"§close"#,
      outcome: .fails(.tooLarge)),
    WireRow(
      name: "101 and then something else",
      script: #"send "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n\x81\x02hi"§close"#,
      outcome: .answers(101)),
    WireRow(
      name: "a Location of control bytes and credentials",
      script: #"send "HTTP/1.1 302 Go\r\nLocation: http://a:b@c\x01\x02/\x7f\r\nContent-Length: 0\r\n\r\n""#,
      outcome: .answers(302), unsoundOutcome: .fails(.invalidResponse)),
  ]

  /// URLSession does not show what libcurl made of them until it looks itself.
  static let lengths = ["-1", "+2", "0x2", "2,, 2", "2, 3", "two", "99999999999999999999999", "2.0"].map { value in
    WireRow(
      name: "a length of \(value)", script: #"send "HTTP/1.1 200 OK\r\nContent-Length: \#(value)\r\n\r\nok"§close"#,
      outcome: .fails(.invalidResponse))
  }

  private static let chunked = #"send "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"§"#

  static let bodies = [
    WireRow(
      name: "two lengths", script: #"send "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!""#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      name: "a body without end", change: { $0.limits.maxBodyBytes = 1_000_000 },
      script: head + #"send "\r\n"§repeat 100000000 "0123456789"§close"#, outcome: .fails(.tooLarge)),
    WireRow(
      name: "10 GB of zeros in 10 MB of gzip", change: { $0.limits.maxBodyBytes = 1_000_000 },
      script: head
        + #"send "Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\x02\x03\xec\xc1\x01\x01\0\0\0\x80\x90\xfe\xaf\xee\x08\x0a"§repeat 10000000 "\0"§close"#,
      outcome: .fails(.tooLarge)),
    WireRow(
      name: "a chunk size of 16 F", script: chunked + #"send "FFFFFFFFFFFFFFFF\r\nok\r\n0\r\n\r\n"§close"#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      name: "a chunk size of 20 digits", script: chunked + #"send "00000000000000000002\r\nok\r\n0\r\n\r\n"§close"#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      name: "a negative chunk size", script: chunked + #"send "-2\r\nok\r\n0\r\n\r\n"§close"#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      name: "a chunk longer than its size", script: chunked + #"send "1\r\nok\r\n0\r\n\r\n"§close"#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      name: "a chunk extension of 10 MB",
      script: chunked + #"send "2;x="§repeat 10000000 "x"§send "\r\nok\r\n0\r\n\r\n"§close"#, text: "ok"),
    WireRow(
      name: "trailers without end",
      change: {
        $0.limits.idle = .seconds(20)
        $0.limits.total = .seconds(60)
      }, script: chunked + #"send "2\r\nok\r\n0\r\n"§repeat 1000000 "X-A: b\r\n"§close"#,
      outcome: .fails(.tooLarge), unsoundOutcome: .failsAnyhow),
    WireRow(
      name: "30,000 chunks of one byte", script: chunked + #"repeat 30000 "1\r\nx\r\n"§send "0\r\n\r\n""#),
    WireRow(
      name: "a coding of a body that has none",
      script: head + #"send "Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n""#,
      text: ""),
    WireRow(
      name: "br that is none", script: head + #"send "Content-Encoding: br\r\nContent-Length: 9\r\n\r\nnot brotl""#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      name: "zstd that is none", script: head + #"send "Content-Encoding: zstd\r\nContent-Length: 9\r\n\r\nnot zstd!""#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      // As libcurl has it: no word that the coding is cut where the length is not.
      name: "gzip that is cut",
      script: head
        + #"send "Content-Encoding: gzip\r\nContent-Length: 12\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\x02\xff\xcbH"§close"#,
      text: "h"),
    WireRow(
      name: "a hundred codings",
      script: head
        + #"send "Content-Encoding: \#(Array(repeating: "gzip", count: 100).joined(separator: ", "))\r\nContent-Length: 2\r\n\r\nok""#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      name: "gzip as a transfer coding",
      script: head + #"send "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"§close"#,
      outcome: .fails(.invalidResponse)),
    WireRow(
      name: "more than the length says",
      script: head + #"send "Content-Length: 2\r\n\r\nokHTTP/1.1 999 X\r\n\r\n""#, text: "ok"),
  ]

  @Test("a hostile response", arguments: TransportUnderTest.allCases, heads + lengths + bodies)
  func hostile(_ kind: TransportUnderTest, _ row: WireRow) async throws {
    let server = try FaultServer.start(
      "/\n\(row.script.replacing("§", with: "\n"))\n/next\nsend \"HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\nnext\""
    )
    defer { server.stop() }
    let transport = kind.make()
    let sink = CollectingSink()
    let error = await transport.failure(try row.request(.local(Int(server.port))), into: sink)
    row.check(error, sink, of: kind)
    let next = CollectingSink()
    #expect(await transport.failure(WireRequest(.get, server, "/next"), into: next) == nil)
    #expect(next.text == "next")
  }
}
