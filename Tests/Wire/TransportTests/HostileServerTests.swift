import HTTPSemantics
import TestSupport
import Testing

/// Whatever a server does: a typed error or the right response in time, and the transport works on.
@Suite(.timeLimit(.minutes(10)))
struct HostileServerTests {
  enum Expected: Sendable {
    case fails(TransportError.Kind)
    case answers(Int)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var script: String
    var limits = ExchangeLimits(idle: .seconds(60), total: .seconds(120))
    var curl: Expected
    /// Nil is as with libcurl.
    var worker: Expected?
    var testDescription: String { name }

    func expected(_ kind: TransportUnderTest) -> Expected { kind == .curl ? curl : worker ?? curl }
  }

  static let cases = [
    Case(
      name: "garbage for a status line", script: #"send "NOT HTTP AT ALL\r\n\r\n"§close"#,
      curl: .fails(.invalidResponse)),
    Case(name: "HTTP/0.9", script: #"send "hello"§close"#, curl: .fails(.invalidResponse)),
    Case(
      name: "a status of two digits", script: #"send "HTTP/1.1 20 OK\r\n\r\n"§close"#, curl: .fails(.invalidResponse)),
    Case(name: "closed without a byte", script: "close", curl: .fails(.reset)),
    Case(name: "reset without a byte", script: "reset", curl: .fails(.reset)),
    Case(
      name: "reset in the middle of the body",
      script: #"send "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"§wait 100ms§reset"#, curl: .fails(.reset)),
    Case(
      name: "cut off inside the headers", script: #"send "HTTP/1.1 200 OK\r\nX-A: b\r\n"§close"#, curl: .fails(.reset),
      worker: .fails(.workerEnded)),
    Case(
      name: "a body shorter than its Content-Length",
      script: #"send "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"§close"#, curl: .fails(.truncated)),
    Case(
      name: "the largest Content-Length",
      script: #"send "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nabc"§close"#,
      curl: .fails(.truncated), worker: .fails(.workerEnded)),
    Case(
      name: "50 MB of headers",
      script: #"send "HTTP/1.1 200 OK\r\n"§repeat 500000 "X-Filler: "# + "\(filler)"
        + #"\r\n"§close"#, curl: .fails(.tooLarge)),
    Case(
      name: "a header line of 120 KB",
      script: #"send "HTTP/1.1 200 OK\r\nX-A: "§repeat 120000 "x"§send "\r\nContent-Length: 0\r\n\r\n"§close"#,
      curl: .fails(.tooLarge)),
    Case(
      name: "never answers, whole", script: "hang", limits: ExchangeLimits(total: .milliseconds(300)),
      curl: .fails(.timeout(.resource))),
    Case(
      name: "never answers, gap", script: "hang", limits: ExchangeLimits(idle: .milliseconds(300)),
      curl: .fails(.timeout(.request))),
    Case(
      name: "stalls in the body", script: #"send "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"§hang"#,
      limits: ExchangeLimits(idle: .milliseconds(300)), curl: .fails(.timeout(.request))),
    Case(
      name: "trickles headers for ever",
      script: #"send "HTTP/1.1 200 OK\r\n"§trickle 20ms "X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa""#,
      limits: ExchangeLimits(idle: .milliseconds(2000), total: .milliseconds(400)), curl: .fails(.timeout(.resource))),
    Case(
      name: "trickles a body for ever",
      script: #"send "HTTP/1.1 200 OK\r\n\r\n"§trickle 100ms "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa""#,
      limits: ExchangeLimits(idle: .seconds(2), total: .seconds(3)), curl: .fails(.timeout(.resource))),
    Case(
      name: "a body over the limit", script: #"send "HTTP/1.1 200 OK\r\n\r\n"§repeat 100000 "0123456789"§close"#,
      limits: ExchangeLimits(total: .seconds(120), maxBodyBytes: 1000), curl: .fails(.tooLarge)),
    Case(
      name: "trailers",
      script: #"send "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n""#,
      curl: .answers(200), worker: .fails(.workerEnded)),
    Case(
      name: "a Location of an IPv6 literal without scheme",
      script: #"send "HTTP/1.1 302 Found\r\nLocation: //[::1]/x\r\nContent-Length: 0\r\n\r\n""#, curl: .answers(302),
      worker: .fails(.workerEnded)),
    Case(
      name: "bad chunk sizes",
      script: #"send "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n"§close"#,
      curl: .fails(.invalidResponse)),
    Case(
      name: "a chunked body without its end",
      script: #"send "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"§close"#,
      curl: .fails(.truncated)),
    Case(
      name: "gzip that is none",
      script: #"send "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\nnot gzip!""#,
      curl: .fails(.invalidResponse)),
    Case(
      name: "an unknown content coding",
      script: #"send "HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 1\r\n\r\na""#,
      curl: .fails(.invalidResponse)),
    Case(
      name: "lines that end with LF alone", script: #"send "HTTP/1.1 200 OK\nContent-Length: 1\n\na""#,
      curl: .answers(200), worker: .fails(.invalidResponse)),
    Case(
      name: "ISO 8859-1 in a header",
      script: #"send "HTTP/1.1 200 OK\r\nX-Caf\xe9: caf\xe9\r\nContent-Length: 0\r\n\r\n""#, curl: .answers(200),
      worker: .fails(.invalidResponse)),
    Case(
      name: "a thousand interim responses",
      script: #"repeat 1000 "HTTP/1.1 103 Early Hints\r\n\r\n"§send "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n""#,
      curl: .answers(200)),
    Case(
      name: "an upgrade that was not asked for", script: #"send "HTTP/1.1 101 Switching Protocols\r\n\r\n"§close"#,
      limits: ExchangeLimits(total: .milliseconds(500)), curl: .answers(101)),
    Case(
      name: "a cookie that traps Foundation's parser",
      script:
        #"send "HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Max-Age=9223372036854775807; Version=1\r\nContent-Length: 0\r\n\r\n""#,
      curl: .answers(200)),
    Case(
      name: "a fold for a first header", script: #"send "HTTP/1.1 200 OK\r\n a: b\r\nContent-Length: 0\r\n\r\n""#,
      curl: .fails(.invalidResponse)),
  ]

  static let filler = String(repeating: "f", count: 88)

  @Test("a bad response has a typed error, and the next request works", arguments: TransportUnderTest.allCases, cases)
  func hostile(_ kind: TransportUnderTest, _ example: Case) async throws {
    let server = try FaultServer.start(
      "/bad\n" + example.script.split(separator: "§").joined(separator: "\n")
        + "\n/good\nsend \"HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\ngood\"")
    defer { server.stop() }
    let transport = kind.make()
    let sink = CollectingSink()
    let began = ContinuousClock.now
    let error = await transport.failure(WireRequest(.get, server, "/bad", limits: example.limits), into: sink)
    switch example.expected(kind) {
    case .fails(let expected):
      #expect(error?.kind == expected, "\(String(describing: error)) \(sink.text)")
      #expect(error.map { !$0.message.isEmpty && !$0.message.hasSuffix(".") } ?? false)
    case .answers(let status):
      #expect(error == nil)
      #expect(sink.head?.status == status)
    }
    if case .fails(.timeout) = example.expected(kind), let total = example.limits.total ?? example.limits.idle {
      #expect(ContinuousClock.now - began >= total)
      #expect(ContinuousClock.now - began < total + .seconds(30))
    }
    let next = CollectingSink()
    _ = try await transport.exchange(WireRequest(.get, server, "/good"), into: next)
    #expect(next.text == "good")
  }
}
