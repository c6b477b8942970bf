import CurlTransport
import HTTPSemantics
import TestSupport
import Testing
import Values

/// Each way in which no response comes, as the same kind of error from each transport.
@Suite(.serialized, .enabled(if: NginxServer.isAvailable, "needs nginx and openssl"), .timeLimit(.minutes(10)))
struct FailureTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var url: @Sendable () throws -> HTTPURL
    var limits = ExchangeLimits(idle: .seconds(60), total: .seconds(120))
    var kind: TransportError.Kind
    /// What libcurl's message says.
    var message: String
    var testDescription: String { name }
  }

  private static func secure(_ listener: NginxServer.Listener, host: String = "localhost")
    -> @Sendable () throws -> HTTPURL
  {
    { .local(try NginxServer.shared.get().port(listener), scheme: "https", host: host) }
  }

  static let cases = [
    Case(
      name: "no such host", url: { .local(80, host: "no-such-host.invalid") }, kind: .dns,
      message: "the host name \"no-such-host.invalid\" could not be resolved"),
    Case(
      name: "refused", url: { .local(Int(try unusedPort())) }, kind: .connection, message: "connection refused"),
    Case(
      name: "refused over TLS", url: { .local(Int(try unusedPort()), scheme: "https") }, kind: .connection,
      message: "connection refused"),
    Case(name: "an unknown issuer", url: secure(.secure), kind: .tls, message: "has an unknown issuer"),
    Case(
      name: "self-signed", url: secure(.selfSigned), kind: .tls, message: "the certificate of localhost is self-signed"),
    Case(name: "a refused handshake", url: secure(.refusing), kind: .tls, message: "no TLS connection could be made"),
    Case(
      name: "TLS to a plain server", url: secure(.plain), kind: .tls, message: "does not speak TLS"),
  ]

  @Test("a failure", arguments: TransportUnderTest.allCases, cases)
  func failure(_ kind: TransportUnderTest, _ example: Case) async throws {
    let request = WireRequest(method: .get, url: try example.url(), limits: example.limits)
    let error = try #require(await kind.make().failure(request))
    #expect(error.kind == example.kind, "\(error)")
    if kind == .curl {
      #expect("\(error.message) \(error.help ?? "")".contains(example.message), "\(error)")
    } else {
      #expect(!error.message.isEmpty)
    }
  }

  @Test("plain HTTP to a TLS port is what the server makes of it", arguments: TransportUnderTest.allCases)
  func plainToTLS(_ kind: TransportUnderTest) async throws {
    let sink = CollectingSink()
    let url = HTTPURL.local(try NginxServer.shared.get().port(.secure))
    #expect(await kind.make().failure(WireRequest(method: .get, url: url), into: sink) == nil)
    #expect(sink.head?.status == 400)
    #expect(sink.text.contains("plain HTTP request was sent to HTTPS port"))
  }

  @Test("which clock ran out", arguments: TransportUnderTest.allCases)
  func clocks(_ kind: TransportUnderTest) async throws {
    let server = try FaultServer.start(
      #"""
      /silent
      hang
      /stalls
      send "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"
      hang
      /drips
      send "HTTP/1.1 200 OK\r\n\r\n"
      trickle 100ms "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      /drips-head
      trickle 100ms "HTTP/1.1 200 OK\r\nX-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      """#)
    defer { server.stop() }
    let short = Duration.milliseconds(300)
    let long = Duration.seconds(60)
    let table: [(String, ExchangeLimits, TransportError.Clock)] = [
      ("/silent", ExchangeLimits(idle: short, total: long), .request),
      ("/silent", ExchangeLimits(idle: long, total: short), .resource),
      ("/stalls", ExchangeLimits(idle: short, total: long), .request),
      ("/stalls", ExchangeLimits(idle: long, total: short), .resource),
      // Each byte starts the gap anew; the whole does not care.
      ("/drips", ExchangeLimits(idle: .seconds(5), total: .milliseconds(800)), .resource),
      ("/drips-head", ExchangeLimits(idle: .seconds(5), total: .milliseconds(800)), .resource),
    ]
    let transport = kind.make()
    for (path, limits, clock) in table {
      let error = await transport.failure(WireRequest(.get, server, path, limits: limits))
      #expect(error?.kind == .timeout(clock), "\(path) \(String(describing: error))")
    }
  }
}
