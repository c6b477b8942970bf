import APIContracts

/// The links between operations that are captures: values of a response that a later request sends.
struct OpenAPILinks {
  /// A parameter of an operation, or a member of its body.
  struct Parameter: Hashable {
    let operation: String
    let name: String
    var isOfBody = false
  }

  private let contract: APIContract
  /// The operations in running order.
  private let order: OperationOrder
  private let fileName: (Operation) -> String
  /// The captures of an operation, by its label.
  private(set) var captures: [String: [(key: String, value: ImportedValue)]] = [:]
  /// The captures and variables that parameters take their values from.
  private(set) var sources: [Parameter: String] = [:]
  /// The variables of a file: the identifiers that its requests choose.
  private(set) var variables: [String: [ImportedVariable]] = [:]
  /// The variable with the identifier that an operation chooses, by its label.
  private(set) var chosen: [String: ImportedVariable] = [:]
  /// The operation that captures or chooses a name, by its label.
  private var owners: [String: String] = [:]
  /// The links that are not captures.
  private(set) var others: [String: [String]] = [:]

  /// The captures of an operation that the document doesn't declare.
  private(set) var found: [String: [String]] = [:]

  init(_ contract: APIContract, _ order: OperationOrder, fileName: @escaping (Operation) -> String) {
    self.contract = contract
    self.order = order
    self.fileName = fileName
  }

  mutating func read() {
    readDeclared()
    var places: [String: Int] = [:]
    for operation in contract.operations where places[fileName(operation)] == nil {
      places[fileName(operation)] = places.count
    }
    for operation in order.operations {
      for (parameter, creator, collection) in order.creators(above: operation) {
        guard places[fileName(creator)] ?? 0 <= places[fileName(operation)] ?? 0 else { continue }
        find(Parameter(operation: operation.label, name: parameter), of: operation, in: creator, collection)
      }
    }
    let creators = order.allCreators
    var earlier: Set<ObjectIdentifier> = []
    for operation in order.operations {
      findInBody(of: operation, from: creators, earlier, places)
      earlier.insert(ObjectIdentifier(operation))
    }
  }

  private mutating func readDeclared() {
    var indexes: [String: Int] = [:]
    for (index, operation) in order.operations.enumerated() {
      if let id = operation.operationID { indexes[id] = index }
      indexes[
        "#/paths/" + operation.path.replacing("~", with: "~0").replacing("/", with: "~1") + "/"
          + operation.method.lowercased()] = index
    }
    for (index, operation) in order.operations.enumerated() {
      guard let response = try? operation.successResponse.map({ try contract.documents.resolved($0.node) }) else {
        continue
      }
      for (name, node) in response["links"]?.members ?? [] {
        let link = (try? contract.documents.resolved(node)) ?? node
        let reference = (link["operationId"] ?? link["operationRef"])?.string
        let target = reference.flatMap { indexes[$0] }
        guard let target, target > index, link["requestBody"] == nil,
          fileName(operation) == fileName(order.operations[target]),
          add(link, of: operation, to: order.operations[target])
        else {
          others[operation.label, default: []].append(name)
          continue
        }
      }
    }
  }

  /// The members of an operation's body that take their values from captures and variables.
  func bodyMembers(of operation: Operation) -> [String: ImportedText] {
    let own = sources.filter { $0.key.isOfBody && $0.key.operation == operation.label }
    return Dictionary(own.map { ($0.key.name, ImportedText(.variable($0.value))) }, uniquingKeysWith: { $1 })
  }

  /// Returns whether a variable is a text that JSON has in quotes; captures keep the type of what they captured.
  func isText(_ source: ImportedText) -> Bool {
    chosen.values.contains { source == ImportedText(.variable($0.name)) && $0.isText }
  }

  /// Returns whether the resource of an operation's path is created by a request of its own file.
  func isOwn(_ operation: Operation) -> Bool {
    guard let (parameter, creator, _) = order.creators(above: operation).last else { return false }
    return fileName(creator) == fileName(operation)
      && sources[Parameter(operation: operation.label, name: parameter)] != nil
  }

  // MARK: links by name

