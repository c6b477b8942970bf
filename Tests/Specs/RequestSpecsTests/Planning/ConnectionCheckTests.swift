import HTTPSemantics
import RequestSpecs
import Testing
import Values

@Suite struct ConnectionCheckTests {
  struct Need: CustomTestStringConvertible, Sendable {
    let lines: String
    let feature: TransportFeature?

    init(_ lines: String, _ feature: TransportFeature?) {
      self.lines = lines
      self.feature = feature
    }

    var testDescription: String { lines }
  }

  static let needs: [Need] = [
    Need("tls: {verify: true}", nil),
    Need("tls: {verify: \"${{ env.VERIFY != '0' }}\"}", .serverTrust),
    Need("tls: {ca: a.pem}", .serverTrust),
    Need("tls: {pinned: \"sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\"}", .serverTrust),
    Need("tls: {pinned: []}", nil),
    Need("tls: {min_version: 1.2}", .tlsVersions),
    Need("tls: {max_version: \"${{ env.TLS }}\"}", .tlsVersions),
    Need("tls: {cert: a.pem, key: a.key}", .clientCertificate),
    Need("proxy: none", nil),
    Need("proxy: h", .proxy),
    Need("proxy: ${{ env.P }}", .proxy),
    Need("proxy: {no_proxy: [a]}", nil),
    Need("http_version: auto", nil),
    Need("http_version: 1.0", .httpVersion),
    Need("http_version: ${{ env.V }}", .httpVersion),
    Need("resolve: []", nil),
    Need("resolve: [\"h:1:127.0.0.1\"]", .addressOverrides),
    Need("connect_to: [\"${{ env.H }}\"]", .addressOverrides),
    Need("unix_socket: /a", .unixSocket),
    Need("interface: lo", .interface),
    Need("ip_version: any", nil),
    Need("ip_version: 6", .interface),
    Need("limit_rate: 1KB", .rateLimits),
    Need("limit_rate: {send: 1KB}", .rateLimits),
    Need("compressed: true", nil),
    Need("compressed: false", .rawBody),
    Need("compressed: ${{ env.C == '1' }}", .rawBody),
  ]

  @Test(arguments: needs)
  func theTransportIsChosenByWhatIsNeeded(_ test: Need) throws {
    let session = TransportCapabilities(
      kind: .urlsession, unsoundness: nil,
      unsupported: Dictionary(uniqueKeysWithValues: TransportFeature.allCases.map { ($0, "no") }))
    var planning = Planning()
    planning.capabilities = [session, Platforms.curl]
    let step = try planning.step("url: http://h\n\(test.lines)\n")
    let expected =
      test.feature.map {
        TransportDecision(kind: .curl, reason: "URLSession lacks \($0.rawValue): no", isUsual: false)
      }
      ?? TransportDecision(
        kind: .urlsession, reason: "URLSession is sound here and can do all that the file needs")
    #expect(step.transport == expected)
  }

  @Test func whatNoTransportCanDoIsAnErrorBeforeAnythingIsSent() throws {
    var planning = Planning()
    planning.capabilities = [
      Platforms.unsound, TransportCapabilities(kind: .curl, unsoundness: nil, unsupported: [.unixSocket: "none here"]),
    ]
    let result = try planning.plan("url: http://h\nunix_socket: «/a»\n")
    #expect(result.messages == ["the curl transport lacks a Unix domain socket here: none here"])
    #expect(result.diagnostics.compactMap { $0.range?.bytes } == result.marks)
  }

  static let checks: [CheckTests.Case] = [
    .init(
      "a key without its certificate", "url: http://h\ntls: {key: «a», passphrase: «b», format: «pem»}\n",
      "`key` belongs to a certificate, and there is no `cert` | add `cert: …`",
      "`passphrase` belongs to a certificate, and there is no `cert` | add `cert: …`",
      "`format` belongs to a certificate, and there is no `cert` | add `cert: …`"),
    .init("a key whose certificate is in the defaults", "defaults: {tls: {cert: a}}\nurl: http://h\ntls: {key: b}\n"),
    .init(
      "no version left", "url: http://h\ntls: {min_version: 1.3, max_version: «1.2»}\n",
      "no version of TLS is at least 1.3 and at most 1.2"),
    .init(
      "a proxy without its URL", "url: http://h\nproxy: {username: «a», tunnel: «true», no_proxy: [b]}\n",
      "`username` belongs to a proxy, and there is no `url` | add `url: …`",
      "`tunnel` belongs to a proxy, and there is no `url` | add `url: …`"),
    .init(
      "a proxy that is none", "defaults: {proxy: none}\nurl: http://h\nproxy: {password: «a»}\n",
      "`password` belongs to a proxy, and there is none"),
    .init(
      "a proxy and a socket", "url: http://h\nproxy: p\nunix_socket: «/a»\n",
      "a request goes through a proxy or to a Unix domain socket, not both | write `proxy: none` beside it"),
    .init(
      "unchecked certificates, once for a file",
      "requests:\n  - {url: http://h, tls: {verify: «false»}}\n  - {url: http://h, tls: {verify: false}}\n",
      "warning: certificates are not checked | name the issuer to trust with `ca`"),
  ]

  @Test(arguments: checks)
  func check(_ test: CheckTests.Case) throws {
    let result = try Planning().plan(test.text)
    #expect(result.messages == test.messages)
    #expect(result.diagnostics.compactMap { $0.range?.bytes } == result.marks)
  }

  private func connection(_ text: String, _ options: PlanningOptions = PlanningOptions()) throws -> ConnectionSettings {
    var planning = Planning()
    planning.options = options
    planning.project =
      "defaults: {tls: {ca: p.pem, min_version: 1.2}, proxy: {url: p, tunnel: true}, compressed: false}\n"
    return try #require(try planning.request(text).settings.connection)
  }

  @Test func mappingsMergeKeyByKey() throws {
    let settings = try connection(
      "url: http://h\ntls: {ca: null, max_version: 1.3}\nproxy: {username: ann}\ncompressed: null\n")
    #expect(settings.tls.certificateAuthorities.value == nil)
    #expect(settings.tls.minVersion.value?.literal == .tls12)
    #expect(settings.tls.maxVersion.value?.literal == .tls13)
    #expect(settings.proxy.username.value?.literal == "ann")
    #expect(settings.proxy.tunnel.value?.literal == true)
    #expect(settings.compressed.value == nil)
  }

  @Test func aProxysURLAloneReplacesAllOfAnother() throws {
    let settings = try connection("url: http://h\nproxy: q\n")
    #expect(settings.proxy.tunnel.value == nil)
    guard case .proxy(let proxy)? = settings.proxy.url.value?.literal else {
      Issue.record("no proxy")
      return
    }
    #expect(proxy.content.host == "q")
  }

  @Test func nullRemovesAll() throws {
    let settings = try connection("url: http://h\nproxy: null\ntls: null\n")
    #expect(settings.proxy.url.value == nil)
    #expect(settings.tls.minVersion.value == nil)
  }

  @Test func theCommandWins() throws {
    var command = ConnectionSettings()
    let source = SourceText(name: "--http-version", text: "1.0")
    command.httpVersion = .given(
      Field(literal: .http10, range: SourceRange(source, 0..<3)))
    var options = PlanningOptions()
    options.connection = command
    let settings = try connection("url: http://h\nhttp_version: 2\n", options)
    #expect(settings.httpVersion.value?.literal == .http10)
    #expect(settings.tls.minVersion.value?.literal == .tls12)
  }
}
