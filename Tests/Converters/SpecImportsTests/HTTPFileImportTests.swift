import Foundation
import SpecImports
import TestSupport
import Testing
import Values

/// Files of REST Client, JetBrains and httpyac as specs.
struct HTTPFileImportTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let source: String
    let expected: String

    init(_ name: String, _ source: String, _ expected: String) {
      testDescription = name
      self.source = source
      self.expected = expected
    }
  }

  /// The spec of one file, without the line `requests:` and its indentation.
  @Test(arguments: cases) func becomes(_ testCase: Case) throws {
    let result = try ImportedSources("http", [("api.http", testCase.source)])
    #expect(result.problems.isEmpty)
    #expect(result.files["api.yaml"] == testCase.expected + "\n")
  }

  static let cases = [
    Case(
      "requests that only comments and empty lines separate",
      """
      GET https://a.example/one

      # The second
      GET https://a.example/two
      EXPECTED_RESPONSE_STATUS 404
      EXPECTED_RESPONSE_HEADERS "X-A: 1"
      # Not a body

      @b = 2
      POST https://a.example/three

      # A text
      """,
      """
      variables:
        b: "2"
      defaults:
        base_url: https://a.example
      requests:
        - url: /one

        # The second
        # Not a body
        - url: /two
          expect:
            status: 404
            headers:
              X-A:
                contains: "1"

        - method: POST
          url: /three
      """),
    Case(
      "requests with and without a method, a version, comments and lines of a query",
      """
      https://a.example/one
          ?page=2
          &size=10 HTTP/1.1
      Accept: text/plain
      # a comment
      // another

      ### Two
      POST a.example/two#part HTTP/2
      """,
      """
      requests:
        # a comment
        # another
        - url: https://a.example/one?page=2&size=10
          headers:
            Accept: text/plain

        - name: Two
          method: POST
          url: http://a.example/two
          http_version: "2"
      """),
    Case(
      "a path with its host in a header",
      "GET /x\nHost: a.example:8080\n###\nOPTIONS *\nHost: https://a.example",
      """
      requests:
        - url: http://a.example:8080/x

        - method: OPTIONS
          url: https://a.example
          request_target: "*"
      """),
    Case(
      "variables, and values that editors make",
      """
      @host = https://a.example
      @api_key=s3cret
      POST {{host}}/x?id={{$guid}}&at={{$timestamp -1 d}}&n={{$randomInt 5 200}}
      Date: {{$datetime rfc1123}}
      X-Day: {{$datetime 'YYYY-MM-DD'}}
      X-User: {{$processEnv USER}} {{ $dotenv TEAM }}
      Content-Type: application/json

      {"a": {{$randomInt}}, "b": "{{api_key}}", "c": "{{$unknown 1}}"}
      """,
      """
      variables:
        host: https://a.example
        TEAM: ${{ env.TEAM }}
      secrets:
        - api_key
      requests:
        # not translated (expressions): {{$unknown 1}}
        - url: ${{ host }}/x?id=${{ uuid }}&at=${{ now | plus("-1d") | format("unix") }}&n=${{ random_int(5, 199) }}
          headers:
            Date: ${{ now | format("http") }}
            X-Day: ${{ now | format("yyyy-MM-dd") }}
            X-User: ${{ env.USER }} ${{ TEAM }}
          json:
            a: ${{ random_int(0, 1000) }}
            b: ${{ api_key }}
            c: "{{$unknown 1}}"
      """),
    Case(
      "responses of named requests",
      """
      # @name login
      POST https://a.example/login

      ###
      @token = {{login.response.body.$.data.token}}
      GET https://a.example/x
      Authorization: Bearer {{token}}
      X-Id: {{login.response.headers.X-Request-Id}}
      X-All: {{login.response.body.*}}

      ###
      # @ref login
      GET https://a.example/y?name={{login.user["name"]}}
      """,
      """
      defaults:
        base_url: https://a.example
      requests:
        - name: login
          method: POST
          url: /login
          capture:
            x_request_id:
              header: X-Request-Id
            body: body
            name: $.user['name']
            token: $.data.token

        - url: /x
          headers:
            X-Id: ${{ x_request_id }}
            X-All: ${{ body }}
          auth:
            bearer: ${{ token }}

        - url: /y?name=${{ name }}
      """),
    Case(
      "scripts of JetBrains",
      """
      < {% request.variables.set("who", "ann") %}
      GET https://a.example/{{who}}

      > {%
        var type = response.contentType.mimeType;
        client.test("ok", function() {
          client.assert(response.status === 200, "status");
          client.assert(type === "application/json", "type " + type);
          client.assert(response.body.items.length > 0);
          client.assert(response.body.hasOwnProperty("id"), "id");
          client.assert(response.headers.valueOf("X-A") === "b");
        });
        client.global.set("token", response.body.auth.token);
        client.log("done");
      %}
      <> 2024-01-01.200.json
      """,
      """
      requests:
        - variables:
            who: ann
          url: https://a.example/${{ who }}
          expect:
            status: 200
            headers:
              Content-Type:
                starts_with: application/json
              X-A: b
            json:
              $.items:
                count:
                  greater_than: 0
              $.id:
                exists: true
          capture:
            token: $.auth.token
      """),
    Case(
      "assertions and scripts of httpyac, without separators",
      """
      GET https://a.example/json
      ?? status == 200
      ?? duration < 200
      ?? header content-type includes json
      ?? body form exists
      ?? js response.parsedBody.list[0].title == Wake up
      ?? xpath //title == Hello

      POST https://a.example/x
      {"a": 1}

      {{
        const { equal } = require('assert');
        test.status(201);
        test("name", () => { equal(response.parsedBody.name, "x"); });
        exports.id = response.parsedBody.id;
      }}
      """,
      """
      defaults:
        base_url: https://a.example
      requests:
        - url: /json
          expect:
            status: 200
            duration:
              less_than: 200ms
            headers:
              content-type:
                contains: json
            json:
              $.form:
                exists: true
              $.list[0].title: Wake up
            xpath:
              string(//title): Hello

        - url: /x
          body: '{"a": 1}'
          expect:
            status: 201
            json:
              $.name: x
          capture:
            id: $.id
      """),
    Case(
      "forms and files",
      """
      POST https://a.example/form
      Content-Type: application/x-www-form-urlencoded

      name=foo%20bar
      &note=a+b

      ###
      POST https://a.example/upload
      Content-Type: multipart/form-data; boundary=XX

      --XX
      Content-Disposition: form-data; name="text"

      two
      lines
      --XX
      Content-Disposition: form-data; name="photo"; filename="1.png"
      Content-Type: image/png

      < ./images/1.png
      --XX--

      ###
      PUT https://a.example/raw
      Content-Type: text/csv

      < data.csv
      """,
      """
      defaults:
        base_url: https://a.example
      requests:
        - url: /form
          form:
            name: foo bar
            note: a b

        - url: /upload
          multipart:
            text: |-
              two
              lines
            photo:
              file: images/1.png
              type: image/png

        - method: PUT
          url: /raw
          headers:
            Content-Type: text/csv
          body:
            file: data.csv
      """),
    Case(
      "GraphQL",
      """
      POST https://a.example/graphql
      X-REQUEST-TYPE: GraphQL

      query ($id: ID!) { user(id: $id) { name } }

      {"id": "{{id}}"}
      """,
      """
      variables:
        id: ${{ env.id }}
      requests:
        - url: https://a.example/graphql
          graphql:
            query: "query ($id: ID!) { user(id: $id) { name } }"
            variables:
              id: ${{ id }}
      """),
    Case(
      "settings of a request",
      """
      # @no-redirect
      # @no-cookie-jar
      # @timeout 30
      // @connection-timeout 500 ms
      # @no-reject-unauthorized
      # @disabled
      # @unheard-of
      GET https://a.example/
      Authorization: Digest ann {{pass}}

      >> response.json
      """,
      """
      secrets:
        - pass
      requests:
        # not translated (settings): # @unheard-of
        # not translated (saved responses): >> response.json
        - url: https://a.example/
          auth:
            digest:
              username: ann
              password: ${{ pass }}
          timeout:
            resource: 30s
            connect: 500ms
          redirects: none
          session:
            cookies: none
          skip: true
          tls:
            verify: false
      """),
    Case(
      "loops",
      """
      {{
        exports.names = ["a", "b"];
      }}
      ###
      # @loop for item of names
      GET https://a.example/{{item}}

      ###
      # @loop for 3
      GET https://a.example/{{$index}}
      """,
      """
      variables:
        names:
          - a
          - b
      defaults:
        base_url: https://a.example
      requests:
        - each: ${{ names }}
          url: /${{ row }}

        - each:
            count: 3
          url: /${{ row_index }}
      """),
    Case(
      "WebSockets",
      """
      # @name room
      WEBSOCKET wss://a.example/{{room}}
      Content-Type: application/json
      Sec-WebSocket-Protocol: a, b

      ===
      {"join": "{{room}}"}
      === wait-for-server
      bye

      ###
      WS a.example/plain

      ###
      GET ws://a.example/get
      """,
      """
      variables:
        room: ${{ env.room }}
      requests:
        - name: room
          url: wss://a.example/${{ room }}
          stream:
            format: websocket
            subprotocol:
              - a
              - b
            send:
              - json:
                  join: ${{ room }}
              - until:
                  type: text
              - text: bye
            timeout: 5s

        - url: ws://a.example/plain
          stream:
            format: websocket
            timeout: 5s

        - url: ws://a.example/get
          stream:
            format: websocket
            timeout: 5s
      """),
    Case(
      "a WebSocket that stays open for later requests, as in the planning poker of httpyac",
      #"""
      @room=186321

      # @keepStreaming
      wss://poker.example/146/websocket

      ###
      wss://poker.example/146/websocket
      ["CONNECT\naccept-version:1.1\n\n\u0000"]
      === wait-for-server
      ["SEND\n\n{\"id\":\"{{room}}\"}\u0000"]
      ### estimate
      wss://poker.example/146/websocket
      5
      ###
      wss://poker.example/other
      a
      ===
      b
      """#,
      #"""
      variables:
        room: "186321"
      requests:
        # estimate
        - url: wss://poker.example/146/websocket
          stream:
            format: websocket
            send:
              - json:
                  - "CONNECT\naccept-version:1.1\n\n\x00"
              - until:
                  type: text
              - json:
                  - "SEND\n\n{\"id\":\"${{ room }}\"}\x00"
              - text: "5"
            timeout: 5s

        - url: wss://poker.example/other
          stream:
            format: websocket
            send:
              - text: a
              - text: b
            timeout: 5s
      """#),
    Case(
      "what is not a request of HTTP",
      """
      just some text

      GRPC a.example/echo

      ###
      GET https://a.example/
      """,
      """
      # not translated (text that is not a request): just some text
      # not translated (requests of other protocols): GRPC a.example/echo

      requests:
        - url: https://a.example/
      """),
  ]

  @Test func environments() throws {
    let result = try ImportedSources(
      "http",
      [
        ("rest/http-client.private.env.json", #"{"dev": {"pass": "abc", "user": "ann"}, "extra": {"pass": "x"}}"#),
        ("rest/http-client.env.json", #"{"$shared": {"v": 1}, "dev": {"host": "https://d.example", "pass": ""}}"#),
        ("rest/a/one.http", "GET {{host}}/{{v}}\nAuthorization: Basic {{user}} {{pass}}"),
        ("rest/package.json", "{}"),
      ])
    #expect(result.problems.isEmpty)
    #expect(result.files.keys.sorted() == ["one.yaml", "reqrun.yaml"])
    #expect(
      result.files["reqrun.yaml"] == """
        variables:
          v: 1
        environments:
          dev:
            variables:
              host: https://d.example
            secrets:
              - pass
              - user
          extra:
            secrets:
              - pass
        default_environment: dev

        """)
  }

  @Test func hostileFilesEnd() throws {
    #expect(try ImportedSources("http", [("a.http", "GET http://x/\0")]).problems.count == 1)
    #expect(try ImportedSources("http", [("x.env.json", "{")]).problems.count == 2)
    let long = "GET http://x/" + String(repeating: "{{", count: 20_000)
    #expect(try ImportedSources("http", [("a.http", long)]).problems.isEmpty)
    let blocks = String(
      repeating: "###\n# @name a\nGET http://x/{{a.b}}\n\n> {% client.test(() => { %}\n", count: 300)
    #expect(try ImportedSources("http", [("a.http", blocks)]).problems.isEmpty)
    let open = "GET http://x/\n\n> {%" + String(repeating: "(", count: 20_000)
    #expect(try ImportedSources("http", [("a.http", open)]).problems.isEmpty)
  }
}

/// Files of others, all of whose requests must be made.
@Suite(.enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE is not set"))
struct HTTPFileCorpusTests {
  @Test func corpus() throws {
    let suite = try ImportedSuite("http", "httpfile") { $0.hasSuffix(".http") }
    #expect(suite.files > 10 && suite.requests > 40)
    print(
      "http: \(suite.files) files, \(suite.requests) requests, not translated: \(suite.remarks.sorted { $0.key < $1.key })"
    )
  }
}
