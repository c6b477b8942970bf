import Values

/// The memory that a document takes beyond its text, determined without parsing.
package struct JSONFootprint: Sendable, Hashable {
  /// The maximum number of nodes of a JSON text: values, and names of members.
  package let nodes: Int
  /// The maximum number of arrays and objects among them.
  let containers: Int

  /// The memory in bytes.
  package var memory: Int { JSONTape.memory(nodes: nodes, containers: containers) }

  package init(of text: [UInt8]) {
    self = text.withUnsafeBufferPointer { JSONFootprint(of: $0) }
  }

  init(of text: UnsafeBufferPointer<UInt8>) {
    let all = marks(in: text)
    // Those within strings are seldom many.
    let isSmall = JSONTape.memory(nodes: all.nodes, containers: all.containers) <= 3 * text.count
    let counts = isSmall ? all : marksOutsideStrings(in: text)
    // The root follows none, nor does what may stand in its place.
    (nodes, containers) = (counts.nodes + 2, counts.containers)
  }

  /// An upper bound of the memory that any text of a length needs: a node takes at least two bytes of it.
  package static func memory(ofLength count: Int) -> Int {
    JSONTape.memory(nodes: count / 2 + 2, containers: count / 2)
  }
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

/// The bytes `[`, `{`, `,` and `:`, each of which is followed by a node unless a container is empty, and the first two of
/// them, which begin one.
private typealias Marks = (nodes: Int, containers: Int)

/// Returns whether a byte is `[` or `{`, which differ in one bit.
@inline(__always)
private func opens(_ byte: UInt8) -> Bool { byte | 0x20 == UInt8(ascii: "{") }

@inline(__always)
private func separates(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") }

/// Counts marks, also within strings.
private func marks(in text: UnsafeBufferPointer<UInt8>) -> Marks {
  var result: Marks = (0, 0)
  var start = 0
  while start < text.count {
    // Bytes are counted in bytes, which the compiler does for many at a time.
    var (nodes, containers): (UInt8, UInt8) = (0, 0)
    let end = min(text.count, start + 240)
    for index in start..<end {
      let opening: UInt8 = opens(text[index]) ? 1 : 0
      containers &+= opening
      nodes &+= opening | (separates(text[index]) ? 1 : 0)
    }
    result.nodes += Int(nodes)
    result.containers += Int(containers)
    start = end
  }
  return result
}

private func marksOutsideStrings(in text: UnsafeBufferPointer<UInt8>) -> Marks {
  var result: Marks = (0, 0)
  var position = 0
  while position < text.count {
    let byte = text[position]
    position += 1
    guard byte == UInt8(ascii: "\"") else {
      if opens(byte) { result.containers += 1 }
      if opens(byte) || separates(byte) { result.nodes += 1 }
      continue
    }
    while position < text.count, text[position] != UInt8(ascii: "\"") {
      position += text[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position += 1
  }
  return result
}
