import HTTPSemantics
import Synchronization
import TestSupport
import Testing

/// Breaks off after the first part of the response and begins anew, as a transport may for a safe request.
private struct RestartingTransport: Transport {
  func exchange(
    _ request: WireRequest, into sink: any ResponseSink
  ) async throws(TransportError) -> ExchangeSummary {
    let head = ResponseHead(status: 200, headers: HeaderFields([("Cache-Control", "max-age=60")]))
    _ = sink.receive(head: head)
    _ = Array("lost".utf8).withUnsafeBytes { sink.receive(body: $0) }
    guard sink.restart() else { throw TransportError(.reset, "the sink can't begin anew") }
    _ = sink.receive(head: head)
    _ = Array("whole".utf8).withUnsafeBytes { sink.receive(body: $0) }
    return ExchangeSummary()
  }
}

private final class RestartableSink: ResponseSink {
  private let received = Mutex<[UInt8]>([])
  var text: String { received.withLock { String(decoding: $0, as: UTF8.self) } }

  func receive(head: ResponseHead) -> SinkDecision { .more }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    received.withLock { $0 += chunk }
    return .more
  }

  func restart() -> Bool {
    received.withLock { $0 = [] }
    return true
  }
}

@Suite("Cache")
struct CacheTests {
  @Test("A response that begins anew is stored once")
  func restart() async throws {
    let cache = ExchangeCache()
    let request = WireRequest(method: .get, url: try url("http://h.example/"))
    let transport = CachingTransport(over: RestartingTransport(), cache: cache, policy: .protocol)
    for outcome in [CacheOutcome.miss(isStored: true), .hit] {
      let sink = RestartableSink()
      #expect(try await transport.exchange(request, into: sink).cache == outcome)
      #expect(sink.text == "whole")
    }
  }

  @Test("Without a cache everything is sent")
  func ignored() async throws {
    let bench = CacheBench([cacheResponse([("Cache-Control", "max-age=10")])])
    for _ in 0..<2 { #expect(try await bench.send(.get, "http://h.example/", [], .ignore).outcome == nil) }
    #expect(bench.transport.requests.count == 2)
  }

  @Test("A stored response is given as it came, with its age, and without what belonged to its connection")
  func replay() async throws {
    let bench = CacheBench { _, _ in
      var first = cacheResponse([
        ("Cache-Control", "max-age=10"), ("X-Two", "a"), ("Set-Cookie", "a=1"), ("Connection", "close, X-Hop"),
        ("X-Hop", "1"), ("x-two", "b"), ("Age", "1"),
      ])
      first.trailers = [("X-End", "1")]
      return first
    }
    #expect(try await bench.send().outcome == .miss(isStored: true))
    bench.wait(3)
    let second = try await bench.send()
    #expect(second.outcome == .hit)
    #expect(
      second.sink.head?.headers.fields.map { "\($0.name): \($0.value)" } == [
        "Cache-Control: max-age=10", "X-Two: a", "x-two: b", "Age: 4",
      ])
    #expect(second.sink.trailers.map { $0.first("X-End") } == ["1"])
    let head = try await bench.send(.head)
    #expect(head.outcome == .hit)
    #expect(head.sink.body.isEmpty)
  }

  @Test("A limit of the body holds for stored ones too")
  func bodyLimit() async throws {
    let bench = CacheBench([cacheResponse([("Cache-Control", "max-age=10")], "12345")])
    try await bench.send()
    await #expect(throws: TransportError.bodyTooLarge(limit: 4)) { try await bench.send(limit: 4) }
    #expect(try await bench.send(limit: 5).outcome == .hit)
  }

  @Test("Vary: a stored response is for requests that are alike")
  func vary() async throws {
    let bench = CacheBench { request, index in
      cacheResponse(
        [("Cache-Control", "max-age=10"), ("Vary", "Accept-Language, X-Two")],
        "\(index) \(request.headers.first("accept-language") ?? "-")")
    }
    let address = "http://h.example/"
    #expect(try await bench.send(.get, address, [("Accept-Language", "de")]).sink.text == "0 de")
    #expect(try await bench.send(.get, address, [("Accept-Language", "en")]).sink.text == "1 en")
    #expect(try await bench.send(.get, address, []).sink.text == "2 -")
    #expect(try await bench.send(.get, address, [("accept-language", " de ")]).sink.text == "0 de")
    #expect(try await bench.send(.get, address, [("Accept-Language", "en"), ("X-Other", "1")]).sink.text == "1 en")
    #expect(try await bench.send(.get, address, [("Accept-Language", "en"), ("X-Two", "1")]).sink.text == "3 en")
    #expect(try await bench.send(.get, address, []).sink.text == "2 -")
  }

