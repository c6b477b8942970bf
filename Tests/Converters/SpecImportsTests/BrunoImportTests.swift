import SpecImports
import TestSupport
import Testing
import Values

/// The specs that collections of Bruno become.
struct BrunoImportTests {
  /// The texts of the composed files by their paths.
  static func specs(_ sources: KeyValuePairs<String, String>) throws -> [String: String] {
    let result = try ImportedSources("bruno", sources.map { ($0.key, $0.value) })
    _ = try #require(result.collection)
    #expect(result.problems == [])
    return result.files
  }

  @Test func foldersAreFiles() throws {
    let specs = try Self.specs([
      "bruno.json": #"{"version": "1", "name": "Shop", "type": "collection"}"#,
      "collection.bru": """
      headers {
        X-Client: bruno
        ~X-Off: 1
      }

      auth {
        mode: bearer
      }

      auth:bearer {
        token: {{token}}
      }

      vars:pre-request {
        currency: EUR
        @number
        limit: 20
        key: {{process.env['SHOP-KEY']}}
      }
      """,
      "environments/Local.bru": """
      vars {
        host: http://localhost:8080
        ~off: 1
      }
      vars:secret [
        password,
        ~old
      ]
      """,
      "ping.bru": """
      meta {
        name: Ping
        type: http
        seq: 1
      }

      get {
        url: {{host}}/ping
        body: none
        auth: none
      }

      assert {
        res.status: eq 200
        res.body: eq pong
      }
      """,
      "orders/folder.bru": "meta {\n  name: Orders\n  seq: 1\n}\n\nheaders {\n  x-client: orders\n}\n",
      "orders/create.bru": #"""
      meta {
        name: Create an order
        type: http
        seq: 2
        tags: [
          smoke
        ]
      }

      post {
        url: {{host}}/orders/:shop?dry=true
        body: json
        auth: inherit
      }

      params:query {
        dry: true
      }

      params:path {
        shop: {{currency}} 1
      }

      body:json {
        {
          // a comment
          "limit": {{limit}},
          "id": "{{$guid}}"
        }
      }

      vars:pre-request {
        label: '''
          two
          lines
        '''
      }

      vars:post-response {
        order: res.body.order.id
        next: $res.headers['location']
      }

      assert {
        res.status: in [200, 201]
        res.body.items: length 2
        res.body.total: gte 10
        res('order.lines[0].sku'): matches ^A-\d+$
        ~res.body.off: eq 1
        res.responseTime: lt 500
        res.body.name: startsWith Ann
        req.body.x: eq 1
      }

      script:pre-request {
        bru.setVar("when", Date.now());
      }

      tests {
        test("has an order", function() {
          const data = res.getBody();
          expect(res.getStatus()).to.not.equal(500);
          expect(data.order.state).to.be.oneOf(["new", "paid"]);
          expect(res.getHeader("content-type")).to.contain("json");
          console.log(data);
        });
      }

      docs {
        Creates it.
      }

      settings {
        encodeUrl: true
        timeout: 3000
        followRedirects: false
      }
      """#,
      "orders/upload.bru": """
      meta {
        name: Upload
        type: http
        seq: 1
      }
      put {
        url: {{host}}/files
        body: multipartForm
        auth: basic
      }
      auth:basic {
        username: ann
        password: {{password}}
      }
      body:multipart-form {
        title: A
        meta: {"a": 1} @contentType(application/json)
        photo: @file(a.png)
      }
      """,
    ])
    #expect(specs.keys.sorted() == ["orders.yaml", "reqrun.yaml", "shop.yaml"])
    #expect(
      specs["reqrun.yaml"] == """
        name: Shop
        variables:
          currency: EUR
          limit: 20
          key: ${{ env['SHOP-KEY'] }}
        defaults:
          base_url: ${{ host }}
        environments:
          Local:
            variables:
              host: http://localhost:8080
            secrets:
              - password
        default_environment: Local

        """)
    #expect(specs["shop.yaml"] == Self.ping)
    #expect(specs["orders.yaml"] == Self.orders)
  }

  static let ping = """
    requests:
      - name: Ping
        url: /ping
        headers:
          X-Client: bruno
        expect:
          status: 200
          body: pong

    """

  static let orders = #"""
    name: Orders
    secrets:
      - token
    defaults:
      headers:
        x-client: orders
    requests:
      - name: Upload
        method: PUT
        url: /files
        multipart:
          title: A
          meta:
            value: '{"a": 1}'
            type: application/json
          photo:
            file: a.png
        auth:
          basic:
            username: ann
            password: ${{ password }}

      # not translated (assertions): req.body.x: eq 1
      - name: Create an order
        description: Creates it.
        tags:
          - smoke
        variables:
          label: |-
            two
            lines
          when: ${{ now | format("unix_ms") }}
        url: /orders/{shop}?dry=true
        path:
          shop: ${{ currency }} 1
        json:
          limit: ${{ limit }}
          id: ${{ uuid }}
        auth:
          bearer: ${{ token }}
        timeout: 3s
        redirects: none
        expect:
          status:
            one_of:
              - 200
              - 201
            not_equals: 500
          json:
            $.items:
              count: 2
            $.total:
              at_least: 10
            $.order.lines[0].sku:
              matches: '^A-\d+$'
            $.name:
              starts_with: Ann
            $.order.state:
              one_of:
                - new
                - paid
          duration:
            less_than: 500ms
          headers:
            content-type:
              contains: json
        capture:
          order: $.order.id
          next:
            header: location

    """#

  @Test func yamlAndExportedCollections() throws {
    let yaml = try Self.specs([
      "opencollection.yml": """
      opencollection: "1.0.0"
      info: {name: Shop}
      request:
        auth: {type: basic, username: ann, password: "{{password}}"}
      """,
      "users/folder.yml": "info: {name: Users, type: folder, seq: 1}\n",
      "users/get.yml": #"""
      info: {name: Get a user, type: http, seq: 1}
      http:
        method: GET
        url: "https://api.example/users/:id"
        params:
          - {name: id, value: "{{id}}", type: path}
        headers:
          - {name: Accept, value: application/json}
          - {name: X-Off, value: "1", disabled: true}
        auth: inherit
      runtime:
        assertions:
          - {expression: res.status, operator: eq, value: "200"}
          - {expression: res.body.name, operator: isString}
        actions:
          - type: set-variable
            phase: after-response
            selector: {expression: res.body.token, method: jsonq}
            variable: {name: token, scope: runtime}
        scripts:
          - type: tests
            code: |
              test("is Ann", () => { expect(res.body.name).to.equal("Ann"); });
      """#,
      "environments/Local.yml":
        "name: Local\nvariables:\n  - {name: id, value: \"7\"}\n  - {name: password, secret: true}\n",
    ])
    let exported = try Self.specs([
      "shop.json": #"""
      {"name": "Shop", "version": "1", "brunoConfig": {},
       "root": {"request": {"auth": {"mode": "basic", "basic": {"username": "ann", "password": "{{password}}"}}}},
       "environments": [{"name": "Local", "variables": [
          {"name": "id", "value": "7", "enabled": true}, {"name": "password", "value": "", "secret": true}]}],
       "items": [{"type": "folder", "name": "users", "root": {"meta": {"name": "Users"}}, "items": [
         {"type": "http", "name": "Get a user", "seq": 1, "request": {
            "url": "https://api.example/users/:id", "method": "GET",
            "params": [{"name": "id", "value": "{{id}}", "type": "path", "enabled": true}],
            "headers": [{"name": "Accept", "value": "application/json", "enabled": true},
                        {"name": "X-Off", "value": "1", "enabled": false}],
            "auth": {"mode": "inherit"}, "body": {"mode": "none"},
            "vars": {"res": [{"name": "token", "value": "res.body.token", "enabled": true}]},
            "assertions": [{"name": "res.status", "value": "eq 200", "enabled": true},
                           {"name": "res.body.name", "value": "isString", "enabled": true}],
            "tests": "test(\"is Ann\", () => { expect(res.body.name).to.equal(\"Ann\"); });"}}]}]}
      """#
    ])
    let spec = """
      name: Users
      requests:
        - name: Get a user
          url: https://api.example/users/{id}
          path:
            id: ${{ id }}
          headers:
            Accept: application/json
          auth:
            basic:
              username: ann
              password: ${{ password }}
          expect:
            status: 200
            json:
              $.name:
                is: string
                equals: Ann
          capture:
            token: $.token

      """
    for specs in [yaml, exported] {
      #expect(specs.keys.sorted() == ["reqrun.yaml", "users.yaml"])
      #expect(specs["users.yaml"] == spec)
    }
  }

  @Test func tellsErrors() throws {
    let kind = ImportReader.bruno
    for (text, message) in [
      ("hello", "a.bru:1: expected a block such as `get {`"),
      ("get {\n  url: x\n}\n}\n", "a.bru:4: expected a block such as `get {`"),
      ("get {\n  url\n}\n", "a.bru:2: expected a pair such as `name: value`"),
    ] {
      var bag = DiagnosticBag()
      _ = kind.read([ImportSource(path: "a.bru", bytes: Array(text.utf8))], ImportSelection(), &bag)
      #expect(
        bag.diagnostics.map { "a.bru:\($0.range?.start.line ?? 0): \($0.message)" } == [message])
    }
  }

  /// Deep and long sources are read in linear time.
  @Test(arguments: ["{", "get {\n", "'''\n", "@a(", "~a: {{b}}\n", "[\n"])
  func readsHostileSources(_ piece: String) throws {
    let kind = ImportReader.bruno
    let growth = growth(to: 30_000) { count in
      var bag = DiagnosticBag()
      let text = "get {\n  url: http://a\n" + String(repeating: piece, count: count)
      let collection = kind.read([ImportSource(path: "a.bru", bytes: Array(text.utf8))], ImportSelection(), &bag)
      #expect(bag.hasErrors || collection?.files.count == 1)
    }
    #expect(growth < 1.5)
  }
}
