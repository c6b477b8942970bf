import DocumentQueries

/// Reads the folders and requests of a collection of Postman.
struct PostmanCollection {
  /// Returns whether the value of a variable is a host without a scheme.
  let lacksScheme: (String) -> Bool
  private static let depthLimit = 60

  init(lacksScheme: @escaping (String) -> Bool) {
    self.lacksScheme = lacksScheme
  }

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
        folder.items.append(.request(PostmanRequest.read(item, node, behaviour, lacksScheme)))
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

/// The number of places that read each variable: `{{name}}`, and `get("name")` in scripts.
func variableUses(in text: some Sequence<UInt8>) -> [String: Int] {
  var uses: [String: Int] = [:]
  let bytes = Array(text)
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
