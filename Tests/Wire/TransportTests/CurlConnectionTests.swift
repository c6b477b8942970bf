import CurlTransport
import HTTPSemantics
import TestSupport
import Testing
import Values

/// Versions of HTTP, addresses, sockets, interfaces and rates.
@Suite(.serialized, .enabled(if: NginxServer.isAvailable, "needs nginx and openssl"), .timeLimit(.minutes(10)))
struct CurlConnectionTests {
  struct Version: Sendable, CustomTestStringConvertible {
    var choice: HTTPVersionChoice
    var listener: NginxServer.Listener
    /// Of the response; nil is an error.
    var answered: String?
    var testDescription: String { "\(choice.rawValue) of \(listener.rawValue)" }
  }

  static let versions = [
    Version(choice: .automatic, listener: .secure, answered: "2"),
    Version(choice: .automatic, listener: .old, answered: "1.1"),
    Version(choice: .automatic, listener: .plain, answered: "1.1"),
    Version(choice: .http10, listener: .plain, answered: "1.1"),
    Version(choice: .http11, listener: .secure, answered: "1.1"),
    Version(choice: .http2, listener: .secure, answered: "2"),
    Version(choice: .http2, listener: .old, answered: "1.1"),
    Version(choice: .http2, listener: .plain, answered: "1.1"),
    Version(choice: .http2PriorKnowledge, listener: .prior, answered: "2"),
    Version(choice: .http2PriorKnowledge, listener: .secure, answered: "2"),
    Version(choice: .http2PriorKnowledge, listener: .plain),
  ]

  @Test("versions of HTTP, all over one transport")
  func httpVersions() async throws {
    let transport = LibcurlTransport()
    for version in Self.versions {
      var request = try Self.request(version.listener, "/echo")
      request.options.httpVersion = version.choice
      let sink = CollectingSink()
      let error = await transport.failure(request, into: sink)
      #expect(sink.head?.httpVersion == version.answered, "\(version)")
      if version.answered == nil {
        #expect(
          error?.message.contains(" does not seem to speak HTTP/2: ") == true,
          "\(version): \(String(describing: error)) \(sink.text)")
      } else {
        #expect(error == nil, "\(version)")
        if version.choice == .http10 { #expect(sink.text.hasPrefix("GET /echo HTTP/1.0"), "\(sink.text)") }
      }
    }
  }

  @Test("HTTP/3 is refused with the reason where libcurl has none", arguments: [HTTPVersionChoice.http3, .http3Only])
  func http3(_ choice: HTTPVersionChoice) async throws {
    var request = try Self.request(.secure, "/echo")
    request.options.httpVersion = choice
    let error = await LibcurlTransport().failure(request)
    if LibcurlTransport.capabilities.unsupported[.http3] == nil {
      #expect(error?.kind != .unsupported(.http3))
    } else {
      #expect(error?.kind == .unsupported(.http3))
      #expect(error?.message.contains("HTTP/3: libcurl ") == true)
      #expect(error?.help?.contains("transport: curl") == false)
    }
  }

  private static func request(_ listener: NginxServer.Listener, _ path: String) throws -> WireRequest {
    let nginx = try NginxServer.shared.get()
    let isPlain = listener == .plain || listener == .prior
    var request = WireRequest(
      method: .get,
      url: HTTPURL(scheme: isPlain ? "http" : "https", host: "localhost", port: nginx.port(listener), path: path),
      limits: ExchangeLimits(total: .seconds(120)))
    if !isPlain { request.options.tls.certificateAuthorities = nginx.certificates.path("ca.pem") }
    return request
  }

