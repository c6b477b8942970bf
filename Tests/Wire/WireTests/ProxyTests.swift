import CurlTransport
import HTTPSemantics
import TestSupport
import Testing
import Values

/// Proxies between libcurl and nginx.
@Suite(.serialized, .enabled(if: NginxServer.isAvailable, "needs nginx and openssl"), .timeLimit(.minutes(10)))
struct ProxyTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var kind = Proxy.Kind.http
    var listener = NginxServer.Listener.plain
    var host = "127.0.0.1"
    /// `user:password` that the proxy wants.
    var wanted: String?
    var given: String?
    var tunnels = false
    /// What the proxy was asked for; `<port>` is that of the listener.
    var requests: [String]
    /// Nil is success.
    var failure: String?
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "HTTP", requests: ["GET http://127.0.0.1:<port>/connection"]),
    Case(name: "HTTP, by a tunnel", tunnels: true, requests: ["CONNECT 127.0.0.1:<port>"]),
    Case(
      name: "HTTP, a name that only the proxy knows", host: "a.invalid",
      requests: ["GET http://a.invalid:<port>/connection"]),
    Case(name: "TLS through HTTP", listener: .secure, host: "localhost", requests: ["CONNECT localhost:<port>"]),
    Case(
      name: "TLS through HTTP, a name that only the proxy knows", listener: .secure, host: "a.wire.test",
      requests: ["CONNECT a.wire.test:<port>"]),
    Case(
      name: "with credentials", wanted: "ann:se cret", given: "ann:se cret",
      requests: ["GET http://127.0.0.1:<port>/connection as ann:se cret"]),
    Case(
      name: "TLS, with credentials", listener: .secure, host: "localhost", wanted: "ann:secret", given: "ann:secret",
      requests: ["CONNECT localhost:<port> as ann:secret"]),
    Case(
      name: "without credentials", wanted: "ann:secret", requests: ["GET http://127.0.0.1:<port>/connection"],
      failure: "asks for credentials"),
    Case(
      name: "TLS, without credentials", listener: .secure, host: "localhost", wanted: "ann:secret",
      requests: ["CONNECT localhost:<port>"], failure: "asks for credentials"),
    Case(
      name: "with wrong credentials", wanted: "ann:secret", given: "ann:hidden",
      requests: ["GET http://127.0.0.1:<port>/connection as ann:hidden"], failure: "does not accept the credentials"),
    Case(name: "SOCKS5", kind: .socks5, requests: ["socks5 127.0.0.1:<port>"]),
    Case(
      name: "SOCKS5, a name that only the proxy knows", kind: .socks5h, host: "a.invalid",
      requests: ["socks5 a.invalid:<port>"]),
    Case(
      name: "TLS through SOCKS5", kind: .socks5h, listener: .secure, host: "localhost",
      requests: ["socks5 localhost:<port>"]),
    Case(
      name: "SOCKS5 with credentials", kind: .socks5, wanted: "ann:secret", given: "ann:secret",
      requests: ["socks5 127.0.0.1:<port> as ann:secret"]),
    Case(
      name: "SOCKS5 with wrong credentials", kind: .socks5, wanted: "ann:secret", given: "ann:hidden", requests: [],
      failure: "it refuses the user name and password"),
    Case(name: "SOCKS4", kind: .socks4, requests: ["socks4 127.0.0.1:<port>"]),
    Case(name: "SOCKS4a", kind: .socks4a, host: "a.invalid", requests: ["socks4a a.invalid:<port>"]),
    Case(name: "TLS to a proxy that speaks none", kind: .https, requests: [], failure: "it does not speak TLS"),
  ]

  private func proxy(_ kind: Proxy.Kind, _ port: Int, _ credentials: String? = nil) -> Proxy {
    let parts = credentials?.split(separator: ":").map(String.init)
    return Proxy(kind: kind, host: "127.0.0.1", port: port, username: parts?.first, password: parts?.last)
  }

  @Test("through a proxy", arguments: cases)
  func proxied(_ example: Case) async throws {
    let nginx = try NginxServer.shared.get()
    let server = try ProxyServer.start(credentials: example.wanted)
    defer { server.stop() }
    let isSecure = example.listener == .secure
    var url = HTTPURL.local(nginx.port(example.listener), scheme: isSecure ? "https" : "http", host: example.host)
    url.path = "/connection"
    var request = WireRequest(
      method: .get, url: url, limits: ExchangeLimits(connect: .seconds(60), idle: .seconds(60), total: .seconds(120)))
    request.options.proxy = proxy(example.kind, server.port, example.given)
    request.options.proxy?.tunnels = example.tunnels
    if isSecure { request.options.tls.certificateAuthorities = nginx.certificates.path("ca.pem") }
    let sink = CollectingSink()
    let error = await LibcurlTransport().failure(request, into: sink)
    #expect(server.requests == example.requests.map { $0.replacing("<port>", with: "\(url.effectivePort)") })
    if let words = example.failure {
      let text = "\(error?.message ?? "no error") \(error?.help ?? "")"
      #expect(text.contains(words), "\(text)")
      #expect(!text.contains("hidden") && !text.contains("secret"))
      #expect(error?.kind == (example.kind == .https ? .tls : .connection))
    } else {
      #expect(error == nil)
      #expect(sink.text.contains("|127.0.0.1"), "\(sink.text)")
    }
  }

  @Test("a proxy that is not there, can't go on, or is none")
  func failures() async throws {
    let nothing = Int(try unusedPort())
    var request = WireRequest(
      method: .get, url: .local(nothing), limits: ExchangeLimits(idle: .seconds(60), total: .seconds(120)))
    request.options.proxy = proxy(.http, Int(try unusedPort()))
    let refused = await LibcurlTransport().failure(request)
    #expect(refused?.kind == .connection)
    #expect(refused?.message.contains("could not connect to the proxy http://127.0.0.1:") == true)

    let server = try ProxyServer.start()
    defer { server.stop() }
    request.options.proxy = proxy(.http, server.port)
    request.options.proxy?.tunnels = true
    let unreachable = await LibcurlTransport().failure(request)
    #expect(unreachable?.kind == .connection)
    #expect(unreachable?.message.contains("it answered with status 502") == true, "\(String(describing: unreachable))")
    request.options.proxy = proxy(.socks5, server.port)
    let socks = await LibcurlTransport().failure(request)
    #expect(socks?.kind == .connection)
    #expect(socks?.message.contains("the server refused its connection") == true, "\(String(describing: socks))")

    let garbage = try FaultServer.start("send \"220 mail ready\\r\\n\"\nclose")
    defer { garbage.stop() }
    for kind in [Proxy.Kind.http, .socks4, .socks5] {
      request.options.proxy = proxy(kind, Int(garbage.port))
      request.options.proxy?.tunnels = kind == .http
      // The server waits for the end of a head, which SOCKS has none of.
      request.limits = ExchangeLimits(connect: kind == .http ? .seconds(60) : .milliseconds(500))
      let error = await LibcurlTransport().failure(request)
      #expect(error != nil)
      if kind == .http { #expect(error?.kind == .connection, "\(String(describing: error))") }
    }
  }
}
