import HTTPSemantics
import OperatingSystem
import Testing
import Values

@Suite("Signing in, and tokens that are kept", .timeLimit(.minutes(10)))
struct SignInTests {
  @Test("The challenge of a verifier is that of RFC 7636, appendix B")
  func challenge() {
    let proof = ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", state: "s")
    #expect(proof.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect(ProofKey().verifier.utf8.count == 43)
    #expect(ProofKey().verifier != ProofKey().verifier)
  }

  @Test("The codes of a device, with the defaults of RFC 8628")
  func device() throws {
    let members: [(String, Value)] = [
      ("device_code", .text("d")), ("user_code", .text("U")), ("verification_uri", .text("http://h/")),
      ("expires_in", .number(Number(lexeme: "1e400"))),
    ]
    let device = try DeviceAuthorization(Mapping(members), from: "http://h/device")
    #expect(device.interval == .seconds(5) && device.lifetime == .seconds(3600))
    for missing in 0..<3 {
      var fewer = members
      fewer.remove(at: missing)
      #expect(throws: TokenProblem.self) { try DeviceAuthorization(Mapping(fewer), from: "http://h/device") }
    }
  }

  @Test(
    "A device code that nobody can use, or a page that no browser can open, is an error",
    arguments: [
      ("verification_uri", Value.text("file:///etc/passwd"), "no browser can open"),
      ("verification_uri", .text("javascript:alert(1)"), "scheme"),
      ("verification_uri", .text("http://h/\u{1B}[2J"), "control"),
      ("verification_uri", .text("/device"), "no scheme"),
      ("verification_uri_complete", .text("data:text/html,x"), "`verification_uri_complete`"),
      ("interval", .number(Number(30)), "every 30s"), ("interval", .text("31"), "every 31s"),
      ("interval", .number(Number(lexeme: "1e400")), "every 60m"),
    ])
  func unusableDevice(_ name: String, _ value: Value, _ part: String) {
    var members = Mapping([
      ("device_code", .text("d")), ("user_code", .text("U")), ("verification_uri", .text("http://h/")),
      ("expires_in", .text("30")),
    ])
    members[name] = value
    #expect {
      try DeviceAuthorization(members, from: "http://h/device")
    } throws: { error in
      (error as? TokenProblem)?.message.contains(part) ?? false
    }
  }

  @Test(
    "Redirect URIs of this machine",
    arguments: [
      ("http://127.0.0.1:8765/callback", true), ("http://localhost:8765", true), ("http://[::1]/a/b", true),
      ("http://127.0.0.1/", true), ("https://127.0.0.1:8765/callback", false), ("http://h:8765/callback", false),
      ("http://127.0.0.1:0/", false), ("http://127.0.0.1:1/?a=b", false), ("http://127.0.0.1:1/#a", false),
      ("http://u@127.0.0.1:1/", false), ("urn:ietf:wg:oauth:2.0:oob", false), ("http://0.0.0.0:1/", false),
    ])
  func redirectURI(_ text: String, _ isOne: Bool) {
    #expect((LoopbackURI(parsing: text) != nil) == isOne)
  }

  @Test("A listener has the URI that is registered, and connections without a request don't delay the browser")
  func listener() async throws {
    let chosen = try LoopbackListener(at: #require(LoopbackURI(parsing: "http://localhost/back/here")))
    #expect(chosen.redirectURI.hasPrefix("http://localhost:") && chosen.redirectURI.hasSuffix("/back/here"))
    let port = try #require(HTTPURL(parsing: chosen.redirectURI).port)
    let fixed = try #require(LoopbackURI(parsing: "http://127.0.0.1:\(port)"))
    #expect(throws: SystemProblem.self) { try LoopbackListener(at: fixed) }

    let idle = try LoopbackClient(port: port)
    let other = try LoopbackClient(port: port)
    other.send("GET /back/here?code=a&state=other HTTP/1.1\r\n\r\n")
    let browser = try LoopbackClient(port: port)
    browser.send("GET /back/here?code=a+b%2Fc&state=s HTTP/1.1\r\nHost: h\r\n")
    let redirect = Task { await chosen.redirect(state: "s", within: .seconds(300), unless: { false }) }
    #expect(await other.response().hasPrefix("HTTP/1.1 404"))
    // A head that comes in parts is read whole.
    browser.send("\r\n")
    #expect(await redirect.value == ["code": "a b/c", "state": "s"])
    #expect(await browser.response().hasPrefix("HTTP/1.1 200 OK"))
    _ = idle
  }

  @Test("Idle connections give way to new ones, so that they never keep a browser waiting")
  func idleConnections() async throws {
    let listener = try LoopbackListener(at: #require(LoopbackURI(parsing: "http://127.0.0.1/")))
    let port = try #require(HTTPURL(parsing: listener.redirectURI).port)
    let redirect = Task { await listener.redirect(state: "s", within: .seconds(300), unless: { false }) }
    var idle: [LoopbackClient] = []
    for _ in 0..<100 { idle.append(try LoopbackClient(port: port)) }
    let browser = try LoopbackClient(port: port)
    browser.send("GET /?code=c&state=s HTTP/1.1\r\n\r\n")
    #expect(await redirect.value == ["code": "c", "state": "s"])
    #expect(idle.count == 100)
  }

  @Test("A prompt shows no control characters")
  func prompt() {
    let prompt = SignInPrompt(url: "http://h/\u{1B}[2J", code: "A\u{7}B")
    #expect(!prompt.text.unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test("A token cache has a token for each name, for its owner alone, and others are refused")
  func cache() throws {
    let path = "\(environmentSetting("TMPDIR") ?? "/tmp")/reqrun-tokens-\(UInt64.random(in: .min ... .max)).json"
    defer { removeFile(path) }
    let file = TokenFile(path: path)
    #expect(try file.token("a") == nil)
    let end = Timestamp(seconds: 4_000_000_000)
    let (first, second) = (
      KeptToken(IssuedToken(accessToken: "t1", lifetime: nil, refreshToken: "r1"), end: end),
      KeptToken(IssuedToken(accessToken: "t2", lifetime: nil, refreshToken: nil), end: nil)
    )
    try file.store(first, as: "a")
    try file.store(second, as: "b")
    #expect(try file.token("a") == first)
    #expect(try file.token("b") == second)
    #expect(!isReadableByOthers(path))
    // What another version wrote has no salt.
    removeFile(path)
    let old = try ReplacementFile(of: path, isPrivate: true)
    old.write(Array(#"{"a": {"access_token": "t0"}}"#.utf8))
    try old.commit()
    #expect(try file.token("a") == nil)
    try file.store(first, as: "a")
    #expect(try file.token("a") == first)
    #expect(try file.token("b") == nil)
    removeFile(path)
    let open = try ReplacementFile(of: path)
    open.write(Array("{}".utf8))
    try open.commit()
    #expect(throws: TokenProblem.self) { try file.token("a") }
  }
}
