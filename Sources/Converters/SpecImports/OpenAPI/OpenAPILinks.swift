import APIContracts

/// The links between operations of one file that are captures: values of a response that a later request sends.
struct OpenAPILinks {
  /// A parameter of an operation.
  struct Parameter: Hashable {
    let operation: String
    let name: String
  }

  private let contract: APIContract
  private let fileName: (Operation) -> String
  /// The captures of an operation, by its label.
  private(set) var captures: [String: [(key: String, value: ImportedValue)]] = [:]
  /// The captures that parameters take their values from.
  private(set) var sources: [Parameter: String] = [:]
  /// The operation that captures a name, by its label.
  private var owners: [String: String] = [:]
  /// The links that are not captures.
  private(set) var others: [String: [String]] = [:]

  init(_ contract: APIContract, fileName: @escaping (Operation) -> String) {
    self.contract = contract
    self.fileName = fileName
  }

  mutating func read() {
    var indexes: [String: Int] = [:]
    for (index, operation) in contract.operations.enumerated() {
      if let id = operation.operationID { indexes[id] = index }
      indexes[
        "#/paths/" + operation.path.replacing("~", with: "~0").replacing("/", with: "~1") + "/"
          + operation.method.lowercased()] = index
    }
    for (index, operation) in contract.operations.enumerated() {
      guard let response = try? operation.successResponse.map({ try contract.documents.resolved($0.node) }) else {
        continue
      }
      for (name, node) in response["links"]?.members ?? [] {
        let link = (try? contract.documents.resolved(node)) ?? node
        let reference = (link["operationId"] ?? link["operationRef"])?.string
        let target = reference.flatMap { indexes[$0] }
        guard let target, target > index, link["requestBody"] == nil,
          fileName(operation) == fileName(contract.operations[target]),
          add(link, of: operation, to: contract.operations[target])
        else {
          others[operation.label, default: []].append(name)
          continue
        }
      }
    }
  }

  /// Adds the captures of a link; false if it has another form.
  private mutating func add(_ link: DocumentNode, of operation: Operation, to target: Operation) -> Bool {
    var found: [(name: String, value: ImportedValue)] = []
    for (name, value) in link["parameters"]?.members ?? [] {
      guard let expression = value.string, let capture = capture(expression) else { return false }
      let bare = ["path.", "query.", "header."].first { name.hasPrefix($0) }.map { String(name.dropFirst($0.count)) }
      found.append((bare ?? name, capture))
    }
    for (name, value) in found {
      let parameter = Parameter(operation: target.label, name: name)
      guard sources[parameter] == nil else { continue }
      let key = captureName(for: snakeCase(name), of: operation)
      sources[parameter] = key
      captures[operation.label, default: []].set(key, value)
    }
    return !found.isEmpty
  }

  /// The name of a capture: that of the parameter, with the operation's where another one captures it.
  private mutating func captureName(for word: String, of operation: Operation) -> String {
    if owners[word] == nil { owners[word] = operation.label }
    return owners[word] == operation.label ? word : snakeCase(operation.operationID ?? operation.label) + "_" + word
  }

  /// A runtime expression as a source of a capture.
  private func capture(_ expression: String) -> ImportedValue? {
    if expression.hasPrefix("$response.body#/") {
      return .text(OpenAPILinks.jsonPath(expression.dropFirst("$response.body#/".count)))
    }
    if expression.hasPrefix("$response.header.") {
      return .mapping([("header", .text(String(expression.dropFirst("$response.header.".count))))])
    }
    return nil
  }

  /// A JSON Pointer as a JSONPath.
  private static func jsonPath(_ pointer: Substring) -> String {
    pointer.split(separator: "/", omittingEmptySubsequences: false).reduce("$") { path, raw in
      let name = raw.replacing("~1", with: "/").replacing("~0", with: "~")
      if let index = Int(name), index >= 0 { return path + "[\(index)]" }
      return path + jsonPathSegment(String(name))
    }
  }
}

extension Operation {
  /// The first response of success that is declared, or else the first redirect.
  var successResponse: (status: String, node: DocumentNode)? {
    let declared = responses?.members ?? []
    let found = declared.first { $0.key.hasPrefix("2") } ?? declared.first { $0.key.hasPrefix("3") }
    return found.map { ($0.key, $0.value) }
  }
}
