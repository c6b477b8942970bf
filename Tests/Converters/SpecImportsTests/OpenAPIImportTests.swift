import Foundation
import SpecImports
import TestSupport
import Testing
import Values

/// OpenAPI documents as specs.
struct OpenAPIImportTests {
  @Test func becomesAFileForEachTag() throws {
    let result = try ImportedSources(
      "openapi",
      [
        (
          "api.yaml",
          """
          openapi: 3.0.3
          info: {title: Shop, version: "1"}
          servers:
            - {url: "https://api.shop.example/v1/", description: Production server}
            - {url: "https://{region}.test.shop.example/v1", description: Sandbox, variables: {region: {default: eu}}}
          security: [{token: []}]
          tags: [{name: Orders, description: What people buy}]
          paths:
            /orders/{id}:
              parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
              get:
                tags: [Orders]
                summary: One order
                parameters:
                  - {name: fields, in: query, schema: {type: array, items: {type: string}}, example: [id, total]}
                  - {name: page, in: query, schema: {type: integer}}
                responses:
                  "404": {description: none}
                  "200": {description: ok, content: {application/json: {}, application/xml: {}}}
              patch:
                tags: [Orders, Admin]
                deprecated: true
                requestBody: {content: {application/merge-patch+json: {example: {note: hi}}}}
                responses: {2XX: {description: ok}}
            /login:
              post:
                tags: [Session]
                operationId: login
                security: []
                requestBody:
                  content:
                    application/x-www-form-urlencoded:
                      schema: {type: object, required: [user, password], properties: {user: {type: string, example: ann}, password: {type: string}}}
                responses: {default: {description: ok}}
            /photo:
              put:
                tags: [Session]
                requestBody:
                  content:
                    multipart/form-data:
                      schema: {type: object, required: [title, photo], properties: {title: {type: string}, photo: {type: string, format: binary}}}
                      encoding: {photo: {contentType: "image/png, image/jpeg"}}
                responses: {302: {description: moved}}
          components:
            securitySchemes: {token: {type: http, scheme: bearer}}
          """
        )
      ])
    #expect(result.problems.isEmpty)
    #expect(result.remarks.isEmpty)
    #expect(
      result.files.keys.sorted() == [
        "_openapi/api.yaml", "files/photo.png", "orders.yaml", "reqrun.yaml", "session.yaml",
      ])
    #expect(
      result.files["reqrun.yaml"] == """
        name: Shop
        secrets:
          - token
        defaults:
          base_url: ${{ base_url }}
          auth:
            bearer: ${{ token }}
        environments:
          production:
            variables:
              base_url: https://api.shop.example/v1
          sandbox:
            variables:
              base_url: https://${{ region }}.test.shop.example/v1
              region: eu
        default_environment: production

        """)
    #expect(
      result.files["orders.yaml"] == """
        name: Orders
        description: What people buy
        openapi: _openapi/api.yaml
        requests:
          # Optional: query parameter page
          - name: One order
            url: /orders/{id}
            path:
              id: 1
            headers:
              Accept: application/json
            query:
              fields:
                - id
                - total
            expect:
              status: 200

          # Deprecated
          - name: PATCH /orders/{id}
            tags:
              - Admin
            method: PATCH
            url: /orders/{id}
            path:
              id: 1
            headers:
              Content-Type: application/merge-patch+json
            json:
              note: hi
            expect:
              status: 2xx

        """)
    #expect(
      result.files["session.yaml"] == """
        name: Session
        secrets:
          - PASSWORD
        openapi: _openapi/api.yaml
        requests:
          - name: login
            url: /login
            form:
              user: ann
              password: ${{ PASSWORD }}
            auth: none

          - name: PUT /photo
            method: PUT
            url: /photo
            multipart:
              title: string
              photo:
                file: files/photo.png
                type: image/png
            redirects: none
            expect:
              status: 302

        """)
  }

  struct Line: CustomTestStringConvertible {
    let testDescription: String
    let scheme: String
    let expected: String

    init(_ name: String, _ scheme: String, _ expected: String) {
      testDescription = name
      self.scheme = scheme
      self.expected = expected
    }
  }

  @Test(arguments: schemes) func writesCredentials(_ line: Line) throws {
    let result = try ImportedSources(
      "openapi",
      [
        (
          "api.yaml",
          """
          openapi: 3.0.3
          info: {title: t, version: "1"}
          servers: [{url: "https://api.example"}]
          paths: {/a: {get: {security: [{one: [read]}], responses: {200: {description: ok}}}}}
          components: {securitySchemes: {one: {\(line.scheme)}}}
          """
        )
      ])
    let text = try #require(result.files["t.yaml"])
    #expect(text.contains(line.expected), "\(text)")
  }

  static let schemes = [
    Line(
      "basic", "type: http, scheme: Basic",
      "basic:\n        username: ${{ username }}\n        password: ${{ password }}"),
    Line("digest", "type: http, scheme: digest", "digest:\n        username:"),
    Line("bearer", "type: http, scheme: bearer", "secrets:\n  - token\n"),
    Line("key in a header", "type: apiKey, in: header, name: X-Key", "X-Key: ${{ api_key }}"),
    Line("key in the query", "type: apiKey, in: query, name: key", "query:\n      key: ${{ api_key }}"),
    Line("key in a cookie", "type: apiKey, in: cookie, name: sid", "cookies:\n      sid: ${{ api_key }}"),
    Line(
      "client credentials", "type: oauth2, flows: {clientCredentials: {tokenUrl: /token, scopes: {read: r}}}",
      "grant_type: client_credentials\n        token_url: ${{ base_url }}/token\n        client_id: ${{ client_id }}\n        client_secret: ${{ client_secret }}\n        scope:\n          - read"
    ),
    Line(
      "password", "type: oauth2, flows: {password: {tokenUrl: 'https://id.example/t', scopes: {}}}",
      "username: ${{ username }}"),
    Line(
      "code",
      "type: oauth2, flows: {authorizationCode: {authorizationUrl: 'https://id.example/a', tokenUrl: 'https://id.example/t', scopes: {}}}",
      "authorization_url: https://id.example/a"),
    Line(
      "implicit", "type: oauth2, flows: {implicit: {authorizationUrl: 'https://id.example/a', scopes: {}}}",
      "bearer: ${{ access_token }}"),
    Line(
      "OpenID Connect", "type: openIdConnect, openIdConnectUrl: 'https://id.example/.well-known/openid-configuration'",
      "issuer: https://id.example\n"),
    Line("others are told", "type: mutualTLS", "# not translated (security schemes): one: mutualTLS"),
  ]

  @Test func oneOfSeveralSchemesIsTaken() throws {
    let result = try ImportedSources(
      "openapi",
      [
        (
          "api.yaml",
          """
          openapi: 3.0.3
          info: {title: t, version: "1"}
          servers: [{url: "https://api.example"}]
          paths: {/a: {get: {security: [{two: [], one: [], key: []}], responses: {200: {description: ok}}}}}
          components:
            securitySchemes:
              one: {type: http, scheme: basic}
              two: {type: oauth2, flows: {clientCredentials: {tokenUrl: /token, scopes: {}}}}
              key: {type: apiKey, in: header, name: X-Key}
          """
        )
      ])
    let text = try #require(result.files["t.yaml"])
    #expect(text.contains("basic:") && !text.contains("oauth2:") && text.contains("X-Key: ${{ api_key }}"), "\(text)")
    #expect(result.remarks == ["security schemes: two: credentials beside others"])
  }

  @Test func linksAreCaptures() throws {
    let result = try ImportedSources(
      "openapi",
      [
        (
          "api.yaml",
          """
          openapi: 3.1.0
          info: {title: t, version: "1"}
          servers: [{url: "https://api.example"}]
          webhooks: {created: {}}
          paths:
            /a:
              post:
                callbacks: {done: {}}
                responses:
                  "201":
                    description: ok
                    links:
                      get: {operationId: get, parameters: {id: "$response.body#/items/0/x y"}}
                      self: {operationId: get, parameters: {id: $request.path.id}}
            /a/{id}:
              get:
                operationId: get
                parameters: [{name: id, in: path, required: true, schema: {type: string}}]
                responses: {"200": {description: ok}}
          """
        )
      ])
    #expect(result.remarks.sorted() == ["callbacks: done", "links: self", "webhooks: created"])
    let text = try #require(result.files["t.yaml"])
    #expect(text.contains("id: $.items[0]['x y']"))
    #expect(text.contains("id: ${{ id }}"))
  }

  @Test func documentsInSeveralFiles() throws {
    let main = """
      openapi: 3.0.3
      info: {title: t, version: "1"}
      servers: [{url: /v2}]
      paths: {/a: {post: {requestBody: {content: {application/json: {schema: {$ref: "parts/a.yaml#/A"}}}}, responses: {200: {description: ok}}}}}
      """
    let part =
      "A: {type: object, required: [count], properties: {count: {$ref: '../b.yaml#/B'}, o: {$ref: 'gone.yaml'}}}"
    let result = try ImportedSources(
      "openapi",
      [
        ("doc/api.yaml", main), ("doc/parts/a.yaml", part), ("doc/b.yaml", "B: {type: integer, minimum: 4}"),
        ("doc/other.yaml", "x: 1"),
      ])
    #expect(
      result.files.keys.sorted() == ["_openapi/api.yaml", "_openapi/b.yaml", "_openapi/parts/a.yaml", "t.yaml"])
    #expect(result.files["t.yaml"]?.contains("json:\n      count: 4") == true)
    #expect(
      result.remarks.sorted() == [
        "examples that the document rejects: body: the file doc/parts/gone.yaml is not among the given ones (doc/parts/a.yaml:1:1)",
        "other files: doc/other.yaml",
        "references to missing files: \"gone.yaml\": the file doc/parts/gone.yaml is not among the given ones (doc/parts/a.yaml:1:1)",
        "servers without a host: /v2, so base_url is a placeholder",
      ])
    #expect(
      try ImportedSources("openapi", [("api.yaml", "swagger: '1.2'")]).problems.first?.contains("Swagger 1.2") == true)
  }

  @Test func swaggerIsReadAsWhatItMeansIn3() throws {
    func files(_ document: String) throws -> [String: String] {
      let result = try ImportedSources("openapi", [("api.yaml", document)])
      #expect(result.problems.isEmpty)
      return result.files.filter { !$0.key.hasPrefix("_openapi/") }
    }
    let swagger = """
      swagger: "2.0"
      info: {title: Shop, version: "1"}
      host: shop.example
      basePath: /v1/
      schemes: [https, ws]
      consumes: [application/json]
      produces: [application/json, text/plain]
      securityDefinitions:
        key: {type: apiKey, in: header, name: X-Key}
        login: {type: basic}
        oauth: {type: oauth2, flow: application, tokenUrl: "https://shop.example/token", scopes: {read: Read}}
      security: [{key: []}]
      parameters:
        Order: {name: order, in: body, required: true, schema: {$ref: "#/definitions/Order"}}
        Limit: {name: limit, in: query, type: integer, required: true, default: 20}
        Photo: {name: photo, in: formData, type: file, required: true}
      paths:
        /orders:
          get:
            parameters:
              - {$ref: "#/parameters/Limit"}
              - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: pipes, required: true, default: [a, b]}
              - {name: ids, in: query, type: array, items: {type: integer}, collectionFormat: multi, required: true, default: [1, 2]}
            responses: {200: {description: ok, schema: {type: array, items: {$ref: "#/definitions/Order"}}}}
          post:
            parameters: [{$ref: "#/parameters/Order"}]
            responses: {201: {description: made}}
        /orders/{id}:
          parameters: [{name: id, in: path, required: true, type: integer}]
          get: {security: [{login: []}], responses: {404: {description: none}, 200: {description: ok}}}
        /photos:
          parameters: [{$ref: "#/parameters/Photo"}]
          post:
            parameters: [{name: note, in: formData, type: string, required: true}]
            responses: {204: {description: done}}
        /login:
          post:
            consumes: [application/x-www-form-urlencoded]
            security: [{oauth: [read]}]
            parameters: [{name: tags, in: formData, type: array, items: {type: string}, default: [a, b], required: true}]
            responses: {204: {description: done}}
      definitions:
        Order:
          type: object
          required: [id, item]
          properties: {id: {type: integer, readOnly: true}, item: {type: string, example: cup}}
      """
    let openAPI = """
      openapi: 3.0.3
      info: {title: Shop, version: "1"}
      servers: [{url: "https://shop.example/v1"}]
      security: [{key: []}]
      paths:
        /orders:
          get:
            parameters:
              - {name: limit, in: query, required: true, schema: {type: integer, default: 20}}
              - {name: tags, in: query, style: pipeDelimited, explode: false, required: true, schema: {type: array, items: {type: string}, default: [a, b]}}
              - {name: ids, in: query, required: true, schema: {type: array, items: {type: integer}, default: [1, 2]}}
            responses: {200: {description: ok, content: {application/json: {}, text/plain: {}}}}
          post:
            requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
            responses: {201: {description: made}}
        /orders/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          get: {security: [{login: []}], responses: {404: {description: none}, 200: {description: ok}}}
        /photos:
          post:
            requestBody:
              required: true
              content:
                multipart/form-data:
                  schema: {type: object, required: [note, photo], properties: {note: {type: string}, photo: {type: string, format: binary}}}
            responses: {204: {description: done}}
        /login:
          post:
            security: [{oauth: [read]}]
            requestBody:
              required: true
              content:
                application/x-www-form-urlencoded:
                  schema: {type: object, required: [tags], properties: {tags: {type: array, items: {type: string}, default: [a, b]}}}
                  encoding: {tags: {style: form, explode: false}}
            responses: {204: {description: done}}
      components:
        securitySchemes:
          key: {type: apiKey, in: header, name: X-Key}
          login: {type: http, scheme: basic}
          oauth: {type: oauth2, flows: {clientCredentials: {tokenUrl: "https://shop.example/token", scopes: {read: Read}}}}
        schemas:
          Order:
            type: object
            required: [id, item]
            properties: {id: {type: integer, readOnly: true}, item: {type: string, example: cup}}
      """
    let imported = try files(swagger)
    #expect(imported == (try files(openAPI)))
    #expect(imported.values.contains { $0.contains("tags=a%7Cb") && $0.contains("item: cup") })
  }

  @Test(.timeLimit(.minutes(10))) func hostileDocumentsEnd() throws {
    func document(_ schemas: String) -> String {
      """
      {"openapi":"3.0.0","info":{"title":"t","version":"1"},"paths":{"/a":{"post":{"requestBody":{"content":
      {"application/json":{"schema":{"$ref":"#/components/schemas/s0"}}}},"responses":{"200":{"description":"ok"}}}}},
      "components":{"schemas":{\(schemas)}}}
      """
    }
    // Each schema needs ten of the next: 10^30 values.
    let laughs = (0..<30).map { level in
      let properties = (0..<10).map { ##""p\##($0)":{"$ref":"#/components/schemas/s\##(level + 1)"}"## }
      let names = (0..<10).map { "\"p\($0)\"" }
      return
        #""s\#(level)":{"type":"object","required":[\#(names.joined(separator: ","))],"properties":{\#(properties.joined(separator: ","))}}"#
    }
    let large = try ImportedSources(
      "openapi", [("a.json", document((laughs + [#""s30":{"type":"string"}"#]).joined(separator: ",")))])
    #expect(large.remarks.contains { $0.hasPrefix("examples that the document rejects: body") })
    let long = #""s0":{"type":"string","minLength":1000000000,"pattern":"^(((a{9999}){9999}){9999})+$"}"#
    #expect(try ImportedSources("openapi", [("a.json", document(long))]).remarks.count == 2)
    let deep = String(repeating: #"{"allOf":["#, count: 200) + "{}" + String(repeating: "]}", count: 200)
    #expect(try ImportedSources("openapi", [("a.json", document("\"s0\":\(deep)"))]).problems == [])
    #expect(try ImportedSources("openapi", [("a.json", String(repeating: "[", count: 100_000))]).problems.count == 1)
    #expect(try ImportedSources("openapi", [("a.json", "openapi: 3.0.0\0")]).problems.count == 1)
  }
}

/// Documents of others, all of whose requests must be made.
@Suite(.enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE is not set"))
struct OpenAPICorpusTests {
  @Test func corpus() throws {
    let suite = try ImportedSuite("openapi", "openapi") {
      $0 != "index.json" && ($0.hasSuffix("json") || $0.hasSuffix("yaml"))
    }
    #expect(suite.files > 20 && suite.requests > 200)
    print(
      "openapi: \(suite.files) documents, \(suite.requests) requests, not translated: \(suite.remarks.sorted { $0.key < $1.key })"
    )
  }
}
