import DocumentQueries

/// Reads the folders and requests of a collection of Postman.
struct PostmanCollection {
  /// Returns whether the value of a variable is a host without a scheme.
  let lacksScheme: (String) -> Bool
  private static let depthLimit = 60

  /// - Parameter behaviour: the settings of the folders around it.
  func folder(
    _ node: JSONNode, behaviour: [(key: String, value: JSONNode)] = [], depth: Int = 0
  ) -> ImportedFolder {
    var folder = ImportedFolder(scope: ImportedScope(postman: node))
    folder.scope.description = node.descriptionText
    let behaviour = PostmanRequest.merged(behaviour, node[member: "protocolProfileBehavior"])
    for item in node[member: "item"]?.items ?? [] {
      let name = item.text("name")
      if item[member: "item"]?.kind == .list {
        folder.items.append(
          depth < Self.depthLimit
            ? .folder(self.folder(item, behaviour: behaviour, depth: depth + 1))
            : .other(Untranslated(reason: "folders nested too deeply", source: name ?? "")))
      } else if let node = item[member: "request"], node.kind == .mapping || node.kind == .text {
        folder.items.append(.request { PostmanRequest.read(item, node, behaviour, lacksScheme) })
      } else {
        folder.items.append(
          .other(Untranslated(reason: "items without a request", source: name ?? String(item.text.prefix(80)))))
      }
    }
    return folder
  }
}

extension ImportedScope {
  /// Reads what a request, a folder or a collection of Postman has.
  init(postman node: JSONNode) {
    name = node.text("name")?.trimmed ?? ""
    auth = ImportedAuth(postman: node[member: "auth"], &untranslated)
    let events = node[member: "event"]?.items ?? []
    for kind in ["prerequest", "test"] {
      for event in events where event.text("listen") == kind && !event.isDisabled {
        let script = event[member: "script"]
        let lines = script?[member: "exec"] ?? script
        let source = lines?.items.map { $0.scalarText ?? "" }.joined(separator: "\n") ?? ""
        let text = source.isEmpty ? lines?.scalarText ?? "" : source
        scripts.append(ImportedScript(dialect: .postman, text: text, isTest: kind == "test"))
      }
    }
  }
}
