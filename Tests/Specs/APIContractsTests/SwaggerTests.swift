import APIContracts
import Testing

@Suite("Swagger 2.0")
struct SwaggerTests {
  struct Sample: CustomTestStringConvertible, Sendable {
    var parameter: String
    var valid: String
    var invalid: String

    var testDescription: String { parameter }
  }

  @Test(
    "A parameter has the values that its own keywords allow",
    arguments: [
      Sample(parameter: "type: integer, maximum: 9", valid: "a=9", invalid: "a=10"),
      Sample(parameter: "type: integer, maximum: 9, exclusiveMaximum: true", valid: "a=8", invalid: "a=9"),
      Sample(parameter: "type: string, enum: [x, y]", valid: "a=x", invalid: "a=z"),
      Sample(parameter: "type: array, items: {type: integer}", valid: "a=1,2", invalid: "a=1%7C2"),
      Sample(parameter: "type: array, items: {type: integer}, collectionFormat: csv", valid: "a=1,2", invalid: "a=1,x"),
      Sample(
        parameter: "type: array, items: {type: integer}, collectionFormat: ssv", valid: "a=1%202", invalid: "a=1,2"),
      Sample(
        parameter: "type: array, items: {type: integer}, collectionFormat: tsv", valid: "a=1%092", invalid: "a=1,2"),
      Sample(
        parameter: "type: array, items: {type: integer}, collectionFormat: pipes", valid: "a=1%7C2", invalid: "a=1,2"),
      Sample(
        parameter: "type: array, items: {type: integer}, collectionFormat: multi, minItems: 2", valid: "a=1&a=2",
        invalid: "a=1,2"),
      Sample(
        parameter:
          "type: array, collectionFormat: pipes, items: {type: array, collectionFormat: csv, items: {type: integer}}",
        valid: "a=1,2%7C3", invalid: "a=1,x%7C3"),
      Sample(
        parameter:
          "type: array, collectionFormat: multi, items: {type: array, collectionFormat: ssv, items: {type: integer}}",
        valid: "a=1%202&a=3", invalid: "a=1,2&a=3"),
      Sample(parameter: "type: integer, required: true", valid: "a=1", invalid: "b=1"),
    ])
  func parameters(sample: Sample) throws {
    let contract = try contract(
      "swagger: '2.0'\npaths: {/p: {get: {parameters: [{name: a, in: query, \(sample.parameter)}], responses: {200: {}}}}}"
    )
    #expect(contract.check(try exchange("GET", "/p?\(sample.valid)")).warnings.map(\.message) == [])
    let message = contract.check(try exchange("GET", "/p?\(sample.invalid)")).warnings.first?.message
    #expect(message?.contains("query parameter a") == true)
  }

