import Diagnostics
import Testing

/// Every line of a text as diagnostics draw it, with the marks below.
private func drawing(of text: String, name: String = "a.yaml") -> String {
  let source = SourceText(name: name, text: text)
  let renderer = DiagnosticRenderer(style: .plain, width: 400)
  var lines: [String] = []
  for index in 0..<source.position(at: source.utf8.count).line {
    let drawn = renderer.render(.error("x", at: SourceRange(source, source.lineBytes(index))))
    lines.append(drawn.split(separator: "\n").first { $0.hasPrefix(" \(index + 1) |") }.map(String.init) ?? "")
  }
  return lines.map { String($0.drop { $0 != "|" }.dropFirst().drop { $0 == " " }) }.joined(separator: "\n")
}

/// Stands for a secret in the tables below.
private let secret = "Hq7zX9vKp2"

/// Whether a text shows four characters of the secret.
private func shows(_ text: String) -> Bool {
  (0...secret.count - 4).contains { text.lowercased().contains(secret.dropFirst($0).prefix(4).lowercased()) }
}

@Suite("Secrets in drawn lines")
struct SecretPlacesTests {
  @Test(
    "sound YAML shows no secret",
    arguments: [
      "password: S", "password: 'S'", "password: \"S\"", "password:   S  # S", "\"password\": S", "? password\n: S",
      "password: |\n  S\n  S", "password: >-\n\n  S", "password:\n  S", "password: a\n  S", "password: \"a\n  S\"",
      "password: &a S", "password: !!str S", "password: !<tag:S> x", "password: &S x", "a: &x S\npassword: *x",
      "a: {b: &x S}\nc: {password: *x}", "secrets: {t: S}", "secrets:\n  t: S\n  u: x", "secrets: {t: [S]}",
      "secrets: [\"t=S\"]", "secrets:\n- t=S", "secrets:\n  t:\n    u: S", "secrets: {a: x,\n b: S}",
      "auth: bearer S", "auth: {bearer: S}", "auth: {basic: {username: u, password: S}}", "auth: {basic: \"u:S\"}",
      "auth: {basic: [u, S]}", "auth: {basic: {usrname: u, pasword: S}}", "auth: {digest: S}", "auth: \"u:S\"",
      "auth:\n  aws_sigv4:\n    access_key: a\n    secret_key: S\n    session_token: S", "user: ann:S",
      "headers: {Authorization: [S, {a: S}]}", "headers:\n  Authorization: |\n    Bearer\n    S",
      "headers: [\"Authorization: Bearer S\"]", "headers: {Cookie: \"a=S; b=S\"}", "headers: {X-Api-Key: S}",
      "headers: \"X-Auth-Token: S\"", "cookies: {sid: S, other: \"S;x\"}", "cookies: \"a=S; b=S\"", "cookies: [a=S]",
      "bearer: \"S${{ x }}\"", "bearer: \"${{ x }}S\"", "bearer: ${{ 'S' }}", "bearer: \"${{ f(\\\"S\\\") }}\"",
      "tls: {passphrase: S}", "proxy: u:S@h:1", "proxy: S@h:1", "proxy: {url: \"http://u:S@h\"}", "url: http://S@h/",
      "url: \"https://u:S@h/a\"", "url: http://h/?token=S&api_key=S", "url: http://h/?a=1&access_token=S#x",
      "query: {api_key: S}", "form: {password: S}", "json: {a: [{clientSecret: S}]}", "json: {apiKey: {x: {y: S}}}",
      "variables: {dbPassword: S}", "variables:\n  token: S\n  other: x", "body: '{\"password\": \"S\"}'",
      "body: \"{\\\"password\\\": \\\"S\\\"}\"", "body: |\n  {\"password\": \"S\"}", "body: a=1&password=S&b=2",
      "body: |\n  Authorization: Bearer S", "x: Bearer S", "# password: S", "a: b # token: S", "  # - token=S",
      "k: \"-----BEGIN RSA PRIVATE KEY-----S-----END RSA PRIVATE KEY-----\"",
      "k: |\n  -----BEGIN PRIVATE KEY-----\n  S\n  -----END PRIVATE KEY-----", "{\"password\": \"S\"}",
      "{\n\"a\": 1,\n\"password\":\n\"S\"\n}", "[{\"token\":\"S\"},{\"token\":[\"S\",{\"a\":\"S\"}]}]",
      "expect: {json: {$.password: S, \"$.token\": {equals: S}}}", "- - password: S", "a:\n- b: c\n  password: S",
      "properties: {password: {type: string, default: S, examples: [S]}}", "properties: {password: S}",
      "components:\n  schemas:\n    token:\n      example: S\n      enum: [S]", "PASSWORD=S", "export DB_PASSWORD=S",
      "password: 'it''s S'", "password: \"a\\\"S\"", "a: 1\r\npassword: S\r\nb: 2", "\u{FEFF}password: S",
      "password: ${S}",
      "password: {{ S }}", "graphql: {variables: {password: S}}", "multipart: {token: {value: S, type: text/plain}}",
    ])
  func sound(_ text: String) {
    let drawn = drawing(of: text.replacing("S", with: secret))
    #expect(!shows(drawn), "\(drawn)")
    #expect(drawn.contains("***"))
  }

