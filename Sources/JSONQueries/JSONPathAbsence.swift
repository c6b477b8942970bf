internal import Values

extension JSONPath {
  /// Why a singular query selects nothing in a document, such as that `$.args` has no member `y`, but has `x`.
  ///
  /// Nil for any other query, and where it selects something.
  package func absence(in document: JSONDocument) -> String? {
    guard isSingular else { return nil }
    var node = document.root
    var place = "$"
    for segment in query.segments {
      switch segment.selectors.first {
      case .name(let bytes):
        let name = String(decoding: bytes, as: UTF8.self)
        guard node.kind == .mapping else { return "`\(place)` is \(node.jsonPhrase), which has no member `\(name)`" }
        guard let member = node[member: name] else {
          return "`\(place)` has no member `\(name)`; \(listed(node.members.map(\.key), nearestTo: name))"
        }
        node = member
        place += isPlainName(name) ? ".\(name)" : "[\(normalizedName(name))]"
      case .index(let position):
        guard node.kind == .list else { return "`\(place)` is \(node.jsonPhrase), which has no item `[\(position)]`" }
        let items = node.items
        let index = position < 0 ? items.count + position : position
        guard items.indices.contains(index) else {
          let count = items.count == 1 ? "1 item" : "\(items.count) items"
          return items.isEmpty ? "`\(place)` is empty" : "`\(place)` has \(count); there is no `[\(position)]`"
        }
        node = items[index]
        place += "[\(position)]"
      default: return nil
      }
    }
    return nil
  }

  /// Some names of members, one that differs in letter case alone before the others.
  private func listed(_ names: [String], nearestTo name: String) -> String {
    guard !names.isEmpty else { return "it is empty" }
    let wanted = name.lowercased()
    let sorted = names.filter { $0.lowercased() == wanted } + names.filter { $0.lowercased() != wanted }
    let shown = sorted.prefix(6).map { "`\($0.count > 40 ? $0.prefix(40) + "…" : $0)`" }.joined(separator: ", ")
    return "it has \(shown)" + (names.count > 6 ? " and \(names.count - 6) more" : "")
  }

  /// Whether a path may write the name after a `.`.
  private func isPlainName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
    return name.unicodeScalars.allSatisfy {
      $0.value >= 0x80 || $0 == "_" || ("0"..."9").contains($0) || ("a"..."z").contains($0) || ("A"..."Z").contains($0)
    }
  }
}

extension JSONNode {
  /// The type by JSON's word, with its article.
  fileprivate var jsonPhrase: String {
    switch kind {
    case .list: "an array"
    case .mapping: "an object"
    case .text: "a string"
    default: kind.phrase
    }
  }
}

/// A name in the quotes and escapes of a normalized path.
package func normalizedName(_ name: String) -> String {
  var result = "'"
  for scalar in name.unicodeScalars {
    switch scalar {
    case "'": result += "\\'"
    case "\\": result += "\\\\"
    case "\u{08}": result += "\\b"
    case "\t": result += "\\t"
    case "\n": result += "\\n"
    case "\u{0C}": result += "\\f"
    case "\r": result += "\\r"
    case "\u{00}"..."\u{1F}": result += (scalar.value < 16 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "'"
}
