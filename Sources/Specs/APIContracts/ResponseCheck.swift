import DocumentQueries
import HTTPSemantics
import Matching
import Values

extension APIContract {
  /// Validates an exchange against the contract, and counts it for the coverage.
  package func check(_ exchange: ContractExchange) -> ContractFindings {
    var findings = ContractFindings()
    findings.checks = 1
    switch match(method: exchange.method, path: exchange.url.path, query: exchange.url.query) {
    case .none:
      exercise.withLock { $0.unmatched += 1 }
      findings.violations = [unknownPath(exchange)]
    case .otherMethods(let path):
      exercise.withLock { $0.unmatched += 1 }
      findings.violations = [unknownMethod(exchange, path)]
    case .operation(let operation, let values):
      findings.operation = operation
      do throws(ContractProblem) {
        let contract = try operation.contract(in: documents)
        let key = contract.key(of: exchange.status)
        exercise.withLock { $0.note(operation.number, status: exchange.status, key: key) }
        var check = ResponseCheck(exchange: exchange, operation: operation, contract: contract)
        findings.violations += check.violations(key: key)
        findings.checks += check.checks
        let request = RequestCheck(
          exchange: exchange, operation: operation, contract: contract, values: values, api: self)
        noteFields(of: request)
        findings.warnings = try check.warnings + request.warnings()
      } catch {
        findings.violations.append(operation.violation(error))
      }
    }
    return findings
  }
}

extension Operation {
  /// The violation for an error in the document that was found only now.
  func violation(_ problem: ContractProblem) -> ContractViolation {
    ContractViolation(
      subject: .document, message: "the document is wrong", operation: label,
      expected: "a document that can be followed", actual: problem.message, place: node.place,
      hint: problem.diagnostic.help)
  }
}

/// Validates a response against its operation's declaration.
struct ResponseCheck {
  let exchange: ContractExchange
  let operation: Operation
  let contract: OperationContract
  private(set) var checks = 0
  private var violations: [ContractViolation] = []
  private(set) var warnings: [ContractViolation] = []

  init(exchange: ContractExchange, operation: Operation, contract: OperationContract) {
    self.exchange = exchange
    self.operation = operation
    self.contract = contract
  }

  /// The violations, or the document's own error, as far as it could be checked.
  ///
  /// - Parameter key: the key under which the status is declared.
  mutating func violations(key: String?) -> [ContractViolation] {
    do throws(ContractProblem) {
      try run(key: key)
    } catch {
      violations.append(operation.violation(error))
    }
    return violations
  }

  private mutating func run(key: String?) throws(ContractProblem) {
    guard let key, let response = try contract.response(key) else {
      if exchange.mayBeUndeclared { return }
      let keys = contract.statusKeys
      violations.append(
        ContractViolation(
          subject: .status,
          message: keys.isEmpty
            ? "the operation declares no responses" : "the status \(exchange.status) is not declared",
          operation: operation.label,
          expected: keys.isEmpty ? "responses to check this one against" : keys.joined(separator: ", "),
          actual: "\(exchange.status)", place: (operation.responses ?? operation.node).place,
          hint:
            "declare \(exchange.status) there if the response is right; `openapi: {undeclared: true}` allows it for one request"
        ))
      return
    }
    for header in response.headers { try check(header) }
    try checkBody(response)
  }

  // MARK: headers

  private mutating func check(_ header: HeaderContract) throws(ContractProblem) {
    let lines = exchange.headers.values(header.name)
    guard !lines.isEmpty else {
      guard header.isRequired else { return }
      checks += 1
      violations.append(
        ContractViolation(
          subject: .header(header.name), message: "the header \(header.name) is missing", operation: operation.label,
          expected: "the header, which is required", actual: "no such header",
          place: header.node.place))
      return
    }
    guard let schema = header.schema else { return }
    checks += 1
    let text = lines.joined(separator: ", ")
    let expectation = try schema.expectation { header.form.reading(prefersText: $0).value(ofHeader: text) }
    guard let expectation else { return }
    violations.append(
      ContractViolation(
        subject: .header(header.name), message: "the header \(header.name) breaks its schema",
        operation: operation.label, expected: expectation, actual: "\"\(text)\"",
        place: header.node.place))
  }

  // MARK: body

  /// Indicates whether there is no body to check, whatever is declared.
  private var hasNoBody: Bool {
    exchange.method == "HEAD" || exchange.status == 204 || exchange.status == 304 || exchange.status < 200
  }

  private mutating func checkBody(_ response: ResponseContract) throws(ContractProblem) {
    guard let content = response.content, !content.types.isEmpty, let body = exchange.body, !hasNoBody else { return }
    checks += 1
    let contentType = exchange.headers.first("Content-Type")
    guard let contentType, let type = content.type(for: contentType) else {
      // A schema that accepts anything needs no media type.
      if contentType == nil, content.types.contains(where: { $0.range?.isWildcard ?? false }) { return }
      if exchange.mayBeUndeclared { return }
      violations.append(
        ContractViolation(
          subject: .contentType, message: "the content type is not declared", operation: operation.label,
          expected: content.names,
          actual: contentType ?? (body.isEmpty ? "no content type, and no body" : "no content type"),
          place: (response.node["content"] ?? response.node).place))
      return
    }
    guard let schema = type.schema, isJSON(contentType) else { return }
    checks += 1
    let document: JSONDocument
    do {
      document = try body.json()
    } catch {
      violations.append(
        ContractViolation(
          subject: .body, message: "the body is not JSON", operation: operation.label,
          expected: "JSON, as its content type says",
          actual: error.message, place: type.node.place, hint: error.help))
      return
    }
    let differences = try schema.differences(of: document.root)
    if let name = differences.misspelling {
      warnings.append(
        ContractViolation(
          subject: .body, message: "nothing has a name of the schema", operation: operation.label,
          expected: "a name that is there, or may be", actual: "nothing, beside `\(name)`", place: schema.place,
          hint: "did you mean `\(name)`?"))
    }
    guard !differences.listed.isEmpty else { return }
    violations.append(
      ContractViolation(
        subject: .body, message: "the body breaks its schema", operation: operation.label, differences: differences,
        schema: schema))
  }
}
