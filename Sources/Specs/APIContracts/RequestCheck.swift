import DocumentQueries
import HTTPSemantics
import Matching
import Values

/// Validates a request's parameters and body against its operation's declaration.
struct RequestCheck {
  let exchange: ContractExchange
  let operation: Operation
  let contract: OperationContract
  /// The raw values of the path's parameters.
  let values: [String: String]
  let api: APIContract

  private typealias Pair = (name: Substring, value: Substring)

  func warnings() throws(ContractProblem) -> [ContractViolation] {
    var result: [ContractViolation] = []
    let query = pairs(exchange.url.query ?? "", separator: "&")
    for parameter in contract.parameters {
      if let warning = try check(parameter, query) { result.append(warning) }
    }
    result += undeclared(query)
    if let body = contract.requestBody, let warning = try check(body) { result.append(warning) }
    return result
  }

  // MARK: parameters

  private func check(
    _ parameter: ParameterContract, _ query: [Pair]
  ) throws(ContractProblem) -> ContractViolation? {
    guard let found = value(of: parameter, query) else {
      // A path without the parameter's place doesn't have it.
      guard parameter.isRequired, parameter.location != .path else { return nil }
      return ContractViolation(
        subject: .parameter(parameter.label), message: "the request lacks the \(parameter.label)",
        operation: operation.label, expected: "the parameter, which is required", actual: "no such parameter",
        place: parameter.node.place, hint: bracketsHint(parameter, query))
    }
    guard let schema = parameter.schema,
      let expectation = try schema.expectation(reading: { value(of: parameter, query, prefersText: $0) ?? found })
    else { return nil }
    let isHidden = parameter.location == .cookie || isHiddenHeader(parameter)
    return ContractViolation(
      subject: .parameter(parameter.label), message: "the request's \(parameter.label) breaks its schema",
      operation: operation.label, expected: expectation,
      actual: isHidden ? Text.mask : found.jsonText().string, place: parameter.node.place)
  }

  /// The value that the request has for a parameter.
  func value(of parameter: ParameterContract) -> Value? {
    value(of: parameter, pairs(exchange.url.query ?? "", separator: "&"))
  }

  private func value(of parameter: ParameterContract, _ query: [Pair], prefersText: Bool = false) -> Value? {
    let reading = parameter.form.reading(prefersText: prefersText)
    switch parameter.location {
    case .path: return values[parameter.name].map { reading.value(ofPath: $0, name: parameter.name) }
    case .query: return reading.value(of: parameter.name, in: query, decode: formDecoded)
    case .cookie:
      let pairs = pairs(exchange.requestHeaders.values("Cookie").joined(separator: "; "), separator: ";")
      return reading.value(of: parameter.name, in: pairs, decode: percentDecoded)
    case .header:
      let lines = exchange.requestHeaders.values(parameter.name)
      return lines.isEmpty ? nil : reading.value(ofHeader: lines.joined(separator: ", "))
    }
  }

  private func isHiddenHeader(_ parameter: ParameterContract) -> Bool {
    parameter.location == .header && ["cookie", "proxy-authorization"].contains(parameter.name.lowercased())
  }

  /// A hint that the parameter has the name that `array: brackets` produces.
  private func bracketsHint(_ parameter: ParameterContract, _ query: [Pair]) -> String? {
    guard parameter.location == .query, query.contains(where: { formDecoded($0.name) == parameter.name + "[]" }) else {
      return nil
    }
    return "it is sent as `\(parameter.name)[]`; `encoding: {array: no_brackets}` sends `\(parameter.name)`"
  }

  /// Violations for parameters of the query that the document doesn't declare.
  private func undeclared(_ query: [Pair]) -> [ContractViolation] {
    let declared = contract.parameters.filter { $0.location == .query }
    var names = Set(declared.map(\.name)).union(api.keyParameters)
    if operation.path.utf8.contains(UInt8(ascii: "?")) {
      names.formUnion(PathTemplate(operation.path)?.query.map(\.name) ?? [])
    }
    for parameter in declared where parameter.form.isExploded && parameter.form.style == .form {
      let shape = parameter.form.shape
      guard shape.types.contains("object") else { continue }
      if shape.isOpen { return [] }
      names.formUnion(shape.propertyNames)
    }
    let deep = declared.filter { $0.form.style == .deepObject }.map { $0.name + "[" }
    var reported: Set<String> = []
    return query.compactMap { pair in
      let name = formDecoded(pair.name)
      guard !name.isEmpty, !names.contains(name), !deep.contains(where: { name.hasPrefix($0) }),
        reported.insert(name).inserted
      else { return nil }
      let bare = name.hasSuffix("[]") ? String(name.dropLast(2)) : name
      // A missing required parameter may already be explained.
      if bare != name, declared.contains(where: { $0.name == bare && $0.isRequired }) { return nil }
      let hint =
        bare != name && names.contains(bare)
        ? "the document has `\(bare)` without brackets: write `encoding: {array: no_brackets}`"
        : nearestWord(to: name, among: names.sorted()).map { "did you mean `\($0)`?" }
      let known = names.sorted().joined(separator: ", ")
      return ContractViolation(
        subject: .parameter("query parameter"), message: "the request's query parameter `\(name)` is not declared",
        operation: operation.label,
        expected: known.isEmpty ? "no query parameters" : "one of \(known)",
        actual: name, place: operation.node.place, hint: hint)
    }
  }

  private func pairs(_ text: String, separator: Character) -> [Pair] {
    text.split(separator: separator).map { part in
      let part = part.drop { $0 == " " }
      guard let equals = part.firstIndex(of: "=") else { return (part, "") }
      return (part[..<equals], part[part.index(after: equals)...])
    }
  }

  // MARK: body

  private func check(_ body: RequestBodyContract) throws(ContractProblem) -> ContractViolation? {
    guard let bytes = exchange.requestBody else { return nil }
    let contentType = exchange.requestHeaders.first("Content-Type")
    guard !bytes.isEmpty else {
      guard body.isRequired else { return nil }
      return ContractViolation(
        subject: .requestBody, message: "the request has no body", operation: operation.label,
        expected: "a body of \(body.content.names)",
        actual: "no body", place: body.node.place)
    }
    guard !body.content.types.isEmpty else { return nil }
    guard let contentType, let type = body.content.type(for: contentType) else {
      return ContractViolation(
        subject: .requestBody, message: "the content type of the request's body is not declared",
        operation: operation.label, expected: "\(body.content.names)",
        actual: contentType ?? "no content type", place: (body.node["content"] ?? body.node).place)
    }
    guard let schema = type.schema, isJSON(contentType) else { return nil }
    let document: JSONDocument
    do throws(JSONParseError) {
      document = try JSONDocument(parsing: bytes)
    } catch {
      return ContractViolation(
        subject: .requestBody, message: "the request's body is not JSON", operation: operation.label,
        expected: "JSON, as its content type says",
        actual: "line \(error.line), column \(error.column): \(error.message)",
        place: type.node.place)
    }
    let differences = try schema.differences(of: document.root)
    guard !differences.listed.isEmpty else { return nil }
    return ContractViolation(
      subject: .requestBody, message: "the request's body breaks its schema", operation: operation.label,
      differences: differences, schema: schema)
  }
}

/// The pairs of a query, decoded.
func queryPairs(_ query: String) -> [PathTemplate.QueryPair] {
  formPairs(query).map { PathTemplate.QueryPair(name: $0.name, value: $0.value) }
}
