/// Variables that are made of what requests capture: specs have the text itself in their place.
struct DerivedVariables {
  private var texts: [String: ImportedText] = [:]

  subscript(name: String) -> ImportedText? { texts[name] }

  /// The maximum number of variables that read one another.
  private static let depthLimit = 8
  /// The maximum number of parts of a variable.
  private static let maxParts = 20

  /// Takes such variables out of a list.
  ///
  /// - Parameter captured: the names that requests capture.
  mutating func take(from variables: inout [ImportedVariable], captured: Set<String>) {
    if captured.isEmpty { return }
    var values: [String: ImportedText] = [:]
    for variable in variables where !captured.contains(variable.name) {
      guard case .text(let text) = variable.value, text.literal == nil, text.parts.count <= Self.maxParts else {
        continue
      }
      values[variable.name] = text
    }
    for name in values.keys.sorted() {
      guard var text = values[name] else { continue }
      var read = text.readVariables
      for _ in 0..<Self.depthLimit
      where !read.isDisjoint(with: values.keys) && text.parts.count <= Self.maxParts * Self.maxParts {
        text = text.replacingParts { if case .variable(let name) = $0 { values[name] } else { nil } }
        read = text.readVariables
      }
      if !read.isDisjoint(with: captured), read.isDisjoint(with: values.keys) { texts[name] = text }
    }
    variables.removeAll { texts[$0.name] != nil }
  }
}

extension [ImportedEnvironment] {
  /// Takes variables that are alike in all environments, and made of captures.
  mutating func take(_ derived: inout DerivedVariables, captured: Set<String>) {
    guard let first else { return }
    var shared = first.variables.filter { variable in
      allSatisfy { $0.variables.contains { $0.name == variable.name && $0.value.isSame(as: variable.value) } }
    }
    derived.take(from: &shared, captured: captured)
    for index in indices { self[index].variables.removeAll { derived[$0.name] != nil } }
  }
}

extension [ImportedFile] {
  /// The names that requests capture.
  var capturedNames: Set<String> {
    reduce(into: []) { names, file in for request in file.requests { names.formUnion(request.captures.map(\.key)) } }
  }
}

extension ImportedCollection {
  /// The names that parts set which aren't translated.
  var lostNames: Set<String> {
    let parts = untranslated + files.flatMap { $0.untranslated + $0.requests.flatMap(\.untranslated) }
    return Set(parts.flatMap(\.sets))
  }
}
