import Values

/// Nodes of one document as positions, four bytes each.
package struct JSONNodeList: RandomAccessCollection, Sendable {
  package let document: JSONDocument
  private let positions: [UInt32]

  init(document: JSONDocument, positions: [UInt32]) {
    self.document = document
    self.positions = positions
  }

  init(_ node: JSONNode) {
    self.init(document: node.document, positions: [UInt32(truncatingIfNeeded: node.index)])
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { positions.count }
  package subscript(position: Int) -> JSONNode { JSONNode(document: document, index: Int(positions[position])) }

  /// The memory that the list itself takes.
  package var memory: Int { positions.count * MemoryLayout<UInt32>.stride }

  /// An upper bound of the memory that the values of all nodes take together; nested nodes count each.
  package var valueMemory: Int {
    reduce(0) { $0.addingClamped($1.valueMemory) }
  }
}