  @Test("HTTP/2 by Upgrade: 101 is told as informational, then the response comes")
  func upgrade() async throws {
    // SETTINGS, then HEADERS (`:status: 200` is entry 8 of HPACK's table) and DATA of stream 1.
    let server = try FaultServer.start(
      #"""
      /x
      send "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
      send "\0\0\0\x04\0\0\0\0\0"
      send "\0\0\x01\x01\x04\0\0\0\x01\x88"
      send "\0\0\x02\0\x01\0\0\0\x01ok"
      read
      """#)
    defer { server.stop() }
    var request = WireRequest(.get, server, "/x")
    request.options.httpVersion = .http2
    let sink = CollectingSink()
    _ = try await LibcurlTransport().exchange(request, into: sink)
    #expect(sink.informational.map(\.status) == [101])
    #expect(sink.heads.map(\.status) == [200])
    #expect(sink.head?.httpVersion == "2")
    #expect(sink.text == "ok")
  }

  @Test("`resolve` and `connect_to` lead elsewhere, for who asks for it alone")
  func elsewhere() async throws {
    let nginx = try NginxServer.shared.get()
    let transport = LibcurlTransport()
    let plain = nginx.port(.plain)
    func text(_ request: WireRequest) async throws -> String {
      let sink = CollectingSink()
      let summary = try await transport.exchange(request, into: sink)
      #expect(summary.localAddress?.isEmpty == false)
      return sink.text + (summary.remoteAddress ?? "")
    }
    var request = try Self.request(.plain, "/echo")
    request.url.host = "a.wire.test"
    #expect(await transport.failure(request)?.kind == .dns)
    request.options.addressOverrides = [
      AddressOverride(host: "A.wire.test", port: plain, addresses: ["::1", "127.0.0.1"])
    ]
    let resolved = try await text(request)
    #expect(resolved.contains("Host: a.wire.test:\(plain)\n"))
    request.options.addressOverrides = [AddressOverride(host: "*", port: plain, addresses: ["::1"])]
    #expect(try await text(request).hasSuffix("[::1]:\(plain)"))
    request.options.addressOverrides = []
    #expect(await transport.failure(request)?.kind == .dns, "neither names nor connections are those of others")

    request.url.port = nil
    request.options.connectTo = [
      ConnectTo(host: "other.test", port: nil, targetHost: "127.0.0.1", targetPort: 1),
      ConnectTo(host: "a.wire.test", port: 80, targetHost: "::1", targetPort: plain),
    ]
    let connected = try await text(request)
    #expect(connected.contains("Host: a.wire.test\n"))
    #expect(connected.hasSuffix("[::1]:\(plain)"))
    // The name is that of the URL for TLS too.
    var secure = try Self.request(.secure, "/connection")
    secure.url.host = "b.wire.test"
    secure.options.connectTo = [ConnectTo(host: "", port: nil, targetHost: "127.0.0.1", targetPort: nil)]
    #expect(try await text(secure).contains("|b.wire.test|"))

    let unused = Int(try unusedPort())
    request.options.connectTo = [ConnectTo(host: "", port: nil, targetHost: "127.0.0.1", targetPort: unused)]
    let error = await transport.failure(request)
    #expect(
      error?.message == "could not connect to a.wire.test:80 (connect_to 127.0.0.1:\(unused)): connection refused")
  }

  @Test("a Unix socket, by path and by abstract name")
  func unixSocket() async throws {
    let nginx = try NginxServer.shared.get()
    var request = try Self.request(.plain, "/echo")
    request.url.host = "a.test"
    request.url.port = nil
    request.options.unixSocket = nginx.unixSocket
    let sink = CollectingSink()
    _ = try await LibcurlTransport().exchange(request, into: sink)
    #expect(sink.text.contains("Host: a.test\n"))
    request.options.unixSocket = "/nonexistent/socket"
    let missing = await LibcurlTransport().failure(request)
    #expect(missing?.kind == .connection)
    #expect(
      missing?.message
        == "could not connect to a.test:80 (by the Unix socket /nonexistent/socket): no such file or directory")
    #if os(Linux)
      let server = try FaultServer.start(
        #"send "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok""#, abstractSocket: "reqrun \(nginx.port(.plain))")
      defer { server.stop() }
      request.options.unixSocket = "@reqrun \(nginx.port(.plain))"
      let abstract = CollectingSink()
      _ = try await LibcurlTransport().exchange(request, into: abstract)
      #expect(abstract.text == "ok")
      #expect(server.requests.first?.header("Host") == "a.test")
      request.options.unixSocket = "@reqrun-nobody"
      #expect(
        await LibcurlTransport().failure(request)?.message
          == "could not connect to a.test:80 (by the Unix socket @reqrun-nobody): connection refused")
    #endif
  }

  @Test("an address to send from, and a family of addresses")
  func interface() async throws {
    let nginx = try NginxServer.shared.get()
    let transport = LibcurlTransport()
    var request = try Self.request(.plain, "/connection")
    request.options.interface = secondLoopbackAddress
    let sink = CollectingSink()
    let summary = try await transport.exchange(request, into: sink)
    #expect(sink.text.contains("|\(secondLoopbackAddress)|"))
    #expect(summary.localAddress?.hasPrefix("\(secondLoopbackAddress):") == true)
    request.options.interface = "nic9"
    let error = await transport.failure(request)
    #expect(error?.kind == .connection)
    #expect(error?.message.hasPrefix("nothing can be sent from \"nic9\": ") == true)
    request.options.interface = nil
    for (family, address) in [(AddressFamily.ipv4, "127.0.0.1"), (.ipv6, "[::1]")] {
      request.url.host = "localhost"
      request.options.addressFamily = family
      let summary = try await transport.exchange(request, into: CollectingSink())
      #expect(summary.remoteAddress == "\(address):\(nginx.port(.plain))")
    }
  }

  @Test("the rate of sending is kept, roughly")
  func sendRate() async throws {
    var request = try Self.request(.plain, "/dav/rate")
    request.method = .put
    request.body = .bytes([UInt8](repeating: 65, count: 300_000))
    request.options.maxSendRate = 400_000
    let sent = try await ContinuousClock().measure { [request] in
      _ = try await LibcurlTransport().exchange(request, into: CollectingSink())
    }
    #expect(sent > .milliseconds(400))
    #expect(sent < .seconds(60))
  }
}
