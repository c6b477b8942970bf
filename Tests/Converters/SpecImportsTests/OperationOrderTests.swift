import APIContracts
import Testing

@testable import SpecImports

@Suite("Operations are imported in an order in which they can run") struct OperationOrderTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Methods and paths, in the order of the document.
    let declared: [String]
    let order: [String]
  }

  static let examples = [
    Example(
      testDescription: "create, read, change, what belongs to it, list, delete",
      declared: [
        "GET /pets", "DELETE /pets/{id}", "PATCH /pets/{id}", "POST /pets", "GET /pets/{id}/photo", "GET /pets/{id}",
      ],
      order: [
        "POST /pets", "GET /pets/{id}", "PATCH /pets/{id}", "GET /pets/{id}/photo", "GET /pets", "DELETE /pets/{id}",
      ]),
    Example(
      testDescription: "resources in resources",
      declared: [
        "DELETE /a/{x}/b/{y}", "POST /a/{x}/b", "GET /a/{x}/b/{y}", "POST /a", "DELETE /a/{x}", "GET /a/{x}/c",
        "GET /a",
      ],
      order: [
        "POST /a", "POST /a/{x}/b", "GET /a/{x}/b/{y}", "DELETE /a/{x}/b/{y}", "GET /a/{x}/c", "GET /a",
        "DELETE /a/{x}",
      ]),
    Example(
      testDescription: "others stay where they are",
      declared: ["GET /health", "POST /login", "GET /users/{id}", "POST /users", "GET /version"],
      order: ["GET /health", "POST /login", "POST /users", "GET /users/{id}", "GET /version"]),
    Example(
      testDescription: "what nothing creates stays as it is",
      declared: ["DELETE /a/{id}", "GET /a/{id}", "GET /a"], order: ["DELETE /a/{id}", "GET /a/{id}", "GET /a"]),
    Example(
      testDescription: "a parameter of another name",
      declared: ["GET /a/{id}/x", "GET /a/{key}", "POST /a"], order: ["POST /a", "GET /a/{key}", "GET /a/{id}/x"]),
    Example(
      testDescription: "a PUT creates where no POST does",
      declared: ["GET /a/{id}", "DELETE /a/{id}", "GET /a", "PUT /a/{id}"],
      order: ["PUT /a/{id}", "GET /a/{id}", "GET /a", "DELETE /a/{id}"]),
    Example(
      testDescription: "a PUT without a deletion or a 201 changes",
      declared: ["GET /a/{id}", "PUT /a/{id}"], order: ["GET /a/{id}", "PUT /a/{id}"]),
    Example(testDescription: "the root", declared: ["GET /{id}", "POST /"], order: ["POST /", "GET /{id}"]),
  ]

  @Test("The order of operations", arguments: examples) func order(_ example: Example) throws {
    var document = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n"
    var paths: [String: String] = [:]
    for operation in example.declared {
      let parts = operation.split(separator: " ")
      let body = parts[0] == "PUT" ? ", requestBody: {content: {}}" : ""
      paths[String(parts[1]), default: ""] += "    \(parts[0].lowercased()): {operationId: '\(operation)'\(body)}\n"
    }
    for (path, operations) in paths { document += "  \(path):\n\(operations)" }
    let bytes = DocumentBytes(Array(document.utf8), name: "api.yaml", location: "/api.yaml")
    let contract = try APIContract(
      DocumentSet(main: bytes) { _, _ throws(ContractReadingProblem) in throw ContractReadingProblem("none") })
    let declared = example.declared.compactMap { label in contract.operations.first { $0.label == label } }
    #expect(OperationOrder(declared).operations.map(\.label) == example.order)
  }
}
