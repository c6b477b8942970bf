import CurlTransport
import HTTPSemantics
import TestSupport
import Testing
import Values

/// The rate at which a response is taken.
@Suite(.serialized, .enabled(if: NginxServer.isAvailable, "needs nginx and openssl"), .timeLimit(.minutes(10)))
struct CurlRateTests {
  /// The response's body is of 200,000 bytes for `/`, of 2,000 that go no further for `/hang`.
  private static let script = #"""
    send "HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n"
    repeat 20000 "0123456789"
    /chunked
    send "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    repeat 20000 "a\r\n0123456789\r\n"
    send "0\r\nX-Sum: 5\r\n\r\n"
    /closed
    send "HTTP/1.1 200 OK\r\n\r\n"
    repeat 20000 "0123456789"
    close
    /slow
    send "HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n"
    repeat 400 "0123456789"
    /hang
    send "HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n"
    repeat 200 "0123456789"
    hang
    """#

  private static func request(_ server: FaultServer, _ path: String, rate: Int64) -> WireRequest {
    var request = WireRequest(.get, server, path)
    request.options.maxReceiveRate = rate
    return request
  }

  /// Over HTTP/2.
  private static func request(_ path: String, rate: Int64) throws -> WireRequest {
    let nginx = try NginxServer.shared.get()
    var request = WireRequest(
      method: .get, url: HTTPURL(scheme: "https", host: "localhost", port: nginx.port(.secure), path: path),
      limits: ExchangeLimits(total: .seconds(120)))
    request.options.tls.certificateAuthorities = nginx.certificates.path("ca.pem")
    request.options.maxReceiveRate = rate
    return request
  }

  @Test("short responses keep to the rate, however they end", arguments: ["/", "/chunked", "/closed"])
  func rate(_ path: String) async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let sink = CollectingSink()
    let time = try await ContinuousClock().measure {
      _ = try await LibcurlTransport().exchange(Self.request(server, path, rate: 150_000), into: sink)
    }
    #expect(sink.text == String(repeating: "0123456789", count: 20_000))
    #expect(sink.trailers.count == (path == "/chunked" ? 1 : 0))
    // 1.1 s, since a quarter of a second's worth may come at once.
    #expect(time > .milliseconds(900))
    #expect(time < .seconds(60))
  }

  @Test("a rate above what comes, and one for compressed bytes, change nothing")
  func unneeded() async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let transport = LibcurlTransport()
    let time = try await ContinuousClock().measure {
      for _ in 0..<5 {
        _ = try await transport.exchange(Self.request(server, "/", rate: 1_000_000_000), into: CollectingSink())
      }
      let sink = CollectingSink()
      // 262,144 bytes that are about 1 KB on the wire.
      _ = try await transport.exchange(try Self.request("/zipped", rate: 4_000), into: sink)
      #expect(sink.text == NginxServer.bigText)
    }
    #expect(time < .seconds(30))
  }

  @Test("compressed bytes that have to wait are decoded whole", arguments: [HTTPVersionChoice.http11, .http2])
  func compressed(_ version: HTTPVersionChoice) async throws {
    var request = try Self.request("/zipped", rate: 1_000)
    request.options.httpVersion = version
    let sink = CollectingSink()
    let began = ContinuousClock.now
    let error = await LibcurlTransport().failure(request, into: sink)
    #expect(error == nil)
    #expect(sink.text == NginxServer.bigText)
    #expect(ContinuousClock.now - began > .milliseconds(200))
  }

  @Test("two at once over one HTTP/2 connection, another meanwhile")
  func http2() async throws {
    let transport = LibcurlTransport()
    _ = try await transport.exchange(try Self.request("/204", rate: 60_000), into: CollectingSink())
    let began = ContinuousClock.now
    let limited = try Self.request("/big.txt", rate: 60_000)
    var ended: [String] = []
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<2 {
        group.addTask {
          let sink = CollectingSink()
          let summary = try await transport.exchange(limited, into: sink)
          #expect(sink.text == NginxServer.bigText)
          #expect(sink.head?.httpVersion == "2")
          #expect(summary.wasConnectionReused == true)
          #expect(ContinuousClock.now - began > .seconds(3))
          return "limited"
        }
      }
      group.addTask {
        var free = limited
        free.options.maxReceiveRate = nil
        let sink = CollectingSink()
        _ = try await transport.exchange(free, into: sink)
        #expect(sink.text == NginxServer.bigText)
        return "free"
      }
      for try await name in group { ended.append(name) }
    }
    #expect(ended == ["free", "limited", "limited"])
    #expect(ContinuousClock.now - began < .seconds(60))
  }

  @Test("responses of all lengths at once over one HTTP/2 connection come to their ends")
  func lengths() async throws {
    let transport = LibcurlTransport()
    _ = try await transport.exchange(try Self.request("/204", rate: 60_000), into: CollectingSink())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for length in (1...8).flatMap({ [$0 * 7_001, $0 * 8_192, $0 * 16_384 - 1] }) where length < 70_000 {
        group.addTask {
          var request = try Self.request("/big.txt", rate: 60_000)
          request.headers = HeaderFields([("Range", "bytes=0-\(length - 1)")])
          let sink = CollectingSink()
          _ = try await transport.exchange(request, into: sink)
          #expect(sink.text == NginxServer.bigText.prefix(length))
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("the gap between packets is the server's alone")
  func gap() async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    // Pieces of 1,024 bytes, 1,024 ms each.
    var request = Self.request(server, "/slow", rate: 1_000)
    request.limits.idle = .milliseconds(800)
    let sink = CollectingSink()
    let error = await LibcurlTransport().failure(request, into: sink)
    #expect(error == nil)
    #expect(sink.body.count == 4_000)
    request.url.path = "/hang"
    #expect(await LibcurlTransport().failure(request)?.kind == .timeout(.request))
  }

  @Test("a pause holds up no deadline, no cancel and no later request", arguments: [false, true])
  func ends(isHTTP2: Bool) async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let transport = LibcurlTransport()
    // The first pause is of a hundred seconds.
    var request = isHTTP2 ? try Self.request("/big.txt", rate: 10) : Self.request(server, "/", rate: 10)
    request.limits.total = .milliseconds(300)
    var began = ContinuousClock.now
    #expect(await transport.failure(request)?.kind == .timeout(.resource))
    #expect(ContinuousClock.now - began < .seconds(30))

    request.limits.total = .seconds(20)
    let sink = CollectingSink()
    let cancelled = Task { [request] in await transport.failure(request, into: sink) }
    while sink.head == nil { try await Task.sleep(for: .milliseconds(10)) }
    began = .now
    cancelled.cancel()
    #expect(await cancelled.value?.kind == .cancelled)
    #expect(ContinuousClock.now - began < .seconds(30))

    if isHTTP2 {
      request.url.path = "/204"
      let sink = CollectingSink()
      _ = try await transport.exchange(request, into: sink)
      #expect(sink.head?.status == 204)
    }
  }

  @Test("what ends an exchange ends it after a pause too")
  func limits() async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let transport = LibcurlTransport()
    var request = Self.request(server, "/", rate: 150_000)
    let sink = CollectingSink(stopsAfterBytes: 100_000)
    #expect(await transport.failure(request, into: sink) == nil)
    #expect(100_000..<150_000 ~= sink.body.count)
    request.limits.maxBodyBytes = 100_000
    #expect(await transport.failure(request)?.kind == .tooLarge)
  }
}
