import CurlTransport
import Foundation
import HTTPSemantics
import TestSupport
import Testing
import Values

/// What `tls` says of the connection, against nginx.
@Suite(.serialized, .enabled(if: NginxServer.isAvailable, "needs nginx and openssl"), .timeLimit(.minutes(10)))
struct CurlTLSTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var listener = NginxServer.Listener.secure
    var host = "localhost"
    var trustsIssuer = true
    var options: @Sendable (inout TLSOptions, TestCertificates) throws -> Void = { _, _ in }
    /// What the response's body begins with; nil where there is none.
    var text: String?
    var kind = TransportError.Kind.tls
    /// Of the error, `<folder>` standing for that of the certificates.
    var message: String?
    var testDescription: String { name }
  }

  private static func client(
    _ certificate: String, key: String? = nil, passphrase: String? = nil, format: ClientCertificate.Format = .pem
  ) -> @Sendable (inout TLSOptions, TestCertificates) -> Void {
    { tls, certificates in
      tls.client = ClientCertificate(
        certificate: certificates.path(certificate), key: key.map(certificates.path), passphrase: passphrase,
        format: format)
    }
  }

  static let trust = [
    Case(name: "the authority is named", text: "TLSv1.3|localhost||"),
    Case(name: "an address in the certificate", host: "127.0.0.1", text: "TLSv1.3|"),
    Case(name: "no check", trustsIssuer: false, options: { tls, _ in tls.verifies = false }, text: "TLSv1.3|"),
    Case(
      name: "no check of a certificate for another host", listener: .otherHost,
      options: { tls, _ in tls.verifies = false }, text: "TLSv1.3|"),
    Case(
      name: "an unknown issuer", trustsIssuer: false,
      message: "the certificate of localhost has an unknown issuer, \"CN=Wire Test CA\""),
    Case(
      name: "self-signed", listener: .selfSigned, message: "the certificate of localhost is self-signed"),
    Case(
      name: "expired", listener: .expired, message: "the certificate of localhost expired at <instant>"),
    Case(
      name: "another host", listener: .otherHost,
      message: "the certificate is not for the host localhost, but for other.test"),
    Case(
      name: "a refused handshake", listener: .refusing,
      message: "no TLS connection could be made with localhost:<port>: the server knows no such host name"),
    Case(
      name: "a plain server", listener: .plain,
      message: "no TLS connection could be made with localhost:<port>: it does not speak TLS"),
    Case(
      name: "no file of authorities", options: { tls, _ in tls.certificateAuthorities = "/nonexistent.pem" },
      kind: .invalidRequest,
      message: "the file of trusted certificates \"/nonexistent.pem\" cannot be read: no such file or directory"),
    Case(
      name: "authorities without a certificate",
      options: { tls, certificates in tls.certificateAuthorities = certificates.path("server.key") },
      kind: .invalidRequest,
      message: "the file of trusted certificates \"<folder>/server.key\" has no certificate in it"),
  ]

  static let versions = [
    Case(name: "at most 1.2", options: { tls, _ in tls.maxVersion = .tls12 }, text: "TLSv1.2|"),
    Case(name: "at least 1.3", options: { tls, _ in tls.minVersion = .tls13 }, text: "TLSv1.3|"),
    Case(
      name: "at least 1.3 of an old server", listener: .old, options: { tls, _ in tls.minVersion = .tls13 },
      message: "no TLS connection could be made with localhost:<port>: the TLS versions of the two sides do not meet"),
    Case(
      name: "at most 1.1 of a new server", options: { tls, _ in tls.maxVersion = .tls11 },
      message: "no TLS connection could be made with localhost:<port>: the TLS versions of the two sides do not meet"),

    Case(
      name: "no version at all",
      options: { tls, _ in
        tls.minVersion = .tls13
        tls.maxVersion = .tls12
      }, kind: .invalidRequest, message: "no TLS version is at least 1.3 and at most 1.2"),
  ]

  static let pins = [
    Case(name: "the pinned key", options: { try $0.pinnedKeys = [$1.pin] }, text: "TLSv1.3|"),
    Case(
      name: "one of the pinned keys, as curl writes them",
      options: { try $0.pinnedKeys = ["AAAA", "sha256//\($1.pin)"] }, text: "TLSv1.3|"),
    Case(
      name: "none of the pinned keys",
      options: { tls, _ in tls.pinnedKeys = ["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="] },
      message: "the public key of localhost matches no pinned key: it has sha256//<pin>"),
    Case(
      name: "none of the pinned keys, and no check",
      options: { tls, _ in
        tls.verifies = false
        tls.pinnedKeys = ["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]
      }, message: "the public key of localhost matches no pinned key: it has sha256//<pin>"),
  ]

  static let clients = [
    Case(
      name: "PEM", listener: .mutual, options: client("client.pem", key: "client.key"), text: "TLSv1.3|localhost|CN=Ann"
    ),
    Case(
      name: "PEM, all in one file", listener: .mutual, options: client("client-both.pem"),
      text: "TLSv1.3|localhost|CN=Ann"),
    Case(
      name: "PEM, encrypted", listener: .mutual,
      options: client("client.pem", key: "client-encrypted.key", passphrase: TestCertificates.passphrase),
      text: "TLSv1.3|localhost|CN=Ann"),
    Case(
      name: "DER", listener: .mutual, options: client("client.der", key: "client-key.der", format: .der),
      text: "TLSv1.3|localhost|CN=Ann"),
    Case(
      name: "DER with a PEM key", listener: .mutual, options: client("client.der", key: "client.key", format: .der),
      text: "TLSv1.3|localhost|CN=Ann"),
    Case(
      name: "PKCS#12", listener: .mutual,
      options: client("client.p12", passphrase: TestCertificates.passphrase, format: .p12),
      text: "TLSv1.3|localhost|CN=Ann"),
    Case(
      name: "missing", options: client("none.pem"), kind: .invalidRequest,
      message: "the client certificate \"<folder>/none.pem\" cannot be read: no such file or directory"),
    Case(
      name: "missing key", options: client("client.pem", key: "none.key"), kind: .invalidRequest,
      message: "the client key \"<folder>/none.key\" cannot be read: no such file or directory"),
    Case(
      name: "no certificate", options: client("client.key"), kind: .invalidRequest,
      message: "the client certificate \"<folder>/client.key\" has no PEM certificate in it"),
    Case(
      name: "no key", options: client("client.pem"), kind: .invalidRequest,
      message: "the client certificate \"<folder>/client.pem\" has no key in it"),
    Case(
      name: "a key that is none", options: client("client.pem", key: "names"), kind: .invalidRequest,
      message: "the client key \"<folder>/names\" has no private key in it"),
    Case(
      name: "another's key", options: client("client.pem", key: "server.key"), kind: .invalidRequest,
      message: "the client key \"<folder>/server.key\" does not belong to the certificate \"<folder>/client.pem\""),
    Case(
      name: "no passphrase", options: client("client.pem", key: "client-encrypted.key"), kind: .invalidRequest,
      message: "the client key \"<folder>/client-encrypted.key\" is encrypted"),
    Case(
      name: "a wrong passphrase", options: client("client.pem", key: "client-encrypted.key", passphrase: "x"),
      kind: .invalidRequest, message: "the passphrase of the client key \"<folder>/client-encrypted.key\" is wrong"),
    Case(
      name: "a wrong passphrase of PKCS#12", options: client("client.p12", passphrase: "x", format: .p12),
      kind: .invalidRequest, message: "the passphrase of the client key \"<folder>/client.p12\" is wrong"),
    Case(
      name: "PEM as PKCS#12", options: client("client.pem", format: .p12), kind: .invalidRequest,
      message: "the client certificate \"<folder>/client.pem\" has no PKCS#12 certificate in it"),
  ]

  @Test("options of TLS", arguments: trust + versions + pins + clients)
  func options(_ example: Case) async throws {
    let nginx = try NginxServer.shared.get()
    let request = try Self.request(example, nginx)
    let sink = CollectingSink()
    let error = await LibcurlTransport().failure(request, into: sink)
    if let text = example.text {
      #expect(error == nil)
      #expect(sink.text.hasPrefix(text), "\(sink.text)")
    } else {
      #expect(error?.kind == example.kind)
      let message = error?.message.replacing(nginx.certificates.folder, with: "<folder>")
        .replacing(":\(nginx.port(example.listener))", with: ":<port>").replacing(
          try nginx.certificates.pin, with: "<pin>"
        )
        .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "<instant>")
      #expect(message == example.message)
      #expect(error?.help?.isEmpty == false)
      #expect(sink.head == nil)
    }
  }

  private static func request(_ example: Case, _ nginx: NginxServer) throws -> WireRequest {
    var request = WireRequest(
      method: .get,
      url: HTTPURL(scheme: "https", host: example.host, port: nginx.port(example.listener), path: "/connection"),
      limits: ExchangeLimits(total: .seconds(120)))
    if example.trustsIssuer { request.options.tls.certificateAuthorities = nginx.certificates.path("ca.pem") }
    try example.options(&request.options.tls, nginx.certificates)
    return request
  }

  /// nginx answers with status 400 instead.
  @Test("a server that ends TLS where there is no client certificate", arguments: [TLSVersion.tls12, .tls13])
  func demandedCertificate(_ version: TLSVersion) async throws {
    let folder = try TemporaryFolder()
    let certificates = try TestCertificates(in: folder.path)
    let port = Int(try unusedPort())
    let server = try ServerProcess(
      [
        "/usr/bin/openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert", "server.pem", "-key", "server.key",
        "-Verify", "1", "-verify_return_error", "-CAfile", "client-ca.pem", "-www", "-quiet",
      ], in: folder)
    defer { server.stop() }
    var request = WireRequest(
      method: .get, url: HTTPURL(scheme: "https", host: "localhost", port: port, path: "/"),
      limits: ExchangeLimits(total: .seconds(120)))
    request.options.tls.certificateAuthorities = certificates.path("ca.pem")
    request.options.tls.maxVersion = version
    let transport = LibcurlTransport()
    var error = await transport.failure(request)
    // Until it listens.
    for _ in 0..<6000 where error?.kind == .connection {
      try await Task.sleep(for: .milliseconds(10))
      error = await transport.failure(request)
    }
    // With TLS 1.3 the server's alert and the request cross, and the connection may break while the request is sent.
    var messages: Set<String> = []
    for _ in 0..<32 {
      error = await transport.failure(request)
      #expect(error?.kind == .tls)
      #expect(error?.help == "name one as `tls.cert` and `tls.key`")
      messages.insert(error?.message ?? "")
    }
    let what =
      version == .tls12
      ? "no TLS connection could be made with localhost:\(port)" : "localhost:\(port) ended the TLS connection"
    #expect(messages == ["\(what): it asks for a client certificate"])
    request.options.tls.client = ClientCertificate(
      certificate: certificates.path("server.pem"), key: certificates.path("server.key"))
    for _ in 0..<8 { #expect(await transport.failure(request)?.kind == .tls) }
    request.options.tls.client = ClientCertificate(
      certificate: certificates.path("client.pem"), key: certificates.path("client.key"))
    #expect(await transport.failure(request) == nil)
  }

  @Test("connections are not shared between settings of TLS")
  func noSharing() async throws {
    let nginx = try NginxServer.shared.get()
    let transport = LibcurlTransport()
    let ann = try Self.request(Self.clients[0], nginx)
    var nobody = ann
    nobody.options.tls.client = nil
    for _ in 0..<2 {
      let first = CollectingSink()
      _ = try await transport.exchange(ann, into: first)
      #expect(first.text.contains("CN=Ann"))
      let second = CollectingSink()
      _ = try await transport.exchange(nobody, into: second)
      #expect(second.head?.status == 400)
      #expect(second.text.contains("No required SSL certificate was sent"))
    }
    // A pin, the check and a version hold though there is a connection that was made without.
    var request = try Self.request(Case(name: ""), nginx)
    request.options.tls.verifies = false
    _ = try await transport.exchange(request, into: CollectingSink())
    var checked = request
    checked.options.tls.verifies = true
    checked.options.tls.certificateAuthorities = nginx.certificates.path("client-ca.pem")
    #expect(await transport.failure(checked)?.kind == .tls)
    var pinned = request
    pinned.options.tls.pinnedKeys = ["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]
    #expect(await transport.failure(pinned)?.kind == .tls)
    let again = try await transport.exchange(request, into: CollectingSink())
    #expect(again.wasConnectionReused == true)
  }

  @Test("the server's certificates, of new and of used connections", arguments: [TLSVersion.tls12, .tls13])
  func certificateChain(_ version: TLSVersion) async throws {
    let nginx = try NginxServer.shared.get()
    let transport = LibcurlTransport()
    var request = try Self.request(Case(name: ""), nginx)
    request.options.tls.maxVersion = version
    let unwanted = try await transport.exchange(request, into: CollectingSink())
    #expect(unwanted.certificateChain == nil)
    request.options.wantsCertificates = true
    let used = try await transport.exchange(request, into: CollectingSink())
    #expect(used.wasConnectionReused == true)
    let chain = try #require(used.certificateChain)
    #expect(chain.count == 1)
    #expect(chain.first == (try String(contentsOfFile: nginx.certificates.path("server.pem"), encoding: .utf8)))
    let fresh = try await LibcurlTransport().exchange(request, into: CollectingSink())
    #expect(fresh.certificateChain == chain)
    request.url.scheme = "http"
    request.url.port = nginx.port(.plain)
    let plain = try await transport.exchange(request, into: CollectingSink())
    #expect(plain.certificateChain == nil)
  }
}
