import Values

extension APIContract {
  /// The path of the member in a JSON response that identifies an item of a collection.
  ///
  /// - Parameters:
  ///   - parameter: the parameter of the item's path, such as `petId` or `id`.
  ///   - type: the type of its values.
  ///   - collection: the last segment of the collection's path.
  package func identifier(
    _ parameter: String, type: String?, of collection: String, inContent node: DocumentNode
  ) -> [String]? {
    let isName = identifierTest(parameter, of: collection)
    let members = members(ofContent: node).filter { path, own in
      isName(path[path.count - 1]) && (type == nil || own == nil || type == own)
    }
    // The shortest path, and the name itself before a likely one.
    guard let depth = members.map(\.path.count).min() else { return nil }
    let nearest = members.filter { $0.path.count == depth }
    return (nearest.first { bareName($0.path[depth - 1]) == bareName(parameter) } ?? nearest[0]).path
  }

  /// Returns a test of the names that members may have for what a parameter of a path identifies.
  func identifierTest(_ parameter: String, of collection: String) -> (String) -> Bool {
    let wanted = bareName(parameter)
    let singulars = singularForms(bareName(collection))
    return { member in
      let name = bareName(member)
      return name == wanted || singulars.contains { $0 + name == wanted || $0 == wanted && name == "id" }
    }
  }
}

/// A name without what words are separated by.
package func bareName(_ name: String) -> String {
  String(name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != "." })
}

/// The forms that the singular of a word may have, the likeliest first.
package func singularForms(_ plural: String) -> [String] {
  var forms: [String] = []
  if plural.hasSuffix("ies") { forms.append(plural.dropLast(3) + "y") }
  if ["sses", "xes", "zes", "ches", "shes"].contains(where: plural.hasSuffix) {
    forms.append(String(plural.dropLast(2)))
  }
  if plural.hasSuffix("s"), !plural.hasSuffix("ss") { forms.append(String(plural.dropLast())) }
  return forms + [plural]
}

extension Operation {
  /// The first response of success that is declared, or else the first redirect.
  package var successResponse: (status: String, node: DocumentNode)? {
    let declared = responses?.members ?? []
    let found = declared.first { $0.key.hasPrefix("2") } ?? declared.first { $0.key.hasPrefix("3") }
    return found.map { ($0.key, $0.value) }
  }
}
