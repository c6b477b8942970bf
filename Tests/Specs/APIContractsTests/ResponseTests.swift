import APIContracts
import Testing

@Suite("Responses")
struct ResponseTests {
  private func check(
    _ responses: String, version: String = "3.0.3", status: Int = 200, type: String? = "application/json",
    headers: [(String, String)] = [], body: String = "{}", method: String = "GET", components: String = "{}"
  ) throws -> ContractFindings {
    let contract = try contract(
      "openapi: \(version)\npaths:\n  /a:\n    \(method.lowercased()):\n      responses: \(responses)\ncomponents: \(components)\n"
    )
    return contract.check(
      try exchange(
        method, "/a", status: status, headers: headers + (type.map { [("Content-Type", $0)] } ?? []), body: body))
  }

  @Test(
    "A status is declared as itself, by its class, or as the default",
    arguments: [
      ("{'200': {}}", 200, nil), ("{200: {}}", 200, nil), ("{2XX: {}}", 204, nil), ("{2xx: {}}", 204, nil),
      ("{default: {}}", 599, nil), ("{'200': {}, default: {}}", 404, nil), ("{'200': {}, 4XX: {}}", 500, "200, 4XX"),
      ("{}", 200, "responses to check this one against"), ("{x-no: {}, '201': {}}", 200, "201"),
    ] as [(String, Int, String?)])
  func statuses(responses: String, status: Int, expected: String?) throws {
    let findings = try check(responses, status: status)
    #expect(findings.violations.map(\.expected) == (expected.map { [$0] } ?? []))
    let message = responses == "{}" ? "the operation declares no responses" : "the status \(status) is not declared"
    if expected != nil { #expect(findings.violations.first?.message == message) }
  }

  @Test(
    "An operation that says nothing of responses lets none pass",
    arguments: ["{summary: s}", "{$ref: '#/components/x-operations/empty'}", "{responses: null}", "{responses: []}"])
  func nothingDeclared(operation: String) throws {
    let contract = try contract(
      "openapi: 3.1.0\ncomponents: {x-operations: {empty: {summary: s}}}\npaths: {/a: {get: \(operation)}}")
    #expect(
      contract.check(try exchange("GET", "/a")).violations.map(\.message) == ["the operation declares no responses"])
  }

  @Test(
    "References lead to operations, responses and parts of a path item",
    arguments: [
      "{$ref: '#/components/x-operations/one'}", "{responses: {$ref: '#/components/x-responses'}}",
      "{responses: {'200': {$ref: '#/components/x-responses/200'}}}",
    ])
  func references(operation: String) throws {
    let contract = try contract(
      """
      openapi: 3.1.0
      components:
        x-responses: {'200': {description: d, content: {text/plain: {}}}}
        x-operations: {one: {responses: {'200': {description: d, content: {text/plain: {}}}}}}
        pathItems: {p: {put: \(operation)}}
      paths: {/a: {$ref: '#/components/pathItems/p', get: \(operation)}}
      """)
    for method in ["GET", "PUT"] {
      let answer = try exchange(method, "/a", headers: [("Content-Type", "application/json")])
      #expect(contract.check(answer).violations.map(\.message) == ["the content type is not declared"])
    }
    #expect(contract.operations.map(\.declaredStatuses) == [["200"], ["200"]])
  }

