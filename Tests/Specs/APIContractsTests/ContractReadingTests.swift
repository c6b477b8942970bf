import APIContracts
import Foundation
import TestSupport
import Testing

@Suite("Documents")
struct ContractReadingTests {
  @Test(
    "What is wrong with a document as a whole",
    arguments: [
      ("[]", "1: an OpenAPI document is an object"), ("{}", "1: this is not an OpenAPI document: it has no `openapi`"),
      ("swagger: '1.2'", "1: Swagger 1.2 is not known: the version is 2.0"),
      ("swagger: '2.0'", "1: the document has no `paths`, which hold its operations"),
      ("openapi: 4.0.0", "1: OpenAPI 4.0.0 is not known: the versions are 3.0 and 3.1"),
      ("openapi: 3.0.0", "1: the document has no `paths`, which hold its operations"),
      ("openapi: 3.0.0\npaths: []", "2: `paths` is an object"),
      ("openapi: 3.0.0\npaths: {}", "2: the document has no operation: there is nothing to check a response against"),
      ("openapi: 3.0.0\npaths:\n  users: {get: {}}", "3: a path begins with `/`, not \"users\""),
      ("openapi: 3.0.0\npaths:\n  '/{a': {get: {}}", "3: the braces of the path /{a are not balanced"),
      ("openapi: 3.0.0\npaths:\n  /a: 1", "3: the path /a is an object"),
      ("openapi: 3.0.0\npaths:\n  /a:\n    get: []", "4: the operation get of /a is an object"),
      ("openapi: 3.0.0\npaths:\n  /a:\n    $ref: b.yaml", "4: \"b.yaml\": there is no file \"b.yaml\""),
      (
        "openapi: 3.0.0\npaths:\n  /a:\n    $ref: '#/components/x'",
        "4: the reference \"#/components/x\" leads nowhere: there is no `components` in #"
      ),
      ("openapi: 3.0.0\npaths:\n  /a: {$ref: '#/paths/~1a'}", "3: the references lead in a circle"),
      ("<html>", "1: this looks like HTML or XML, not like an OpenAPI document"),
      ("", "1: the file is empty"),
    ])
  func broken(text: String, expected: String) {
    #expect(problems(text) == [expected])
  }

  @Test(
    "A document of 3.1 may have webhooks or components alone",
    arguments: [
      ("3.1.0\nwebhooks: {new: {post: {}}}", []), ("3.1.0\ncomponents: {schemas: {}}", []),
      ("3.1.0\npaths: {}\nwebhooks: {new: {post: {}}}", []),
      ("3.1.0\ninfo: {}", ["1: the document has no `paths`, which hold its operations"]),
      (
        "3.0.0\ncomponents: {schemas: {}}",
        ["1: the document has no `paths`, which hold its operations"]
      ),
    ] as [(String, [String])])
  func withoutPaths(text: String, expected: [String]) {
    #expect(problems("openapi: \(text)") == expected)
  }

  @Test("JSON that is not well-formed is shown where it breaks")
  func brokenJSON() {
    #expect(
      problems("{\"openapi\": \"3.0.0\",\n \"paths\": {]}", name: "api.json")
        == ["2: the document is not JSON: expected a member name in double quotes or `}`, found `]`"])
  }

  @Test("Path items may stand in other files, and refer back")
  func otherFiles() throws {
    let contract = try contract(
      "openapi: 3.0.0\npaths:\n  /a: {$ref: 'items.json#/a'}\n  /b: {$ref: './items.json#/b'}",
      others: ["items.json": ##"{"a": {"get": {"operationId": "one"}}, "b": {"$ref": "#/c~1d"}, "c/d": {"put": {}}}"##])
    #expect(contract.operations.map(\.label) == ["GET /a", "PUT /b"])
    #expect(contract.operations.first?.operationID == "one")
  }

  @Test("Extensions, webhooks and components are not operations")
  func noOperations() throws {
    let contract = try contract(
      """
      openapi: 3.1.0
      info: {title: Tea, version: 2}
      x-more: {/x: {get: {}}}
      webhooks: {new: {post: {}}}
      components: {pathItems: {p: {get: {}}}}
      paths:
        x-ignored: {get: {}}
        /a: {summary: s, parameters: [], get: {}, x-get: {}}
      """)
    #expect(contract.operations.map(\.label) == ["GET /a"])
    #expect((contract.title, contract.apiVersion) == ("Tea", "2"))
  }

  /// The samples, and how many operations each has.
  static let samples: [(file: String, operations: Int)] = [
    ("oai-v3.0-api-with-examples.yaml", 2),
    ("oai-v3.0-callback-example.yaml", 1),
    ("oai-v3.0-link-example.yaml", 6),
    ("oai-v3.0-petstore-expanded.yaml", 4),
    ("oai-v3.0-petstore.yaml", 3),
    ("oai-v3.0-uspto.yaml", 3),
    ("oai-v3.1-non-oauth-scopes.yaml", 1),
    ("oai-v3.1-tictactoe.yaml", 3),
    ("readme-3.0-circular.json", 1),
    ("readme-3.0-complex-nesting.json", 5),
    ("readme-3.0-file-uploads.json", 3),
    ("readme-3.0-form-data.json", 1),
    ("readme-3.0-parameters-common.json", 5),
    ("readme-3.0-parameters-cookies.json", 1),
    ("readme-3.0-parameters-extreme.json", 1),
    ("readme-3.0-parameters-style.json", 25),
    ("readme-3.0-request-examples.json", 11),
    ("readme-3.0-schema-encoding-style.json", 1),
    ("readme-3.0-security-multiple.json", 4),
    ("readme-3.0-security.json", 15),
    ("readme-3.0-server-variables.json", 4),
    ("readme-3.0-star-trek.yaml", 120),
  ]

  @Test(
    "Public documents are read, with an operation for each method of each path",
    .enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE is not set"), arguments: samples)
  func publicDocuments(file: String, operations: Int) throws {
    let path = "\(conformanceRoot ?? "")/openapi/\(file)"
    let contract = try contract(try String(contentsOfFile: path, encoding: .utf8), name: file)
    #expect(contract.operations.count == operations)
    for operation in contract.operations {
      let path = operation.path.prefix { $0 != "?" && $0 != "#" }.replacing(/\{[^}]*\}/, with: "x")
      guard case .operation(let found, _) = contract.match(method: operation.method, path: String(path)) else {
        Issue.record("\(operation.label) is not matched")
        continue
      }
      #expect(found.method == operation.method)
    }
  }
}
