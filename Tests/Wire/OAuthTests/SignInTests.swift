import OAuth
import OperatingSystem
import Testing
import Values

@Suite("Signing in, and tokens that are kept")
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
    removeFile(path)
    let open = try ReplacementFile(of: path)
    open.write(Array("{}".utf8))
    try open.commit()
    #expect(throws: TokenProblem.self) { try file.token("a") }
  }
}
