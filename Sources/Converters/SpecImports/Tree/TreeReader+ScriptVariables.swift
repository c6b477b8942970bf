import DocumentQueries

/// The variables that scripts of Postman set.
extension TreeReader {
  static func uses(in tree: ImportedTree) -> [String: Int] { variableUses(in: tree.source) }

  /// Places the values that scripts of Postman set, which all requests after them have.
  mutating func place(
    _ outer: [ImportedVariable], own: [ImportedVariable], of item: ImportedItem, _ request: inout ImportedRequest,
    _ file: inout ImportedFile
  ) {
    if outer.isEmpty, own.isEmpty, current.isEmpty { return }
    let uses = variableUses(in: item.source)
    for variable in outer where uses[variable.name] != nil {
      place(variable, inFile: !variable.isMadeAnew, &request, &file)
    }
    for variable in own {
      let (here, everywhere) = (uses[variable.name] ?? 0, allUses[variable.name] ?? 0)
      if everywhere > 0 { place(variable, inFile: everywhere > here, &request, &file) }
    }
    for (name, variable) in current.sorted(by: { $0.key < $1.key })
    where uses[name] != nil && !request.variables.contains(where: { $0.name == name }) {
      request.variables.append(variable)
    }
  }

  /// Gives a value that a script sets to the request, or to the file where others read it, too.
  private mutating func place(
    _ variable: ImportedVariable, inFile: Bool, _ request: inout ImportedRequest, _ file: inout ImportedFile
  ) {
    let name = variable.name
    let declared = tree.root.scope.variables.last { $0.name == name }?.source
    let isCapture = { (request: ImportedRequest) in request.captures.contains { $0.key == name } }
    if isCapture(request) || file.requests.contains(where: isCapture) {
      request.remark("variables that are also captured", "\(name) = \(variable.source)")
    } else if inFile, let declared, !declared.isEmpty, declared != variable.source, !variable.isMadeAnew {
      // Its requests so far have the collection's value.
      request.variables.append(variable)
      current[name] = variable
    } else if inFile, declared == variable.source {
      if current[name] != nil { request.variables.append(variable) }
      current[name] = nil
    } else if !inFile || file.variables.contains(where: { $0.name == name && $0.source != variable.source }) {
      request.variables.append(variable)
    } else if !file.variables.contains(where: { $0.name == name }) {
      file.variables.append(variable)
    }
  }
}

extension ImportedVariable {
  fileprivate var source: String {
    switch value {
    case .text(let text): text.source
    case .node(let node): node.scalar?.text ?? ""
    default: "…"
    }
  }

  /// Indicates that each evaluation makes another value.
  fileprivate var isMadeAnew: Bool {
    guard case .text(let text) = value else { return false }
    return text.parts.contains { if case .expression = $0 { true } else { false } }
  }
}

/// The number of places that read each variable: `{{name}}`, and `get("name")` in scripts.
private func variableUses(in node: JSONNode?) -> [String: Int] {
  var uses: [String: Int] = [:]
  let bytes = Array(node?.text.utf8 ?? "".utf8)
  var index = 0
  while index + 4 < bytes.count {
    var start: Int?
    if bytes[index] == UInt8(ascii: "{"), bytes[index + 1] == UInt8(ascii: "{") {
      start = index + 2
    } else if bytes[index...].prefix(4).elementsEqual("get(".utf8) {
      start = index + 4
    }
    guard let start else {
      index += 1
      continue
    }
    let rest = bytes[start...].prefix(200).drop { [0x20, 0x22, 0x27, 0x5C, 0x60].contains($0) }
    let name = rest.prefix { ![0x22, 0x27, 0x29, 0x5C, 0x60, 0x7B, 0x7D].contains($0) }
    uses[String(decoding: name, as: UTF8.self).trimmed, default: 0] += 1
    index = start
  }
  return uses
}
