import Foundation
import SpecImports
import Testing
import Values

/// What all kinds of imports do alike, and what one of them must not lose: each source with the specs that it becomes.
struct SharedImportTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let kind: String
    let sources: [(String, String)]
    let specs: String

    init(_ name: String, _ kind: String, _ sources: [(String, String)], _ specs: String) {
      testDescription = name
      self.kind = kind
      self.sources = sources
      self.specs = specs
    }
  }

  @Test(arguments: cases) func becomes(_ testCase: Case) throws {
    let result = try ImportedSources(testCase.kind, testCase.sources)
    #expect(result.problems.isEmpty)
    let specs = result.files.sorted { $0.key < $1.key }.map { "== \($0.key)\n\($0.value)" }.joined()
    #expect(specs == testCase.specs + "\n")
  }

  static let cases = [
    Case(
      "a variable of the environment that a response gives", "insomnia",
      [
        (
          "shop.json",
          #"""
          {"_type": "export", "__export_format": 4, "resources": [
          {"_id": "wrk", "_type": "workspace", "name": "Shop"},
          {"_id": "env", "_type": "environment", "parentId": "wrk", "name": "Base",
           "data": {"auth": "{% response 'body', 'login', 'b64::JC50YXJnZXQ=::46b', 'never', 60 %}", "full": "v1 {{ auth }}"}},
          {"_id": "f1", "_type": "request_group", "parentId": "wrk", "name": "Sessions"},
          {"_id": "f2", "_type": "request_group", "parentId": "wrk", "name": "Cars"},
          {"_id": "login", "_type": "request", "parentId": "f1", "name": "Login", "method": "POST", "url": "http://a.example/l"},
          {"_id": "r2", "_type": "request", "parentId": "f2", "name": "Create", "method": "GET", "url": "http://a.example/c",
           "headers": [{"name": "X-Full", "value": "{{ _.full }}"}]}]}
          """#
        )
      ],
      """
      == cars.yaml
      name: Cars
      needs:
        sessions: sessions.yaml
      requests:
        - name: Create
          url: /c
          headers:
            X-Full: v1 ${{ sessions.target }}
      == reqrun.yaml
      name: Shop
      defaults:
        base_url: http://a.example
      == sessions.yaml
      name: Sessions
      requests:
        - name: Login
          method: POST
          url: /l
          capture:
            target: $.target
      """),
    Case(
      "names that statements without a form set; headers of Postman; the type of a vendor; a method in lower case",
      "postman",
      [
        (
          "shop.json",
          #"""
          {"info": {"name": "Shop"}, "variable": [{"key": "auth", "value": "Bearer {{token}}"}], "item": [
          {"name": "Log in", "request": {"method": "post", "url": "http://a.example/l"}, "event": [{"listen": "test", "script": {"exec":
           ["pm.globals.set('token', pm.response.json().t);", "pm.globals.set('day', moment());", "pm.globals.set('secret', sign());"]}}]},
          {"name": "Use {{day}} {{other}}", "request": {"method": "GET", "url": "http://a.example/u?d={{day}}&s={{secret}}", "header": [
           {"key": "Postman-Token", "value": "1"}, {"key": "cache-control", "value": "no-cache"}, {"key": "X", "value": "{{auth}}"},
           {"key": "User-Agent", "value": "PostmanRuntime/7"}, {"key": "Accept", "value": "application/vnd.a+json"}]}},
          {"name": "Use {{day}}", "request": {"method": "GET", "url": "http://a.example/u?d={{day}}"}}]}
          """#
        )
      ],
      """
      == shop.yaml
      name: Shop
      variables:
        day: ${{ env.day | default('<day>') }}
      secrets:
        secret: ${{ env.secret | default('<secret>') }}
      defaults:
        base_url: http://a.example
      requests:
        # not translated (statements of scripts): pm.globals.set('day', moment());
        # not translated (statements of scripts): pm.globals.set('secret', sign());
        - name: Log in
          method: POST
          url: /l
          capture:
            token: $.t

        - name: Use {{day}} {{other}}
          url: /u?d=${{ day }}&s=${{ secret }}
          headers:
            X: Bearer ${{ token }}
            Accept: application/vnd.a+json
          validate:
            status: 2xx

        - name: Use ${{ day }}
          url: /u?d=${{ day }}
      """),
    Case(
      "assertions on headers, what is false, files of another machine, a path without a value", "bruno",
      [
        ("bruno.json", #"{"version": "1", "name": "Shop", "type": "collection"}"#),
        (
          "a.bru",
          #"""
          meta {
            name: A
          }

          post {
            url: http://a.example/:id
            body: multipartForm
          }

          params:path {
            id: 
          }

          body:multipart-form {
            photo: @file(C:\Users\ann\photo.png)
          }

          assert {
            res.headers.content-type: contains json
            res.body.err: isFalsy
            res.body: pong
          }

          script:post-response {
            console.log(res.body);
          }
          """#
        ),
      ],
      """
      == shop.yaml
      name: Shop
      variables:
        id: ${{ env.id }}
      requests:
        # photo.png was C:\\Users\\ann\\photo.png
        - name: A
          url: http://a.example/{id}
          path:
            id: ${{ id }}
          multipart:
            photo:
              file: photo.png
          expect:
            headers:
              content-type:
                contains: json
            json:
              $.err: false
            body: pong
      """),
    Case(
      "lines of headers, ages of cookies, repetitions, captures without a form", "hurl",
      [
        (
          "a.hurl",
          """
          GET http://a.example/a
          [Options]
          variable: count=3
          repeat: {{count}}
          HTTP 200
          [Captures]
          some: bytes
          all: header "Vary"
          age: cookie "s[Max-Age]"
          [Asserts]
          header "Vary" nth 0 == "a"
          header "Set-Cookie" nth 0 contains "a"
          variable "all" nth 1 == "b"
          variable "some" exists

          GET http://a.example/b?x={{some}}&d={{newDate}}
          [Options]
          variable: count=2
          repeat: {{count}}
          location: true
          max-redirs: {{limit}}
          """
        )
      ],
      """
      == a.yaml
      variables:
        some: ${{ env.some | default('<some>') }}
        limit: ${{ env.limit }}
      defaults:
        base_url: http://a.example
      requests:
        # not translated (captures): some: bytes
        # not translated (assertions): header "Set-Cookie" nth 0 contains "a"
        # not translated (assertions): variable "some" exists
        - each:
            count: 3
          url: /a
          redirects: none
          expect:
            status: 200
            values:
              (split(all, ', '))[0]: a
              (split(all, ', '))[1]: b
          capture:
            all:
              header: Vary
            s_max_age:
              cookie: s
              attribute: max_age
            age:
              value: ${{ s_max_age / 1000 }}

        - each:
            count: 2
          url: /b?x=${{ some }}&d=${{ now | format("yyyy-MM-dd'T'HH:mm:ss.SSSSSSX") }}
          redirects:
            max: ${{ 1000 if to_integer(limit) < 0 else to_integer(limit) }}
          validate: none
      """),
    Case(
      "comments and variables behind bodies, lines that are no headers, expressions of JavaScript", "http",
      [
        (
          "a.http",
          """
          GET http://a.example/a
          Not a header
          ?? js response.parsedBody.items.length > 2

          # ====
          # 2. Cars

          ### Next
          # @name made
          POST http://a.example/b

          {"a": 1}

          @id = {{made.response.body.id}}

          ### Text
          POST http://a.example/c
          Content-Type: text/markdown

          A

          # B
          ###
          GET http://a.example/{{id}}
          """
        )
      ],
      """
      == a.yaml
      defaults:
        base_url: http://a.example
      requests:
        # ====
        # 2. Cars
        # not translated (lines that are not headers): Not a header
        - url: /a
          expect:
            json:
              $.items:
                count:
                  greater_than: 2

        - name: Next
          url: /b
          body: '{"a": 1}'
          capture:
            id: $.id

        - name: Text
          url: /c
          headers:
            Content-Type: text/markdown
          body: |-
            A

            # B

        - url: /${{ id }}
      """),
    Case(
      "requests of imported files, which are put first", "http",
      [
        (
          "a.http",
          """
          # @import ./sub/auth.http

          ###
          # @ref login
          GET http://a.example/{{login.token}}
          """
        ), ("sub/auth.http", "# @name login\nPOST http://a.example/login\n"),
      ],
      """
      == a.yaml
      needs:
        auth: sub/auth.yaml
      requests:
        - url: /${{ auth.login_token }}
      == reqrun.yaml
      defaults:
        base_url: http://a.example
      == sub/auth.yaml
      requests:
        - name: login
          method: POST
          url: /login
          capture:
            login_token: $.token
      """),
    Case(
      "bytes as characters, and headers of a connection to a proxy", "har",
      [
        (
          "a.har",
          #"""
          {"log": {"version": "1.2", "creator": {"name": "mitmproxy"}, "entries": [{"request": {"method": "PUT",
           "url": "http://a.example/x", "headers": [{"name": "Proxy-Authorization", "value": "Basic YTpi"}], "bodySize": 4,
           "postData": {"mimeType": "application/octet-stream", "text": "\u00ff\u00fe\u0000\u0080"}}, "response": {"status": 200}}]}}
          """#
        )
      ],
      """
      == a.yaml
      requests:
        - name: Replace x
          method: PUT
          url: http://a.example/x
          headers:
            Content-Type: application/octet-stream
          body:
            base64: //4AgA==
          expect:
            status: 200
      """),
  ]
}