  @Test("Responses are found behind references to each and to all of them")
  func responseReferences() throws {
    let contract = try contract(
      """
      swagger: "2.0"
      produces: [application/json]
      responses:
        Other: {$ref: "#/responses/Real"}
        Real: {description: r, schema: {type: integer}}
      paths:
        /a: {get: {responses: {200: {$ref: "#/responses/Other"}}}}
        /b: {get: {responses: {$ref: "r.yaml#/All"}}}
        /c: {get: {responses: {$ref: "r.yaml#/Far"}}}
      """,
      others: [
        "r.yaml": """
        All: {200: {description: x, schema: {type: integer}}}
        Far: {200: {$ref: "#/One"}}
        One: {description: x, schema: {type: integer}}
        """
      ])
    let json = [("Content-Type", "application/json")]
    for path in ["/a", "/b", "/c"] {
      #expect(contract.check(try exchange("GET", path, headers: json, body: "1")).violations.isEmpty, "\(path)")
      #expect(
        contract.check(try exchange("GET", path, headers: json, body: "\"x\"")).violations.map(\.message)
          == ["the body breaks its schema"], "\(path)")
    }
    #expect(contract.checkAll().isEmpty)
  }

  @Test("An operation's own schemes are those of its servers, if the document has others")
  func ownSchemes() throws {
    let contract = try contract(
      """
      swagger: "2.0"
      host: h.example
      basePath: /v1
      schemes: [http]
      paths:
        /a: {get: {schemes: [https], responses: {200: {description: ok}}}}
        /b: {get: {schemes: [https, http], responses: {200: {description: ok}}}}
      """)
    #expect(
      contract.operations.map { $0.node["servers"]?.items.first?["url"]?.string } == ["https://h.example/v1", nil])
  }

  @Test("Lists in paths and headers have the delimiter of their format")
  func otherPlaces() throws {
    let list = "required: true, type: array, items: {type: integer}, collectionFormat: pipes"
    let contract = try contract(
      """
      swagger: "2.0"
      paths:
        /p/{a}: {get: {parameters: [{name: a, in: path, \(list)}, {name: X-B, in: header, \(list)}], responses: {200: {}}}}
      """)
    #expect(contract.check(try exchange("GET", "/p/1%7C2", sent: [("X-B", "1|2")])).warnings.isEmpty)
    #expect(contract.check(try exchange("GET", "/p/1,2", sent: [("X-B", "1,2")])).warnings.count == 2)
  }

  @Test(
    "A response has the media types and the schema of its operation",
    arguments: [
      ("schema: {type: integer}", "application/json", "1", nil),
      ("schema: {type: integer}", "application/json", "\"x\"", "the body breaks its schema"),
      ("schema: {type: integer}", "text/plain", "1", "the content type is not declared"),
      ("schema: {type: integer, x-nullable: true}", "application/json", "null", nil),
      ("schema: {type: integer, x-nullable: false}", "application/json", "null", "the body breaks its schema"),
      ("schema: {$ref: '#/definitions/Cat'}", "application/json", #"{"kind":"Cat","age":null}"#, nil),
      ("schema: {$ref: '#/definitions/Cat'}", "application/json", #"{"kind":1}"#, "the body breaks its schema"),
      ("schema: {$ref: '#/responses/Age/schema'}", "application/json", "null", nil),
      ("$ref: '#/responses/Age'", "application/json", "null", nil),
      ("$ref: '#/responses/Again'", "application/json", "\"x\"", "the body breaks its schema"),
      ("$ref: '#/responses/Nothing'", "application/json", "1", "the document is wrong"),
      ("$ref: '#/definitions'", "application/json", "1", "the document is wrong"),
      ("$ref: '#/responses/Bare'", "text/html", "any", nil),
      ("description: no body", "text/html", "any", nil),
    ] as [(String, String, String, String?)])
  func responses(response: String, type: String, body: String, problem: String?) throws {
    let contract = try contract(
      """
      swagger: "2.0"
      produces: [application/json]
      responses:
        Age: {description: d, schema: {type: integer, x-nullable: true}}
        Bare: {description: d}
        Again: {$ref: "#/responses/Age"}
      definitions:
        Pet: {type: object, discriminator: kind, required: [kind], properties: {kind: {type: string}}}
        Cat: {allOf: [{$ref: "#/definitions/Pet"}, {properties: {age: {type: integer, x-nullable: true}}}]}
      paths:
        /p: {get: {responses: {200: {\(response)}}}}
      """)
    let findings = contract.check(try exchange("GET", "/p", headers: [("Content-Type", type)], body: body))
    #expect(findings.violations.map(\.message) == (problem.map { [$0] } ?? []))
  }

  @Test("A place is that of the document as written")
  func places() throws {
    let contract = try contract(
      """
      swagger: "2.0"
      basePath: /v1
      paths:
        /p:
          get:
            responses:
              200:
                description: d
                headers: {X-Age: {type: integer}}
                schema: {type: integer}
      """)
    let answer = try exchange(
      "GET", "/v1/p", headers: [("Content-Type", "application/json"), ("X-Age", "old")], body: "true")
    #expect(
      contract.check(answer).violations.map(\.place) == [
        "api.yaml:9 #/paths/~1p/get/responses/200/headers/X-Age", "api.yaml:10 #/paths/~1p/get/responses/200/schema",
      ])
  }

  @Test("A request has the body of a parameter, or of fields")
  func bodies() throws {
    let contract = try contract(
      """
      swagger: "2.0"
      consumes: [application/json]
      paths:
        /body: {post: {parameters: [{name: b, in: body, required: true, schema: {type: integer}}], responses: {200: {}}}}
        /form: {post: {parameters: [{name: f, in: formData, type: string, required: true}], responses: {200: {}}}}
        /file: {post: {parameters: [{name: f, in: formData, type: file, required: true}], responses: {200: {}}}}
      """)
    func warnings(_ path: String, _ type: String, _ body: String) throws -> Int {
      contract.check(try exchange("POST", path, sent: [("Content-Type", type)], sentBody: body)).warnings.count
    }
    #expect(try warnings("/body", "application/json", "1") == 0)
    #expect(try warnings("/body", "application/json", "\"x\"") == 1)
    #expect(try warnings("/body", "text/plain", "1") == 1)
    #expect(try warnings("/form", "application/x-www-form-urlencoded", "f=1") == 0)
    #expect(try warnings("/form", "application/json", "{}") == 1)
    #expect(try warnings("/file", "multipart/form-data; boundary=x", "--x--") == 0)
    #expect(try warnings("/file", "application/x-www-form-urlencoded", "f=1") == 1)
  }

  @Test("Other files are parts of the document")
  func otherFiles() throws {
    let contract = try contract(
      """
      swagger: "2.0"
      produces: [application/json]
      paths: {/p: {$ref: "parts.yaml#/paths/p"}}
      """,
      others: [
        "parts.yaml": """
        paths: {p: {get: {responses: {200: {$ref: "#/answers/Ok"}, 404: {$ref: "api.yaml#/paths/~1p"}}}}}
        answers: {Ok: {description: d, schema: {$ref: "#/models/Age"}}}
        models: {Age: {type: integer, x-nullable: true}}
        """
      ])
    for (body, count) in [("null", 0), ("1", 0), ("\"x\"", 1)] {
      let answer = try exchange("GET", "/p", headers: [("Content-Type", "application/json")], body: body)
      #expect(contract.check(answer).violations.count == count)
    }
  }

  @Test("A base path is that of the document")
  func basePath() throws {
    let contract = try contract("swagger: '2.0'\nhost: h\nbasePath: /v1/\npaths: {/p: {get: {responses: {200: {}}}}}")
    #expect(contract.check(try exchange("GET", "/v1/p")).violations.isEmpty)
    #expect(contract.check(try exchange("GET", "/v2/p")).violations.count == 1)
  }
}
