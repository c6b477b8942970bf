import CurlTransport
import HTTPSemantics
import TestSupport
import Testing
import Values

/// Proxies of each kind, and errors that name the proxy where it is at fault.
@Suite(.serialized, .enabled(if: NginxServer.isAvailable, "needs nginx and openssl"), .timeLimit(.minutes(10)))
struct CurlProxyTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var kind: Proxy.Kind
    var isSecure = false
    var tunnels = false
    var host = "localhost"
    var credentials: String?
    /// What the proxy was asked for, `<port>` standing for the server's.
    var request: String
    var testDescription: String { "\(kind.rawValue)\(isSecure ? ", TLS" : "")\(tunnels ? ", tunnels" : "") \(request)" }
  }

  static let cases = [
    Case(kind: .http, request: "GET http://localhost:<port>/hello.txt"),
    Case(kind: .http, tunnels: true, request: "CONNECT localhost:<port>"),
    Case(kind: .http, isSecure: true, request: "CONNECT localhost:<port>"),
    Case(
      kind: .http, isSecure: true, credentials: "ann:secret word",
      request: "CONNECT localhost:<port> as ann:secret word"),
    Case(
      kind: .http, credentials: "ann:secret word",
      request: "GET http://localhost:<port>/hello.txt as ann:secret word"),
    Case(kind: .socks4, request: "socks4 127.0.0.1:<port>"),
    Case(kind: .socks4a, isSecure: true, request: "socks4a localhost:<port>"),
    Case(kind: .socks5, request: "socks5 127.0.0.1:<port>"),
    Case(kind: .socks5h, host: "a.wire.test", request: "socks5 a.wire.test:<port>"),
    Case(
      kind: .socks5h, isSecure: true, credentials: "ann:secret word",
      request: "socks5 localhost:<port> as ann:secret word"),
  ]

  @Test("through a proxy", arguments: cases)
  func through(_ example: Case) async throws {
    let nginx = try NginxServer.shared.get()
    let server = try ProxyServer.start(credentials: example.credentials)
    defer { server.stop() }
    let port = nginx.port(example.isSecure ? .secure : .plain)
    var request = Self.request(host: example.host, port: port, isSecure: example.isSecure)
    request.options.tls.certificateAuthorities = nginx.certificates.path("ca.pem")
    let words = example.credentials?.split(separator: ":").map(String.init)
    request.options.proxy = Proxy(
      kind: example.kind, host: "127.0.0.1", port: server.port, username: words?[0], password: words?[1],
      tunnels: example.tunnels)
    let transport = LibcurlTransport()
    let sink = CollectingSink()
    _ = try await transport.exchange(request, into: sink)
    #expect(sink.text == "hello")
    #expect(sink.heads.map(\.status) == [200])
    #expect(sink.informational.isEmpty)
    #expect(server.requests.map { $0.replacing(":\(port)", with: ":<port>") } == [example.request])
    // Without the proxy there is a connection of its own.
    var direct = request
    direct.options.proxy = nil
    direct.url.host = "localhost"
    let summary = try await transport.exchange(direct, into: CollectingSink())
    #expect(summary.wasConnectionReused == false)
    #expect(server.requests.count == 1)
  }

  private static func request(host: String = "localhost", port: Int, isSecure: Bool) -> WireRequest {
    WireRequest(
      method: .get, url: HTTPURL(scheme: isSecure ? "https" : "http", host: host, port: port, path: "/hello.txt"),
      limits: ExchangeLimits(total: .seconds(120)))
  }

  @Test("credentials in a header that are for the proxy don't go through its tunnel")
  func ownHeader() async throws {
    let origin = try FaultServer.start(#"send "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n""#)
    defer { origin.stop() }
    let server = try ProxyServer.start(credentials: "ann:secret word")
    defer { server.stop() }
    var request = Self.request(port: Int(origin.port), isSecure: false)
    request.options.proxy = Proxy(kind: .http, host: "127.0.0.1", port: server.port, tunnels: true)
    request.headers.append("Proxy-Authorization", "Basic YW5uOnNlY3JldCB3b3Jk")
    request.headers.append("X-Own", "1")
    _ = try await LibcurlTransport().exchange(request, into: CollectingSink())
    #expect(server.requests == ["CONNECT localhost:\(origin.port) as ann:secret word"])
    #expect(origin.requests.map { $0.header("Proxy-Authorization") } == [nil])
    #expect(origin.requests.map { $0.header("X-Own") } == ["1"])
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var name: String
    /// The script of the proxy; nil is a port where nothing listens.
    var script: String?
    var kind = Proxy.Kind.http
    var host = "127.0.0.1"
    var isSecure = true
    var error = TransportError.Kind.connection
    var message: String
    var testDescription: String { name }
  }

  static let refusals = [
    Refusal(name: "refused", message: "could not connect to the proxy http://<proxy>: connection refused"),
    Refusal(
      name: "SOCKS, refused", kind: .socks5,
      message: "could not connect to the proxy socks5://<proxy>: connection refused"),
    Refusal(
      name: "no such host", host: "no-such-host.invalid", error: .dns,
      message: "the host name of the proxy http://<proxy> could not be resolved"),
    Refusal(
      name: "407 for a tunnel",
      script: #"send "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n""#,
      message: "the proxy http://<proxy> does not accept the credentials (status 407)"),
    Refusal(
      name: "407 for a URL",
      script: #"send "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 2\r\n\r\nno""#,
      isSecure: false, message: "the proxy http://<proxy> does not accept the credentials (status 407)"),
    Refusal(
      name: "502", script: #"send "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 2\r\n\r\nno""#,
      message: "the proxy http://<proxy> opens no tunnel to a.test:7: it answered with status 502"),
    Refusal(
      name: "closed", script: "close",
      message: "the proxy http://<proxy> opened no tunnel to a.test:7: proxy CONNECT aborted"),
  ]

  @Test("a proxy at fault is named, without its credentials", arguments: refusals)
  func refusal(_ example: Refusal) async throws {
    let server = try example.script.map { try FaultServer.start($0) }
    defer { server?.stop() }
    let port = Int(try server?.port ?? unusedPort())
    var request = Self.request(host: "a.test", port: 7, isSecure: example.isSecure)
    request.options.proxy = Proxy(
      kind: example.kind, host: example.host, port: port, username: "ann", password: "secret word")
    let sink = CollectingSink()
    let error = await LibcurlTransport().failure(request, into: sink)
    #expect(error?.kind == example.error)
    let message = error?.message.replacing("\(example.host):\(port)", with: "<proxy>") ?? ""
    #expect(message == example.message)
    #expect("\(error?.message ?? "")\(error?.help ?? "")".contains("secret") == false)
    #expect(sink.head == nil)
  }

  @Test("TLS with the proxy is told from TLS with the server")
  func proxyTLS() async throws {
    let nginx = try NginxServer.shared.get()
    var request = Self.request(host: "a.test", port: 80, isSecure: false)
    request.options.proxy = Proxy(kind: .https, host: "localhost", port: nginx.port(.plain))
    let plain = await LibcurlTransport().failure(request)
    #expect(
      plain?.message
        == "no TLS connection could be made with the proxy https://localhost:\(nginx.port(.plain)): it does not speak TLS"
    )
    request.options.proxy?.port = nginx.port(.secure)
    let unknown = await LibcurlTransport().failure(request)
    #expect(
      unknown?.message
        == "the certificate of the proxy localhost:\(nginx.port(.secure)) has an unknown issuer, \"CN=Wire Test CA\"")
    request.options.tls.verifies = false
    #expect(await LibcurlTransport().failure(request)?.message == unknown?.message, "that is for the server alone")
    request.options.tls.verifies = true
    // With the authority, nginx answers as what it is: no proxy, but a server.
    request.options.tls.certificateAuthorities = nginx.certificates.path("ca.pem")
    #expect(await LibcurlTransport().failure(request) == nil)
  }

  @Test("a proxy that never answers is named", arguments: [Proxy.Kind.https, .http, .socks5])
  func silentProxy(_ kind: Proxy.Kind) async throws {
    let server = try FaultServer.start("hang")
    defer { server.stop() }
    var request = Self.request(host: "a.test", port: 443, isSecure: true)
    request.limits.connect = .milliseconds(200)
    request.options.proxy = Proxy(
      kind: kind, host: "127.0.0.1", port: Int(server.port), username: "ann", password: "secret word")
    let error = await LibcurlTransport().failure(request)
    #expect(error?.kind == .timeout(.connect))
    #expect(
      error?.message
        == "no connection was made within 200ms through the proxy \(kind.rawValue)://127.0.0.1:\(server.port)")
    #expect(error?.help == "check that the proxy answers on that port, or raise timeout.connect")
  }

  @Test("SOCKS refusals name the proxy and its reason")
  func socksRefusals() async throws {
    let server = try ProxyServer.start(credentials: "ann:right")
    defer { server.stop() }
    var request = Self.request(host: "a.test", port: Int(try unusedPort()), isSecure: false)
    request.options.proxy = Proxy(
      kind: .socks5h, host: "127.0.0.1", port: server.port, username: "ann", password: "wrong")
    let place = "the proxy socks5h://127.0.0.1:\(server.port) does not connect to a.test:\(request.url.effectivePort)"
    let transport = LibcurlTransport()
    #expect(await transport.failure(request)?.message == "\(place): it refuses the user name and password")
    request.options.proxy?.password = "right"
    #expect(await transport.failure(request)?.message == "\(place): the server refused its connection")
  }

  @Test("the response to CONNECT is never taken for the response")
  func connectHead() async throws {
    let server = try FaultServer.start(
      #"""
      send "HTTP/1.1 200 Connection established\r\nX-Proxy: 1\r\n\r\n"
      /x
      send "HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nno"
      """#)
    defer { server.stop() }
    var request = Self.request(host: "a.test", port: 80, isSecure: false)
    request.url.path = "/x"
    request.options.proxy = Proxy(kind: .http, host: "127.0.0.1", port: Int(server.port), tunnels: true)
    let sink = CollectingSink()
    _ = try await LibcurlTransport().exchange(request, into: sink)
    #expect(sink.heads.map(\.status) == [404])
    #expect(sink.head?.headers.contains("X-Proxy") == false)
    #expect(server.requests.map(\.target) == ["a.test:80", "/x"])
  }

  @Test("digest with the proxy takes two legs, of which one is told")
  func proxyDigest() async throws {
    let server = try FaultServer.start(
      #"""
      send "HTTP/1.1 407 No\r\nProxy-Authenticate: Digest realm=\"p\", nonce=\"abc\", qop=\"auth\"\r\nContent-Length: 4\r\n\r\nwho?"
      """#)
    defer { server.stop() }
    var request = Self.request(host: "a.test", port: 80, isSecure: false)
    request.options.proxy = Proxy(
      kind: .http, host: "127.0.0.1", port: Int(server.port), username: "ann", password: "secret word",
      authentication: .digest)
    let sink = CollectingSink()
    let error = await LibcurlTransport().failure(request, into: sink)
    #expect(server.requests.count == 2)
    #expect(server.requests.last?.header("Proxy-Authorization")?.hasPrefix("Digest username=\"ann\"") == true)
    #expect(error?.message.contains("does not accept the credentials (status 407)") == true)
    #expect(sink.heads.isEmpty)
    #expect(sink.body.isEmpty)
  }
}
