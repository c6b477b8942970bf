import HTTPSemantics
import Synchronization
import TestSupport
import Testing
import Values

private struct Response: Sendable, CustomTestStringConvertible {
  let name: String
  let challenge: String
  var username = "Mufasa"
  var password = "Circle of Life"
  var uri = "/dir/index.html"
  var clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
  var count = 1
  /// What the header has beside the URI and what the challenge says.
  let expected: [String]

  var testDescription: String { name }
}

private let example =
  #"Digest realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "#
  + #"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
private let oldExample =
  #"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#
private let userExample =
  #"Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, charset=UTF-8, "#
  + #"nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS""#

/// Of RFC 7616 and RFC 2617; where these have none, computed with Python's hashlib.
private let responses = [
  Response(
    name: "RFC 7616, section 3.9.1, MD5", challenge: example + #", qop="auth, auth-int", algorithm=MD5"#,
    expected: [
      #"username="Mufasa""#, #"response="8ca523f5e9506fed4657c9700eebdbec""#, "algorithm=MD5", "qop=auth",
      "nc=00000001", #"cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ""#,
      #"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#,
    ]),
  Response(
    name: "RFC 7616, section 3.9.1, SHA-256", challenge: example + #", qop="auth, auth-int", algorithm=SHA-256"#,
    expected: [
      #"response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1""#, "algorithm=SHA-256",
    ]),
  Response(
    name: "MD5-sess", challenge: example + #", qop="auth", algorithm=MD5-sess"#,
    expected: [#"response="e783283f46242139c486a698fec7211d""#, "algorithm=MD5-sess"]),
  Response(
    name: "SHA-256-sess", challenge: example + #", qop="auth", algorithm=SHA-256-sess"#,
    expected: [#"response="2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7""#]),
  Response(
    name: "no qop", challenge: example + ", algorithm=SHA-256",
    expected: [#"response="a1306b0595a6c7fe96c448631fb5cfbd5107bd1fe1da729d978dd7446b812363""#]),
  Response(
    name: "RFC 2617, section 3.5", challenge: oldExample + #", qop="auth,auth-int", opaque="5ccc069c""#,
    password: "Circle Of Life", clientNonce: "0a4f113b",
    expected: [#"response="6629fae49393a05397450978507c4ef1""#, "qop=auth", #"opaque="5ccc069c""#]),
  Response(
    name: "the same as RFC 2069 has it", challenge: oldExample, password: "Circle Of Life",
    expected: [#"response="670fd8c2df070c60b045671b8b24ff02""#]),
  // The RFC's own response is that of another function (its erratum 4897).
  Response(
    name: "RFC 7616, section 3.9.2, a hashed user name", challenge: userExample + ", userhash=true",
    username: "Jäsøn Doe", password: "Secret, or not?", uri: "/doe.json",
    clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v",
    expected: [
      #"username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b""#, "userhash=true",
      #"response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5""#,
    ]),
  Response(
    name: "RFC 7616, section 3.9.2, an extended user name", challenge: userExample, username: "Jäsøn Doe",
    password: "Secret, or not?", uri: "/doe.json", clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v",
    expected: [
      "username*=UTF-8''J%C3%A4s%C3%B8n%20Doe",
      #"response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5""#,
    ]),
  Response(
    name: "quotes and backslashes", challenge: #"Digest realm="a\"b\\c", nonce="n\"", qop=auth"#,
    username: #"x", evil="\"# + "\u{301}\"\u{301}", uri: "/?\"",
    expected: [
      #"username="x\", evil=\"\\"# + "\u{301}\\\"\u{301}\"", #"realm="a\"b\\c""#, #"nonce="n\"""#, #"uri="/?\"""#,
    ]),
  Response(
    name: "a large count", challenge: "Digest realm=a, nonce=b, qop=auth", count: 0xABCDEF0,
    expected: ["nc=0abcdef0"]),
]

@Suite("Digest")
struct DigestTests {
  @Test("The response to a challenge", arguments: responses)
  fileprivate func response(_ example: Response) throws {
    let challenge = try DigestChallenge.strongest(
      in: ResponseHead(status: 401, headers: HeaderFields([("WWW-Authenticate", example.challenge)])))
    let value = DigestResponse(
      challenge: challenge, username: example.username, password: example.password, method: "GET", uri: example.uri,
      clientNonce: example.clientNonce, count: example.count
    ).headerValue
    for part in example.expected {
      #expect((value + ",").contains("\(part),") || value.contains(" \(part), "), "\(part) in \(value)")
    }
    #expect(value.contains("qop=") == example.challenge.contains("qop"))
    #expect(value.contains("algorithm=") == example.challenge.contains("algorithm"))
  }

  // MARK: through the client

  private func request(_ url: String = "http://a/x?y=1") throws -> OutgoingRequest {
    OutgoingRequest(
      method: .post, url: try HTTPURL(parsing: url), body: .bytes(Array("body".utf8)),
      credentials: .digest(username: "ann", password: "pw"))
  }

  fileprivate static func challenge(_ nonce: String, _ more: String = "") -> ScriptedTransport.Response {
    .init(
      status: 401, headers: [("WWW-Authenticate", "Digest realm=r, nonce=\"\(nonce)\", qop=auth\(more)")],
      body: Array("denied".utf8))
  }

  private func authorizations(_ transport: ScriptedTransport) -> [String] {
    transport.requests.map { request in
      guard let value = request.headers.first("Authorization") else { return "-" }
      let challenge = parseChallenges([value]).first
      return "\(challenge?.parameter("nonce") ?? "?") \(challenge?.parameter("nc") ?? "?")"
    }
  }

  @Test("A challenge is answered with the whole request again, and is not a redirect")
  func answered() async throws {
    let transport = ScriptedTransport([Self.challenge("n"), .init(body: Array("hello".utf8))])
    var request = try request()
    request.redirects.maxCount = 0
    let sink = CollectingSink()
    let result = try await HTTPClient(transport: transport).perform(request, into: sink)
    #expect(result.head.status == 200)
    #expect(result.hops.map(\.isChallenged) == [true, false])
    #expect(result.redirectCount == 0)
    #expect(result.redirects.isEmpty)
    #expect(result.note == nil)
    #expect(authorizations(transport) == ["-", "n 00000001"])
    #expect(transport.requests.map { text($0.body) } == ["body", "body"])
    #expect(transport.requests.map(\.method) == [.post, .post])
    #expect(transport.requests[1].headers.first("Authorization")?.contains("uri=\"/x?y=1\"") == true)
    #expect(String(decoding: sink.body, as: UTF8.self) == "hello")
  }

  @Test("The next request is sent with a response ahead, and the nonce is counted")
  func ahead() async throws {
    let transport = ScriptedTransport { request, _ in
      request.headers.contains("Authorization") ? .init() : Self.challenge("n")
    }
    let client = HTTPClient(transport: transport, authenticator: Authenticator())
    for path in ["/1", "/2", "/3"] {
      _ = try await client.perform(try request("http://a\(path)"), into: CollectingSink())
    }
    #expect(authorizations(transport) == ["-", "n 00000001", "n 00000002", "n 00000003"])
    _ = try await client.perform(try request("http://b/"), into: CollectingSink())
    #expect(authorizations(transport).suffix(2) == ["-", "n 00000001"], "each origin has its own")
  }

  @Test("Each request has a client nonce of its own")
  func clientNonces() async throws {
    let transport = ScriptedTransport { request, _ in
      request.headers.contains("Authorization") ? .init() : Self.challenge("n")
    }
    let client = HTTPClient(transport: transport, authenticator: Authenticator())
    for _ in 0..<3 { _ = try await client.perform(try request(), into: CollectingSink()) }
    let nonces = transport.requests.compactMap { $0.headers.first("Authorization") }
      .compactMap { parseChallenges([$0]).first?.parameter("cnonce") }
    #expect(Set(nonces).count == 3)
    #expect(nonces.allSatisfy { $0.utf8.count == 32 })
  }

  @Test("The given client nonce makes the header what it was")
  func deterministic() async throws {
    let transport = ScriptedTransport([Self.challenge("n"), .init()])
    let authenticator = Authenticator(now: { .init(seconds: 0) }, clientNonce: { "c" })
    _ = try await HTTPClient(transport: transport, authenticator: authenticator).perform(
      try request("http://a/"), into: CollectingSink())
    #expect(
      transport.requests[1].headers.first("Authorization")
        == "Digest username=\"ann\", realm=\"r\", nonce=\"n\", uri=\"/\", "
        + "response=\"2121988684a6c021e8120f73fbaa8b7a\", qop=auth, nc=00000001, cnonce=\"c\"")
  }

  private struct Conversation: Sendable, CustomTestStringConvertible {
    let name: String
    let answers: [ScriptedTransport.Response]
    let sent: [String]
    var status = 401
    let note: String?
    var testDescription: String { name }
  }

  private static let refusal = "the server did not accept the Digest credentials"
  private static let conversations = [
    Conversation(
      name: "refused", answers: [challenge("a"), challenge("b")], sent: ["-", "a 00000001"], note: refusal),
    Conversation(
      name: "a stale nonce", answers: [challenge("a"), challenge("b", ", stale=true"), .init()],
      sent: ["-", "a 00000001", "b 00000001"], status: 200, note: nil),
    Conversation(
      name: "stale, but the same nonce", answers: [challenge("a"), challenge("a", ", stale=TRUE")],
      sent: ["-", "a 00000001"], note: refusal),
    Conversation(
      name: "stale for ever",
      answers: [challenge("a"), challenge("b", ", stale=true"), challenge("c", ", stale=true")],
      sent: ["-", "a 00000001", "b 00000001"], note: refusal),
    Conversation(
      name: "no challenge", answers: [.init(status: 401)], sent: ["-"],
      note: "the server gave no challenge that Digest credentials could answer"),
    Conversation(
      name: "another scheme", answers: [.init(status: 401, headers: [("WWW-Authenticate", "Basic realm=a")])],
      sent: ["-"], note: "the server asks for Basic, not for Digest credentials"),
    Conversation(
      name: "auth-int only",
      answers: [.init(status: 401, headers: [("WWW-Authenticate", "Digest realm=a, nonce=b, qop=\"auth-int\"")])],
      sent: ["-"], note: "the server offers Digest credentials only with qop auth-int; only auth is supported"),
    Conversation(
      name: "a proxy's status", answers: [.init(status: 407, headers: challenge("a").headers)], sent: ["-"],
      status: 407,
      note: nil),
    Conversation(
      name: "nothing is asked", answers: [.init(status: 403, headers: challenge("a").headers)], sent: ["-"],
      status: 403, note: nil),
  ]

  @Test("When a challenge is answered, and what the last response is", arguments: conversations)
  private func conversation(_ example: Conversation) async throws {
    let transport = ScriptedTransport(example.answers)
    let result = try await HTTPClient(transport: transport).perform(try request(), into: CollectingSink())
    #expect(authorizations(transport) == example.sent)
    #expect(result.head.status == example.status)
    #expect(result.note == example.note)
  }

  @Test("A nonce that is not good any more is replaced once, then the password is wrong")
  func oldNonce() async throws {
    let script = [
      Self.challenge("a"), .init(), Self.challenge("b"), .init(), Self.challenge("c"), Self.challenge("d"),
      Self.challenge("e"),
    ]
    let transport = ScriptedTransport(script)
    let client = HTTPClient(transport: transport, authenticator: Authenticator())
    for _ in 0..<2 {
      #expect(try await client.perform(try request(), into: CollectingSink()).head.status == 200)
    }
    #expect(try await client.perform(try request(), into: CollectingSink()).head.status == 401)
    #expect(
      authorizations(transport) == ["-", "a 00000001", "a 00000002", "b 00000001", "b 00000002", "c 00000001"])
  }

  @Test("The next nonce of Authentication-Info is used from then on")
  func nextNonce() async throws {
    let next = ScriptedTransport.Response(headers: [("Authentication-Info", "rspauth=\"x\", nextnonce=\"m\", qop=auth")]
    )
    let transport = ScriptedTransport([Self.challenge("n"), next, .init(), .init()])
    let client = HTTPClient(transport: transport, authenticator: Authenticator())
    for _ in 0..<3 { _ = try await client.perform(try request(), into: CollectingSink()) }
    #expect(authorizations(transport) == ["-", "n 00000001", "m 00000001", "m 00000002"])
  }

  @Test("Only the challenge's domain is answered ahead")
  func domain() async throws {
    let transport = ScriptedTransport { request, _ in
      request.headers.contains("Authorization") || request.url.path == "/open"
        ? .init() : Self.challenge("n", ", domain=\"/private http://b/\"")
    }
    let client = HTTPClient(transport: transport, authenticator: Authenticator())
    for path in ["/private/1", "/open", "/private/2"] {
      _ = try await client.perform(try request("http://a\(path)"), into: CollectingSink())
    }
    #expect(authorizations(transport) == ["-", "n 00000001", "-", "n 00000002"])
  }

  @Test(
    "Challenges of another origin are not answered, nor those of the first after it",
    arguments: [([], ["- a", "n a", "- b", "- a"]), (["b", "a"], ["- a", "n a", "- b", "n b", "n a"])])
  func otherOrigins(_ trusted: [String], _ sent: [String]) async throws {
    let transport = ScriptedTransport { request, _ in
      let isFirst = request.url.host == "a" && request.url.path == "/"
      guard request.headers.contains("Authorization") else {
        // Another host may challenge, or lead back without being shown anything.
        if !isFirst, !trusted.contains(request.url.host) {
          return request.url.host == "b"
            ? .init(status: 302, headers: [("Location", "http://a/back")] + Self.challenge("n").headers)
            : Self.challenge("n")
        }
        return Self.challenge("n")
      }
      if request.url.host == "b" { return .redirect(to: "http://a/back") }
      return isFirst ? .redirect(to: "http://b/") : .init()
    }
    var request = try request("http://a/")
    request.redirects.trustedHosts = trusted
    let client = HTTPClient(transport: transport, authenticator: Authenticator())
    let result = try await client.perform(request, into: CollectingSink())
    let found = zip(authorizations(transport), transport.requests).map { "\($0.prefix(1)) \($1.url.host)" }
    #expect(found == sent)
    #expect(result.redirectCount == 2)
    #expect(result.redirects.map(\.url.host) == ["b", "a"])
  }

  @Test("Redirects are counted without the challenges between them")
  func loop() async throws {
    let transport = ScriptedTransport { request, index in
      request.headers.contains("Authorization") ? .redirect(to: "/\(index)") : Self.challenge("n")
    }
    var request = try request("http://a/")
    request.redirects.maxCount = 3
    let failure = await #expect(throws: ExchangeFailure.self) {
      try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    }
    #expect(
      failure?.error.message == "more than 3 redirects: http://a/ → http://a/1 → http://a/2 → http://a/3 → http://a/4")
    #expect(transport.requests.count == 5)
  }

  @Test("An Authorization header of one's own is not replaced")
  func ownHeader() async throws {
    let transport = ScriptedTransport([Self.challenge("n")])
    var request = try request()
    request.headers = HeaderFields([("Authorization", "Mine")])
    let result = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    #expect(transport.requests.map { $0.headers.values("Authorization") } == [["Mine"]])
    #expect(result.note?.hasPrefix("Mine credentials were sent, and the server wants others") == true)
  }

  @Test("NTLM and Negotiate are the transport's, for the first origin only")
  func connectionAuthentication() async throws {
    let transport = ScriptedTransport([
      .redirect(to: "/x"), .redirect(to: "http://b/"), .redirect(to: "http://a/"), .init(),
    ])
    var request = try request("http://a/")
    request.credentials = .connection(.ntlm(username: "u", password: "p"))
    _ = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    let asked = ConnectionAuthentication.ntlm(username: "u", password: "p")
    #expect(transport.requests.map(\.options.connectionAuthentication) == [asked, asked, nil, nil])
    #expect(transport.requests.allSatisfy { !$0.headers.contains("Authorization") })
  }
}
