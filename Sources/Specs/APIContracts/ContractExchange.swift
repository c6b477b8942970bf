import DocumentQueries
import HTTPSemantics
import Values

/// One exchange for validation: a request as it was sent, and its response.
package struct ContractExchange {
  package var method: String
  package var url: HTTPURL
  package var requestHeaders: HeaderFields
  /// Nil if the body isn't in memory, such as a file's.
  package var requestBody: [UInt8]?
  package var status: Int
  package var headers: HeaderFields
  /// Nil if only the head is validated, as for a redirect.
  package var body: (any ContractBody)?
  /// Indicates whether an undeclared status or content type is accepted.
  package var mayBeUndeclared: Bool

  package init(
    method: String, url: HTTPURL, requestHeaders: HeaderFields, requestBody: [UInt8]?, status: Int,
    headers: HeaderFields, body: (any ContractBody)?, mayBeUndeclared: Bool = false
  ) {
    self.method = method
    self.url = url
    self.requestHeaders = requestHeaders
    self.requestBody = requestBody
    self.status = status
    self.headers = headers
    self.body = body
    self.mayBeUndeclared = mayBeUndeclared
  }
}

/// The body of a response, parsed only if a schema needs it.
package protocol ContractBody {
  var isEmpty: Bool { get }
  func json() throws(UnreadableBody) -> JSONDocument
}

/// The reason why a body is not JSON.
package struct UnreadableBody: Error, Sendable {
  package let message: String
  package let help: String?

  package init(_ message: String, help: String?) {
    self.message = message
    self.help = help
  }
}

/// The results of validating an exchange.
package struct ContractFindings: Sendable {
  /// The operation; nil if the request matches none of the contract.
  package var operation: Operation?
  /// The number of checks of the response.
  package var checks = 0
  /// Violations by the response.
  package var violations: [ContractViolation] = []
  /// Violations by the request.
  package var warnings: [ContractViolation] = []
}

/// One violation of the contract. Texts of exchanges are not masked.
package struct ContractViolation: Sendable {
  /// The part of the exchange in question.
  package enum Subject: Sendable, Hashable {
    case operation, status, contentType, body, document
    case header(String)
    case parameter(String)
    case requestBody
  }

  package var subject: Subject
  /// The violation in a sentence.
  package var message: String
  /// The operation such as `GET /users/{id}`; nil if there is none.
  package var operation: String?
  /// The description of a valid value.
  package var expected: String
  package var actual: String
  /// The places in a value that violate its schema, of which ``expected`` and ``actual`` are the first.
  package var differences: [SchemaDifference] = []
  /// The number of further places.
  package var moreDifferences = 0
  /// The place in the document: file, line and JSON Pointer.
  package var place: String?
  package var hint: String?
}

extension ContractViolation {
  /// A violation by a value that doesn't match its schema.
  init(
    subject: Subject, message: String, operation: String, differences: ValueDifferences, schema: ContractSchema
  ) {
    let first = differences.listed.first
    let path = first.flatMap { $0.path == ValueDifferences.root ? nil : "\($0.path): " } ?? ""
    self.init(
      subject: subject, message: message, operation: operation,
      expected: path + (first?.phrase ?? ""), actual: path + (first?.actual ?? "nothing there"),
      differences: differences.listed, moreDifferences: differences.more, place: schema.place, hint: differences.hint)
  }
}

/// A place in a value that violates its schema.
package struct SchemaDifference: Sendable {
  /// A JSON Pointer into the value.
  package var path: String
  /// Nil if nothing is allowed there.
  package var expected: String?
  /// Nil for a missing value.
  package var actual: String?
  /// The keyword that failed, its place, and a remark about the value.
  package var note: String
  /// The bytes of the place in the JSON text.
  package var bytes: Range<Int>
}

extension SchemaDifference {
  /// The expectation, with its place in the schema.
  var phrase: String { "\(expected ?? "nothing there") (\(note))" }
}