  /// What may be wrong in a line with a password.
  private static let mistakes = [
    "password: S\"x", "password: \"S\" S", "password: \"S", "password: 'S", "password: S: x", "password: [S",
    "password: {S", "password: @S", "password: `S", "password: %S", "password: \"\\qS\"", "password: |x S",
    "password: &S &S", "password: - S", "password: !<S", "password: ]S", "password: }S", "password: S\n bogus",
    "password:\tS: y", "password: ,S", "password: \"S\\", "- password: S", "password: S #x: y", "{password: S",
    "[password: S", "{password: ab,S]}", "{a: 1, password: S]S, b: 2", "\"password\": \"S\" \"S\"", "? password: S: t",
    "password : S : x", "password S: : x", "password = S", "password: > S", "password:S", "password: \"\\uZZS\"",
    "password: ? S", "password: 'S' 'S'", "password: ${{ S: x", "password: S}\n  ]", "token: {a: S, b: [S",
    "password S", "password:\"S\"", "password: S, S", "password: \u{1}S", "'password': 'S", "\"password: S",
    "password\": S",
    "password: \"S\", S", "pass: {S: }", "Authorization: Bearer S: x", "password: [a, S}", "password: {a: [S}",
    "--password: S",
  ]

  @Test(
    "broken YAML shows no secret, wherever the line stands",
    arguments: [
      "@", "a: b\nvariables:\n  @\n  c: d", "- {url: x, variables: {a: b, @, c: d}}",
      "auth:\n  basic: {username: u, @}",
      "[a, {@}]", "a: \"b\nc: d\n@", "x: {\n  @\n}", "x:\n - y\n   @",
    ], mistakes)
  func broken(_ surroundings: String, _ mistake: String) {
    let text = surroundings.replacing("@", with: mistake.replacing("@", with: "\u{0}"))
      .replacing("\u{0}", with: "@").replacing("S", with: secret)
    let drawn = drawing(of: text)
    #expect(!shows(drawn), "\(text)\n---\n\(drawn)")
  }

  @Test(
    "all else is drawn",
    arguments: [
      ("password: S # x", "password: ***"), ("password: null", "password: null"), ("cookies: true", "cookies: true"),
      ("bearer: \"${{ token }}\"", "bearer: \"${{ token }}\""),
      ("Authorization: \"Bearer ${{ token }}\"", "Authorization: \"Bearer ${{ token }}\""),
      ("bearer: \"ab${{ token }}cd\"", "bearer: \"***${{ token }}***\""), ("auth: netrc", "auth: netrc"),
      ("secrets: [a, b_c]", "secrets: [a, b_c]"), ("password: ${{ env(\"NAME\") }}", "password: ${{ env(\"NAME\") }}"),
      ("auth: {basic: {username: ann, password: S}}", "auth: {basic: {username: ann, password: ***}}"),
      ("- {a: b, password: S, c: [d]}", "- {a: b, password: ***, c: [d]}"),
      ("capture: {token: $.a.token, b: \"$['x']\"}", "capture: {token: $.a.token, b: \"$['x']\"}"),
      (
        "expect: {json: {$.token: {type: string, exists: true}}}",
        "expect: {json: {$.token: {type: string, exists: true}}}"
      ),
      ("properties: {token: {type: strin, format: x}}", "properties: {token: {type: strin, format: x}}"),
      ("token_url: http://h/", "token_url: http://h/"), ("cookie_jar: a.txt", "cookie_jar: a.txt"),
      ("url: http://u:p@h/?token=x&page=2#f", "url: http://***@h/?token=***&page=2#f"),
      ("name: a password: none", "name: a password: none"), ("body: a=1&b=2", "body: a=1&b=2"),
      ("to: ann@example.com, bob@example.com", "to: ann@example.com, bob@example.com"),
      ("secrets:\n  t: S\nurl: http://h:80/", "secrets:\n  t: ***\nurl: http://h:80/"),
      ("password: |\n  S\nurl: x", "password: |\n  ***\nurl: x"), ("key: a\nauthor: b", "key: a\nauthor: b"),
      ("password: S\n\n- a", "password: ***\n\n- a"), ("x: [password, token]", "x: [password, token]"),
      ("time: 12:30:45\nat: a@b", "time: 12:30:45\nat: a@b"), ("a: b: c", "a: b: c"),
      ("{\"a\": \"b\", \"token\": \"S\", \"c\": 1}", "{\"a\": \"b\", \"token\": \"***\", \"c\": 1}"),
    ])
  func shown(_ text: String, _ drawn: String) {
    #expect(drawing(of: text.replacing("S", with: secret)) == drawn)
  }

