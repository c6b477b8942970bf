import DocumentQueries
import RequestSpecs
import Values
import YAMLNodes

/// A response, as far as a saved request expects something of it.
package struct SavedResponse: Sendable {
  package let status: Int
  package let contentType: String?
  /// The body; nil if it isn't expected, or was not kept.
  package let body: [UInt8]?

  package init(status: Int, contentType: String?, body: [UInt8]?) {
    (self.status, self.contentType, self.body) = (status, contentType, body)
  }

  /// The expectations; nil if there are none.
  ///
  /// - Parameter isWanted: false for a status only that a run would not accept.
  fileprivate func expectations(isWanted: Bool) -> YAMLNode? {
    guard isWanted else {
      return (200..<300).contains(status) ? nil : .mapping([("status", .number(String(status)))])
    }
    var members: [(key: String, value: YAMLNode)] = [("status", .number(String(status)))]
    if let type = contentType?.prefix(while: { $0 != ";" }).filter({ !$0.isWhitespace }), !type.isEmpty {
      members.append(("content_type", .text(type.lowercased())))
    }
    if let body, !body.isEmpty, let document = try? JSONDocument(parsing: body) {
      members.append(("json", .mapping([("$", BodyShape(document.root).expectation)])))
    }
    return .mapping(members)
  }
}

extension SendRequest {
  /// Adds the request to the text of a spec, whose comments and layout stay.
  ///
  /// - Parameters:
  ///   - old: the text; nil for a new file.
  ///   - response: the response; nil if nothing was sent.
  ///   - expects: whether the request expects the like of the response.
  /// - Returns: nil if the bag has an error.
  package func saved(
    in old: [UInt8]?, path: String, response: SavedResponse?, expects: Bool, into bag: inout DiagnosticBag
  ) -> [UInt8]? {
    var members = keys
    if let expectations = response?.expectations(isWanted: expects) { members.append(("expect", expectations)) }
    let request = YAMLNode.mapping(members)
    func refuse(_ reason: String) -> [UInt8]? {
      bag.error(.unwritableFile, "the request can't be added to \(path): \(reason)", at: nil, help: "name another file")
      return nil
    }
    if isProjectName(path) { return refuse("it is a project file, which has no requests") }
    guard let old, old.contains(where: { !isSpace($0) }) else {
      var root: [(key: String, value: YAMLNode)] = [("requests", .list([request]))]
      if !secrets.isEmpty { root.append(("secrets", secretNames)) }
      return SpecFile.written(.mapping(root), path: path, into: &bag)?.text
    }
    guard let editor = YAMLEditor(bytes: old, name: path, into: &bag) else { return nil }
    var ignored = DiagnosticBag()
    let file = LoadedFile.read(bytes: old, path: path, asProject: false, into: &ignored)
    if let description = file?.foreignDescription { return refuse(description) }
    do throws(YAMLEditor.Problem) {
      let text = try add(request, to: editor)
      let errors = bag.errorCount
      _ = LoadedFile.read(bytes: text, path: path, asProject: false, into: &bag)
      return bag.errorCount == errors ? text : nil
    } catch {
      return refuse(error.message)
    }
  }

  private var secretNames: YAMLNode { .list(secrets.map { .text($0.name) }) }

  private func add(_ request: YAMLNode, to editor: YAMLEditor) throws(YAMLEditor.Problem) -> [UInt8] {
    var editor = editor
    let root = editor.document
    guard let members = root.members else { throw YAMLEditor.Problem("it is not a mapping") }
    let names = Set(members.map(\.key))
    if names.contains("url") {
      throw YAMLEditor.Problem("it is one request; its keys belong under `requests`, as an item")
    }
    if names.contains("flows") { throw YAMLEditor.Problem("it has `flows`, each with requests of its own") }
    if let requests = members.first(where: { $0.key == "requests" })?.value {
      let count = requests.items?.count ?? 0
      if count == 0 {
        try editor.set(.list([request]), at: ["requests"])
      } else {
        try editor.insert(request, at: ["requests", .item(count)])
        try editor.separate(["requests", .item(count)])
      }
    } else {
      try editor.add(.list([request]), as: "requests", to: [], before: "teardown")
    }
    guard !secrets.isEmpty else { return editor.utf8 }
    guard let known = members.first(where: { $0.key == "secrets" })?.value else {
      try editor.add(secretNames, as: "secrets", to: [], before: "requests")
      return editor.utf8
    }
    if let items = known.items {
      var count = items.count
      for secret in secrets where !items.contains(where: { $0.scalar?.text == secret.name }) {
        try editor.insert(.text(secret.name), at: ["secrets", .item(count)])
        count += 1
      }
    } else {
      for secret in secrets where !(known.members ?? []).contains(where: { $0.key == secret.name }) {
        try editor.set(.text("${{ env.\(secret.name) }}"), at: ["secrets", .key(secret.name)])
      }
    }
    return editor.utf8
  }
}

extension SendArguments {
  /// Takes over the names in a spec, so that the request gets others for secrets with other values.
  ///
  /// - Parameter value: the value that a run reads for a secret; nil if it isn't known.
  package mutating func avoidNames(in text: [UInt8], value: (_ name: String) -> String?) {
    var bag = DiagnosticBag()
    let root = YAMLEditor(bytes: text, name: "", into: &bag)?.document.members ?? []
    let variables = root.first { $0.key == "variables" }?.value.members ?? []
    let secrets = root.first { $0.key == "secrets" }?.value
    takenNames.formUnion(variables.map(\.key))
    let read =
      secrets?.items.map { $0.compactMap { $0.scalar?.text } }
      ?? secrets?.members.map { $0.filter { $0.value.scalar?.text == "${{ env.\($0.key) }}" }.map(\.key) } ?? []
    takenNames.formUnion(read + (secrets?.members ?? []).map(\.key))
    for name in read {
      if let value = value(name), knownSecrets[value] == nil { knownSecrets[value] = name }
    }
  }
}

/// The value of a variable as the command line has it.
package func variableNode(text: String, isJSON: Bool) -> YAMLNode {
  guard isJSON, let tree = try? BodyTree(json: text, convert: { .text($0) }) else { return .text(text) }
  return tree.node
}