  @Test(
    "What is not a response or media type is wrong, for it would check nothing",
    arguments: [
      ("{200: {description: d, schema: {type: string}}}", "a response of OpenAPI 3 has no `schema` of its own"),
      ("{200: {type: object}}", "this is not a response: it has `type`, and none of"),
      ("{200: []}", "a response is an object"),
      ("{200: {content: {application/json: {type: object}}}}", "this is not a media type: it has `type`, and none of"),
      ("{200: {content: {application/json: {}}}}", nil), ("{200: {content: {application/json: {example: 1}}}}", nil),
    ] as [(String, String?)])
  func misplacedSchemas(responses: String, expected: String?) throws {
    let actual = try check(responses).violations.map(\.actual)
    #expect(actual.count == (expected == nil ? 0 : 1))
    if let expected { #expect(actual.first?.hasPrefix(expected) ?? false, "\(actual)") }
  }

  @Test("A response that is not declared can be allowed, and what is declared still holds")
  func undeclaredAllowed() throws {
    let contract = try contract(
      "openapi: 3.1.0\npaths: {/a: {get: {responses: {'200': {content: {application/json: {schema: {type: array}}}}}}}}"
    )
    func messages(_ path: String, _ status: Int, _ type: String, _ body: String) throws -> [String] {
      var exchange = try exchange("GET", path, status: status, headers: [("Content-Type", type)], body: body)
      exchange.mayBeUndeclared = true
      return contract.check(exchange).violations.map(\.message)
    }
    #expect(try messages("/a", 503, "text/html", "<p>") == [])
    #expect(try messages("/a", 200, "text/html", "<p>") == [])
    #expect(try messages("/a", 200, "application/json", "{}") == ["the body breaks its schema"])
    #expect(try messages("/b", 200, "application/json", "[]") == ["GET /b is not an operation of api.yaml"])
  }

  @Test("The most exact declaration of a status counts")
  func precedence() throws {
    let responses =
      "{default: {headers: {D: {required: true}}}, 2XX: {headers: {C: {required: true}}}, '200': {headers: {E: {required: true}}}}"
    let missing = [200: "E", 201: "C", 404: "D"]
    for (status, header) in missing {
      #expect(try check(responses, status: status).violations.map(\.message) == ["the header \(header) is missing"])
    }
  }

  @Test(
    "The most concrete media type counts, and JSON alone is looked into",
    arguments: [
      ("application/json", "[]", ["$ object"]), ("application/json; charset=utf-8", "[]", ["$ object"]),
      ("application/problem+json", "{}", ["$ array"]), ("text/plain", "{", []),
      ("APPLICATION/JSON", "[]", ["$ object"]),
      ("image/png", "x", ["the content type is not declared"]), ("application/xml", "<a/>", []),
    ] as [(String, String, [String])])
  func mediaTypes(type: String, body: String, expected: [String]) throws {
    let content =
      "{'200': {content: {application/*: {schema: {type: array}}, application/json: {schema: {type: object}}, text/plain: {schema: {type: integer}}}}}"
    let findings = try check(content, type: type, body: body)
    let found = findings.violations.flatMap { violation in
      violation.differences.isEmpty
        ? [violation.message]
        : violation.differences.map { "\($0.path) \(($0.expected ?? "").contains("array") ? "array" : "object")" }
    }
    #expect(found == expected)
  }

  @Test("Responses that have no body are not asked for one", arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
  func noBody(method: String, status: Int) throws {
    let findings = try check(
      "{'\(status)': {content: {application/json: {schema: {type: object}}}}}", status: status, type: nil, body: "",
      method: method)
    #expect(findings.violations.isEmpty)
  }

  @Test(
    "Schemas have the dialect of their version",
    arguments: [
      ("3.0.3", "{type: string, nullable: true}", "null", true),
      ("3.1.0", "{type: string, nullable: true}", "null", false),
      ("3.1.0", "{type: [string, 'null']}", "null", true),
      ("3.0.3", "{type: integer, minimum: 1, exclusiveMinimum: true}", "1", false),
      ("3.0.3", "{type: integer, minimum: 1}", "1", true),
      ("3.1.0", "{type: integer, exclusiveMinimum: 1}", "1", false),
      ("3.0.3", "{$ref: '#/components/schemas/T', maxLength: 1}", "\"long\"", true),
      ("3.1.0", "{$ref: '#/components/schemas/T', maxLength: 1}", "\"long\"", false),
      ("3.1.0", "{const: 1}", "1.0", true),
      ("3.0.3", "{type: string, format: date-time}", "\"today\"", false),
      ("3.1.0", "{type: array, prefixItems: [{type: string}]}", "[1]", false),
      ("3.0.3", "{type: integer, example: x, default: y, xml: {}, externalDocs: {}}", "1", true),
      ("3.1.0", "true", "1", true),
    ])
  func dialects(version: String, schema: String, body: String, isValid: Bool) throws {
    let findings = try check(
      "{'200': {content: {application/json: {schema: \(schema)}}}}", version: version, body: body,
      components: "{schemas: {T: {type: string}}}")
    #expect(findings.violations.isEmpty == isValid, "\(findings.violations.map(\.differences))")
  }

  @Test(
    "What only requests have is not part of a response, and what only responses have none of a request",
    arguments: ["3.0.3", "3.1.0"])
  func directions(version: String) throws {
    let schema =
      "{type: object, required: [id, password], properties: {id: {type: integer, readOnly: true}, password: {$ref: '#/components/schemas/P'}}}"
    let contract = try contract(
      """
      openapi: \(version)
      paths:
        /a:
          post:
            requestBody: {content: {application/json: {schema: \(schema)}}}
            responses: {'200': {content: {application/json: {schema: \(schema)}}}}
      components: {schemas: {P: {type: string, writeOnly: true}}}
      """)
    let json = [("Content-Type", "application/json")]
    let good = contract.check(
      try exchange("POST", "/a", headers: json, body: #"{"id": 1}"#, sent: json, sentBody: #"{"password": "x"}"#))
    #expect(good.violations.isEmpty && good.warnings.isEmpty)
    let bad = contract.check(
      try exchange(
        "POST", "/a", headers: json, body: #"{"id": 1, "password": "x"}"#, sent: json,
        sentBody: #"{"id": 1, "password": "x"}"#))
    #expect(bad.violations.flatMap(\.differences).map(\.path) == ["/password"])
    #expect(bad.warnings.flatMap(\.differences).map(\.path) == ["/id"])
  }

  @Test("Only the schemas of operations that are met are looked at")
  func laziness() throws {
    let contract = try contract(
      """
      openapi: 3.1.0
      paths:
        /good: {get: {responses: {'200': {description: d}, '500': {$ref: nowhere.json}}}}
        /bad: {get: {responses: {'200': {content: {application/json: {schema: {$ref: nowhere.json}}}}}}}
      """)
    #expect(contract.check(try exchange("GET", "/good")).violations.isEmpty)
    let bad = contract.check(
      try exchange("GET", "/bad", headers: [("Content-Type", "application/json")], body: "{}"))
    #expect(bad.violations.map(\.subject) == [.document])
    #expect(bad.violations.first?.actual.contains("nowhere.json") == true)
  }

  @Test(
    "A schema that is nothing but a circle is wrong, for it would let everything pass",
    arguments: [
      "{$ref: '#/components/schemas/A'}", "{$ref: '#/components/schemas/B'}",
      "{type: object, properties: {a: {$ref: '#/components/schemas/B'}}}",
    ], ["3.0.3", "3.1.0"])
  func circles(schema: String, version: String) throws {
    let findings = try check(
      "{'200': {content: {application/json: {schema: \(schema)}}}}", version: version, body: #"{"a": 1}"#,
      components:
        "{schemas: {A: {$ref: '#/components/schemas/A'}, B: {$ref: '#/components/schemas/C'}, C: {$ref: '#/components/schemas/B'}}}"
    )
    #expect(findings.violations.map(\.subject) == [.document])
  }

  @Test("Responses are counted by the document's own keys, by any number of tasks")
  func coverage() async throws {
    let contract = try contract(
      "openapi: 3.1.0\npaths:\n  /a: {get: {responses: {'200': {}, 4XX: {}}}, put: {responses: {default: {}}}}\n")
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          guard let exchange = try? exchange("GET", number % 2 == 0 ? "/a" : "/b", status: number % 4 == 0 ? 404 : 500)
          else { return }
          _ = contract.check(exchange)
        }
      }
    }
    let coverage = contract.coverage { $0 }
    #expect((coverage.exercisedOperations, coverage.operations.count, coverage.unmatchedRequests) == (1, 2, 50))
    #expect((coverage.exercisedStatuses, coverage.statusCount) == (1, 3))
    #expect(coverage.operations[0].requests == 50)
    #expect(coverage.operations[0].statuses.map(\.responses) == [0, 25])
    #expect(coverage.operations[0].undeclared.map(\.responses) == [25])
    #expect(coverage.unexercised.map(\.label) == ["PUT /a"])
  }
}
