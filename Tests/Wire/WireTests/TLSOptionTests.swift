import CurlTransport
import HTTPSemantics
import TestSupport
import Testing
import Values

/// TLS as libcurl makes it, with nginx on the other side.
@Suite(.serialized, .enabled(if: NginxServer.isAvailable, "needs nginx and openssl"), .timeLimit(.minutes(10)))
struct TLSOptionTests {
  enum Expected: Sendable {
    /// `protocol|server name|subject of the client's certificate|…` contains the text.
    case connects(String)
    case answers(Int)
    case fails(String)
    /// Before anything is sent: a file is not as it must be.
    case refuses(String)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var listener = NginxServer.Listener.secure
    var host = "localhost"
    var trusts = true
    var change: @Sendable (inout TLSOptions, TestCertificates) throws -> Void = { _, _ in }
    var expected: Expected
    var testDescription: String { name }
  }

  private static func client(
    _ certificate: String, key: String? = nil, passphrase: String? = nil, format: ClientCertificate.Format = .pem
  ) -> @Sendable (inout TLSOptions, TestCertificates) -> Void {
    { options, files in
      options.client = ClientCertificate(
        certificate: files.path(certificate), key: key.map { files.path($0) }, passphrase: passphrase, format: format)
    }
  }

  static let trust = [
    Case(name: "a trusted issuer", expected: .connects("TLSv1.3|localhost|")),
    Case(name: "an address in the certificate", host: "127.0.0.1", expected: .connects("TLSv1.3||")),
    Case(name: "an unknown issuer", trusts: false, expected: .fails("issuer")),
    Case(
      name: "the wrong issuer", change: { $0.certificateAuthorities = $1.path("client-ca.pem") },
      expected: .fails("issuer")),
    Case(
      name: "a missing file of issuers", change: { $0.certificateAuthorities = $1.path("none.pem") },
      expected: .refuses("none.pem")),
    Case(
      name: "a file without issuers", change: { $0.certificateAuthorities = $1.path("files/hello.txt") },
      expected: .refuses("hello.txt")),
    Case(name: "expired", listener: .expired, expected: .fails("the certificate of localhost expired at 20")),
    Case(name: "self-signed", listener: .selfSigned, expected: .fails("the certificate of localhost is self-signed")),
    Case(
      name: "self-signed and trusted", listener: .selfSigned,
      change: { $0.certificateAuthorities = $1.path("self-signed.pem") }, expected: .connects("TLSv1.3")),
    Case(
      name: "another host", listener: .otherHost,
      expected: .fails("the certificate is not for the host localhost, but for other.test")),
    Case(name: "refused", listener: .refusing, expected: .fails("the server knows no such host name")),
    Case(name: "plain HTTP", listener: .plain, expected: .fails("it does not speak TLS")),
    Case(
      name: "expired, unchecked", listener: .expired, change: { options, _ in options.verifies = false },
      expected: .connects("TLSv1.3")),
    Case(
      name: "self-signed, unchecked", listener: .selfSigned, trusts: false,
      change: { options, _ in options.verifies = false }, expected: .connects("TLSv1.3")),
    Case(
      name: "another host, unchecked", listener: .otherHost, change: { options, _ in options.verifies = false },
      expected: .connects("TLSv1.3")),
  ]

  static let versions = [
    Case(
      name: "1.3 at least, of 1.2", listener: .old, change: { options, _ in options.minVersion = .tls13 },
      expected: .fails("the TLS versions of the two sides do not meet")),
    Case(
      name: "1.3 at least", change: { options, _ in options.minVersion = .tls13 }, expected: .connects("TLSv1.3|")),
    Case(
      name: "1.2 at most", change: { options, _ in options.maxVersion = .tls12 }, expected: .connects("TLSv1.2|")),
    Case(name: "1.2 of its own", listener: .old, expected: .connects("TLSv1.2|")),
    Case(
      name: "1.1 at most, of 1.2", listener: .old, change: { options, _ in options.maxVersion = .tls11 },
      expected: .fails("the TLS versions of the two sides do not meet")),
  ]

  static let clients = [
    Case(name: "no client certificate where one is wanted", listener: .mutual, expected: .answers(400)),
    Case(
      name: "PEM and key", listener: .mutual, change: client("client.pem", key: "client.key"),
      expected: .connects("|CN=Ann|")),
    Case(
      name: "PEM with its key", listener: .mutual, change: client("client-both.pem"), expected: .connects("|CN=Ann|")),
    Case(
      name: "an encrypted key", listener: .mutual,
      change: client("client.pem", key: "client-encrypted.key", passphrase: TestCertificates.passphrase),
      expected: .connects("|CN=Ann|")),
    Case(
      name: "an encrypted key, wrong passphrase", listener: .mutual,
      change: client("client.pem", key: "client-encrypted.key", passphrase: "wrong"), expected: .refuses("passphrase")),
    Case(
      name: "an encrypted key, no passphrase", listener: .mutual,
      change: client("client.pem", key: "client-encrypted.key"), expected: .refuses("passphrase")),
    Case(
      name: "PKCS#12", listener: .mutual,
      change: client("client.p12", passphrase: TestCertificates.passphrase, format: .p12),
      expected: .connects("|CN=Ann|")),
    Case(
      name: "PKCS#12, wrong passphrase", listener: .mutual,
      change: client("client.p12", passphrase: "wrong", format: .p12), expected: .refuses("passphrase")),
    Case(
      name: "DER", listener: .mutual, change: client("client.der", key: "client-key.der", format: .der),
      expected: .connects("|CN=Ann|")),
    Case(
      name: "the key of another certificate", listener: .mutual, change: client("client.pem", key: "server.key"),
      expected: .refuses("key")),
    Case(
      name: "a missing certificate", listener: .mutual, change: client("none.pem", key: "client.key"),
      expected: .refuses("none.pem")),
    Case(
      name: "a certificate of an issuer that the server does not know", listener: .mutual,
      change: client("server.pem", key: "server.key"), expected: .answers(400)),
    Case(
      name: "a client certificate nobody wants", change: client("client.pem", key: "client.key"),
      expected: .connects("TLSv1.3")),
  ]

