import HTTPSemantics
import RequestSpecs
import Testing
import Values

@Suite struct ConnectionTests {
  static let cases: [DiagnosticCase] = [
    .request(
      "all of TLS",
      """
      tls: {verify: true, ca: ca.pem, cert: a.p12, key: a.key, passphrase: s, format: p12, min_version: 1.2,
            max_version: "1.3", pinned: ["sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]}
      """),
    .request(
      "TLS is a mapping", "tls: «none»",
      "`tls` is a mapping, found text | the usual keys here are verify, ca, cert, key, passphrase, format, min_version, max_version; `reqrun help key-index` has all"
    ),
    .request(
      "TLS is switched off by its key", "tls: «false»",
      "`tls` is a mapping, found true or false | write {verify: false}"),
    .request(
      "an unknown key of TLS", "tls: {«cacert»: a, «insecure»: true}",
      "unknown key `cacert` in `tls` | write `ca`", "unknown key `insecure` in `tls` | write `verify: false`"),
    .request(
      "versions of TLS", "tls: {min_version: «1.4», max_version: «TLSv1.2»}",
      "unknown value \"1.4\": expected one of 1.0, 1.1, 1.2, 1.3",
      "unknown value \"TLSv1.2\": expected one of 1.0, 1.1, 1.2, 1.3 | did you mean `1.2`?"),
    .request(
      "a version with its protocol", "http_version: «HTTP/2»",
      "unknown value \"HTTP/2\": expected one of auto, 1.0, 1.1, 2, 2_prior_knowledge, 3, 3_only | did you mean `2`?"),
    .request(
      "a session switched on", "session: {cookies: «true», cache: «on»}",
      "expected one of keep, none, shared, found true | write `keep`",
      "unknown value \"on\": expected one of protocol, ignore, reload, only | write `protocol`"),
    .request(
      "an unknown format", "tls: {format: «pkcs12»}", "unknown value \"pkcs12\": expected one of pem, der, p12"),
    .request(
      "each pinned key in its place", "tls: {pinned: [«md5//x», sha256//«abc»]}",
      "a pinned key begins with sha256// | write sha256// and the hash in base64",
      "this is not the base64 of a SHA-256: it has 44 characters, the last of which is ="),
    .request("a path names a file", "tls: {ca: «\"\"»}", "an empty path names no file"),
    .request(
      "all of a proxy", "proxy: {url: h, username: a, password: 1, auth: ntlm, tunnel: true, no_proxy: [a, .b]}"),
    .request(
      "a proxy's scheme", "proxy: «ftp»://h",
      "a proxy's scheme is one of http, https, socks4, socks4a, socks5, socks5h"),
    .request("a proxy has a host", "proxy: \"http://«:80»\"", "the proxy's URL has no host | write http://host:port"),
    .request("a proxy's port", "proxy: h:«99999»", "a port is a number from 0 to 65535"),
    .request("a proxy has no path", "proxy: http://h:1«/a»", "a proxy's URL ends with its host and port"),
    .request(
      "a proxy is text", "proxy: «[a]»", "expected `none` or a proxy such as http://host:port, found a list"),
    .request(
      "hosts without a proxy", "proxy: {url: h, no_proxy: [a, «10.0.0.0/33», «b/c»]}",
      "\"10.0.0.0/33\" is not a host, address or network | write example.com, .example.com, example.com:8080, 10.0.0.1, 10.0.0.0/8 or *",
      "\"b/c\" is not a host, address or network | write example.com, .example.com, example.com:8080, 10.0.0.1, 10.0.0.0/8 or *"
    ),
    .request(
      "versions of HTTP", "http_version: «1.2»",
      "unknown value \"1.2\": expected one of auto, 1.0, 1.1, 2, 2_prior_knowledge, 3, 3_only"),
    .request(
      "half a version", "http_version: «1»\ntls: {min_version: «1», max_version: «2»}",
      "unknown value \"1\": expected one of auto, 1.0, 1.1, 2, 2_prior_knowledge, 3, 3_only | write \"1.0\" or \"1.1\"",
      "unknown value \"1\": expected one of 1.0, 1.1, 1.2, 1.3 | write \"1.0\" or \"1.1\" or \"1.2\" or \"1.3\"",
      "unknown value \"2\": expected one of 1.0, 1.1, 1.2, 1.3"),
    .request("a version with a template", "http_version: ${{ v }}\nip_version: ${{ v }}\nproxy: http://${{ v }}"),
    .request(
      "addresses of the request's own",
      "resolve: [«abc», \"h:«0»:127.0.0.1\", \"h:1:«x»\", \"[::1]:1:[::2],127.0.0.1\"]",
      "this is not host:port:address | write host:port:address, such as example.com:443:127.0.0.1",
      "a port is a number from 1 to 65535", "this is not an IP address | `connect_to` takes host names"),
    .request(
      "addresses in a mapping", "resolve: {\"h:1\": 127.0.0.1, «h: 127.0.0.1», «\"h:2\": ['::1', x]»}",
      "this is not host:port:address | write {\"example.com:443\": 127.0.0.1}",
      "this is not an IP address | write {\"example.com:443\": 127.0.0.1}"),
    .request("addresses with templates", "resolve: {\"${{ h }}:80\": \"${{ a }}\"}\nconnect_to: [\"${{ h }}\"]"),
    .request(
      "other places", "connect_to: [\"a:1:b:2\", \"::b:\", «a:b», \"«:::»\"]",
      "this is not host:port:other-host:other-port | write host:port:other-host:other-port, parts that stay as they are empty",
      "this leads nowhere else | write host:port:other-host:other-port, parts that stay as they are empty"),
    .request("a socket", "unix_socket: «\"@\"»", "the path of a socket has from 1 to 103 bytes"),
    .request("compression", "compressed: «gzip»", "expected true or false, found the text \"gzip\""),
    .request(
      "an interface", "interface: «a b»", "\"a b\" is neither a network interface nor an address"),
    .request("an IP version", "ip_version: «5»", "unknown value \"5\": expected one of 4, 6, any"),
    .request(
      "rates", "limit_rate: {receive: «0», send: «fast»}", "a rate is more than 0 | leave it out for no limit",
      "expected a size for each second, such as 300KB or 1MiB, found the text \"fast\""),
  ]

