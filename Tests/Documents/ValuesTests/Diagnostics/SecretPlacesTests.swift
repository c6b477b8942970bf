import TestSupport
import Testing
import Values

/// Every line of a text as diagnostics draw it, with the marks below.
private func drawing(of text: String, name: String = "a.yaml") -> String {
  let source = SourceText(name: name, text: text)
  let renderer = DiagnosticRenderer(style: .plain, width: 400)
  var lines: [String] = []
  for index in 0..<source.position(at: source.utf8.count).line {
    let drawn = renderer.render(.error(.invalidValue, "x", at: SourceRange(source, source.lineBytes(index))))
    lines.append(drawn.split(separator: "\n").first { $0.hasPrefix(" \(index + 1) |") }.map(String.init) ?? "")
  }
  return lines.map { String($0.drop { $0 != "|" }.dropFirst(2)) }.joined(separator: "\n")
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
      "password: §", "password: '§'", "password: \"§\"", "password:   §  # §", "\"password\": §", "? password\n: §",
      "password: |\n  §\n  §", "password: >-\n\n  §", "password:\n  §", "password: a\n  §", "password: \"a\n  §\"",
      "password: &a §", "password: !!str §", "password: !<tag:§> x", "password: &§ x", "a: &x §\npassword: *x",
      "a: {b: &x §}\nc: {password: *x}", "secrets: {t: §}", "secrets:\n  t: §\n  u: x", "secrets: {t: [§]}",
      "secrets: [\"t=§\"]", "secrets:\n- t=§", "secrets:\n  t:\n    u: §", "secrets: {a: x,\n b: §}",
      "auth: bearer §", "auth: {bearer: §}", "auth: {basic: {username: u, password: §}}", "auth: {basic: \"u:§\"}",
      "auth: {basic: [u, §]}", "auth: {basic: {usrname: u, pasword: §}}", "auth: {digest: §}", "auth: \"u:§\"",
      "auth:\n  aws_sigv4:\n    access_key: a\n    secret_key: §\n    session_token: §", "user: ann:§",
      "headers: {Authorization: [§, {a: §}]}", "headers:\n  Authorization: |\n    Bearer\n    §",
      "headers: [\"Authorization: Bearer §\"]", "headers: {Cookie: \"a=§; b=§\"}", "headers: {X-Api-Key: §}",
      "headers: \"X-Auth-Token: §\"", "cookies: {sid: §, other: \"§;x\"}", "cookies: \"a=§; b=§\"", "cookies: [a=§]",
      "bearer: \"§${{ x }}\"", "bearer: \"${{ x }}§\"", "bearer: ${{ '§' }}", "bearer: \"${{ f(\\\"§\\\") }}\"",
      "tls: {passphrase: §}", "proxy: u:§@h:1", "proxy: §@h:1", "proxy: {url: \"http://u:§@h\"}", "url: http://§@h/",
      "url: \"https://u:§@h/a\"", "url: http://h/?token=§&api_key=§", "url: http://h/?a=1&access_token=§#x",
      "query: {api_key: §}", "form: {password: §}", "json: {a: [{clientSecret: §}]}", "json: {apiKey: {x: {y: §}}}",
      "variables: {dbPassword: §}", "variables:\n  token: §\n  other: x", "body: '{\"password\": \"§\"}'",
      "body: \"{\\\"password\\\": \\\"§\\\"}\"", "body: |\n  {\"password\": \"§\"}", "body: a=1&password=§&b=2",
      "body: |\n  Authorization: Bearer §", "x: Bearer §", "# password: §", "a: b # token: §", "  # - token=§",
      "k: \"-----BEGIN RSA PRIVATE KEY-----§-----END RSA PRIVATE KEY-----\"",
      "k: |\n  -----BEGIN PRIVATE KEY-----\n  §\n  -----END PRIVATE KEY-----", "{\"password\": \"§\"}",
      "{\n\"a\": 1,\n\"password\":\n\"§\"\n}", "[{\"token\":\"§\"},{\"token\":[\"§\",{\"a\":\"§\"}]}]",
      "expect: {json: {$.password: §, \"$.token\": {equals: §}}}", "- - password: §", "a:\n- b: c\n  password: §",
      "properties: {password: {type: string, default: §, examples: [§]}}", "properties: {password: §}",
      "components:\n  schemas:\n    token:\n      example: §\n      enum: [§]", "PASSWORD=§", "export DB_PASSWORD=§",
      "password: 'it''s §'", "password: \"a\\\"§\"", "a: 1\r\npassword: §\r\nb: 2", "\u{FEFF}password: §",
      "password: ${§}",
      "password: {{ § }}", "graphql: {variables: {password: §}}", "multipart: {token: {value: §, type: text/plain}}",
    ])
  func sound(_ text: String) {
    let drawn = drawing(of: text.replacing("§", with: secret))
    #expect(!shows(drawn), "\(drawn)")
    #expect(drawn.contains("***"))
  }

  /// What may be wrong in a line with a password.
  private static let mistakes = [
    "password: §\"x", "password: \"§\" §", "password: \"§", "password: '§", "password: §: x", "password: [§",
    "password: {§", "password: @§", "password: `§", "password: %§", "password: \"\\qS\"", "password: |x §",
    "password: &§ &§", "password: - §", "password: !<§", "password: ]§", "password: }§", "password: §\n bogus",
    "password:\tS: y", "password: ,§", "password: \"§\\", "- password: §", "password: § #x: y", "{password: §",
    "[password: §", "{password: ab,§]}", "{a: 1, password: §]§, b: 2", "\"password\": \"§\" \"§\"", "? password: §: t",
    "password : § : x", "password §: : x", "password = §", "password: > §", "password:§", "password: \"\\uZZ§\"",
    "password: ? §", "password: '§' '§'", "password: ${{ §: x", "password: ${{ §: {a: x} }}", "password: §}\n  ]",
    "token: {a: §, b: [§",
    "password §", "password:\"§\"", "password: §, §", "password: \u{1}§", "'password': '§", "\"password: §",
    "password\": §",
    "password: \"§\", §", "pass: {§: }", "Authorization: Bearer §: x", "password: [a, §}", "password: {a: [§}",
    "--password: §",
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
      .replacing("\u{0}", with: "@").replacing("§", with: secret)
    let drawn = drawing(of: text)
    #expect(!shows(drawn), "\(text)\n---\n\(drawn)")
  }

  @Test(
    "a private file shows no value, whatever its key, and however it is broken",
    arguments: [
      "a: §", "variables: {a: §}", "variables:\n  a: §", "- §", "§", "variables:\n  - &§", "variables:\n  - !§ x", "!§",
      "a: $${{ §", "a: $${{ § }}", "a: ${{ 1§ }}", "a: ${{ env('§ }}", "a: ${{ 'x§", "a: [x, §: , {§]", "a: |\n  §",
      "a: \"§", "a: *§", "a: &§ x", "defaults: {headers: [§: 1]}", "a: @§", "description: >\n  §", "a: §: x",
    ])
  func personal(_ text: String) {
    let drawn = drawing(of: text.replacing("§", with: secret), name: "env/a.private.yaml")
    #expect(!shows(drawn), "\(drawn)")
  }

  @Test(
    "all else is drawn",
    arguments: [
      ("password: § # x", "password: ***"), ("password: null", "password: null"), ("cookies: true", "cookies: true"),
      ("bearer: \"${{ token }}\"", "bearer: \"${{ token }}\""),
      ("Authorization: \"Bearer ${{ token }}\"", "Authorization: \"Bearer ${{ token }}\""),
      ("bearer: \"ab${{ token }}cd\"", "bearer: \"***${{ token }}***\""), ("auth: netrc", "auth: netrc"),
      ("bearer: \"${{ jwt_sign({sub: 1}, key) }}\"", "bearer: \"${{ jwt_sign({sub: 1}, key) }}\""),
      ("secrets: [a, b_c]", "secrets: [a, b_c]"), ("password: ${{ env(\"NAME\") }}", "password: ${{ env(\"NAME\") }}"),
      ("auth: {basic: {username: ann, password: §}}", "auth: {basic: {username: ann, password: ***}}"),
      ("auth: {type: basic, username: ann, password: §}", "auth: {type: basic, username: ann, password: ***}"),
      ("auth: {oauth: {token_url: http://h/, x: §}}", "auth: {oauth: {token_url: http://h/, x: ***}}"),
      (
        "auth: {grant_type: client_credentials, client_id: a, client_secret: §}",
        "auth: {grant_type: client_credentials, client_id: a, client_secret: ***}"
      ),
      ("- {a: b, password: §, c: [d]}", "- {a: b, password: ***, c: [d]}"),
      ("capture: {token: $.a.token, b: \"$['x']\"}", "capture: {token: $.a.token, b: \"$['x']\"}"),
      (
        "expect: {json: {$.token: {type: string, exists: true}}}",
        "expect: {json: {$.token: {type: string, exists: true}}}"
      ),
      ("properties: {token: {type: strin, format: x}}", "properties: {token: {type: strin, format: x}}"),
      ("token_url: http://h/", "token_url: http://h/"), ("cookie_jar: a.txt", "cookie_jar: a.txt"),
      ("url: http://u:p@h/?token=x&page=2#f", "url: http://***@h/?token=***&page=2#f"),
      ("body: a=1&b=2", "body: a=1&b=2"),
      ("to: ann@example.com, bob@example.com", "to: ann@example.com, bob@example.com"),
      ("secrets:\n  t: §\nurl: http://h:80/", "secrets:\n  t: ***\nurl: http://h:80/"),
      ("password: |\n  §\nurl: x", "password: |\n  ***\nurl: x"), ("key: a\nauthor: b", "key: a\nauthor: b"),
      ("x: [password, token]", "x: [password, token]"),
      ("time: 12:30:45\nat: a@b", "time: 12:30:45\nat: a@b"), ("a: b: c", "a: b: c"),
      ("{\"a\": \"b\", \"token\": \"§\", \"c\": 1}", "{\"a\": \"b\", \"token\": \"***\", \"c\": 1}"),
    ])
  func shown(_ text: String, _ drawn: String) {
    #expect(drawing(of: text.replacing("§", with: secret)) == drawn)
  }

  @Test("marks stand under what they mean, and one that lies in a secret under all of it")
  func marks() {
    let text = "- {password: \(secret), usr: x}"
    let source = SourceText(name: "a.yaml", text: text)
    func drawn(_ word: String) -> [String] {
      let start = text.firstRange(of: word).map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } ?? 0
      let range = SourceRange(source, start..<start + word.utf8.count)
      return DiagnosticRenderer(style: .plain).render(.error(.invalidValue, "x", at: range)).split(separator: "\n")
        .suffix(2)
        .map(String.init)
    }
    #expect(drawn("usr") == [" 1 | - {password: ***, usr: x}", "   |                   ^^^"])
    #expect(drawn("zX9") == [" 1 | - {password: ***, usr: x}", "   |              ^^^"])
    #expect(drawn("password: Hq7") == [" 1 | - {password: ***, usr: x}", "   |    ^^^^^^^^^^^^^"])
  }

  @Test(
    "a message about a line does not quote its secrets",
    arguments: [
      ("`§` is not a boolean", "`***` is not a boolean"), ("found \"§\"", "found \"***\""),
      ("write `password: \"§\"`", "write `password: \"***\"`"),
      ("the alias `*§` has no anchor", "the alias `****` has no anchor"),
      ("§ is wrong", "*** is wrong"), ("found \"Hq7zX9…\"", "found \"***\""),
      ("unknown key `password`", "unknown key `password`"),
    ])
  func messages(_ message: String, _ shown: String) {
    let source = SourceText(name: "a.yaml", text: "password: \(secret)")
    let range = SourceRange(source, 0..<5)
    let diagnostic = Diagnostic.error(
      .invalidValue, message.replacing("§", with: secret), at: range,
      notes: [Diagnostic.Note(message.replacing("§", with: secret))], help: message.replacing("§", with: secret))
    #expect(diagnostic.message == shown)
    #expect(diagnostic.notes[0].message == shown)
    #expect(diagnostic.help == shown)
  }

  @Test(
    "a secret of letters alone is found in quotes, as a word",
    arguments: [
      ("define `&hunter` before it", "define `&***` before it"), ("write `[hunter]`", "write `[***]`"),
      ("write `password: hunter`", "write `password: ***`"),
      ("unknown key `password hunter`", "unknown key `password ***`"),
      ("quote it: `'\"hunter\" hunter'`", "quote it: `'\"***\" ***'`"), ("a hunter", "a hunter"),
      ("write `hunters`", "write `hunters`"),
    ])
  func words(_ message: String, _ shown: String) {
    let source = SourceText(name: "a.yaml", text: "password: hunter")
    #expect(Diagnostic.error(.invalidValue, message, at: SourceRange(source, 0..<5)).message == shown)
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
      _ = DiagnosticRenderer(style: .plain).render(
        .error(.invalidValue, "x", at: SourceRange(source, 0..<source.utf8.count)))
    }
    for piece in pieces {
      let growth = growth(to: 4000) { count in
        let source = SourceText(name: "a.yaml", text: String(repeating: piece, count: count))
        _ = DiagnosticRenderer(style: .plain).render(.error(.invalidValue, "x", at: SourceRange(source, 0..<1)))
      }
      #expect(growth < 1.5, "\(piece)")
    }
  }

  @Test(
    "names in templates are shown, however wrong the template is",
    arguments: [
      "bearer: ${{ tokn }}", "auth: {bearer: ${{ tokn }}}", "bearer: \"${{ tokn | upper }\"", "bearer: \"{{ tokn }}\"",
      "auth: {bearer: '{{ env.tokn }}'}", "password: ${{ a.tokn }",
    ])
  func templatesAreShown(_ yaml: String) {
    #expect(drawing(of: yaml).contains("tokn"))
  }
}
