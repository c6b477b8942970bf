import Foundation
import SpecImports
import TestSupport
import Testing
import Values

/// The specs that HTTP archives become.
struct HARImportTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let entries: [String]
    var types: [String] = []
    let spec: String
    var testDescription: String { name }
  }

  @Test(arguments: cases) func imports(_ testCase: Case) throws {
    var selection = ImportSelection()
    selection.types = testCase.types
    selection.hosts = testCase.types.isEmpty ? [] : ["a.example"]
    let archive = #"{"log": {"version": "1.2", "entries": ["# + testCase.entries.joined(separator: ",") + "]}}"
    let spec = try composed(archive, "har", selection)
    #expect(spec == testCase.spec, "\(spec)")
  }

  /// An entry of an archive.
  private static func entry(
    _ second: Int, _ request: String, _ method: String = "GET", headers: [String: String] = [:], body: String = "",
    type: String = "application/json", status: Int = 200, response: [String: String] = [:], text: String = "",
    responseType: String = "application/json"
  ) -> String {
    func list(_ members: [String: String]) -> String {
      members.sorted { $0.key < $1.key }.map { #"{"name": \#(quoted($0)), "value": \#(quoted($1))}"# }
        .joined(separator: ",")
    }
    let data = body.isEmpty ? "" : #", "postData": {"mimeType": "\#(type)", "text": \#(quoted(body))}"#
    return #"""
      {"startedDateTime": "2026-01-01T00:00:\#(second < 10 ? "0" : "")\#(second).5+01:00",
       "request": {"method": "\#(method)", "url": \#(quoted(request)), "headers": [\#(list(headers))]\#(data)},
       "response": {"status": \#(status), "headers": [\#(list(response))],
         "content": {"mimeType": "\#(responseType)", "text": \#(quoted(text))}}}
      """#
  }

  private static func quoted(_ text: String) -> String {
    let data = try? JSONSerialization.data(withJSONObject: [text])
    return String(decoding: data ?? Data(), as: UTF8.self).dropFirst().dropLast().description
  }

  /// A message of a WebSocket as Chromium stores it.
  private static func message(_ type: String, _ data: String, opcode: Int = 1) -> String {
    #"{"type": "\#(type)", "time": 1767225600.5, "opcode": \#(opcode), "data": \#(quoted(data))}"#
  }

  static let cases = [
    Case(
      name: "a WebSocket: what was sent, and the waits for what was received before",
      entries: [
        entry(
          1, "wss://a.example/socket?room=1", headers: ["Upgrade": "websocket", "Sec-WebSocket-Protocol": "chat"],
          status: 101
        ).dropLast() + #", "_webSocketMessages": ["#
          + [
            message("receive", "hello"), message("send", #"{"join": 7}"#), message("receive", "a"),
            message("receive", "AAE=", opcode: 2), message("send", "AP8=", opcode: 2), message("receive", "bye"),
          ].joined(separator: ", ") + "]}"
      ],
      spec: """
        requests:
          - name: Get socket
            url: wss://a.example/socket?room=1
            expect:
              status: 101
            stream:
              format: websocket
              subprotocol: chat
              send:
                - until:
                    type: text
                - json:
                    join: 7
                - until:
                    type: text
                - until:
                    type: binary
                - data: AP8=
                - until:
                    type: text

        """),
    Case(
      name: "a WebSocket of an archive that cuts a long message, and leaves out the last ones",
      entries: [
        entry(1, "wss://a.example/socket", headers: ["Upgrade": "websocket"], status: 101).dropLast()
          + #", "comment": "a chat, 3 messages are left out", "_webSocketMessages": ["#
          + [
            message("send", "whole"),
            message("receive", "long").dropLast() + #", "comment": "the beginning of 20000 bytes"}"#,
            message("send", #"{"text": "aaaa"#).dropLast() + #", "comment": "the beginning of 20000 bytes"}"#,
            message("send", "last"),
          ].joined(separator: ", ") + "]}"
      ],
      spec: """
        requests:
          # a chat, 3 messages are left out
          # not translated (messages that the archive cuts): the beginning of 20000 bytes: {"text": "aaaa
          # not translated (messages that the archive leaves out): 3 messages are left out
          - name: Get socket
            url: wss://a.example/socket
            expect:
              status: 101
            stream:
              format: websocket
              send:
                - text: whole
                - until:
                    type: text
                - text: last
              timeout: 5s

        """),
    Case(
      name: "in order of time, without what browsers and connections add",
      entries: [
        entry(
          2, "https://a.example/b?x=1#part", headers: ["Accept": "text/html", "If-None-Match": "\"1\""], status: 304),
        entry(
          1, "https://a.example/a",
          headers: [
            ":authority": "a.example", "Accept": "text/html", "Sec-Fetch-Mode": "cors", "Host": "a.example",
            "Accept-Encoding": "gzip", "traceparent": "00-1-2-3", "Cache-Control": "no-cache", "X-Own": "1",
          ]),
        entry(3, "https://a.example/a", "OPTIONS", headers: ["Access-Control-Request-Method": "PUT"]),
      ],
      spec: """
        defaults:
          base_url: https://a.example
          headers:
            Accept: text/html
        requests:
          - name: Get a
            url: /a
            headers:
              X-Own: 1
            expect:
              status: 200

          - name: Get b
            url: /b?x=1
            expect:
              status: 200

        """),
    Case(
      name: "where redirects led: what a failed login, or a page behind it, would not reach",
      entries: [
        entry(1, "https://a.example/login", "POST", status: 302, response: ["Location": "/orders/1234/new?x=1"]),
        entry(2, "https://a.example/orders/1234/new?x=1", text: "<p>", responseType: "text/html"),
        entry(3, "https://a.example/admin", text: "<p>", responseType: "text/html"),
      ],
      spec: """
        defaults:
          base_url: https://a.example
        requests:
          - name: Login
            method: POST
            url: /login
            expect:
              status: 200
              redirects:
                count: 1
              url:
                matches: ^https?://[^/]+/orders/

          - name: Open admin
            url: /admin
            expect:
              status: 200
              redirects:
                count: 0

        """),
    Case(
      name: "captures: tokens, identifiers, a Location; cookies and redirects are the run's own",
      entries: [
        entry(
          1, "https://a.example/login", "POST", body: #"{"user": "ann"}"#, status: 302,
          response: ["Location": "/home", "Set-Cookie": "sid=4f3e; Path=/"]),
        entry(
          2, "https://a.example/home",
          text: #"{"access_token": "eyJhbGciOi.4f3e2d1c.x", "user": {"id": 48210394}, "day": "2026-01-01"}"#),
        entry(
          3, "https://a.example/orders", "POST",
          headers: ["Authorization": "Bearer eyJhbGciOi.4f3e2d1c.x", "Cookie": "sid=4f3e; theme=dark"],
          body: #"{"user": 48210394, "owner": "48210394", "day": "2026-01-01"}"#, status: 201,
          response: ["Location": "/orders/7c9e6679-7425"]),
        entry(
          4, "https://a.example/orders/7c9e6679-7425?user=48210394",
          headers: ["Authorization": "Bearer eyJhbGciOi.4f3e2d1c.x"]),
      ],
      spec: """
        defaults:
          base_url: https://a.example
        requests:
          - name: Login
            url: /login
            json:
              user: ann
            expect:
              status: 200
              redirects:
                count: 1
              url:
                matches: ^https?://[^/]+/home$
              json:
                $:
                  includes:
                    access_token: !string
                    user:
                      id: !integer
                    day: !is
                      is: date
            capture:
              access_token:
                json: $.access_token
                secret: true
              user_id: $.user.id

          - name: Create order
            url: /orders
            json:
              user: ${{ user_id }}
              owner: ${{ to_string(user_id) }}
              day: "2026-01-01"
            cookies:
              theme: dark
            auth:
              bearer: ${{ access_token }}
            expect:
              status: 201
            capture:
              order_id:
                header: Location
                regex: /orders/([^/?#]+)

          - name: Get order
            url: /orders/${{ order_id }}?user=${{ user_id }}
            auth:
              bearer: ${{ access_token }}
            expect:
              status: 200

        """
        .replacing(#"\/orders\/([^\/?#]+)"#, with: "/orders/([^/?#]+)")),
    Case(
      name: "values of pages: fields, meta, scripts",
      entries: [
        entry(
          1, "https://a.example/form",
          text: """
            <input name="token" value="x1y2z3w4v5"><input value='a9b8c7d6e5' type=hidden name=token />
            <meta name="csrf-token" content="m1n2o3p4q5"><script>var c = {apiKey: "k1k2k3k4k5"}</script>
            """, responseType: "text/html; charset=utf-8"),
        entry(
          2, "https://a.example/form", "POST", headers: ["X-CSRF-Token": "m1n2o3p4q5", "X-Key": "k1k2k3k4k5"],
          body: "token=a9b8c7d6e5&name=Ann+B", type: "application/x-www-form-urlencoded", status: 303,
          response: ["Location": "https://b.example/"]),
      ],
      spec: """
        defaults:
          base_url: https://a.example
        requests:
          - name: Open form
            url: /form
            expect:
              status: 200
            capture:
              token:
                xpath: string((//input[@name='token'])[2]/@value)
                secret: true
              csrf_token:
                xpath: string(//meta[@name='csrf-token']/@content)
                secret: true
              api_key:
                regex: '\\bapiKey\\W+([\\w.~+/=-]+)'
                secret: true

          - name: Form
            url: /form
            headers:
              X-CSRF-Token: ${{ csrf_token }}
              X-Key: ${{ api_key }}
            form:
              token: ${{ token }}
              name: Ann B
            redirects: none
            expect:
              status: 303
              headers:
                Location:
                  matches: '^https?://b\\.example/$'

        """),
    Case(
      name: "redirects that are not followed: where they lead, which a failed login doesn't reach; nothing of a proxy",
      entries: [
        entry(0, "https://a.example/login", "POST", status: 407),
        entry(
          1, "https://a.example/login", "POST", headers: ["Proxy-Authorization": "Basic YTpi"], status: 302,
          response: ["Location": "/account?tab=1"]),
        entry(2, "https://a.example/jobs", "POST", status: 303, response: ["Location": "https://a.example/jobs/7/log"]),
        entry(3, "https://a.example/up", "POST", status: 302, response: ["Location": "there"]),
      ],
      spec: """
        defaults:
          base_url: https://a.example
          redirects: none
        requests:
          - name: Login
            method: POST
            url: /login
            expect:
              status: 302
              headers:
                Location:
                  matches: '^(https?://[^/]+)?/account\\?'

          - name: Create job
            method: POST
            url: /jobs
            expect:
              status: 303
              headers:
                Location:
                  matches: ^(https?://[^/]+)?/jobs/

          - name: Up
            method: POST
            url: /up
            expect:
              status: 302

        """),
    Case(
      name: "by host and type",
      entries: [
        entry(1, "https://a.example/1", responseType: "application/problem+json"),
        entry(2, "https://a.example/2", responseType: "image/png"), entry(3, "https://b.example/3"),
      ], types: ["json"],
      spec: """
        requests:
          - url: https://a.example/1
            expect:
              status: 200

        """),
    Case(
      name: "bodies: multipart as text, GraphQL, base64",
      entries: [
        entry(
          1, "https://a.example/1", "POST", headers: ["Content-Type": "multipart/form-data; boundary=xx"],
          body:
            "--xx\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--xx\r\nContent-Disposition: form-data; "
            + "name=\"f\"; filename=\"p.png\"\r\nContent-Type: image/png\r\n\r\n\r\n--xx--\r\n"),
        entry(
          2, "https://a.example/graphql", "POST",
          body: #"{"operationName": "Q", "query": "query Q { a }", "variables": {"count": 1}}"#),
        #"{"request": {"method": "PUT", "url": "https://a.example/3", "postData": {"mimeType": "image/png", "#
          + #""text": "iVBORw==", "encoding": "base64"}}}"#,
      ],
      spec: """
        defaults:
          base_url: https://a.example
        requests:
          - url: /1
            multipart:
              a: 1
              f:
                file: p.png
                type: image/png
            expect:
              status: 200

          - name: Graphql
            url: /graphql
            graphql:
              query: query Q { a }
              variables:
                count: 1
              operation: Q
            expect:
              status: 200

          - method: PUT
            url: /3
            headers:
              Content-Type: image/png
            body:
              base64: iVBORw==

        """),
  ]

  @Test("a file for each first segment, with the login; identifiers by their place") func recordings() throws {
    func entry(_ second: Int, _ path: String, _ method: String = "GET", _ body: String = "", _ text: String = "")
      -> String
    {
      Self.entry(
        second, "https://a.example/api/\(path)", method, headers: ["Authorization": "Bearer t0k3n4711abc"], body: body,
        text: text)
    }
    let entries = [
      Self.entry(
        1, "https://a.example/api/login", "POST", body: #"{"password": "hunter22"}"#,
        text: #"{"token": "t0k3n4711abc"}"#),
      entry(2, "users", "POST", #"{"name": "Bo"}"#, #"{"id": 7}"#), entry(3, "users/7"),
      entry(4, "orders", "POST", #"{"user_id": 7, "count": 7}"#, #"{"id": 7}"#), entry(5, "orders/7/cancel", "POST"),
      entry(6, "orders?user_id=7"), entry(7, "charts/7"),
      Self.entry(
        8, "https://a.example/api/notes", "POST", body: "{}",
        text: "<a href='/api/notes/new'><a href='/api/notes/31/x'>",
        responseType: "text/html"), entry(9, "notes/31", "DELETE"),
    ]
    let archive = #"{"log": {"entries": ["# + entries.joined(separator: ",") + "]}}"
    var (selection, bag) = (ImportSelection(), DiagnosticBag())
    selection.hasDirectory = true
    let source = ImportSource(path: "a.har", bytes: Array(archive.utf8))
    let composed = composedImport(try #require(ImportReader.har.read([source], selection, &bag)))
    let lines = composed.files.map { path, bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains("hunter22") && !text.contains("4711"), "\(text)")
      let shown = ["setup:", "requests:", "name:", "url:", "user_id:", "count:", "regex:", "order_id:", "note_id:"]
      return "\(path)\n"
        + text.split(separator: "\n").filter { line in shown.contains { line.contains($0) } }
        .joined(separator: "\n")
    }
    let text = lines.joined(separator: "\n")
    #expect(
      text == """
        reqrun.yaml
          base_url: https://a.example
        users.yaml
        setup:
          - name: Log in
            url: /api/login
        requests:
          - name: Create user
            url: /api/users
              name: Bo
              user_id: $.id
          - name: Get user
            url: /api/users/${{ user_id }}
          - name: Create order
            url: /api/orders
              user_id: ${{ user_id }}
              count: 7
              order_id: $.id
          - name: Cancel order
            url: /api/orders/${{ order_id }}/cancel
          - name: List orders
            url: /api/orders?user_id=${{ user_id }}
        charts.yaml
        setup:
          - name: Log in
            url: /api/login
        requests:
          - name: Get chart
            url: /api/charts/7
        notes.yaml
        setup:
          - name: Log in
            url: /api/login
        requests:
          - name: Create note
            url: /api/notes
              note_id:
                regex: "href=[\\"'][^\\"']*?\\\\/api\\\\/notes/(\\\\d+)"
          - name: Delete note
            url: /api/notes/${{ note_id }}
        """, "\(text)")
  }

  @Test("bodies that are not text are files beside specs in a directory") func files() throws {
    let body =
      Data("--x\r\nContent-Disposition: form-data; name=\"ü\"\r\n\r\nü\r\n--x\r\n".utf8)
      + Data("Content-Disposition: form-data; name=\"f\"; filename=\"ä.png\"\r\n\r\n".utf8)
      + Data([0x89, 0x50, 0x0D, 0x0A]) + Data("\r\n--x--\r\n".utf8)
    let archive = """
      {"log": {"entries": [
        {"request": {"method": "PUT", "url": "https://a.example/1", "postData": {"mimeType": "image/png",
          "text": "iVBORw==", "encoding": "base64"}}},
        {"request": {"method": "POST", "url": "https://a.example/2", "postData": {
          "mimeType": "multipart/form-data; boundary=x", "text": "\(body.base64EncodedString())", "encoding": "base64"}}}
      ]}}
      """
    var (selection, bag) = (ImportSelection(), DiagnosticBag())
    selection.hasDirectory = true
    let source = ImportSource(path: "a.har", bytes: Array(archive.utf8))
    let composed = composedImport(try #require(ImportReader.har.read([source], selection, &bag)))
    let files = Dictionary(composed.files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
    #expect(files["files/0f4636c78f65.png"] == [0x89, 0x50, 0x4E, 0x47])
    #expect(files.count == 3 && files.values.contains([0x89, 0x50, 0x0D, 0x0A]))
    let spec = String(decoding: files["a.yaml"] ?? [], as: UTF8.self)
    #expect(spec.contains("body:\n      file: files/0f4636c78f65.png"), "\(spec)")
    #expect(spec.contains("multipart:\n      ü: ü\n      f:\n        file: files/"), "\(spec)")
    #expect(spec.contains("filename: ä.png"), "\(spec)")
  }

  @Test(arguments: [
    "", "{", "[]", #"{"log": {"entries": 1}}"#, "\0", "\u{FEFF}{}",
  ])
  func rejects(_ text: String) throws { try check(text) }

  @Test func rejectsDeepNesting() throws { try check(String(repeating: #"{"log":"#, count: 100_000)) }

  private func check(_ text: String) throws {
    var bag = DiagnosticBag()
    let kind = ImportReader.har
    let source = ImportSource(path: "a.har", bytes: Array(text.utf8))
    #expect(kind.read([source], ImportSelection(), &bag) == nil && bag.hasErrors)
  }

  /// Requests of httpsnippet's tests, with the messages that they stand for.
  @Test(.enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE is not set")) func sendsWhatArchivesSay() async throws
  {
    struct Snippet: Decodable {
      let name: String
      let message: String?
      enum CodingKeys: String, CodingKey { case name, message = "http1.1" }
    }
    let data = try Data(
      contentsOf: URL(fileURLWithPath: try #require(conformanceRoot) + "/har/httpsnippet.json"))
    let snippets = try JSONDecoder().decode([Snippet].self, from: data)
    let values = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    let kind = ImportReader.har
    var equal = 0
    for (snippet, value) in zip(snippets, values) {
      // The server has no TLS, and a file that isn't there no contents.
      guard let message = snippet.message, !["https", "multipart-file"].contains(snippet.name) else { continue }
      let archive = try JSONSerialization.data(withJSONObject: try #require(value["har_request"]))
      var bag = DiagnosticBag()
      let source = ImportSource(path: "a.har", bytes: Array(archive))
      let composed = composedImport(try #require(kind.read([source], ImportSelection(), &bag)))
      let sent = try await composed.sent()
      let expected = SentRequest(message: message)
      // Parameters that an archive keeps apart follow those of its URL; httpsnippet sorts them.
      #expect(sent.map(\.withSortedQuery) == [expected.withSortedQuery], "\(snippet.name)")
      if sent.map(\.withSortedQuery) == [expected.withSortedQuery] { equal += 1 }
    }
    print("har: \(equal) of \(snippets.count) requests sent as they are meant")
  }
}

extension SentRequest {
  /// A message of HTTP/1.1 as text.
  fileprivate init(message: String) {
    let parts = message.components(separatedBy: "\r\n\r\n")
    let lines = parts[0].components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ").map(String.init)
    self.init(
      method: words[0], target: words[1],
      headers: lines.dropFirst().map { line in
        let name = line.prefix { $0 != ":" }
        return (String(name), line.dropFirst(name.count + 2).description)
      }, body: parts.dropFirst().joined(separator: "\r\n\r\n"))
  }

  fileprivate var withSortedQuery: SentRequest {
    var request = self
    let parts = target.components(separatedBy: "?")
    if parts.count == 2 {
      request.target = parts[0] + "?" + parts[1].split(separator: "&").sorted().joined(separator: "&")
    }
    return request
  }
}