  @Test("marks stand under what they mean, and one that lies in a secret under all of it")
  func marks() {
    let text = "- {password: \(secret), usr: x}"
    let source = SourceText(name: "a.yaml", text: text)
    func drawn(_ word: String) -> [String] {
      let start = text.firstRange(of: word).map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } ?? 0
      let range = SourceRange(source, start..<start + word.utf8.count)
      return DiagnosticRenderer(style: .plain).render(.error("x", at: range)).split(separator: "\n").suffix(2)
        .map(String.init)
    }
    #expect(drawn("usr") == [" 1 | - {password: ***, usr: x}", "   |                   ^^^"])
    #expect(drawn("zX9") == [" 1 | - {password: ***, usr: x}", "   |              ^^^"])
    #expect(drawn("password: Hq7") == [" 1 | - {password: ***, usr: x}", "   |    ^^^^^^^^^^^^^"])
  }

  @Test(
    "a message about a line does not quote its secrets",
    arguments: [
      ("`S` is not a boolean", "`***` is not a boolean"), ("found \"S\"", "found \"***\""),
      ("write `password: \"S\"`", "write `password: \"***\"`"),
      ("the alias `*S` has no anchor", "the alias `****` has no anchor"),
      ("S is wrong", "*** is wrong"), ("found \"Hq7zX9…\"", "found \"***\""),
      ("unknown key `password`", "unknown key `password`"),
    ])
  func messages(_ message: String, _ shown: String) {
    let source = SourceText(name: "a.yaml", text: "password: \(secret)")
    let range = SourceRange(source, 0..<5)
    let diagnostic = Diagnostic.error(
      message.replacing("S", with: secret), at: range, notes: [Diagnostic.Note(message.replacing("S", with: secret))],
      help: message.replacing("S", with: secret))
    #expect(diagnostic.message == shown)
    #expect(diagnostic.notes[0].message == shown)
    #expect(diagnostic.help == shown)
  }

  @Test(
    "URLs in messages and names",
    arguments: [
      ("GET http://h/?token=abc&a=b", "GET http://h/?token=***&a=b"), ("GET http://u:p@h/", "GET http://***@h/"),
      ("GET http://h/?keys%5Btoken%5D=1", "GET http://h/?keys%5Btoken%5D=1"),
      ("http://h/?api_key%5B%5D=abc", "http://h/?api_key%5B%5D=***"), ("GET /a?b=c", "GET /a?b=c"), ("", ""),
      ("http://u:p/q@h/", "http://***@h/"), ("http://h:80/a@b", "http://h:80/a@b"),
    ])
  func texts(_ text: String, _ shown: String) {
    #expect(concealingSecrets(in: text) == shown)
  }

  @Test(
    "names",
    arguments: [
      ("password", true), ("X-Api-Key", true), ("apiKey", true), ("client_secret", true), ("privateKey", true),
      ("Authorization", true), ("Set-Cookie", true), ("accessToken", true), ("AWS_SECRET_ACCESS_KEY", true),
      ("pwd", true),
      ("JSESSIONID", true), ("sessionId", true), ("key", false), ("author", false), ("token_url", false),
      ("monkey", false),
      ("compass", false), ("cookie_jar", false), ("authority", false), ("keyboard", false), ("primary_key", false),
      ("", false),
    ])
  func names(_ name: String, _ isSecret: Bool) {
    #expect(isSecretName(name) == isSecret)
  }

  @Test("any bytes can be scanned, in time that grows with their count")
  func anyBytes() {
    var state: UInt64 = 7
    let pieces = [
      "password", "token: ", ": ", "\"", "'", "{", "}", "[", "]", ",", "\n", "  ", "- ", "${{", "}}", "|\n", "#", "&a ",
      "*a",
      "=", "@", "://", "\\", "\u{0}", "é", "? ", "-----BEGIN PRIVATE KEY-----", "secrets:\n", "\t", "\r\n",
    ]
    for _ in 0..<300 {
      var text = ""
      for _ in 0..<40 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += pieces[Int(state >> 33) % pieces.count]
      }
      let source = SourceText(name: "a.yaml", text: text)
      _ = DiagnosticRenderer(style: .plain).render(.error("x", at: SourceRange(source, 0..<source.utf8.count)))
    }
    for piece in pieces {
      let source = SourceText(name: "a.yaml", text: String(repeating: piece, count: 3000))
      let time = ContinuousClock().measure {
        _ = DiagnosticRenderer(style: .plain).render(.error("x", at: SourceRange(source, 0..<1)))
      }
      #expect(time < .seconds(2), "\(piece)")
    }
  }
}
