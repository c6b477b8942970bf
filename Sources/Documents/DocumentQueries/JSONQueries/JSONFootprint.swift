import Values

/// The memory that a document takes beyond its text, determined without parsing.
package struct JSONFootprint: Sendable, Hashable {
  /// The maximum number of nodes of a JSON text: values, and names of members.
  package let nodes: Int

  /// The memory in bytes.
  package var memory: Int { nodes * MemoryLayout<JSONTapeNode>.stride }

  package init(of text: [UInt8]) {
    nodes = text.withUnsafeBufferPointer(nodeCount)
  }

  /// An upper bound of the memory that any text of a length needs: a node takes at least two bytes of it.
  package static func memory(ofLength count: Int) -> Int { (count / 2 + 2) * MemoryLayout<JSONTapeNode>.stride }
}

/// The memory for making values of nodes, more than that of the values themselves: they are made from growing lists,
/// and marked for secrets in a copy.
package func valueMemory(nodes: Int, bytes: Int) -> Int {
  (nodes.multiplied(by: 144) ?? .max).addingClamped(bytes)
}

extension JSONNode {
  /// An upper bound of the memory that ``value`` takes.
  package var valueMemory: Int { DocumentQueries.valueMemory(nodes: end - position, bytes: byteRange.count) }
}

/// Counts `[`, `{`, `,` and `:` outside strings, each of which is followed by a node unless the container is empty.
private func nodeCount(in text: UnsafeBufferPointer<UInt8>) -> Int {
  var count = 2
  var position = 0
  let end = text.count
  while position < end {
    let byte = text[position]
    position += 1
    if byte == UInt8(ascii: "\"") {
      while position < end, text[position] != UInt8(ascii: "\"") {
        position += text[position] == UInt8(ascii: "\\") ? 2 : 1
      }
      position += 1
    } else {
      // `[` and `{` differ in one bit.
      let isNode = byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") || byte | 0x20 == UInt8(ascii: "{")
      count &+= isNode ? 1 : 0
    }
  }
  return count
}
