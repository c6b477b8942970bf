extension JSONNode {
  /// The path from the root to the node, `$.items[2].name`; found by descending from the root.
  package var location: String {
    var place = "$"
    var container = 0
    while container != index {
      let isObject = document.nodes[container].isObject
      var child = container + 1
      var position = 0
      // A child's key, if it has one, is the node before it.
      while true {
        let value = isObject ? child + 1 : child
        let next = Int(document.nodes[value].next)
        if index < next {
          place += isObject ? nameSegment(document.string(at: child)) : "[\(position)]"
          container = max(value, container + 1)
          break
        }
        child = next
        position += 1
      }
    }
    return place
  }
}

/// The segment `.name`, or `['first name']` if a path needs quotes.
package func nameSegment(_ name: String) -> String {
  isPlainName(name) ? ".\(name)" : "[\(normalizedName(name))]"
}

/// Returns whether a path may write the name after a `.`.
private func isPlainName(_ name: String) -> Bool {
  guard let first = name.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
  return name.unicodeScalars.allSatisfy {
    $0.value >= 0x80 || $0 == "_" || ("0"..."9").contains($0) || ("a"..."z").contains($0) || ("A"..."Z").contains($0)
  }
}