  @Test(arguments: cases)
  func diagnostics(_ test: DiagnosticCase) { test.check() }

  private func connection(_ lines: String) throws -> ConnectionSettings {
    let indented = lines.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    let file = try readSpec("requests:\n  - url: http://h\n\(indented)\n")
    return try #require(file.requests[0].settings.connection)
  }

  @Test func versionsByTheirLexeme() throws {
    let settings = try connection("http_version: 2\nip_version: 6\ntls: {min_version: 1.2, max_version: '1.3'}")
    #expect(settings.httpVersion.value?.literal == .http2)
    #expect(settings.addressFamily.value?.literal == .ipv6)
    #expect(settings.tls.minVersion.value?.literal == .tls12)
    #expect(settings.tls.maxVersion.value?.literal == .tls13)
    #expect(try connection("http_version: 1.0").httpVersion.value?.literal == .http10)
  }

  @Test func oneRateHoldsForBothDirections() throws {
    let both = try connection("limit_rate: 300KB/s")
    #expect(both.maxReceiveRate.value?.literal == 300_000)
    #expect(both.maxSendRate.value?.literal == 300_000)
    let one = try connection("limit_rate: {send: 1KiB}")
    #expect(one.maxReceiveRate.value == nil)
    #expect(one.maxSendRate.value?.literal == 1024)
  }

  @Test func addressesInBothForms() throws {
    let list = try connection("resolve: ['h:80:[::1],127.0.0.1']").resolve.value?.literal
    let mapping = try connection("resolve: {'h:80': ['::1', 127.0.0.1]}").resolve.value?.literal
    let expected = [AddressOverride(host: "h", port: 80, addresses: ["::1", "127.0.0.1"])]
    #expect(list?.map(\.content) == expected)
    #expect(mapping?.map(\.content) == expected)
  }

  @Test func aProxyIsKeptWithoutWhatIsSecretInItsText() throws {
    let settings = try connection("proxy: 'socks5h://ann:p%40ss@[::1]:9'")
    guard case .proxy(let written)? = settings.proxy.url.value?.literal else {
      Issue.record("no proxy")
      return
    }
    #expect(
      written.content
        == Proxy(kind: .socks5h, host: "::1", port: 9, username: "ann", password: "p@ss"))
    #expect(written.text.string == "socks5h://[::1]:9")
  }

  @Test func passwordsAreNeverDrawn() throws {
    let text =
      "requests:\n  - url: http://h\n    proxy: http://ann:hunter2@h/path\n    tls: {passphrase: s3cret, bad: 1}\n"
    var bag = DiagnosticBag()
    _ = LoadedFile.read(bytes: Array(text.utf8), path: "spec.yaml", asProject: false, into: &bag)
    let drawn = DiagnosticRenderer(style: .plain).render(bag.diagnostics)
    #expect(bag.diagnostics.count == 2)
    #expect(!drawn.contains("hunter2") && !drawn.contains("s3cret"))
  }
}
