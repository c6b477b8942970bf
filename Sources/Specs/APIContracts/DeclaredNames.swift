import Values

extension APIContract {
  /// A name that an operation declares, with the first line of its description.
  package struct DeclaredName: Sendable {
    package let name: String
    package let description: String?
  }

  /// The parameters of an operation in `query`, `header`, `path` or `cookie`.
  package func parameters(of operation: Operation, in location: String) -> [DeclaredName] {
    let nodes = (operation.node["parameters"]?.items ?? []) + (operation.pathItem["parameters"]?.items ?? [])
    var seen: Set<String> = []
    return nodes.compactMap { try? documents.resolved($0) }.filter { $0["in"]?.string == location }.compactMap { node in
      guard let name = node["name"]?.string, seen.insert(name).inserted else { return nil }
      return DeclaredName(name: name, description: node.firstLine)
    }
  }

  /// The members of an operation's JSON body.
  package func bodyMembers(of operation: Operation) -> [DeclaredName] {
    guard let body = operation.node["requestBody"].flatMap({ try? documents.resolved($0) }),
      let media = body["content"]?.members.first(where: { $0.key.lowercased().contains("json") }),
      let schema = media.value["schema"]
    else { return [] }
    return members(of: schema, depth: 0)
  }

  private func members(of schema: DocumentNode, depth: Int) -> [DeclaredName] {
    guard depth < 16, let schema = try? documents.resolved(schema) else { return [] }
    let own = (schema["properties"]?.members ?? []).map { name, node in
      DeclaredName(name: name, description: (try? documents.resolved(node))?.firstLine)
    }
    return own + (schema["allOf"]?.items ?? []).flatMap { members(of: $0, depth: depth + 1) }
  }

  /// The type of a parameter's values; nil if it isn't declared, or isn't one.
  package func type(ofParameter name: String, of operation: Operation) -> String? {
    let nodes = (operation.node["parameters"]?.items ?? []) + (operation.pathItem["parameters"]?.items ?? [])
    let node = nodes.compactMap { try? documents.resolved($0) }.first { $0["name"]?.string == name }
    return node?["schema"].flatMap { try? documents.resolved($0) }?["type"]?.string
  }

  /// The members of the JSON in a response or a body, and those of its objects, by their paths, with the types of their values.
  package func members(ofContent node: DocumentNode) -> [(path: [String], type: String?)] {
    let media = (try? documents.resolved(node))?["content"]?.members.first { $0.key.lowercased().contains("json") }
    return media?.value["schema"].map { typedMembers(of: $0, below: [], depth: 0) } ?? []
  }

  /// The members of an operation's JSON body, with the types of their values.
  package func typedBodyMembers(of operation: Operation) -> [(path: [String], type: String?)] {
    guard let body = operation.node["requestBody"] else { return [] }
    return members(ofContent: body).filter { $0.path.count == 1 }
  }

  private func typedMembers(
    of schema: DocumentNode, below path: [String], depth: Int
  ) -> [(path: [String], type: String?)] {
    guard depth < 16, let schema = try? documents.resolved(schema) else { return [] }
    let own = (schema["properties"]?.members ?? []).flatMap { name, node -> [(path: [String], type: String?)] in
      let resolved = try? documents.resolved(node)
      let member = [(path: path + [name], type: resolved?["type"]?.string)]
      return member + (path.isEmpty ? typedMembers(of: node, below: [name], depth: depth + 1) : [])
    }
    return own + (schema["allOf"]?.items ?? []).flatMap { typedMembers(of: $0, below: path, depth: depth + 1) }
  }
}

extension DocumentNode {
  fileprivate var firstLine: String? {
    self["description"]?.string?.split(whereSeparator: \.isNewline).first.map(String.init)
  }
}
