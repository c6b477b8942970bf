/// The paths of a document as a tree of their segments; literal segments are tried before templated ones.
struct PathIndex: Sendable {
  private struct Node: Sendable {
    var literals: [String: Int] = [:]
    /// Templates, the most concrete first.
    var templates: [(pattern: SegmentPattern, node: Int)] = []
    /// The entries that end here.
    var entries: [Int] = []
  }

  /// An entry, and the raw values of its parameters.
  struct Match {
    let entry: Int
    let values: [Substring]
  }

  private var nodes = [Node()]

  mutating func insert(_ template: PathTemplate, as entry: Int) {
    var current = 0
    for segment in template.segments { current = child(of: current, for: segment) }
    nodes[current].entries.append(entry)
  }

  private mutating func child(of index: Int, for segment: SegmentPattern) -> Int {
    if let literal = segment.literal {
      if let known = nodes[index].literals[literal] { return known }
      nodes[index].literals[literal] = nodes.count
    } else {
      if let known = nodes[index].templates.first(where: { $0.pattern.shape == segment.shape }) { return known.node }
      let place =
        nodes[index].templates.firstIndex { $0.pattern.literalCount < segment.literalCount }
        ?? nodes[index].templates.endIndex
      nodes[index].templates.insert((segment, nodes.count), at: place)
    }
    nodes.append(Node())
    return nodes.count - 1
  }

  /// All entries that match this path, the most concrete first. Each node of the tree is visited at most once.
  ///
  /// - Parameter segments: percent-encoded, as sent.
  func matches(_ segments: ArraySlice<Substring>, decoded: ArraySlice<String>) -> [Match] {
    var result: [Match] = []
    // The last is the next to visit.
    var pending: [(node: Int, position: Int, values: [Substring])] = [(0, segments.startIndex, [])]
    while let (index, position, values) = pending.popLast() {
      let node = nodes[index]
      guard position < segments.endIndex else {
        result += node.entries.map { Match(entry: $0, values: values) }
        continue
      }
      for (pattern, next) in node.templates.reversed() {
        guard let found = pattern.match(segments[position]) else { continue }
        pending.append((next, position + 1, values + found))
      }
      if let next = node.literals[decoded[position]] { pending.append((next, position + 1, values)) }
    }
    return result
  }
}
