/// Access to the flat array: a container is followed by its contents, a member consists of its name and its value.
extension JSONNode {
  /// The node's index in the document's flat array, which identifies it.
  package var position: Int { index }
  /// The index after the node and all that it contains.
  package var end: Int { Int(document.nodes[index].next) }
  package var firstChild: JSONNode { JSONNode(document: document, index: index + 1) }
  /// The next sibling, or the parent's; only the parent's count decides which.
  package var following: JSONNode { JSONNode(document: document, index: end) }

  /// The characters of a string or a member's name as UTF-8, unescaped; for anything else its text.
  package var utf8: ArraySlice<UInt8> {
    let node = document.nodes[index]
    guard node.kind == .string else { return document.bytes[node.byteRange] }
    return node.hasEscapes ? unescaped(document.bytes[node.stringRange])[...] : document.bytes[node.stringRange]
  }

  /// The string or the member's name; for anything else its text.
  package var string: String { String(decoding: utf8, as: UTF8.self) }
}

extension JSONDocument {
  /// The node at an index of the flat array, which must be valid.
  package func node(at position: Int) -> JSONNode { JSONNode(document: self, index: position) }

  /// The text that was parsed.
  package var utf8: [UInt8] { bytes }

  /// The number of elements in the flat array.
  package var nodeCount: Int { nodes.count }
}
