import SpecImports
import Testing
import Values

/// Credentials in sources: in all places where they stand in files of other tools, and nowhere in what is written.
struct PlantedSecretTests {
  private static let secret = "S3cr3tZk7hunterQ9v"

  struct Case: CustomTestStringConvertible {
    let kind: String
    let testDescription: String
    let files: [(String, String)]
    /// A part of the specs once each secret has its value again: `§` is the planted one.
    let sent: String?

    init(_ kind: String, _ name: String, _ text: String, file: String = "", sent: String? = "§") {
      self.init(kind, name, [(file.isEmpty ? PlantedSecretTests.fileNames[kind] ?? "a" : file, text)], sent: sent)
    }

    init(_ kind: String, _ name: String, _ files: [(String, String)], sent: String? = "§") {
      (self.kind, testDescription, self.sent) = (kind, "\(kind): \(name)", sent)
      self.files = files
    }
  }

  private static let fileNames = [
    "bruno": "a.bru", "curl": "a.sh", "har": "a.har", "http": "a.http", "hurl": "a.hurl", "insomnia": "a.yaml",
    "openapi": "a.yaml", "postman": "a.json",
  ]

  @Test(arguments: cases) func isNotWritten(_ testCase: Case) throws {
    let sources = testCase.files.map { name, text in
      ImportSource(path: name, bytes: Array(text.replacing("§", with: Self.secret).utf8))
    }
    var bag = DiagnosticBag()
    let collection = try reader(testCase.kind).read(sources, ImportSelection(), &bag)
    let shown = DiagnosticRenderer(style: .plain).render(bag.diagnostics)
    #expect(!shown.contains(Self.secret), "\(shown)")
    guard let collection else {
      #expect(testCase.sent == nil, "\(shown)")
      return
    }
    // Documents of OpenAPI are copied as they are.
    let copies = Set(collection.attachments.map(\.path))
    let composed = composedImport(collection)
    var written = composed.files.filter { !copies.contains($0.path) }.map { String(decoding: $0.bytes, as: UTF8.self) }
      .joined(separator: "\n")
    #expect(!(written + composed.files.map(\.path).joined()).contains(Self.secret), "\(written)")
    for (name, value) in composed.secrets {
      written = written.replacing("${{ \(name) }}", with: value).replacing(" \(name))", with: " '\(value)')")
    }
    if let sent = testCase.sent?.replacing("§", with: Self.secret) { #expect(written.contains(sent), "\(written)") }
  }

  @Test func numbersAreNotWritten() throws {
    let source = #"curl --json '{"pin": 12345678, "a": {"password": -42.5e3}, "otp": 12}' http://x.example/"#
    var bag = DiagnosticBag()
    let sources = [ImportSource(path: "a.sh", bytes: Array(source.utf8))]
    let collection = try #require(try reader("curl").read(sources, ImportSelection(), &bag))
    let composed = composedImport(collection)
    let written = composed.files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
    #expect(written.contains("pin: ${{ to_number(PIN) }}"), "\(written)")
    #expect(!written.contains("12345678") && !written.contains("-42.5"), "\(written)")
    #expect(composed.secrets.map(\.value) == ["12345678", "-42.5e3"])
  }

  private static func postman(_ request: String, _ more: String = "", variables: String = "") -> String {
    """
    {"info": {"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
    "variable": [\(variables)], "item": [{"name": "r", "request": {"method": "POST", \(request)}\(more)}]}
    """
  }

  private static func script(_ line: String, _ event: String = "test") -> String {
    #", "event": [{"listen": "\#(event)", "script": {"exec": [\#(quoted(line))]}}]"#
  }

  private static func quoted(_ text: String) -> String {
    #""\#(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))""#
  }

  private static func har(_ request: String) -> String {
    #"{"log": {"entries": [{"request": {"method": "POST", \#(request)}}]}}"#
  }

  private static func insomnia(_ request: String, _ more: String = "") -> String {
    """
    type: collection.insomnia.rest/5.0
    name: c
    collection:
      - name: r
        method: POST
        url: http://x.example/
    \(request.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))
    \(more)
    """
  }

  private static let bearer = "authentication: {type: bearer, token: '{{ _.x }}'}"

  static let cases = curl + http + hurl + postman + others

  private static let curl = [
    Case("curl", "userinfo", "curl http://ann:§@x.example/"),
    Case("curl", "a variable as a token", "X=§\ncurl -H \"Authorization: Bearer $X\" http://x.example/", sent: nil),
    Case("curl", "a variable of a variable", "Y=§\nX=$Y\ncurl -H \"X-Api-Key: $X\" http://x.example/", sent: nil),
    Case(
      "curl", "a default", "curl -H \"Authorization: Bearer ${T:-§}\" http://x.example/", sent: "default(env.T, '§')"),
    Case("curl", "a URL in a header", "curl -H 'X-Callback: https://u:§@h/' http://x.example/", sent: "https://u:§@h/"),
    Case("curl", "a query in a header", "curl -e 'http://h/?a=1&token=§&b=2' http://x.example/", sent: "token=§&b=2"),
    Case("curl", "a query", "curl 'http://x.example/?token=§'", sent: "?token=§"),
    Case("curl", "options of TLS", "curl --tlsuser a --tlspassword § http://x.example/", sent: nil),
    Case(
      "curl", "headers of proxies", "curl --proxy-header 'Proxy-Authorization: Basic §' http://x.example", sent: nil),
    Case("curl", "certificates of proxies", "curl --proxy-cert a:§ http://x.example/", sent: nil),
    Case(
      "curl", "other commands", "wget --header 'Authorization: token §' http://x/\ncurl http://x.example/", sent: nil),
    Case("curl", "accounts of other commands", "http -a ann --password § x\ncurl http://x.example/", sent: nil),
    Case("curl", "a proxy", "curl -x http://u:§@p.example http://x.example/"),
    Case("curl", "a form as a text", "curl -H 'Content-Type: text/plain' -d 'a=1&password=§' http://x.example/"),
    Case(
      "curl", "JSON as a text", #"curl -H 'Content-Type: text/plain' -d '{"a": {"password": "§"}}' http://x.example/"#,
      sent: #""password": "§""#),
    Case("curl", "broken JSON", #"curl --json '{"password": "§",}' http://x.example/"#, sent: #""password": "§",}"#),
    Case(
      "curl", "lines of JSON",
      "curl -H 'Content-Type: application/x-ndjson' -d $'{\"token\": \"§\"}\\n{\"token\": \"§\"}' http://x.example/"),
    Case("curl", "a text of JSON in JSON", #"curl --json '{"data": "{\"token\": \"§\"}"}' http://x.example/"#),
    Case(
      "curl", "XML",
      "curl -H 'Content-Type: application/xml' -d '<a><s:Password T=\"1\">§</s:Password></a>' http://x.example/",
      sent: "<s:Password T=\"1\">§<"),
    Case("curl", "the same elsewhere", "curl -u ann:§ http://x.example/a -H 'X-Trace: a-§'", sent: "a-§"),
    Case("curl", "a comment", "# token: §\ncurl http://x.example/", sent: nil),
    Case(
      "curl", "a list of tokens", #"curl --json '{"tokens": {"a": "§"}, "b": [{"secret": ["§"]}]}' http://x.example/"#),
    Case("curl", "a key of JSON", #"curl --json '{"ghp_§0000": 1}' http://x.example/"#, sent: "ghp_§0000"),
    Case("curl", "a number", "curl -d pin=12345678 -d 'password=§' http://x.example/"),
  ]

  private static let http = [
    Case("http", "userinfo", "GET http://ann:§@x.example/a", sent: "http://ann:§@x"),
    Case("http", "a variable as a token", "@x=§\nGET http://x.example/a\nAuthorization: Bearer {{x}}", sent: nil),
    Case("http", "scripts", "GET http://x.example/b\n\n> {% client.global.set(\"token\", \"§\"); %}"),
    Case("http", "other scripts", "GET http://x.example/b\n\n> {% if (a) { login(\"token\", \"§\"); } %}", sent: nil),
    Case("http", "exports", "GET http://x.example/b\n\n> {% exports.token = \"§\" %}", sent: nil),
    Case("http", "expectations", "GET http://x.example/b\n\n?? body password == §"),
    Case("http", "a proxy", "# @proxy http://u:§@p.example\nGET http://x.example/b"),
    Case(
      "http", "nested values",
      [("a.http", "GET http://x.example/"), ("http-client.env.json", #"{"dev": {"a": {"token": "§"}}}"#)]),
    Case(
      "http", "a private file with an error",
      [("a.http", "GET http://x.example/"), ("http-client.private.env.json", #"{"dev": {"x": "§",}}"#)], sent: nil),
  ]

  private static let hurl = [
    Case("hurl", "a query", "GET http://x.example/\n[Query]\ntoken: §", sent: "token: §"),
    Case("hurl", "a certificate", "GET http://x.example/\n[Options]\ncert: c.pem:§", sent: "passphrase: §"),
    Case("hurl", "a proxy", "GET http://x.example/\n[Options]\nproxy: http://u:§@p.example"),
    Case("hurl", "an expectation", "GET http://x.example/\nHTTP 200\n[Asserts]\njsonpath \"$.password\" == \"§\""),
    Case("hurl", "a variable", "GET http://x.example/\n[Options]\nvariable: x=§\n[Form]\npassword: {{x}}", sent: nil),
    Case("hurl", "an account without a colon", "GET http://x.example/\n[BasicAuth]\nann §\nHTTP 200", sent: nil),
    Case("hurl", "a certificate without a colon", "GET http://x.example/\n[Options]\ncert = c.pem:§", sent: nil),
    Case(
      "hurl", "GraphQL", "POST http://x.example/\n```graphql\nmutation { login(password: \"§\", a: 1) { id } }\n```"),
    Case("hurl", "a text", "POST http://x.example/\n`password=§`"),
  ]

  private static let postman = [
    Case("postman", "userinfo", postman(#""url": "http://ann:§@x.example/a""#), sent: "http://ann:§@x"),
    Case(
      "postman", "a disabled header",
      postman(#""url": "http://x", "header": [{"key": "Authorization", "value": "Bearer §", "disabled": true}]"#),
      sent: nil),
    Case(
      "postman", "a variable as a key",
      postman(
        #""url": "http://x", "header": [{"key": "X-Api-Key", "value": "{{k}}"}]"#,
        variables: #"{"key": "k", "value": "§"}"#), sent: nil),
    Case(
      "postman", "a variable of an environment",
      [
        (
          "a.json",
          postman(#""url": "http://x", "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{k}}"}]}"#)
        ),
        (
          "b.json",
          #"{"name": "dev", "_postman_variable_scope": "environment", "values": [{"key": "k", "value": "§"}]}"#
        ),
      ], sent: nil),
    Case("postman", "scripts", postman(#""url": "http://x""#, script("pm.environment.set('token', '§')"))),
    Case(
      "postman", "scripts before",
      postman(#""url": "http://x/{{token}}""#, script("pm.variables.set('token', '§')", "prerequest"))),
    Case(
      "postman", "other scripts",
      postman(#""url": "http://x""#, script("for (;;) { pm.environment.set('token', \"§\") }")),
      sent: nil),
    Case(
      "postman", "expectations",
      postman(#""url": "http://x""#, script("pm.test('a', () => { pm.expect(pm.response.json().token).to.eql('§') })"))),
    Case("postman", "certificates", postman(#""url": "http://x", "certificate": {"passphrase": "§"}"#), sent: nil),
    Case("postman", "proxies", postman(#""url": "http://x", "proxy": {"auth": {"password": "§"}}"#), sent: nil),
    Case(
      "postman", "broken JSON",
      postman(#""url": "http://x", "body": {"mode": "raw", "raw": "{\"password\": \"§\",}"}"#),
      sent: #""password": "§""#),
    Case("postman", "an error", #"{"info": {"name": "a"}, "item": [{"key": "token", "value": "§",}]}"#, sent: nil),
  ]

  private static let others = [
    Case("har", "userinfo", har(#""url": "http://ann:§@x.example/", "headers": []"#)),
    Case(
      "har", "a referrer", har(#""url": "http://x/", "headers": [{"name": "Referer", "value": "http://h/?token=§"}]"#)),
    Case(
      "har", "a text", har(#""url": "http://x/", "postData": {"mimeType": "text/plain", "text": "{\"token\": \"§\"}"}"#)
    ),
    Case(
      "insomnia", "a disabled header", insomnia("headers: [{name: X-Api-Key, value: '§', disabled: true}]"), sent: nil),
    Case("insomnia", "a variable", insomnia(bearer, "environments: {name: base, data: {x: '§'}}"), sent: nil),
    Case(
      "insomnia", "nested variables",
      insomnia("headers: [{name: X-Api-Key, value: '{{ _.a.x }}'}]", "environments: {name: base, data: {a: {x: '§'}}}"),
      sent: nil),
    Case(
      "insomnia", "a private environment",
      insomnia(
        "", "environments: {name: base, data: {}, subEnvironments: [{name: p, isPrivate: true, data: {x: '§'}}]}"),
      sent: nil),
    Case(
      "insomnia", "a vault", insomnia("", "environments: {name: base, data: {__insomnia_vault: {x: '§'}}}"), sent: nil),
    Case(
      "openapi", "userinfo",
      "openapi: 3.1.0\ninfo: {title: A, version: '1'}\nservers: [{url: 'http://ann:§@x.example'}]\n"
        + "paths: {/a: {get: {responses: {}}}}\n", sent: nil),
    Case(
      "bruno", "a variable as a token",
      "get {\n  url: http://x.example\n  auth: bearer\n}\n\nauth:bearer {\n  token: {{x}}\n}\n\nvars:pre-request {\n  x: §\n}"
    ),
    Case(
      "bruno", "scripts",
      "get {\n  url: http://x.example\n}\n\nscript:post-response {\n  bru.setVar(\"token\", \"§\")\n}"),
    Case("bruno", "expectations", "get {\n  url: http://x.example\n}\n\nassert {\n  res.body.token: eq §\n}"),
    Case("bruno", "userinfo", "get {\n  url: http://ann:§@x.example\n}"),
  ]

  /// Values that only look like secrets stay as they are.
  @Test func staysReadable() throws {
    let result = try ImportedSources(
      "curl",
      [
        (
          "a.sh",
          """
          # Basic authentication, and a bearer certificate
          curl 'http://x.example/tokens?max_age=5&grant_type=password' -H 'Accept: a/b; q=1' -b lang=en
          curl --json '{"max_tokens": 4096, "token_type": "bearer", "mail": "ann@x.example", "time": "10:00"}' http://y.example/
          """
        )
      ])
    let spec = try #require(result.files.values.first)
    #expect(!spec.contains("secrets:") && !spec.contains("***"), "\(spec)")
  }
}
