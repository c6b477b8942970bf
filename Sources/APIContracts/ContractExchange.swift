package import HTTPMessages
package import JSONQueries

/// One exchange as a contract looks at it: a request as it was sent, and its answer.
package struct ContractExchange {
  package var method: String
  package var url: HTTPURL
  package var requestHeaders: HeaderFields
  /// Nil where the body is not at hand, such as a file's.
  package var requestBody: [UInt8]?
  package var status: Int
  package var headers: HeaderFields
  /// Nil where only the head is looked at, as that of a redirect.
  package var body: (any ContractBody)?
  /// Whether a status or a content type that is not declared is let pass.
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

/// The body of an answer, parsed only if a schema asks for it.
package protocol ContractBody {
  var isEmpty: Bool { get }
  func json() throws(UnreadableBody) -> JSONDocument
}

/// Why a body is not JSON.
package struct UnreadableBody: Error, Sendable {
  package let message: String
  package let help: String?

  package init(_ message: String, help: String?) {
    self.message = message
    self.help = help
  }
}

/// What a contract says of an exchange.
package struct ContractFindings: Sendable {
  /// Nil where the request is none of the contract's operations.
  package var operation: Operation?
  /// How many things of the answer were checked.
  package var checks = 0
  /// What is wrong with the answer.
  package var violations: [ContractViolation] = []
  /// What is wrong with the request.
  package var warnings: [ContractViolation] = []
}

/// One thing that is not as the contract has it. Texts of exchanges are not masked.
package struct ContractViolation: Sendable {
  /// What is looked at.
  package enum Subject: Sendable, Hashable {
    case operation, status, contentType, body, document
    case header(String)
    /// Of the request.
    case parameter(String)
    case requestBody
  }

  package var subject: Subject
  /// What is wrong, in a sentence.
  package var message: String
  /// `GET /users/{id}`; nil where there is no operation.
  package var operation: String?
  /// What would be valid.
  package var expected: String
  package var actual: String
  /// The places in a value that break its schema, of which ``expected`` and ``actual`` are the first.
  package var differences: [SchemaDifference] = []
  /// How many more there are.
  package var moreDifferences = 0
  /// Where the document says so: file, line and JSON Pointer.
  package var place: String?
  package var hint: String?
}

extension ContractViolation {
  /// The violation of a value that breaks its schema.
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

/// A place in a value that breaks its schema.
package struct SchemaDifference: Sendable {
  /// A JSON Pointer into the value.
  package var path: String
  /// Nil where nothing may stand.
  package var expected: String?
  /// Nil for what is missing.
  package var actual: String?
  /// The keyword that says so, where it stands, and what is to be said of the value.
  package var note: String
  /// The place's bytes in the JSON text.
  package var bytes: Range<Int>
}

extension SchemaDifference {
  /// What is expected, and where the schema says so.
  var phrase: String { "\(expected ?? "nothing there") (\(note))" }
}