  private static let wrongPin = String(repeating: "A", count: 43) + "="

  static let pins = [
    Case(name: "the pinned key", change: { $0.pinnedKeys = [try $1.pin] }, expected: .connects("TLSv1.3")),
    Case(
      name: "one of the pinned keys", change: { $0.pinnedKeys = [wrongPin, try $1.pin] }, expected: .connects("TLSv1.3")
    ),
    Case(
      name: "another key", change: { options, _ in options.pinnedKeys = [wrongPin] },
      expected: .fails("matches no pinned key")),
    Case(
      name: "another key, unchecked otherwise",
      change: { options, _ in
        options.pinnedKeys = [wrongPin]
        options.verifies = false
      }, expected: .fails("matches no pinned key")),
  ]

  @Test("TLS", arguments: trust + versions + clients + pins)
  func tls(_ example: Case) async throws {
    let nginx = try NginxServer.shared.get()
    var url = HTTPURL.local(nginx.port(example.listener), scheme: "https", host: example.host)
    url.path = "/connection"
    var request = WireRequest(method: .get, url: url, limits: ExchangeLimits(total: .seconds(120)))
    if example.trusts { request.options.tls.certificateAuthorities = nginx.certificates.path("ca.pem") }
    try example.change(&request.options.tls, nginx.certificates)
    let sink = CollectingSink()
    let error = await LibcurlTransport().failure(request, into: sink)
    switch example.expected {
    case .connects(let text):
      #expect(error == nil)
      #expect(sink.head?.status == 200)
      #expect(sink.text.contains(text), "\(sink.text)")
    case .answers(let status):
      #expect(error == nil)
      #expect(sink.head?.status == status)
    case .fails(let words), .refuses(let words):
      if case .fails = example.expected {
        #expect(error?.kind == .tls, "\(String(describing: error)) \(sink.text)")
      } else {
        #expect(error?.kind == .invalidRequest, "\(String(describing: error))")
      }
      let text = "\(error?.message ?? "") \(error?.help ?? "")"
      #expect(text.contains(words), "\(text)")
      #expect(!text.contains(TestCertificates.passphrase) && !text.contains("wrong\""))
    }
    if example.listener == .mutual || example.listener == .plain { return }
    // The others learn nothing of it.
    let plain = WireRequest(method: .get, url: url, limits: ExchangeLimits(total: .seconds(120)))
    #expect(await LibcurlTransport().failure(plain)?.kind == .tls)
  }

  @Test("options that make TLS otherwise never share a connection")
  func separation() async throws {
    let nginx = try NginxServer.shared.get()
    let transport = LibcurlTransport()
    var trusting = WireRequest(
      method: .get, url: .local(nginx.port(.secure), scheme: "https", host: "localhost"),
      limits: ExchangeLimits(total: .seconds(120)))
    trusting.options.tls.certificateAuthorities = nginx.certificates.path("ca.pem")
    var wrong = trusting
    wrong.options.tls.certificateAuthorities = nginx.certificates.path("client-ca.pem")
    var pinned = trusting
    pinned.options.tls.pinnedKeys = [Self.wrongPin]
    var plain = trusting
    plain.options.tls.certificateAuthorities = nil
    var unchecked = plain
    unchecked.options.tls.verifies = false
    for _ in 0..<2 {
      #expect(await transport.failure(trusting) == nil)
      #expect(await transport.failure(unchecked) == nil)
      for request in [wrong, pinned, plain] { #expect(await transport.failure(request)?.kind == .tls) }
    }
  }

  @Test("the server's certificates, on new connections and used ones")
  func certificates() async throws {
    let nginx = try NginxServer.shared.get()
    let transport = LibcurlTransport()
    var request = WireRequest(
      method: .get, url: .local(nginx.port(.secure), scheme: "https", host: "localhost"),
      limits: ExchangeLimits(total: .seconds(120)))
    request.options.tls.certificateAuthorities = nginx.certificates.path("ca.pem")
    #expect(try await transport.exchange(request, into: CollectingSink()).certificateChain == nil)
    request.options.wantsCertificates = true
    let file = try #require(nginx.folder.text("server.pem"))
    for _ in 0..<3 {
      let chain = try await transport.exchange(request, into: CollectingSink()).certificateChain
      #expect(
        chain?.first.map { file.contains($0.filter { !$0.isNewline }) || $0.contains("BEGIN CERTIFICATE") } == true)
      let body = chain?.first?.split(separator: "\n").dropFirst().first.map(String.init) ?? "?"
      #expect(file.contains(body))
    }
  }
}
