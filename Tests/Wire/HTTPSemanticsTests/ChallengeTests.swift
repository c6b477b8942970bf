import HTTPSemantics
import TestSupport
import Testing
import Values

/// Lines of `WWW-Authenticate`, and the challenges in them: `Scheme name=value,…` or `Scheme token68`.
private struct Case: Sendable, CustomTestStringConvertible {
  let name: String
  let lines: [String]
  let challenges: [String]

  init(_ name: String, _ lines: String..., challenges: [String]) {
    self.name = name
    self.lines = lines
    self.challenges = challenges
  }

  var testDescription: String { name }
}

private let cases = [
  Case("one", #"Basic realm="x""#, challenges: ["Basic realm=x"]),
  Case("nothing", "", challenges: []),
  Case("a scheme alone", "Negotiate", challenges: ["Negotiate"]),
  Case("schemes alone", "Negotiate, NTLM", challenges: ["Negotiate", "NTLM"]),
  Case("a token68", "Negotiate YII/+a-._~==", challenges: ["Negotiate YII/+a-._~=="]),
  Case("a token68, then another", "NTLM TlRM==, Basic realm=a", challenges: ["NTLM TlRM==", "Basic realm=a"]),
  Case(
    "several in a line (RFC 9110, section 11.6.1)",
    #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
    challenges: ["Basic realm=simple", #"Newauth realm=apps,type=1,title=Login to "apps""#]),
  Case(
    "several lines", "Basic realm=a", "Digest realm=b, nonce=c",
    challenges: ["Basic realm=a", "Digest realm=b,nonce=c"]),
  Case(
    "commas in quotes", #"Digest realm="a, Basic b=c", nonce="d""#, challenges: ["Digest realm=a, Basic b=c,nonce=d"]),
  Case("blanks around =", "Digest realm = \"a\" ,\tnonce =b", challenges: ["Digest realm=a,nonce=b"]),
  Case("empty elements", ", ,Basic realm=a, ,, charset=b,", challenges: ["Basic realm=a,charset=b"]),
  Case("a scheme, a comma, its parameters", "Digest, realm=a", challenges: ["Digest realm=a"]),
  Case("names in any case", "dIgEsT REALM=A", challenges: ["dIgEsT realm=A"]),
  Case("a parameter without a scheme", "realm=a, Basic realm=b", challenges: ["Basic realm=b"]),
  Case("an unclosed quote", #"Digest realm="a, nonce=b"#, challenges: ["Digest realm=a, nonce=b"]),
  Case("a backslash at the end", #"Digest realm="a\"#, challenges: [#"Digest realm=a\"#]),
  Case("an empty value", #"Digest realm="", nonce="#, challenges: ["Digest realm=,nonce="]),
  Case(
    "no quotes where there should be", "Digest realm=a b, nonce=c/d==", challenges: ["Digest realm=a", "b nonce=c/d=="]),
  Case("only punctuation", #"=",;:/()[]"#, challenges: []),
  Case("punctuation before", #"@@@, "x, y", Basic realm=a"#, challenges: ["Basic realm=a"]),
  Case("a name with a letter beyond ASCII", "Bäsic realm=a, Basic realm=b", challenges: ["Basic realm=b"]),
  Case("bytes beyond ASCII in quotes", "Basic realm=\"Grüße 🙂\"", challenges: ["Basic realm=Grüße 🙂"]),
  Case("a parameter twice", "Digest nonce=a, nonce=b", challenges: ["Digest nonce=a,nonce=b"]),
]

@Suite("Challenges")
struct ChallengeTests {
  @Test("A header's challenges", arguments: cases)
  private func parsing(_ example: Case) {
    let found = parseChallenges(example.lines).map { challenge in
      let parameters = challenge.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
      return ([challenge.scheme] + [challenge.token68, parameters].compactMap { $0 }.filter { !$0.isEmpty })
        .joined(separator: " ")
    }
    #expect(found == example.challenges)
  }

  @Test(
    "Large garbage is read in linear time", arguments: ["=", "\"", "a ", "a=", "a=\"", ",", "\\", "Digest ", "a \" ="])
  func large(_ piece: String) {
    let growth = growth(to: 200_000 / piece.utf8.count) { count in
      _ = parseChallenges([String(repeating: piece, count: count)])
    }
    #expect(growth < 1.5)
  }

  @Test(
    "The strongest Digest challenge is chosen, the first of equals",
    arguments: [
      (["Digest realm=a, nonce=1"], "1"),
      (["Digest realm=a, nonce=1, algorithm=MD5, Digest realm=a, nonce=2, algorithm=SHA-256"], "2"),
      (["Digest realm=a, nonce=1, algorithm=SHA-256", "Digest realm=a, nonce=2, algorithm=MD5"], "1"),
      (["Digest realm=a, nonce=1, algorithm=sha-256-sess", "Digest realm=a, nonce=2, algorithm=SHA-256"], "1"),
      (["Basic realm=a", "Digest realm=a, nonce=2, algorithm=SHA-512-256", "Digest realm=a, nonce=3"], "2"),
      (["Digest realm=a, nonce=1, algorithm=SHA-512", "Digest realm=a, nonce=2"], "2"),
      (
        [
          "Digest realm=a, nonce=1, algorithm=SHA-256, qop=auth-int", "Digest realm=a, nonce=2, qop=\"auth-int, auth\"",
        ], "2"
      ),
    ])
  func strongest(_ lines: [String], _ nonce: String) throws {
    #expect(try DigestChallenge.strongest(in: head(lines)).nonce == nonce)
  }

  @Test(
    "A challenge that cannot be answered says why",
    arguments: [
      ([], "the server gave no challenge that Digest credentials could answer"),
      (["Basic realm=a"], "the server asks for Basic, not for Digest credentials"),
      (["Digest nonce=a"], "the server's Digest challenge has no realm"),
      (["Digest realm=a"], "the server's Digest challenge has no nonce"),
      (["Digest realm=a, nonce=\"\""], "the server's Digest challenge has no nonce"),
      (
        ["Digest realm=a, nonce=b, qop=auth-int"],
        "the server offers Digest credentials only with qop auth-int; only auth is supported"
      ),
      (
        ["Digest realm=a, nonce=b, algorithm=SHA-1"],
        "the server asks for Digest credentials by the algorithm SHA-1, which is not supported"
      ),
      (
        ["Digest realm=a, nonce=b, algorithm=\"\(String(repeating: "x", count: 100))\""],
        "the server asks for Digest credentials by the algorithm \(Excerpt(String(repeating: "x", count: 100), limit: 40)), "
          + "which is not supported"
      ),
      (["Digest realm=a, nonce=\"b\u{1}\""], "the server's Digest challenge has control characters"),
      (["Digest realm=\"a\u{7F}\", nonce=b"], "the server's Digest challenge has control characters"),
      (["Digest realm=a, nonce=b, opaque=\"\u{0}\""], "the server's Digest challenge has control characters"),
    ])
  func refused(_ lines: [String], _ message: String) {
    #expect(throws: ChallengeRefusal(message: message)) { try DigestChallenge.strongest(in: head(lines)) }
  }
}

private func head(_ lines: [String]) -> ResponseHead {
  ResponseHead(status: 401, headers: HeaderFields(lines.map { ("WWW-Authenticate", $0) }))
}
