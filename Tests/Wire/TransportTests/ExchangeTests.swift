import CurlTransport
import Foundation
import HTTPSemantics
import TestSupport
import Testing

/// What every transport promises for a well-behaved server.
@Suite(.timeLimit(.minutes(10)))
struct ExchangeTests {
  static let ok = #"""
    /ok
    send "HTTP/1.1 200 Fine\r\nContent-Length: 5\r\nX-A: one\r\nX-B: two\r\n\r\nhello"
    /empty
    send "HTTP/1.1 204 No Content\r\n\r\n"
    /chunked
    send "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
    wait 50ms
    send "2\r\nde\r\n0\r\n\r\n"
    /until-close
    send "HTTP/1.0 200 OK\r\n\r\nto the end"
    close
    /interim
    send "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n!"
    /gzip
    send "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 25\r\n\r\n"
    send "\x1f\x8b\x08\0\0\0\0\0\x02\xff\xcbH\xcd\xc9\xc9\x07\0\x86\xa6\x106\x05\0\0\0"
    /cookies
    send "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT\r\nSet-Cookie: b=2\r\nContent-Length: 0\r\n\r\n"
    /moved
    send "HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 4\r\n\r\nover"
    /basic
    send "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\"\r\nContent-Length: 2\r\n\r\nno"
    /digest
    send "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\nContent-Length: 2\r\n\r\nno"
    /mixed
    send "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\nWWW-Authenticate: Basic realm=\"r\"\r\nContent-Length: 2\r\n\r\nno"
    /missing
    send "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnope"
    /file
    send "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"
    /folded
    send "HTTP/1.1 200 OK\r\nX-Folded: one\r\n   two\r\nContent-Length: 0\r\n\r\n"
    /head
    send "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
    """#

  struct Case: Sendable, CustomTestStringConvertible {
    var path: String
    var status: Int
    var body: String
    var testDescription: String { path }
  }

  static let cases = [
    Case(path: "/ok", status: 200, body: "hello"),
    Case(path: "/ok?a=%20b&c", status: 200, body: "hello"),
    Case(path: "/empty", status: 204, body: ""),
    Case(path: "/chunked", status: 200, body: "abcde"),
    Case(path: "/until-close", status: 200, body: "to the end"),
    Case(path: "/interim", status: 200, body: "!"),
    Case(path: "/gzip", status: 200, body: "hello"),
    Case(path: "/cookies", status: 200, body: ""),
    Case(path: "/moved", status: 302, body: "over"),
    Case(path: "/basic", status: 401, body: "no"),
    Case(path: "/digest", status: 401, body: "no"),
    Case(path: "/mixed", status: 401, body: "no"),
    Case(path: "/missing", status: 404, body: "nope"),
    Case(path: "/file", status: 302, body: ""),
    Case(path: "/folded", status: 200, body: ""),
  ]

  @Test("responses arrive as sent", arguments: TransportUnderTest.allCases, cases)
  func answer(_ kind: TransportUnderTest, _ example: Case) async throws {
    let server = try FaultServer.start(Self.ok)
    defer { server.stop() }
    let sink = CollectingSink()
    let summary = try await kind.make().exchange(WireRequest(.get, server, example.path), into: sink)
    #expect(sink.heads.count == 1)
    #expect(sink.head?.status == example.status)
    #expect(sink.text == example.body)
    #expect(summary.timings.total > .zero)
    #expect(server.requests.map(\.target) == [example.path])
  }

  @Test(
    "header fields arrive; repeated cookies stay apart; folds become a space", arguments: TransportUnderTest.allCases)
  func headers(_ kind: TransportUnderTest) async throws {
    let server = try FaultServer.start(Self.ok)
    defer { server.stop() }
    let transport = kind.make()
    let plain = CollectingSink()
    _ = try await transport.exchange(WireRequest(.get, server, "/ok"), into: plain)
    #expect(plain.head?.headers.first("x-a") == "one")
    #expect(plain.head?.headers.first("X-B") == "two")
    let cookies = CollectingSink()
    _ = try await transport.exchange(WireRequest(.get, server, "/cookies"), into: cookies)
    #expect(
      cookies.head?.headers.values("Set-Cookie") == ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"])
    let folded = CollectingSink()
    _ = try await transport.exchange(WireRequest(.get, server, "/folded"), into: folded)
    #expect(folded.head?.headers.first("X-Folded") == "one two")
  }

  struct Sending: Sendable, CustomTestStringConvertible {
    var name: String
    var method: String
    var body: RequestBody
    /// Nil stands for no such header.
    var contentLength: String?
    var testDescription: String { name }
  }

  static let sendings = [
    Sending(name: "GET", method: "GET", body: .none, contentLength: nil),
    Sending(name: "DELETE", method: "DELETE", body: .none),
    Sending(name: "POST without body", method: "POST", body: .none, contentLength: "0"),
    Sending(name: "PUT without body", method: "PUT", body: .none, contentLength: "0"),
    Sending(name: "POST", method: "POST", body: .bytes(Array("hello".utf8)), contentLength: "5"),
    Sending(name: "PUT", method: "PUT", body: .bytes(Array("hello".utf8)), contentLength: "5"),
    Sending(name: "DELETE with body", method: "DELETE", body: .bytes(Array("x".utf8)), contentLength: "1"),
    Sending(name: "a method of its own", method: "PURGE", body: .bytes(Array("x".utf8)), contentLength: "1"),
    Sending(name: "lower case method", method: "foo", body: .none),
    Sending(
      name: "300 KB", method: "POST", body: .bytes((0..<300_000).map { UInt8(truncatingIfNeeded: $0) }),
      contentLength: "300000"),
  ]

  @Test("how much of a body has gone out is told as it goes", arguments: TransportUnderTest.allCases)
  func sent(_ kind: TransportUnderTest) async throws {
    let server = try FaultServer.start(Self.ok)
    defer { server.stop() }
    let sink = CollectingSink()
    let body = RequestBody.bytes([UInt8](repeating: 1, count: 1 << 20))
    _ = try await kind.make().exchange(WireRequest(.post, server, "/ok", body: body), into: sink)
    #expect(sink.sent == sink.sent.sorted())
    #expect(sink.sent.count > 1)
    #expect(sink.sent.last == 1 << 20)
    let none = CollectingSink()
    _ = try await kind.make().exchange(WireRequest(.get, server, "/ok"), into: none)
    #expect(none.sent.allSatisfy { $0 == 0 })
  }

  @Test("requests go out as given", arguments: TransportUnderTest.allCases, sendings)
  func sending(_ kind: TransportUnderTest, _ example: Sending) async throws {
    let server = try FaultServer.start(Self.ok)
    defer { server.stop() }
    let method = try #require(HTTPMethod(example.method))
    let headers = [("X-Test", "a b"), ("User-Agent", "test/1"), ("Accept", "text/plain")]
    let request = WireRequest(method, server, "/ok", headers: headers, body: example.body)
    _ = try await kind.make().exchange(request, into: CollectingSink())
    let received = try #require(server.requests.first)
    #expect(received.method == example.method)
    #expect(received.header("X-Test") == "a b")
    #expect(received.header("User-Agent") == "test/1")
    #expect(received.header("Accept") == "text/plain")
    #expect(received.header("Host") == "127.0.0.1:\(server.port)")
    #expect(received.header("Expect") == nil)
    #expect(received.header("Content-Type") != "application/x-www-form-urlencoded")
    if example.method != "DELETE" && example.method != "foo" {
      #expect(received.header("Content-Length") == example.contentLength)
    }
    if case .bytes(let bytes) = example.body {
      let isSame = received.body == bytes
      #expect(isSame, "\(received.body.count) bytes arrived")
    }
  }

  @Test("a part of a file is sent as the body", arguments: TransportUnderTest.allCases)
  func file(_ kind: TransportUnderTest) async throws {
    let server = try FaultServer.start(Self.ok)
    defer { server.stop() }
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID().uuidString)").path
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    try Data(content).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let body = RequestBody.file(path: path, offset: 1000, length: 150_000)
    let transport = kind.make()
    _ = try await transport.exchange(WireRequest(.put, server, "/ok", body: body), into: CollectingSink())
    let received = server.requests.first?.body ?? []
    let isSame = received.elementsEqual(content[1000..<151_000])
    #expect(isSame, "\(received.count) bytes arrived")

    let missing = RequestBody.file(path: path + "-missing", offset: 0, length: 10)
    #expect(await transport.failure(WireRequest(.put, server, "/ok", body: missing))?.kind == .body)
    let short = RequestBody.file(path: path, offset: 199_000, length: 2000)
    #expect(await transport.failure(WireRequest(.put, server, "/ok", body: short))?.kind == .body)
  }

  @Test("bytes and files go out as one body", arguments: TransportUnderTest.allCases)
  func pieces(_ kind: TransportUnderTest) async throws {
    let server = try FaultServer.start(Self.ok)
    defer { server.stop() }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["a": String(repeating: "abcdefg", count: 20_000), "b": "", "c": "end"])
    func file(_ name: String) throws -> BodyPiece { .file(try FileRange(wholeFile: "\(folder.path)/\(name)")) }
    let separator = BodyPiece.bytes(Array("--".utf8))
    let pieces = [separator, try file("a"), separator, try file("b"), .bytes([]), separator, try file("c")]
    let transport = kind.make()
    let request = WireRequest(.post, server, "/ok", body: .pieces(pieces))
    _ = try await transport.exchange(request, into: CollectingSink())
    let received = try #require(server.requests.first)
    let expected = "--" + String(repeating: "abcdefg", count: 20_000) + "----end"
    #expect(received.header("Content-Length") == String(expected.utf8.count))
    #expect(String(decoding: received.body, as: UTF8.self) == expected)

    try folder.write(["c": "the end"])
    let error = await transport.failure(request)
    #expect(error?.kind == .body)
    #expect(error?.message == "the body file \"\(folder.path)/c\" has changed since the request was made")
  }

  private struct SlowSource: BodySource {
    var failure: TransportError?

    func produce(_ take: (UnsafeRawBufferPointer) -> Bool) throws(TransportError) {
      for number in 0..<20 {
        usleep(number % 4 == 0 ? 2000 : 0)
        if ![UInt8](repeating: UInt8(65 + number), count: 10_000).withUnsafeBytes(take) { return }
      }
      if let failure { throw failure }
    }
  }

  @Test("a body of unknown length is sent while it is made", arguments: TransportUnderTest.allCases)
  func stream(_ kind: TransportUnderTest) async throws {
    let server = try FaultServer.start(Self.ok)
    defer { server.stop() }
    let transport = kind.make()
    let request = WireRequest(.post, server, "/ok", body: .stream(SlowSource()))
    _ = try await transport.exchange(request, into: CollectingSink())
    let received = try #require(server.requests.first)
    let expected = (0..<20).map { String(repeating: Character(Unicode.Scalar(UInt8(65 + $0))), count: 10_000) }.joined()
    #expect(String(decoding: received.body, as: UTF8.self) == expected)
    if kind == .curl { #expect(received.header("Transfer-Encoding") == "chunked") }

    let failure = TransportError(.body, "it went out")
    let told = await transport.failure(WireRequest(.post, server, "/ok", body: .stream(SlowSource(failure: failure))))
    #expect(told?.with(nil as ExchangeSummary?) == failure)
  }

  @Test("a body is sent anew where the connection that it went out on turns out to be dead")
  func resending() async throws {
    let server = try FaultServer.start(
      """
      /first
      send "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n"
      /second #2
      close
      /second
      send "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n"
      """)
    defer { server.stop() }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["a": String(repeating: "file", count: 10_000)])
    let file = BodyPiece.file(try FileRange(wholeFile: folder.path + "/a"))
    let bodies: [RequestBody] = [.pieces([.bytes([65]), file]), .stream(SlowSource())]
    for body in bodies {
      let transport = LibcurlTransport()
      let count = server.requests.count
      _ = try await transport.exchange(WireRequest(.get, server, "/first"), into: CollectingSink())
      _ = try await transport.exchange(WireRequest(.put, server, "/second", body: body), into: CollectingSink())
      let received = server.requests[count...].filter { $0.target == "/second" }
      #expect(received.count == 2)
      let isSame = received.first?.body == received.last?.body
      #expect(isSame && received.last?.body.count == (body.length.map { Int($0) } ?? 200_000))
    }
  }

  @Test("a file that changes while it is sent ends the exchange")
  func changingFile() async throws {
    let server = try FaultServer.start(
      """
      send "HTTP/1.1 100 Continue\\r\\n\\r\\n"
      wait 300ms
      body
      send "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n"
      """)
    defer { server.stop() }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["a": ""])
    let path = folder.path + "/a"
    let handle = try #require(FileHandle(forWritingAtPath: path))
    defer { try? handle.close() }
    try handle.truncate(atOffset: 64 << 20)
    let request = WireRequest(
      .put, server, "/", headers: [("User-Agent", "test"), ("Expect", "100-continue")],
      body: .pieces([.file(try FileRange(wholeFile: path))]))
    async let failure = LibcurlTransport().failure(request)
    // The server reads nothing yet, and the sockets hold less than the file.
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    try await Task.sleep(for: .milliseconds(100))
    try handle.truncate(atOffset: 1000)
    let error = await failure
    #expect(error?.kind == .body)
    #expect(error?.message == "the body file \"\(path)\" became shorter while it was sent")
  }

  @Test("HEAD has no body, whatever its Content-Length", arguments: TransportUnderTest.allCases)
  func head(_ kind: TransportUnderTest) async throws {
    let server = try FaultServer.start(Self.ok)
    defer { server.stop() }
    let transport = kind.make()
    for _ in 0..<2 {
      let sink = CollectingSink()
      _ = try await transport.exchange(WireRequest(.head, server, "/head"), into: sink)
      #expect(sink.head?.headers.first("Content-Length") == "1000")
      #expect(sink.body.isEmpty)
    }
  }

  @Test("a sink that has enough ends the exchange without an error", arguments: TransportUnderTest.allCases)
  func stop(_ kind: TransportUnderTest) async throws {
    let server = try FaultServer.start(
      Self.ok + """

