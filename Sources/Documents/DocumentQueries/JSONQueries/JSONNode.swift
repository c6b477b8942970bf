import OperatingSystem
import Values

/// A value of a JSON document, with its position.
package struct JSONNode: Sendable {
  package let document: JSONDocument
  /// The node's index in the document's flat array.
  let index: Int

  private var node: JSONTapeNode { document.nodes[index] }

  package var kind: ValueKind {
    switch node.kind {
    case .null: .null
    case .boolean: .boolean
    case .number: .number
    case .string: .text
    case .array: .list
    case .object: .mapping
    }
  }

  /// The number of items or members; 0 for scalars.
  package var count: Int { node.count }

  /// The items of an array; empty for anything else.
  package var items: [JSONNode] {
    guard node.kind == .array else { return [] }
    var result: [JSONNode] = []
    result.reserveCapacity(node.count)
    var item = index + 1
    while item < Int(node.next) {
      result.append(JSONNode(document: document, index: item))
      item = Int(document.nodes[item].next)
    }
    return result
  }

  /// The positions of the items of an array; none for anything else.
  package var itemList: JSONNodeList {
    guard node.kind == .array else { return JSONNodeList(document: document, positions: []) }
    var positions: [UInt32] = []
    positions.reserveCapacity(node.count)
    var item = index + 1
    while item < Int(node.next) {
      positions.append(UInt32(truncatingIfNeeded: item))
      item = Int(document.nodes[item].next)
    }
    return JSONNodeList(document: document, positions: positions)
  }

  /// The members of an object in their order, with duplicates; empty for anything else.
  package var members: [(key: String, value: JSONNode)] {
    guard node.kind == .object else { return [] }
    var result: [(key: String, value: JSONNode)] = []
    result.reserveCapacity(node.count)
    var key = index + 1
    while key < Int(node.next) {
      result.append((document.string(at: key), JSONNode(document: document, index: key + 1)))
      key = Int(document.nodes[key + 1].next)
    }
    return result
  }

  /// The value of the last member of that name; nil if there is none or the node isn't an object.
  package subscript(member name: String) -> JSONNode? {
    guard node.kind == .object else { return nil }
    return document.member(Array(name.utf8), ofObjectAt: index).map { JSONNode(document: document, index: $0) }
  }

  /// The item at a position, counted from the end if negative; nil if there is none or the node isn't an array.
  package subscript(position: Int) -> JSONNode? {
    guard node.kind == .array else { return nil }
    return document.item(position, ofArrayAt: index).map { JSONNode(document: document, index: $0) }
  }

  package var isContainer: Bool { node.isContainer }

  /// Returns whether it is a string of these code points.
  package func isString(_ text: String) -> Bool {
    let node = node
    guard node.kind == .string else { return false }
    return node.hasEscapes
      ? document.string(at: index).utf8.elementsEqual(text.utf8)
      : isEqual(document.bytes, node.stringRange, text)
  }

  /// Returns whether it is a number of exactly these characters.
  package func isNumber(writtenAs lexeme: String) -> Bool {
    let node = node
    return node.kind == .number && isEqual(document.bytes, node.byteRange, lexeme)
  }

  package func isBoolean(_ value: Bool) -> Bool {
    let node = node
    return node.kind == .boolean && (document.bytes[Int(node.start)] == UInt8(ascii: "t")) == value
  }

  /// The node's range in the text; a string includes its quotes.
  package var byteRange: Range<Int> { node.byteRange }
  /// The node as it was written.
  package var text: String { String(decoding: document.bytes[node.byteRange], as: UTF8.self) }
  /// The 1-based line in which the node starts.
  package var line: Int { jsonPosition(of: Int(node.start), in: document.bytes).line }

  /// The value, with the order of members and the lexemes of numbers.
  package var value: Value { value(upTo: end) }

  /// The value of its first nodes only: containers may have fewer items and members than in the document.
  ///
  /// - Parameter count: the number of nodes, including names of members.
  package func beginning(_ count: Int) -> Value { value(upTo: min(end, index + max(1, count))) }

  private func value(upTo limit: Int) -> Value {
    if !node.isContainer { return document.scalar(node, at: index) }
    // In reverse order, a container's contents are finished before the container: no recursion, however deeply it
    // nests.
    var finished: [Value] = []
    let meter = EvaluationBudget.meter
    for index in (index..<limit).reversed() {
      if index & 1023 == 0, meter.isOver(after: 1024) { return .null }
      let node = document.nodes[index]
      // After the cut, only nodes inside it are finished.
      let isCut = Int(node.next) > limit
      switch node.kind {
      case .null, .boolean, .number, .string: finished.append(document.scalar(node, at: index))
      case .array:
        let count = isCut ? finished.count : node.count
        let items = Array(finished.suffix(count).reversed())
        finished.removeLast(count)
        finished.append(.list(items))
      case .object:
        let count = isCut ? finished.count / 2 : node.count
        var members: [Mapping.Member] = []
        members.reserveCapacity(count)
        for _ in 0..<count {
          guard case .text(let key)? = finished.popLast(), let value = finished.popLast() else { continue }
          members.append(Mapping.Member(key: key, value: value))
        }
        // A name whose value was cut off.
        if isCut { finished.removeAll() }
        finished.append(.mapping(Mapping(members)))
      }
    }
    return finished.last ?? .null
  }
}

extension JSONDocument {
  /// The value of a scalar; null for a container.
  func scalar(_ node: JSONTapeNode, at index: Int) -> Value {
    switch node.kind {
    case .boolean: .bool(bytes[Int(node.start)] == UInt8(ascii: "t"))
    case .number: .number(Number(lexeme: lexeme(at: index)))
    case .string: .text(string(at: index))
    case .null, .array, .object: .null
    }
  }
}

private func isEqual(_ bytes: [UInt8], _ range: Range<Int>, _ text: String) -> Bool {
  var index = range.lowerBound
  guard text.utf8.count == range.count else { return false }
  for byte in text.utf8 {
    guard bytes[index] == byte else { return false }
    index += 1
  }
  return true
}