  /// Takes the value of a parameter from the response that creates what it names, if that has it.
  private mutating func find(
    _ parameter: Parameter, of operation: Operation, in creator: Operation, _ collection: Substring
  ) {
    guard sources[parameter] == nil else { return }
    let type = contract.type(ofParameter: parameter.name, of: operation)
    let path =
      creator.method == "PUT"
      ? nil
      : creator.successResponse.flatMap { response in
        contract.identifier(parameter.name, type: type, of: String(collection), inContent: response.node)
      }
    guard let path, let name = path.last else {
      choose(parameter, of: operation, in: creator, String(collection))
      return
    }
    let member = snakeCase(name)
    let singular = singularForms(snakeCase(String(collection)))[0]
    let key = captureName(for: member.hasPrefix(singular) ? member : "\(singular)_\(member)", of: creator)
    sources[parameter] = key
    if captures[creator.label]?.contains(where: { $0.key == key }) ?? false { return }
    captures[creator.label, default: []].set(key, .text(path.reduce("$") { $0 + jsonPathSegment($1) }))
    found[creator.label, default: []].append(key)
  }

  /// Takes the value of a parameter from a variable whose value the client chooses, if what creates it sends it.
  private mutating func choose(
    _ parameter: Parameter, of operation: Operation, in creator: Operation, _ collection: String
  ) {
    // The variables of a file have other values in another one.
    guard fileName(creator) == fileName(operation) else { return }
    let member = contract.bodyIdentifier(parameter.name, of: collection, in: creator)
    guard creator.method == "PUT" || member != nil else { return }
    let known = chosen[creator.label] ?? chosenVariable(parameter.name, of: operation, in: creator, member, collection)
    guard let variable = known else { return }
    if chosen.updateValue(variable, forKey: creator.label) == nil {
      variables[fileName(creator), default: []].append(variable)
      if let member { sources[Parameter(operation: creator.label, name: member, isOfBody: true)] = variable.name }
    }
    sources[parameter] = variable.name
    if operation.method == "PUT", let member = contract.bodyIdentifier(parameter.name, of: collection, in: operation) {
      sources[Parameter(operation: operation.label, name: member, isOfBody: true)] = variable.name
    }
  }

  private mutating func chosenVariable(
    _ parameter: String, of operation: Operation, in creator: Operation, _ member: String?, _ collection: String
  ) -> ImportedVariable? {
    let word = snakeCase(parameter)
    let singular = singularForms(snakeCase(collection))[0]
    let identifier = contract.chosenIdentifier(
      parameter, of: operation, creator: creator, member: creator.method == "PUT" ? nil : member,
      word: singular.replacing("_", with: "-"))
    let value: ImportedValue
    switch identifier {
    case .random(let prefix):
      value = .text(ImportedText(prefix) + ImportedText(.expression("random_string(8) | lower")))
    case .uuid: value = .text(ImportedText(.expression("uuid")))
    case .fixed(let fixed): value = ImportedValue(fixed)
    case nil: return nil
    }
    let name = word == singular ? singular + "_name" : word.hasPrefix(singular + "_") ? word : "\(singular)_\(word)"
    return ImportedVariable(name: captureName(for: name, of: creator), value: value)
  }

  /// Takes members of a body such as `userId` from what creates users, if that is captured already.
  private mutating func findInBody(
    of operation: Operation, from creators: [(operation: Operation, collection: Substring)],
    _ earlier: Set<ObjectIdentifier>, _ places: [String: Int]
  ) {
    let members = contract.typedBodyMembers(of: operation)
    if members.isEmpty { return }
    let place = places[fileName(operation)] ?? 0
    for (creator, collection) in creators {
      let own = places[fileName(creator)] ?? 0
      // In its own file, those after it are not there yet.
      guard own < place || own == place && earlier.contains(ObjectIdentifier(creator)) else { continue }
      let keys = found[creator.label] ?? []
      for singular in singularForms(bareName(String(collection))) {
        guard let key = keys.first(where: { bareName($0) == singular + "id" }),
          let member = members.first(where: { bareName($0.path[0]) == singular + "id" })
        else { continue }
        sources[Parameter(operation: operation.label, name: member.path[0], isOfBody: true)] = key
      }
    }
  }

  // MARK: declared links

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

  /// The name of a capture: that of the parameter, with the operation's where another one or credentials have it.
  private mutating func captureName(for word: String, of operation: Operation) -> String {
    if owners[word] == nil, !OpenAPISecurity.words.contains(word) { owners[word] = operation.label }
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