  @Test("Other credentials are another user's, though nothing says so")
  func credentials() async throws {
    let bench = CacheBench { request, _ in
      cacheResponse([("Cache-Control", "max-age=10")], request.headers.first("Authorization") ?? "nobody")
    }
    for user in ["Basic YTph", "Basic Yjpi", "Basic YTph"] {
      #expect(try await bench.send(.get, "http://h.example/", [("Authorization", user)]).sink.text == user)
    }
    #expect(try await bench.send().sink.text == "nobody")
    #expect(bench.transport.requests.count == 3)
  }

  @Test("URLs are told apart, their fragments are not")
  func keys() async throws {
    let bench = CacheBench([cacheResponse([("Cache-Control", "max-age=10")])])
    for address in ["http://h.example/", "https://h.example/", "http://h.example/?", "http://h.example:81/"] {
      #expect(try await bench.send(.get, address).outcome?.word == .miss)
    }
    #expect(try await bench.send(.get, "http://h.example:80/#part").outcome == .hit)
  }

  /// What a request may ask for of its connection, and whether the response is then another's.
  struct Way: Sendable, CustomTestStringConvertible {
    let name: String
    let isAnother: Bool
    let change: @Sendable (inout ConnectionOptions) -> Void
    var testDescription: String { name }

    init(_ name: String, isAnother: Bool = true, _ change: @escaping @Sendable (inout ConnectionOptions) -> Void) {
      self.name = name
      self.isAnother = isAnother
      self.change = change
    }
  }

  @Test(
    "Ways to the server are told apart",
    arguments: [
      Way("socket") { $0.unixSocket = "/tmp/other" }, Way("undecoded") { $0.decompresses = false },
      Way("version") { $0.httpVersion = .http10 }, Way("interface") { $0.interface = "lo" },
      Way("family") { $0.addressFamily = .ipv6 }, Way("unverified") { $0.tls.verifies = false },
      Way("issuers") { $0.tls.certificateAuthorities = "/ca" }, Way("pin") { $0.tls.pinnedKeys = ["x"] },
      Way("TLS") { $0.tls.minVersion = .tls13 }, Way("no newer TLS") { $0.tls.maxVersion = .tls13 },
      Way("client") { $0.tls.client = ClientCertificate(certificate: "/c") },
      Way("proxy") { $0.proxy = Proxy(kind: .http, host: "p", port: 1) },
      Way("resolve") { $0.addressOverrides = [AddressOverride(host: "*", port: 80, addresses: ["::1"])] },
      Way("connect_to") { $0.connectTo = [ConnectTo(host: "", port: nil, targetHost: "t", targetPort: nil)] },
      Way("rates", isAnother: false) { ($0.maxReceiveRate, $0.maxSendRate) = (1, 1) },
      Way("connections", isAnother: false) { $0.maxConnectionsPerHost = 1 },
    ])
  func ways(_ way: Way) async throws {
    let bench = CacheBench([cacheResponse([("Cache-Control", "max-age=10")])])
    try await bench.send()
    var request = WireRequest(method: .get, url: try url("http://h.example/"))
    way.change(&request.options)
    let transport = CachingTransport(over: bench.transport, cache: bench.cache, policy: .protocol)
    for expected in [way.isAnother ? CacheOutcome.Word.miss : .hit, .hit] {
      #expect(try await transport.exchange(request, into: CollectingSink()).cache?.word == expected)
    }
  }

  @Test("What is too large is not stored, and what was not used for longest goes first")
  func bounded() async throws {
    let bench = CacheBench(limits: .init(entry: 2000, total: 4000)) { request, _ in
      cacheResponse(
        [("Cache-Control", "max-age=10")], String(repeating: "x", count: request.url.path == "/big" ? 2000 : 1000))
    }
    #expect(try await bench.send(.get, "http://h.example/big").outcome == .miss(isStored: false))
    for path in ["1", "2"] { try await bench.send(.get, "http://h.example/\(path)") }
    #expect(try await bench.send(.get, "http://h.example/1").outcome == .hit)
    for path in ["3", "4"] { try await bench.send(.get, "http://h.example/\(path)") }
    #expect(try await bench.send(.get, "http://h.example/1").outcome == .hit)
    #expect(try await bench.send(.get, "http://h.example/2").outcome?.word == .miss)
  }
}