        /endless
        send "HTTP/1.1 200 OK\\r\\n\\r\\n"
        trickle 20ms "\(String(repeating: "x", count: 2000))"
        """)
    defer { server.stop() }
    let transport = kind.make()
    let atHead = CollectingSink(stopsAtHead: true)
    _ = try await transport.exchange(WireRequest(.get, server, "/endless"), into: atHead)
    #expect(atHead.heads.count == 1)
    #expect(atHead.body.isEmpty)
    let inBody = CollectingSink(stopsAfterBytes: 5)
    _ = try await transport.exchange(WireRequest(.get, server, "/endless"), into: inBody)
    #expect((5..<100).contains(inBody.body.count))
    let next = CollectingSink()
    _ = try await transport.exchange(WireRequest(.get, server, "/ok"), into: next)
    #expect(next.text == "hello")
  }

  @Test("a body on a connection that has just died is sent again, whole", arguments: TransportUnderTest.allCases)
  func staleConnection(_ kind: TransportUnderTest) async throws {
    // The second request on a connection finds it closed.
    let server = try FaultServer.start(
      #"""
      /stale
      send "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
      /stale #2
      close
      """#)
    defer { server.stop() }
    let transport = kind.make()
    _ = try await transport.exchange(WireRequest(.get, server, "/stale"), into: CollectingSink())
    let body = [UInt8](repeating: 7, count: 40_000)
    let sink = CollectingSink()
    _ = try await transport.exchange(WireRequest(.put, server, "/stale", body: .bytes(body)), into: sink)
    #expect(sink.text == "ok")
    let isSame = server.requests.last?.body == body
    #expect(isSame, "\(server.requests.last?.body.count ?? 0) bytes arrived")
    #expect(server.requests.last?.connection == 2)
  }

  @Test("what would not go out as written is refused", arguments: TransportUnderTest.allCases)
  func refusals(_ kind: TransportUnderTest) async throws {
    let server = try FaultServer.start(Self.ok)
    defer { server.stop() }
    let transport = kind.make()
    let broken = [("X-A", "a\r\nX-B: b"), ("X-A", "a\u{0}b"), ("X A", "a"), ("X-A\r\nX-B", "a")]
    for header in broken {
      let error = await transport.failure(WireRequest(.get, server, "/ok", headers: [header]))
      #expect(error?.kind == .invalidRequest, "\(header)")
    }
    let body = RequestBody.bytes([65])
    var raw = WireRequest(.get, server, "/ok")
    raw.options.decompresses = false
    var target = WireRequest(.options, server, "/ok")
    target.requestTarget = "*"
    let features: [(TransportFeature, WireRequest)] = [
      (.bodyOnGet, WireRequest(.get, server, "/ok", body: body)),
      (.repeatedHeaders, WireRequest(.get, server, "/ok", headers: [("X-A", "1"), ("x-a", "2")])),
      (.transportHeaders, WireRequest(.post, server, "/ok", headers: [("Transfer-Encoding", "chunked")], body: body)),
      (.rawBody, raw),
      (.requestTarget, target),
    ]
    for (feature, request) in features {
      let error = await transport.failure(request)
      let isSupported = kind.capabilities.unsupported[feature] == nil
      #expect(error?.kind == (isSupported ? nil : .unsupported(feature)), "\(feature)")
    }
    #expect(server.requests.count == features.filter { kind.capabilities.unsupported[$0.0] == nil }.count)
  }

  @Test("no connection and no address are told apart", arguments: TransportUnderTest.allCases)
  func noServer(_ kind: TransportUnderTest) async throws {
    let server = try FaultServer.start("")
    server.stop()
    let transport = kind.make()
    let refused = await transport.failure(WireRequest(.get, server, "/"))
    #expect(refused?.kind == .connection)
    var nowhere = WireRequest(.get, server, "/")
    nowhere.url.host = "no-such-host.invalid"
    #expect(await transport.failure(nowhere)?.kind == .dns)
    let plain = try FaultServer.start(Self.ok)
    defer { plain.stop() }
    var secure = WireRequest(.get, plain, "/ok", limits: ExchangeLimits(total: .milliseconds(400)))
    secure.url.scheme = "https"
    // The server waits for the end of a head that never comes: TLS bytes have no blank line.
    let error = await transport.failure(secure)
    #expect(error?.kind == .timeout(.resource) || error?.kind == .tls)
  }
}
