import DocumentQueries
import Values

/// An identifier that the client chooses: in the path of a PUT that creates, or in the body of a POST.
package enum ChosenIdentifier: Sendable {
  /// A text with random letters and digits behind it.
  case random(prefix: String)
  case uuid
  /// The only value that is known to be valid.
  case fixed(Value)
}

extension APIContract {
  /// The member of an operation's JSON body that identifies what the operation creates.
  ///
  /// - Parameters:
  ///   - parameter: the parameter of the item's path.
  ///   - collection: the last segment of the collection's path.
  package func bodyIdentifier(_ parameter: String, of collection: String, in operation: Operation) -> String? {
    let isName = identifierTest(parameter, of: collection)
    let names = bodyProperties(of: operation).filter { isName($0.name) }.map(\.name)
    return names.first { bareName($0) == bareName(parameter) } ?? names.first
  }

  private func bodyProperties(of operation: Operation) -> [(name: String, schema: DocumentNode)] {
    guard let body = operation.node["requestBody"].flatMap({ try? documents.resolved($0) }),
      let media = body["content"]?.members.first(where: { isJSON($0.key) }), let schema = media.value["schema"]
    else { return [] }
    return SchemaLayers(schema, documents).properties.filter { !($0.schema["readOnly"]?.isTrue ?? false) }
  }

  /// Returns an identifier that all its declarations allow; nil if there is none.
  ///
  /// - Parameters:
  ///   - parameter: the parameter of the path.
  ///   - operation: an operation with that path.
  ///   - member: the member of its creator's body.
  ///   - word: a word for what it identifies.
  package func chosenIdentifier(
    _ parameter: String, of operation: Operation, creator: Operation, member: String?, word: String
  ) -> ChosenIdentifier? {
    let declared = (try? operation.contract(in: documents))?.parameters
      .first { $0.location == .path && $0.name == parameter }
    guard let node = declared?.node else { return nil }
    let own = bodyProperties(of: creator).first { $0.name == member }?.schema
    let schemas = [ParameterForm.schema(of: node), own].compactMap(\.self)
    let given = ContractExamples.values(of: node, documents)
    func isValid(_ sample: String) -> Bool {
      schemas.allSatisfy { ContractSchema($0, documents, .request).allows(.text(Text(sample))) ?? false }
    }
    // An example in the path may be that of something which is known to the server.
    if member != nil || given.isEmpty {
      if let prefix = [word + "-", word].first(where: { isValid($0 + "0a1b2c3d") }) { return .random(prefix: prefix) }
      if isValid("3fa85f64-5717-4562-b3fc-2c963f660000") { return .uuid }
      if isValid("0a1b2c3d") { return .random(prefix: "") }
    }
    guard let made = SchemaExample.make(schemas.last, given: given, documents), made.value.isScalar else { return nil }
    return .fixed(made.value)
  }
}
