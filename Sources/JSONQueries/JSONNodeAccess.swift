/// The flat array as others walk it: a container is followed by its contents, a member by its name and its value.
extension JSONNode {
  /// The node's place in the document's flat array, which tells it from all others.
  package var position: Int { index }
  /// The place behind the node and all that it contains.
  package var end: Int { Int(document.nodes[index].next) }
  package var firstChild: JSONNode { JSONNode(document: document, index: index + 1) }
  /// The sibling, or the parent's; what it is only the parent's count tells.
  package var following: JSONNode { JSONNode(document: document, index: end) }

  /// The characters of a string or a member's name as UTF-8, unescaped; of anything else its text.
  package var utf8: ArraySlice<UInt8> {
    let node = document.nodes[index]
    guard node.kind == .string else { return document.bytes[node.byteRange] }
    return node.hasEscapes ? unescaped(document.bytes[node.stringRange])[...] : document.bytes[node.stringRange]
  }

  /// The string or the member's name; of anything else its text.
  package var string: String { String(decoding: utf8, as: UTF8.self) }
}

extension JSONDocument {
  /// The node at a place of the flat array, which must be one of its own.
  package func node(at position: Int) -> JSONNode { JSONNode(document: self, index: position) }

  /// The text that was parsed.
  package var utf8: [UInt8] { bytes }

  /// How many places the flat array has.
  package var nodeCount: Int { nodes.count }
}
