import DocumentQueries
import Values

/// One schema of a set, ready to use.
package struct CompiledSchema: Sendable {
  package let set: SchemaSet
  package let id: SchemaID

  package init(set: SchemaSet, id: SchemaID) {
    self.set = set
    self.id = id
  }

  /// Indicates whether the schema, or the one that it only refers to, allows every value.
  package var asksNothing: Bool {
    var node = set.schema(id)
    var steps = 0
    while node.rules.count == 1, case .reference(let target) = node.rules[0].check, steps < 32 {
      node = set.schema(target)
      steps += 1
    }
    return node.fixedResult ?? node.rules.isEmpty
  }

  /// Returns whether the schema, or one that it leads to, mentions a property of that name.
  package func names(property name: String) -> Bool {
    let utf8 = Array(name.utf8)
    return set.nodes.contains { node in
      node.rules.contains { rule in
        switch rule.check {
        case .members(let rules): rules.names.index(of: utf8[...]) != nil
        case .required(let names): names.contains(utf8)
        default: false
        }
      }
    }
  }

  package func validate(_ instance: JSONNode, limit: Int = 20) -> SchemaResult {
    set.validate(instance, against: id, limit: limit)
  }
}

/// URLs of files, with which schemas refer to each other.
package enum SchemaURL {
  /// The URL of an absolute path.
  package static func file(_ path: String) -> String {
    "file://" + percentEncoded(path, allowed: AllowedCharacters.unreserved.inserting("/"))
  }

  /// The path of a file's URL; nil for any other.
  package static func path(of url: String) -> String? {
    let parts = URIReference(url)
    guard parts.scheme == "file", parts.authority == nil || parts.authority == "" else { return nil }
    return URIReference.percentDecoded(parts.path)
  }

  package static func isRemote(_ url: String) -> Bool {
    guard let scheme = URIReference(url).scheme?.lowercased() else { return false }
    return scheme == "http" || scheme == "https"
  }

  package static func withoutFragment(_ url: String) -> String { URIReference(url).withoutFragment }

  /// The URL up to the last slash of its path; nil for one without a folder.
  package static func folder(of url: String) -> String? {
    let parts = URIReference(url)
    guard parts.scheme != nil, let slash = parts.path.lastIndex(of: "/") else { return nil }
    return (parts.scheme.map { $0 + ":" } ?? "") + (parts.authority.map { "//" + $0 } ?? "") + parts.path[...slash]
  }
}
