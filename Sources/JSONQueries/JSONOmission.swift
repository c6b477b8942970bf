package import Values

/// Places of a document that a value made of it leaves out.
package struct JSONOmission: Sendable {
  private let document: JSONDocument
  /// For each index of the document's flat array.
  private var isLeftOut: [Bool]

  /// All that the queries select.
  package init(_ paths: [JSONPath], in document: JSONDocument) throws(JSONPathError) {
    self.document = document
    isLeftOut = Array(repeating: false, count: document.nodes.count)
    for path in paths { for node in try path.nodes(in: document) { isLeftOut[node.index] = true } }
  }

  /// Leaves out the strings that say just this, too; names of members stay.
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
  ///   - marker: what stands in the place of an item that is left out, or of the whole.
  ///   - keepsMembers: whether the marker also stands for members; without it they are missing.
  package func value(marker: Value, keepsMembers: Bool) -> Value {
    // As in `JSONNode.value`, backwards: no recursion. Nil is what is left out.
    var finished: [Value?] = []
    for index in document.nodes.indices.reversed() {
      let node = document.nodes[index]
      var value: Value?
      switch node.kind {
      case .null: value = .null
      case .boolean: value = .bool(document.bytes[Int(node.start)] == UInt8(ascii: "t"))
      case .number: value = .number(Number(lexeme: document.lexeme(at: index)))
      case .string: value = .text(document.string(at: index))
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
