import SpecImports
import Testing
import Values

/// The specs that collections of Postman become.
struct PostmanImportTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    /// The items of a collection.
    let items: String
    /// Other members of the collection.
    var members = ""
    /// Other documents.
    var others: [String] = []
    /// Lines of the specs, without blanks before and after.
    let lines: [String]
    /// Texts that no spec has.
    var absent: [String] = []

    var testDescription: String { name }
  }

  @Test(arguments: cases) func imports(_ testCase: Case) throws {
    let collection = #"{"info": {"name": "Shop"}, "item": [\#(testCase.items)]\#(testCase.members)}"#
    let text = try specs([collection] + testCase.others)
    let lines = Set(text.split(whereSeparator: \.isNewline).map { $0.trimmingBlanks })
    for line in testCase.lines { #expect(lines.contains(line), "\(line) in\n\(text)") }
    for part in testCase.absent { #expect(!text.contains(part), "\(part) in\n\(text)") }
  }

  private func specs(_ documents: [String]) throws -> String {
    let sources = documents.enumerated().map { ImportSource(path: "\($0).json", bytes: Array($1.utf8)) }
    var bag = DiagnosticBag()
    let kind = ImportReader.postman
    #expect(sources.allSatisfy(kind.recognizes))
    let collection = try #require(kind.read(sources, ImportSelection(), &bag))
    #expect(bag.diagnostics.isEmpty)
    let composed = composedImport(collection)
    return composed.files.map { "== \($0.path)\n" + String(decoding: $0.bytes, as: UTF8.self) }.joined()
  }

  /// A request with a script of tests.
  private static func test(_ script: String, before: String = "", url: String = "http://a.example/x") -> String {
    let lines = [("test", script), ("prerequest", before)].map { kind, text in
      let escaped = text.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#).replacing("\n", with: #"\n"#)
      return #"{"listen": "\#(kind)", "script": {"exec": ["\#(escaped)"]}}"#
    }
    return
      #"{"name": "Get", "request": {"method": "GET", "url": "\#(url)"}, "event": [\#(lines.joined(separator: ","))]}"#
  }

  static let cases =
    [
      Case(
        name: "a URL without a host is told",
        items: """
          {"name": "A", "request": "http:///x"}, {"name": "B", "request": "http://a.example/y"}
          """,
        lines: ["# not translated (requests without a URL): A", "- name: B"], absent: ["- name: A"]),
      Case(
        name: "folders are files, inner ones are parts of names",
        items: """
          {"name": "Users", "item": [{"name": "Admin", "item": [{"name": "List", "request": "http://a.example/users"}]}]},
          {"name": "Health", "request": "http://a.example/health"}
          """,
        lines: [
          "== users.yaml", "- name: Admin / List", "== shop.yaml", "- name: Health", "base_url: http://a.example",
        ]),
      Case(
        name: "URLs: scheme, path variables, disabled and encoded parameters",
        items: """
          {"name": "a", "request": {"url": {"host": ["a", "example"], "port": "81", "path": ["u", ":id", ":none", ":open"],
            "variable": [{"key": "id", "value": "7"}, {"key": "open", "value": ""}],
            "query": [{"key": "q", "value": "a b&c"}, {"key": "off", "value": "1", "disabled": true}, {"key": "n", "value": null}]}}},
          {"name": "b", "request": "{{host}}/x"}
          """,
        members: #", "variable": [{"key": "host", "value": "b.example"}]"#,
        lines: [
          "url: http://a.example:81/u/{id}/:none/{open}?q=a%20b%26c&n", "id: 7", "open: ${{ open }}",
          "# disabled parameter: off=1",
          "url: http://${{ host }}/x", "host: b.example",
        ]),
      Case(
        name: "credentials are inherited, and replace a header; noauth ends them",
        items: """
          {"name": "a", "request": {"url": "http://a.example", "header": [{"key": "authorization", "value": "mine"}]}},
          {"name": "b", "request": {"url": "http://a.example", "auth": {"type": "noauth"}}},
          {"name": "c", "request": {"url": "http://a.example", "auth": {"type": "basic", "basic": {"username": "ann", "password": "p4ss"}}}},
          {"name": "d", "request": {"url": "http://a.example", "auth": {"type": "apikey", "apikey": [{"key": "in", "value": "query"},
            {"key": "key", "value": "k"}, {"key": "value", "value": "{{k}}"}]}}},
          {"name": "e", "request": {"url": "http://a.example", "auth": {"type": "hawk"}}}
          """,
        members: #", "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{t}}"}]}"#,
        lines: [
          "bearer: ${{ t }}", "# authorization of the source is replaced by its credentials", "username: ann",
          "password: ${{ PASSWORD }}", #"url: "?k=${{ k }}""#, "# not translated (kinds of credentials): auth hawk",
        ], absent: ["p4ss", "mine"]),
      Case(
        name: "a browser gets a token; what has no form is told once, where it stands",
        items: """
          {"name": "a", "request": {"url": "http://a.example", "auth": {"type": "oauth2", "oauth2": {
            "grant_type": "authorization_code_with_pkce", "authUrl": "https://id.example/authorize",
            "accessTokenUrl": "https://id.example/token", "clientId": "shop", "clientSecret": "s3cret-1", "scope": "read",
            "redirect_uri": "https://oauth.pstmn.io/v1/callback"}}}},
          {"name": "b", "request": {"url": "http://b.example"}}, {"name": "c", "request": {"url": "http://c.example"}}
          """,
        members: #", "auth": {"type": "oauth2", "oauth2": {"grant_type": "implicit"}}"#,
        lines: [
          "grant_type: authorization_code", "authorization_url: https://id.example/authorize",
          "token_url: https://id.example/token", "client_id: shop", "client_secret: ${{ CLIENT_SECRET }}",
          "scope: read",
          "# not translated (redirect URIs of other machines): redirect_uri https://oauth.pstmn.io/v1/callback",
          "# not translated (kinds of credentials): auth oauth2 implicit",
        ], absent: ["s3cret-1"]),
      Case(
        name: "bodies by mode and language",
        items: """
          {"name": "a", "request": {"method": "POST", "url": "http://a.example", "body": {"mode": "raw", "raw": "{\\"id\\": {{id}}, \\"n\\": \\"{{n}}\\"}",
            "options": {"raw": {"language": "json"}}}}},
          {"name": "b", "request": {"method": "POST", "url": "http://a.example", "body": {"mode": "raw", "raw": "hello"}}},
          {"name": "c", "request": {"method": "PUT", "url": "http://a.example", "body": {"mode": "urlencoded",
            "urlencoded": [{"key": "x", "value": "a b"}, {"key": "y", "value": "2", "disabled": true}]}}},
          {"name": "d", "request": {"method": "POST", "url": "http://a.example", "body": {"mode": "formdata",
            "formdata": [{"key": "f", "type": "file", "src": "/home/ann/a.png"}]}}},
          {"name": "e", "request": {"method": "POST", "url": "http://a.example", "body": {"mode": "graphql",
            "graphql": {"query": "{ me }", "variables": "{\\"a\\": 1}"}}}},
          {"name": "f", "request": {"method": "GET", "url": "http://a.example", "body": {"mode": "raw", "raw": "no"}}}
          """,
        lines: [
          "id: ${{ from_json(id) }}", #""n": ${{ n }}"#, "Content-Type: text/plain", "body: hello", "method: PUT",
          "x: a b",
          "# disabled field: y=2", "file: a.png", "query: \"{ me }\"", "a: 1", "# Postman sends no body with GET",
        ]),
      Case(
        name: "environments, globals, dynamic variables",
        items: #"{"name": "a", "request": "http://a.example/{{$guid}}?t={{$timestamp}}&c={{$randomCity}}&x={{x}}"}"#,
        others: [
          #"{"name": "Staging", "values": [{"key": "x", "value": "1"}, {"key": "o", "value": "2", "enabled": false}]}"#,
          #"{"values": [{"key": "g", "value": "3"}], "_postman_variable_scope": "globals"}"#,
        ],
        lines: [
          #"url: http://a.example/${{ uuid }}?t=${{ now | format("unix") }}&c={{$randomCity}}&x=${{ x }}"#,
          "Staging:", "x: \"1\"", "g: \"3\"", "# not translated (expressions): {{$randomCity}}",
        ]),
      Case(
        name: "behaviour of the protocol",
        items: """
          {"name": "a", "protocolProfileBehavior": {"followRedirects": false, "strictSSL": false, "tlsPreferServerCiphers": true},
            "request": "http://a.example"}
          """,
        lines: [
          "redirects: none", "verify: false",
          "# not translated (settings of requests): protocolProfileBehavior.tlsPreferServerCiphers: true",
        ]),
      Case(
        name: "captures, also for other files",
        items: """
          {"name": "Login", "item": [\(test("const j = pm.response.json(); pm.environment.set('token', j.data.token)"))]},
          {"name": "Users", "item": [\(test("", url: "http://a.example/{{token}}"))]}
          """,
        lines: ["token: $.data.token", "login: login.yaml", "url: /${{ login.token }}"]),
      Case(
        name: "values that scripts set before a request",
        items: test(
          "",
          before: "pm.variables.set('at', Date.now()); pm.environment.set('c', Math.floor(Math.random() * 10) + 1)",
          url: "http://a.example/{{at}}/{{c}}"),
        lines: [#"at: ${{ now | format("unix_ms") }}"#, "c: ${{ random_int(1, 10) }}"]),
      Case(
        name: "texts in JSON stay texts, whatever their value is",
        items: #"""
          {"name": "a", "event": [{"listen": "prerequest", "script": {"exec":
              "pm.variables.set('n', Math.floor(Math.random() * 10)); pm.variables.set('at', new Date().toISOString())"}}],
            "request": {"method": "POST", "url": "http://a.example", "body": {"mode": "raw",
              "raw": "{\"a\": \"{{$randomBoolean}}\", \"b\": \"{{n}}\", \"c\": {{n}}, \"d\": \"{{$guid}}\", \"e\": \"{{at}}\"}",
              "options": {"raw": {"language": "json"}}}}}
          """#,
        lines: [
          "a: ${{ to_string(random_item([true, false])) }}", "b: ${{ to_string(n) }}", "c: ${{ n }}", "d: ${{ uuid }}",
          "e: ${{ at }}",
        ]),
      Case(
        name: "what scripts do otherwise is told with its line",
        items: test(
          "pm.sendRequest('http://b.example');\nconsole.log(1)\nfor (const a of b) {\n  go(a);\n}\nif (a) { x() }"),
        lines: [
          "# not translated (requests that scripts send): pm.sendRequest('http://b.example');",
          "#   for (const a of b) {", "#     go(a);",
          "# not translated (statements of scripts): if (a) { x() }",
        ], absent: ["console"]),
      Case(
        name: "scripts of folders and collections are about each request",
        items: "{\"name\": \"F\", \"item\": [\(test(""))]}",
        members: #", "event": [{"listen": "test", "script": {"exec": "pm.response.to.have.status(201)"}}]"#,
        lines: ["status: 201"]),
    ] + scripts.map { script, lines in Case(name: script, items: test(script), lines: lines) }

  /// Scripts of tests, and what they expect.
  private static let scripts: [(String, [String])] = [
    ("pm.test('s', () => pm.response.to.have.status(200))", ["status: 200"]),
    ("pm.test('s', function () { pm.response.to.have.status('Created'); });", ["status: 201"]),
    ("pm.response.to.be.ok", ["status: 200"]),
    ("pm.response.to.be.success", ["status: 2xx"]),
    ("pm.response.to.not.be.error", ["- 2xx", "- 3xx"]),
    ("pm.expect(pm.response.code).to.be.oneOf([200, 204])", ["one_of:", "- 204"]),
    ("tests['ok'] = responseCode.code === 200;", ["status: 200"]),
    ("tests['ok'] = responseCode.code == 200 || responseCode.code == 201", ["one_of:", "- 201"]),
    ("pm.response.to.have.header('X-Id')", ["X-Id:", "exists: true"]),
    ("pm.expect(pm.response.headers.get('Content-Type')).to.include('json')", ["Content-Type:", "contains: json"]),
    (
      "pm.expect(pm.response.headers.get('X-A')).to.eql('ab'); pm.expect(pm.response.headers.get('x-a')).to.include('b')",
      ["X-A:", "equals: ab", "contains: b"]
    ),
    ("pm.expect(pm.response.responseTime).to.be.below(500)", ["less_than: 500ms"]),
    ("pm.expect(pm.response.text()).to.contain(`ok`)", ["contains: ok"]),
    ("const j = pm.response.json();\nconst {user: u} = j\npm.expect(u.name).to.eql(\"Ann\")", ["$.user.name: Ann"]),
    (
      "const j = JSON.parse(responseBody); pm.expect(j.items).to.be.an('array').that.is.not.empty",
      ["is: array", "is_not: empty"]
    ),
    ("pm.expect(pm.response.json()).to.have.property('a').that.equals(null)", ["$.a:", "equals: null"]),
    ("pm.expect(pm.response.json()).to.not.have.property('a')", ["$.a:", "exists: false"]),
    ("pm.expect(pm.response.json().items).to.have.lengthOf(3)", ["count: 3"]),
    ("pm.expect(pm.response.json().items.length).to.be.at.least(1)", ["at_least: 1"]),
    ("pm.expect(pm.response.json()['a b'][0]).to.match(/^x/i)", ["$['a b'][0]:", "matches: (?i)^x"]),
    ("pm.expect(pm.response.json()).to.have.all.keys('a', 'b')", ["$.b:", "count: 2"]),
    ("pm.expect(pm.response.json().tags).to.have.members(['x'])", ["- x", "unordered: true"]),
    ("pm.expect(pm.response.json().a === 1).to.be.true", ["$.a: 1"]),
    ("pm.expect(pm.response.json().a).to.exist", ["is_not: \"null\""]),
    (
      "tests['t'] = pm.response.json().hasOwnProperty('id') && typeof pm.response.json().id === 'string'",
      ["is: string"]
    ),
    (
      "pm.response.json().items.forEach(i => { pm.expect(i.id).to.be.a('number'); });",
      ["$.items[*].id:", "every:", "is: number"]
    ),
    ("var schema = {type: 'object'}; tests['v'] = tv4.validate(JSON.parse(responseBody), schema)", ["type: object"]),
    ("pm.expect(pm.cookies.get('sid')).to.eql('1')", ["sid: \"1\""]),
    ("pm.response.to.have.jsonBody('a.b', 2)", ["$.a.b: 2"]),
    (
      "const ok = responseCode.code === 200; tests['ok'] = ok; if (ok) { tests['b'] = responseBody.has('x'); }",
      ["status: 200", "contains: x"]
    ),
    (
      "try { var j = JSON.parse(responseBody); tests['j'] = true } catch (e) { tests['j'] = false } tests['a'] = j.a > 1",
      ["$.a:", "greater_than: 1"]
    ),
    ("pm.collectionVariables.set('v', 'Bearer ' + pm.environment.get('t'))", ["value: Bearer ${{ t }}"]),
  ]

  @Test(arguments: [
    ("[]", "is not a collection"), ("{", "this is not JSON"), ("\0", "this is not JSON"),
    (#"{"requests": [], "order": []}"#, "is a collection of version 1"),
    (
      #"{"info": {"schema": "https://schema.getpostman.com/json/collection/v9/x"}, "item": []}"#,
      "schema that is not known"
    ),
    (String(repeating: "[", count: 100_000), "this is not JSON"),
  ])
  func rejects(_ document: String, message: String) throws {
    var bag = DiagnosticBag()
    let kind = ImportReader.postman
    let collection = kind.read([ImportSource(path: "a.json", bytes: Array(document.utf8))], ImportSelection(), &bag)
    #expect(collection == nil)
    #expect(bag.diagnostics.first?.message.contains(message) == true, "\(bag.diagnostics)")
  }

  /// Scripts without end, or nested without end, are told in time.
  @Test(arguments: [
    "(", "[", "{", "f(function(){", "a.b(", "!", "a ? ", "`${", "if (a) ", "\"", "/*", "x => ", "a[0]",
    "a.map(x => x.b).", "a || ", "a ? a : ", "function f() { f(); f(); }\nf();",
  ])
  func readsHostileScripts(_ piece: String) throws {
    let script = String(repeating: piece, count: 20_000)
    let text = try specs([#"{"info": {"name": "Shop"}, "item": [\#(Self.test(script))]}"#])
    #expect(text.contains("# not translated"))
  }
}

extension Substring {
  fileprivate var trimmingBlanks: String {
    String(drop { $0 == " " })
  }
}
