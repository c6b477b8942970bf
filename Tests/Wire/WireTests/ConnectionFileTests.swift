import Foundation
import HTTPSemantics
import TestSupport
import Testing

/// What request files say of connections, through the program itself, with nginx and a proxy on the other side.
@Suite(.serialized, .enabled(if: NginxServer.isAvailable, "needs nginx and openssl"), .timeLimit(.minutes(10)))
struct ConnectionFileTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// `<secure>` and so on are ports, `<proxy>`, `<socket>` and `<pin>` what they say.
    var spec: String
    var arguments: [String] = []
    var exitCode = 0
    var says: [String] = []
    var doesNotSay: [String] = []
    /// What the proxy was asked for.
    var proxied: [String] = []
    var testDescription: String { name }
  }

  private static let secure = "url: https://localhost:<secure>/connection\n"
  private static let mutual = "url: https://localhost:<mutual>/connection\n"

  static let cases = [
    Case(name: "tls.ca", spec: secure + "tls: {ca: ca.pem}\nexpect: {body: {starts_with: TLSv1.3|localhost|}}"),
    Case(
      name: "an unknown issuer", spec: secure, exitCode: 3,
      says: ["error: the certificate of localhost has an unknown issuer", "help: ", "tls.ca"]),
    Case(name: "an expected failure", spec: secure + "expect: {error: tls}"),
    Case(
      name: "expired", spec: "url: https://localhost:<expired>/\ntls: {ca: ca.pem}", exitCode: 3,
      says: ["error: the certificate of localhost expired at 20"]),
    Case(
      name: "another host", spec: "url: https://localhost:<otherHost>/\ntls: {ca: ca.pem}", exitCode: 3,
      says: ["error: the certificate is not for the host localhost, but for other.test"]),
    Case(
      name: "tls.verify", spec: "url: https://localhost:<selfSigned>/connection\ntls: {verify: false}",
      says: ["warning: "]),
    Case(name: "--insecure", spec: secure, arguments: ["--insecure"], says: ["warning: "]),
    Case(name: "--cacert", spec: secure, arguments: ["--cacert", "ca.pem"]),
    Case(
      name: "no TLS there", spec: "url: https://localhost:<plain>/", exitCode: 3,
      says: ["it does not speak TLS", "write http://"]),
    Case(
      name: "tls.cert and tls.key",
      spec: mutual + "tls: {ca: ca.pem, cert: client.pem, key: client.key}\nexpect: {body: {contains: CN=Ann}}"),
    Case(
      name: "PKCS#12",
      spec: mutual
        + "tls: {ca: ca.pem, cert: client.p12, passphrase: open sesame}\nexpect: {body: {contains: CN=Ann}}",
      arguments: ["-vv"], doesNotSay: ["sesame"]),
    Case(
      name: "PKCS#12, wrong passphrase",
      spec: mutual + "tls: {ca: ca.pem, cert: client.p12, passphrase: hidden-word}", exitCode: 2,
      says: ["the passphrase of the client key", "is wrong"], doesNotSay: ["hidden-word"]),
    Case(
      name: "--cert with a passphrase", spec: mutual + "tls: {ca: ca.pem}\nexpect: {body: {contains: CN=Ann}}",
      arguments: ["--cert", "client.p12:open sesame", "-vv"], doesNotSay: ["sesame"]),
    Case(
      name: "tls.min_version", spec: "url: https://localhost:<old>/\ntls: {ca: ca.pem, min_version: 1.3}", exitCode: 3,
      says: ["the TLS versions of the two sides do not meet"]),
    Case(
      name: "tls.max_version",
      spec: secure + "tls: {ca: ca.pem, max_version: 1.2}\nexpect: {body: {starts_with: TLSv1.2|}}"),
    Case(name: "tls.pinned", spec: secure + "tls: {ca: ca.pem, pinned: \"sha256//<pin>\"}"),
    Case(
      name: "tls.pinned, another key",
      spec: secure + "tls: {ca: ca.pem, pinned: \"sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\"}", exitCode: 3,
      says: ["the public key of localhost matches no pinned key", "<pin>"]),
    Case(name: "HTTP/2 by itself", spec: secure + "tls: {ca: ca.pem}\nexpect: {http_version: \"2\"}"),
    Case(
      name: "http_version", spec: secure + "tls: {ca: ca.pem}\nhttp_version: 1.1\nexpect: {http_version: \"1.1\"}"),
    Case(
      name: "resolve",
      spec: """
        url: http://a.wire.test:<plain>/echo
        resolve: {"a.wire.test:<plain>": 127.0.0.1}
        expect: {body: {contains: "Host: a.wire.test:<plain>"}}
        """),
    Case(
      name: "connect_to",
      spec: """
        url: https://b.wire.test/connection
        connect_to: "b.wire.test:443:127.0.0.1:<secure>"
        tls: {ca: ca.pem}
        expect: {body: {contains: "|b.wire.test|"}}
        """),
    Case(
      name: "unix_socket", spec: "url: http://c.invalid/connection\nunix_socket: <socket>",
      arguments: [
        "--file-root", "/",
      ]),
    Case(
      name: "interface",
      spec:
        "url: http://127.0.0.1:<plain>/connection\ninterface: \(secondLoopbackAddress)\n"
        + "expect: {body: {contains: \"|\(secondLoopbackAddress)|\"}}"),
    Case(
      name: "ip_version",
      spec: "url: http://localhost:<plain>/connection\nip_version: 4\nexpect: {body: {contains: \"|127.0.0.1|\"}}"),
    Case(
      name: "a proxy with credentials",
      spec: """
        url: https://localhost:<secure>/connection
        tls: {ca: ca.pem}
        proxy: {url: "http://127.0.0.1:<proxy>", username: ann, password: hidden-word}
        """, arguments: ["-vv"], doesNotSay: ["hidden-word"],
      proxied: ["CONNECT localhost:<secure> as ann:hidden-word"]),
    Case(
      name: "a SOCKS proxy that knows the name",
      spec: "url: http://d.invalid:<plain>/echo\nproxy: socks5h://127.0.0.1:<proxy>",
      proxied: ["socks5 d.invalid:<plain>"]),
    Case(
      name: "--proxy and no_proxy",
      spec: """
        requests:
          - {name: through, url: "http://e.invalid:<plain>/echo"}
          - {name: past, url: "http://127.0.0.1:<plain>/echo"}
        """, arguments: ["--proxy", "http://127.0.0.1:<proxy>", "--noproxy", "127.0.0.1"],
      proxied: ["GET http://e.invalid:<plain>/echo"]),
    Case(
      name: "URLSession can't", spec: "url: http://127.0.0.1:<plain>/\nunix_socket: x\ntransport: urlsession",
      exitCode: 2,
      says: ["a Unix domain socket"]),
    Case(
      name: "userinfo is shown nowhere",
      spec: "url: http://ann:hidden-word@127.0.0.1:1/\n", arguments: ["-vv"], exitCode: 3,
      says: ["could not connect to 127.0.0.1:1"], doesNotSay: ["hidden-word", "YW5uOmhpZGRlbi13b3Jk"]),
    Case(
      name: "userinfo is shown nowhere, with TLS",
      spec: "url: https://ann:hidden-word@localhost:<secure>/\n", arguments: ["-vv"], exitCode: 3,
      says: ["unknown issuer"], doesNotSay: ["hidden-word", "YW5uOmhpZGRlbi13b3Jk"]),
  ]

  @Test("a file", arguments: cases)
  func file(_ example: Case) async throws {
    let nginx = try NginxServer.shared.get()
    let proxy = try ProxyServer.start(
      credentials: example.proxied.first { $0.contains(" as ") } == nil ? nil : "ann:hidden-word")
    defer { proxy.stop() }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    for file in ["ca.pem", "client.pem", "client.key", "client.p12"] {
      try FileManager.default.copyItem(atPath: nginx.certificates.path(file), toPath: "\(folder.path)/\(file)")
    }
    var placeholders = ["proxy": "\(proxy.port)", "socket": nginx.unixSocket, "pin": try nginx.certificates.pin]
    for listener in NginxServer.Listener.allCases { placeholders[listener.rawValue] = "\(nginx.port(listener))" }
    func filled(_ text: String) -> String {
      placeholders.reduce(text) { $0.replacing("<\($1.key)>", with: $1.value) }
    }
    try folder.write(["spec.yaml": filled(example.spec)])
    let arguments = example.arguments.map(filled) + ["spec.yaml"]
    let result = try await ProcessRun(try builtExecutable("reqrun"), arguments, in: folder.path).run()
    let output = String(decoding: result.output + result.errorOutput, as: UTF8.self)
    #expect(result.ending == .exited(example.exitCode), "\(output)")
    for text in example.says { #expect(output.contains(filled(text)), "\(output)") }
    for text in example.doesNotSay { #expect(!output.contains(text), "\(output)") }
    #expect(proxy.requests == example.proxied.map(filled))
  }
}
