import YAMLNodes

/// The names that templates could read if a file's errors were fixed.
package struct MissedNames: Sendable {
  package private(set) var names: Set<String> = []
  /// Indicates whether there may be any other names.
  package private(set) var areUnbounded = false

  package init() {}

  /// All names, if they can't be known.
  package static let any: MissedNames = {
    var missed = MissedNames()
    missed.areUnbounded = true
    return missed
  }()

  package func union(_ other: MissedNames) -> MissedNames {
    var result = self
    result.names.formUnion(other.names)
    result.areUnbounded = areUnbounded || other.areUnbounded
    return result
  }

  package func contains(_ name: String) -> Bool { areUnbounded || names.contains(name) }

  /// Adds the words of a text that could not be read.
  mutating func add(_ words: Set<String>) {
    names.formUnion(words)
    if !words.isDisjoint(with: Self.keysForOtherFiles) { areUnbounded = true }
  }

  private static let keysForOtherFiles: Set<String> = ["extends", "use", "needs", "each", "environments"]

  /// Adds the names under a key that is misspelt, or has a value of a wrong form.
  mutating func add(_ value: YAMLNode, under key: String) {
    switch key {
    case "variables", "secrets", "capture":
      if let members = value.members {
        names.formUnion(members.map(\.key))
      } else if let items = value.items {
        // Lists of names, of `name: value`, or of mappings with the name as a value.
        for item in items {
          for member in item.members ?? [] {
            names.insert(member.key)
            if let text = member.value.plainText { names.insert(text) }
          }
          if let text = item.plainText { names.insert(String(text.prefix { $0 != ":" && $0 != "=" && $0 != " " })) }
        }
      } else {
        areUnbounded = true
      }
    default: if Self.keysForOtherFiles.contains(key) { areUnbounded = true }
    }
  }
}
