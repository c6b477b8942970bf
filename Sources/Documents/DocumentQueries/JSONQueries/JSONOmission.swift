import Values

/// Parts of a document to leave out of its value.
package struct JSONOmission: Sendable {
  private let document: JSONDocument
  /// Flags for each index of the document's flat array.
  private var isLeftOut: [Bool]

  /// Leaves out all that the queries select.
  package init(_ paths: [JSONPath], in document: JSONDocument) throws(JSONPathError) {
    self.document = document
    isLeftOut = Array(repeating: false, count: document.nodes.count)
    for path in paths { for node in try path.nodes(in: document) { isLeftOut[node.index] = true } }
  }

  /// Leaves out all strings equal to the text, but no names of members.
  package mutating func add(stringsEqualTo text: String) {
    let wanted = Array(text.utf8)
    for index in document.nodes.indices where document.nodes[index].isContainer {
      let offset = document.nodes[index].isObject ? 1 : 0
      var child = index + 1 + offset
      while child < Int(document.nodes[index].next) {
        if document.nodes[child].kind == .string, document.string(at: child, equals: wanted) { isLeftOut[child] = true }
        child = Int(document.nodes[child].next) + offset
      }
    }
  }

  /// The document's value, with the order of members and the lexemes of numbers.
  ///
  /// - Parameters:
  ///   - marker: the replacement of an item that is left out, or of the whole.
  ///   - keepsMembers: true if the marker also replaces members; otherwise they are removed.
  package func value(marker: Value, keepsMembers: Bool) -> Value {
    // As in `JSONNode.value`, in reverse order: no recursion. Nil is left out.
    var finished: [Value?] = []
    for index in document.nodes.indices.reversed() {
      let node = document.nodes[index]
      var value: Value?
      switch node.kind {
      case .null, .boolean, .number, .string: value = document.scalar(node, at: index)
      case .array:
        let items = finished.suffix(node.count).reversed().map { $0 ?? marker }
        finished.removeLast(node.count)
        value = .list(items)
      case .object:
        var members: [Mapping.Member] = []
        members.reserveCapacity(node.count)
        for _ in 0..<node.count {
          guard case .text(let key)?? = finished.popLast(), let member = finished.popLast() else { continue }
          if let shown = member ?? (keepsMembers ? marker : nil) {
            members.append(Mapping.Member(key: key, value: shown))
          }
        }
        value = .mapping(Mapping(members))
      }
      finished.append(isLeftOut[index] ? nil : value)
    }
    return (finished.last ?? nil) ?? marker
  }
}
