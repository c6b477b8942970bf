import DocumentQueries

/// The settings that a request of Postman inherits from its folders and its collection.
struct PostmanContext {
  private(set) var auth: JSONNode?
  private(set) var behaviour: [(key: String, value: JSONNode)] = []
  /// The effects of the scripts around it, less what could not be translated.
  private(set) var effects = ScriptEffects()

  /// Adds what a folder or a collection says of its requests; returns what could not be translated.
  mutating func enter(_ node: JSONNode) -> [Untranslated] {
    if let own = node[member: "auth"], own.kind == .mapping {
      auth = own
      effects.untranslated += PostmanAuth(own).untranslated
    }
    behaviour = PostmanRequest.merged(behaviour, node[member: "protocolProfileBehavior"])
    effects.read(node, isShared: true)
    defer { effects.untranslated = [] }
    return effects.untranslated
  }
}

extension ScriptEffects {
  /// Adds what the scripts of a request, a folder or a collection do.
  mutating func read(_ node: JSONNode, isShared: Bool) {
    let events = node[member: "event"]?.items ?? []
    for kind in ["prerequest", "test"] {
      for event in events where event.text("listen") == kind && !event.isDisabled {
        let script = event[member: "script"]
        let lines = script?[member: "exec"] ?? script
        let source = lines?.items.map { $0.scalarText ?? "" }.joined(separator: "\n") ?? ""
        let text = source.isEmpty ? lines?.scalarText ?? "" : source
        if text.utf8.count > 1 << 20 {
          untranslated.append(Untranslated(reason: "scripts", source: "a script of \(text.utf8.count) bytes"))
        } else if !text.isEmpty {
          PostmanScript.read(text, .init(isTest: kind == "test", isShared: isShared), into: &self)
        }
      }
    }
  }
}
