import SpecImports
import Testing
import Values

/// The specs that exports of Insomnia become.
struct InsomniaImportTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let document: String
    /// Lines of the specs, without blanks before.
    let lines: [String]
    /// Texts that no spec has.
    var absent: [String] = []

    var testDescription: String { name }
  }

  @Test(arguments: cases) func imports(_ testCase: Case) throws {
    let text = try specs(testCase.document)
    let lines = Set(text.split(whereSeparator: \.isNewline).map { String($0.drop { $0 == " " }) })
    for line in testCase.lines { #expect(lines.contains(line), "\(line) in\n\(text)") }
    for part in testCase.absent { #expect(!text.contains(part), "\(part) in\n\(text)") }
  }

  private func specs(_ document: String) throws -> String {
    let source = ImportSource(path: "a.yaml", bytes: Array(document.utf8))
    var bag = DiagnosticBag()
    let kind = ImportReader.insomnia
    #expect(kind.recognizes(source))
    let collection = try #require(kind.read([source], ImportSelection(), &bag))
    #expect(bag.diagnostics.isEmpty)
    let composed = composedImport(collection)
    return composed.files.map { "== \($0.path)\n" + String(decoding: $0.bytes, as: UTF8.self) }.joined()
  }

  private static func version4(_ resources: String) -> String {
    #"{"_type": "export", "__export_format": 4, "resources": [{"_id": "wrk_1", "_type": "workspace", "name": "Shop"},"#
      + resources + "]}"
  }

  private static func version5(_ requests: String) -> String {
    "type: collection.insomnia.rest/5.0\nname: Shop\ncollection:\n" + requests
  }

  static let cases = [
    Case(
      name: "version 4: WebSockets and their messages",
      document: version4(
        """
        {"_id": "ws-req_1", "_type": "websocket_request", "parentId": "wrk_1", "name": "Room", "url": "wss://a.example/{{ _.room }}",
         "headers": [{"name": "X-A", "value": "b"}, {"name": "Sec-WebSocket-Protocol", "value": "chat"}]},
        {"_id": "ws-payload_1", "_type": "websocket_payload", "parentId": "ws-req_1", "mode": "application/json", "value": "{\\"a\\": \\"{{ _.room }}\\"}"},
        {"_id": "ws-payload_2", "_type": "websocket_payload", "parentId": "ws-req_1", "mode": "text/plain", "value": "bye"},
        {"_id": "env_1", "_type": "environment", "parentId": "wrk_1", "name": "Base", "data": {"room": "x"}}
        """),
      lines: [
        "- name: Room", "url: wss://a.example/${{ room }}", "X-A: b", "format: websocket", "subprotocol: chat", "send:",
        "- json:", "a: ${{ room }}", "- text: bye", "timeout: 5s",
      ], absent: ["method:", "Sec-WebSocket-Protocol"]),
    Case(
      name: "version 5: WebSockets",
      document: version5(
        """
          - url: ws://a.example/socket
            name: Socket
            meta: {id: ws-req_1}
        """),
      lines: ["- name: Socket", "url: ws://a.example/socket", "format: websocket", "timeout: 5s"]),
    Case(
      name: "version 4: folders, environments, sort keys",
      document: version4(
        """
        {"_id": "fld_1", "_type": "request_group", "parentId": "wrk_1", "name": "Users"},
        {"_id": "req_2", "_type": "request", "parentId": "fld_1", "name": "List", "method": "GET", "metaSortKey": 2,
         "url": "{{ _.base.url }}/users", "parameters": [{"name": "q", "value": "{{ q }}"}, {"name": "off", "value": "1", "disabled": true}]},
        {"_id": "req_1", "_type": "request", "parentId": "wrk_1", "name": "Health", "method": "GET", "url": "{{_['base'].url}}/health"},
        {"_id": "env_1", "_type": "environment", "parentId": "wrk_1", "name": "Base", "data": {"base": {"url": "http://a.example"}, "q": 7}},
        {"_id": "env_2", "_type": "environment", "parentId": "env_1", "name": "Staging", "data": {"base": {"url": "http://b.example"}}}
        """),
      lines: [
        "== users.yaml", "- name: List", "q: ${{ q }}", "# disabled parameter: off=1", "== shop.yaml", "- name: Health",
        "base_url: ${{ base_url }}", "base_url: http://a.example", "q: 7", "Staging:", "base_url: http://b.example",
      ]),
    Case(
      name: "version 5: bodies, credentials, settings",
      document: version5(
        """
          - name: Create
            url: a.example/users/:id
            method: POST
            meta: {id: req_1, sortKey: 2}
            pathParameters: [{name: id, value: "7"}]
            body: {mimeType: application/json, text: '{"n": {{ _.n }}}'}
            headers: [{name: Content-Type, value: application/json}, {name: X-Off, value: "1", disabled: true}]
            authentication: {type: basic, username: ann, password: p4ss}
            settings: {followRedirects: off, cookies: {send: false, store: true}}
          - name: Form
            url: http://b.example/form
            method: PUT
            body: {mimeType: application/x-www-form-urlencoded, params: [{name: a, value: "1"}, {name: b, value: "2", disabled: true}]}
          - name: Files
            url: http://b.example/files
            method: POST
            body: {mimeType: multipart/form-data, params: [{name: f, type: file, fileName: /home/ann/a.png}]}
          - name: Query
            url: http://b.example/graphql
            method: POST
            body: {mimeType: application/graphql, text: '{"query": "{ me }", "variables": {"a": 1}}'}
            authentication: {type: hawk, id: x}
          - name: Key
            url: http://b.example/key
            method: GET
            authentication: {type: apikey, key: X-Api-Key, value: s3cret, addTo: header}
        """),
      lines: [
        "url: http://a.example/users/{id}", "id: 7", "\"n\": ${{ from_json(n) }}", "# disabled header: X-Off: 1",
        "username: ann", "password: ${{ PASSWORD }}", "redirects: none", "cookies: none", "a: 1",
        "# disabled field: b=2", "file: a.png", "query: \"{ me }\"", "a: 1",
        "# not translated (kinds of credentials): authentication hawk", "X-Api-Key: ${{ X_API_KEY }}",
      ], absent: ["p4ss", "s3cret"]),
    Case(
      name: "tags become functions, those that read responses captures",
      document: version5(
        """
          - name: Orders
            url: http://a.example/{% uuid 'v4' %}/{% now 'unix', '' %}/{% unknown 1 %}
            method: GET
            meta: {id: req_2, sortKey: 1}
            authentication: {type: bearer, token: "{% response 'body', 'req_1', 'b64::JC5kYXRhLnRva2Vu::46b', 'never', 60 %}"}
          - name: Log in
            url: http://a.example/login
            method: POST
            meta: {id: req_1, sortKey: 2}
        """),
      lines: [
        #"url: /${{ uuid }}/${{ now | format("unix") }}/{% unknown 1 %}"#, "token: $.data.token",
        "bearer: ${{ token }}",
        "# not translated (expressions): {% unknown 1 %}",
      ]),
    Case(
      name: "scripts and tests",
      document: version4(
        """
        {"_id": "req_1", "_type": "request", "parentId": "wrk_1", "name": "Get", "method": "GET", "url": "http://a.example",
         "afterResponseScript": "insomnia.test('s', () => { insomnia.expect(insomnia.response.json().id).to.eql(1); }); insomnia.environment.set('t', insomnia.response.json().t)"},
        {"_id": "uts_1", "_type": "unit_test_suite", "parentId": "wrk_1", "name": "Tests"},
        {"_id": "ut_1", "_type": "unit_test", "parentId": "uts_1", "requestId": "req_1",
         "code": "const response1 = await insomnia.send();\\nexpect(response1.status).to.equal(200);\\nconst body = JSON.parse(response1.data);\\nexpect(body.n).to.be.above(3)"}
        """),
      lines: ["$.id: 1", "t: $.t", "status: 200", "greater_than: 3"]),
    Case(
      name: "requests inherit of the nearest folder, and have the variables of inner folders that they read",
      document: version5(
        """
          - name: Outer
            headers: [{name: X-Team, value: outer}, {name: X-Gone, value: "1", disabled: true}]
            authentication: {type: bearer, token: "{{ _.t }}"}
            children:
              - name: Inner
                headers: [{name: x-team, value: inner}]
                environment: {used: "1", u: "2"}
                authentication: {type: apikey, key: "{{ _.k }}", value: "{{ _.v }}", addTo: queryParams}
                children:
                  - {name: Get, method: GET, url: "http://a.example/{{ _.used }}"}
                  - {name: Self, method: GET, url: "http://a.example", authentication: {type: none},
                     scripts: {preRequest: "insomnia.environment.set('id', 'i-7')",
                       afterResponse: "insomnia.environment.set('id', insomnia.response.json().id)"}}
              - {name: List, method: POST, url: http://a.example, body: {mimeType: application/vnd.api+json, text: '{"n": 1}'}}
        """),
      lines: [
        "- name: Inner / Get", "x-team: inner", #"used: "1""#, "${{ k }}: ${{ v }}", "- name: Inner / Self", "id: $.id",
        "# not translated (variables that are also captured): id", "- name: List", "X-Team: outer", "bearer: ${{ t }}",
        "Content-Type: application/vnd.api+json", #""n": 1"#, "# disabled header: X-Gone: 1",
      ], absent: ["u: 2"]),
    Case(
      name: "several workspaces have a folder each, and values of their own",
      document: version4(
        """
        {"_id": "req_1", "_type": "request", "parentId": "wrk_1", "name": "A", "method": "GET", "url": "http://{{ _.host }}"},
        {"_id": "env_1", "_type": "environment", "parentId": "wrk_1", "data": {"host": "a.example"}},
        {"_id": "wrk_2", "_type": "workspace", "name": "Stock"},
        {"_id": "req_2", "_type": "request", "parentId": "wrk_2", "name": "B", "method": "GET", "url": "http://{{ _.host }}"},
        {"_id": "env_2", "_type": "environment", "parentId": "wrk_2", "data": {"host": "b.example"}}
        """),
      lines: ["== shop/shop.yaml", "== stock/stock.yaml", "name: Stock", "host: a.example", "host: b.example"]),
  ]

  @Test func readsFoldersInACircle() throws {
    let text = try specs(
      Self.version4(
        """
        {"_id": "a", "_type": "request_group", "parentId": "b", "name": "A"},
        {"_id": "b", "_type": "request_group", "parentId": "a", "name": "B"},
        {"_id": "r", "_type": "request", "parentId": "a", "name": "R", "url": "http://a.example", "method": "GET"}
        """))
    #expect(text.contains("- name: R"))
  }

  @Test(arguments: [("{", "this is not JSON"), ("{}", "is not an export of Insomnia")])
  func rejects(_ document: String, message: String) throws {
    var bag = DiagnosticBag()
    let kind = ImportReader.insomnia
    let source = ImportSource(path: "a.json", bytes: Array(document.utf8))
    #expect(!kind.recognizes(source))
    #expect(kind.read([source], ImportSelection(), &bag) == nil)
    #expect(bag.diagnostics.first?.message.contains(message) == true, "\(bag.diagnostics)")
  }
}
