import CurlTransport
import HTTPSemantics
import TestSupport
import Testing
import Values

/// Where connections lead and how, as libcurl makes them.
@Suite(.serialized, .enabled(if: NginxServer.isAvailable, "needs nginx and openssl"), .timeLimit(.minutes(10)))
struct ConnectionOptionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var listener = NginxServer.Listener.plain
    var host = "127.0.0.1"
    /// Nil is the listener's.
    var port: Int?
    var needsIPv6 = false
    var change: @Sendable (inout ConnectionOptions, NginxServer) -> Void = { _, _ in }
    /// In `…|remote address|server address`.
    var text: String?
    var failure: TransportError.Kind?
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "an address for a name", host: "a.wire.test",
      change: { options, nginx in
        options.addressOverrides = [
          AddressOverride(host: "a.wire.test", port: nginx.port(.plain), addresses: ["127.0.0.1"])
        ]
      }, text: "|127.0.0.1|127.0.0.1"),
    Case(
      name: "an address for any name", host: "b.wire.test",
      change: { options, nginx in
        options.addressOverrides = [AddressOverride(host: "*", port: nginx.port(.plain), addresses: ["127.0.0.1"])]
      }, text: "|127.0.0.1|127.0.0.1"),
    Case(
      name: "an address for another port", host: "c.invalid",
      change: { options, _ in
        options.addressOverrides = [AddressOverride(host: "c.invalid", port: 1, addresses: ["127.0.0.1"])]
      }, failure: .dns),
    Case(
      name: "a second address, where the first refuses", listener: .prior, host: "d.wire.test", needsIPv6: true,
      change: { options, nginx in
        options.addressOverrides = [
          AddressOverride(host: "d.wire.test", port: nginx.port(.prior), addresses: ["::1", "127.0.0.1"])
        ]
        options.httpVersion = .http2PriorKnowledge
      }, text: "|127.0.0.1|127.0.0.1"),
    Case(
      name: "another host and port", host: "e.invalid", port: 80,
      change: { options, nginx in
        options.connectTo = [
          ConnectTo(host: "e.invalid", port: 80, targetHost: "127.0.0.1", targetPort: nginx.port(.plain))
        ]
      }, text: "|127.0.0.1|127.0.0.1"),
    Case(
      name: "another port for all", port: 81,
      change: { options, nginx in
        options.connectTo = [ConnectTo(host: "", port: nil, targetHost: "", targetPort: nginx.port(.plain))]
      }, text: "|127.0.0.1|127.0.0.1"),
    Case(
      name: "the TLS name stays", listener: .secure, host: "f.wire.test",
      change: { options, nginx in
        options.connectTo = [ConnectTo(host: "", port: nil, targetHost: "127.0.0.1", targetPort: nil)]
        options.tls.certificateAuthorities = nginx.certificates.path("ca.pem")
      }, text: "|f.wire.test|"),
    Case(
      name: "a Unix socket", host: "g.invalid", change: { options, nginx in options.unixSocket = nginx.unixSocket },
      text: "|unix:|"),
    Case(
      name: "a missing Unix socket", change: { options, nginx in options.unixSocket = nginx.unixSocket + "-none" },
      failure: .connection),
    Case(
      name: "an abstract Unix socket that nobody has",
      change: { options, nginx in options.unixSocket = "@" + nginx.unixSocket }, failure: .connection),
    Case(
      name: "an address to send from", change: { options, _ in options.interface = secondLoopbackAddress },
      text: "|\(secondLoopbackAddress)|127.0.0.1"),
    Case(
      name: "an interface that there is not", change: { options, _ in options.interface = "wire0none" },
      failure: .connection),
    Case(
      name: "IPv4", host: "localhost", change: { options, _ in options.addressFamily = .ipv4 },
      text: "|127.0.0.1|127.0.0.1"),
    Case(
      name: "IPv6", host: "localhost", needsIPv6: true, change: { options, _ in options.addressFamily = .ipv6 },
      text: "|::1|::1"),
    Case(name: "an IPv6 literal", host: "::1", needsIPv6: true, text: "|::1|::1"),
    Case(
      name: "IPv4 where there is only IPv6", host: "::1", needsIPv6: true,
      change: { options, _ in options.addressFamily = .ipv4 }, failure: .connection),
  ]

  @Test("a connection", arguments: cases)
  func connection(_ example: Case) async throws {
    if example.needsIPv6, !NginxServer.hasIPv6 { return }
    let nginx = try NginxServer.shared.get()
    let port = example.port ?? nginx.port(example.listener)
    var url = HTTPURL.local(port, scheme: example.listener == .secure ? "https" : "http", host: example.host)
    url.path = "/connection"
    var request = WireRequest(method: .get, url: url, limits: ExchangeLimits(total: .seconds(120)))
    example.change(&request.options, nginx)
    let sink = CollectingSink()
    let error = await LibcurlTransport().failure(request, into: sink)
    #expect(error?.kind == example.failure, "\(String(describing: error))")
    if let text = example.text { #expect(sink.text.contains(text), "\(sink.text)") }
  }

  @Test("the Host header is the URL's, wherever the connection leads")
  func host() async throws {
    let nginx = try NginxServer.shared.get()
    var request = WireRequest(
      method: .get, url: HTTPURL(scheme: "http", host: "h.invalid", port: 8080, path: "/echo"),
      limits: ExchangeLimits(total: .seconds(120)))
    request.options.connectTo = [
      ConnectTo(host: "", port: nil, targetHost: "127.0.0.1", targetPort: nginx.port(.plain))
    ]
    let sink = CollectingSink()
    let summary = try await LibcurlTransport().exchange(request, into: sink)
    #expect(sink.text.contains("Host: h.invalid:8080"))
    #expect(summary.remoteAddress == "127.0.0.1:\(nginx.port(.plain))")
    #expect(summary.localAddress?.hasPrefix("127.0.0.1:") == true)
  }

  @Test("a rate limits how fast a response is taken, and a body is sent")
  func rates() async throws {
    let server = try FaultServer.start(
      #"""
      send "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
      repeat 100000 "0123456789"
      """#)
    defer { server.stop() }
    let limits = ExchangeLimits(total: .seconds(120))
    var receiving = WireRequest(.get, server, "/", limits: limits)
    receiving.options.maxReceiveRate = 400_000
    let sink = CollectingSink()
    var began = ContinuousClock.now
    _ = try await LibcurlTransport().exchange(receiving, into: sink)
    #expect(sink.body.count == 1_000_000)
    // 2.5 s at that rate; libcurl takes up to a second's worth before it looks.
    #expect(ContinuousClock.now - began > .seconds(1))

    let body = RequestBody.bytes([UInt8](repeating: 65, count: 500_000))
    var sending = WireRequest(.put, server, "/", body: body, limits: limits)
    sending.options.maxSendRate = 200_000
    began = ContinuousClock.now
    _ = try await LibcurlTransport().exchange(sending, into: CollectingSink(stopsAtHead: true))
    #expect(ContinuousClock.now - began > .seconds(1))
  }

  @Test("URLSession refuses what it can't do, naming it")
  func refusals() async throws {
    let nginx = try NginxServer.shared.get()
    let changes: [(TransportFeature, @Sendable (inout ConnectionOptions) -> Void)] = [
      (.serverTrust, { $0.tls.verifies = false }), (.serverTrust, { $0.tls.pinnedKeys = ["x"] }),
      (.serverTrust, { $0.tls.certificateAuthorities = "/x.pem" }), (.tlsVersions, { $0.tls.minVersion = .tls13 }),
      (.clientCertificate, { $0.tls.client = ClientCertificate(certificate: "/x.pem") }),
      (.proxy, { $0.proxy = Proxy(kind: .http, host: "x", port: 1) }), (.httpVersion, { $0.httpVersion = .http2 }),
      (.addressOverrides, { $0.addressOverrides = [AddressOverride(host: "x", port: 1, addresses: ["::1"])] }),
      (.addressOverrides, { $0.connectTo = [ConnectTo(host: "x", port: 1, targetHost: "y", targetPort: 1)] }),
      (.unixSocket, { $0.unixSocket = "/x" }), (.interface, { $0.interface = "lo" }),
      (.interface, { $0.addressFamily = .ipv4 }), (.rateLimits, { $0.maxReceiveRate = 1 }),
      (.connectionAuthentication, { $0.connectionAuthentication = .negotiate }),
      (.certificates, { $0.wantsCertificates = true }),
    ]
    for kind in TransportUnderTest.allCases where kind != .curl {
      let transport = kind.make()
      for (feature, change) in changes {
        var request = WireRequest(method: .get, url: .local(nginx.port(.plain)))
        change(&request.options)
        let error = await transport.failure(request)
        #expect(error?.kind == .unsupported(feature), "\(feature) \(String(describing: error))")
        #expect(error?.message.contains(feature.rawValue) == true)
      }
    }
  }
}
