/// The values and the names of members of a text, in its order: a container is followed by its contents, a member is a
/// name followed by its value. Each takes eight bytes, a container twelve more.
struct JSONTape: Sendable {
  /// The kind in bits 0 to 2; above it the length, or the number of the container; in the upper half the start, and in
  /// the highest bit whether it is a string with escapes. Texts have at most 2²⁹ bytes.
  typealias Head = UInt64

  /// The rest of a container.
  struct Container {
    var end: UInt32
    var next: UInt32
    var count: UInt32
  }

  private let heads: [Head]
  private let containers: [Container]

  init(heads: [Head], containers: [Container]) {
    (self.heads, self.containers) = (heads, containers)
  }

  static func head(_ kind: JSONTapeNode.Kind, start: Int, _ lengthOrNumber: Int, hasEscapes: Bool = false) -> Head {
    (hasEscapes ? 1 << 63 : 0) | Head(truncatingIfNeeded: start) << 32
      | Head(truncatingIfNeeded: lengthOrNumber) << 3 | kind.rawValue
  }

  /// The memory in bytes.
  static func memory(nodes: Int, containers: Int) -> Int {
    nodes * MemoryLayout<Head>.stride + containers * MemoryLayout<Container>.stride
  }

  var count: Int { heads.count }
  var indices: Range<Int> { heads.indices }

  subscript(index: Int) -> JSONTapeNode {
    let head = heads[index]
    let kind = JSONTapeNode.Kind(rawValue: head & 7) ?? .null
    let start = UInt32(truncatingIfNeeded: head >> 32) & 0x7FFF_FFFF
    let value = UInt32(truncatingIfNeeded: head) >> 3
    guard kind.isContainer else {
      return JSONTapeNode(
        kind: kind, hasEscapes: head >> 63 != 0, start: start, end: start &+ value,
        next: UInt32(truncatingIfNeeded: index &+ 1), count: 0)
    }
    let container = containers[Int(value)]
    return JSONTapeNode(
      kind: kind, hasEscapes: false, start: start, end: container.end, next: container.next,
      count: Int(container.count))
  }
}

/// A value or a member's name on the tape.
struct JSONTapeNode {
  enum Kind: UInt64 {
    case null, boolean, number, string, array, object

    var isContainer: Bool { rawValue >= Kind.array.rawValue }
  }

  let kind: Kind
  /// Indicates a string with escapes.
  let hasEscapes: Bool
  /// The start offset; a string includes its quotes.
  let start: UInt32
  let end: UInt32
  /// The index after the node and all that it contains.
  let next: UInt32
  /// The number of items or members; 0 for scalars.
  let count: Int

  var isContainer: Bool { kind.isContainer }
  var isObject: Bool { kind == .object }
  var byteRange: Range<Int> { Int(start)..<Int(end) }
  /// The range of a string without its quotes.
  var stringRange: Range<Int> { Int(start) + 1..<Int(end) - 1 }
}
