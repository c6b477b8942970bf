/// A parameter that an operation declares.
struct ParameterContract: Sendable {
  enum Location: String, Sendable { case path, query, header, cookie }

  let name: String
  let location: Location
  let isRequired: Bool
  let form: ParameterForm
  let schema: ContractSchema?
  let node: DocumentNode

  /// Nil for unknown locations.
  init?(_ node: DocumentNode, _ documents: DocumentSet) throws(ContractProblem) {
    guard let name = node["name"]?.string, let location = node["in"]?.string.flatMap({ Location(rawValue: $0) }) else {
      return nil
    }
    self.name = name
    self.location = location
    self.node = node
    documents.check(node, .parameter)
    isRequired = location == .path || (node["required"]?.isTrue ?? false)
    form = ParameterForm(node, location, documents)
    schema = ParameterForm.schema(of: node).map { ContractSchema($0, documents, .request) }
  }

  /// Indicates a header that is declared elsewhere in the document, so that this declaration has no effect.
  var isIgnored: Bool {
    location == .header && ["accept", "content-type", "authorization"].contains(name.lowercased())
  }

  /// `query parameter limit`
  var label: String { location == .header ? "header \(name)" : "\(location.rawValue) parameter \(name)" }
}

/// A header that a response declares.
struct HeaderContract: Sendable {
  let name: String
  let isRequired: Bool
  let form: ParameterForm
  let schema: ContractSchema?
  let node: DocumentNode

  init(_ name: String, _ node: DocumentNode, _ documents: DocumentSet) throws(ContractProblem) {
    self.name = name
    self.node = node
    documents.check(node, .header)
    isRequired = node["required"]?.isTrue ?? false
    form = ParameterForm(node, .header, documents)
    schema = ParameterForm.schema(of: node).map { ContractSchema($0, documents, .response) }
  }
}
