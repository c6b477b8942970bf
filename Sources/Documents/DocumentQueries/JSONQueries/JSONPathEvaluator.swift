import OperatingSystem

/// Runs a query on a document, by the indices of its flat array.
struct JSONPathEvaluator {
  let document: JSONDocument
  private let path: JSONPath
  /// The number of steps left; a step is a visited node, or as much work.
  private var budget: Int
  private let meter = EvaluationBudget.meter
  /// The maximum number of nodes in a list.
  private let nodeLimit: Int
  /// The nodes of each absolute query that a filter has used.
  private var absoluteNodes: [[UInt32]?]
  /// The compiled patterns that aren't literals; nil for invalid ones.
  var patterns: [PatternKey: RegularExpression?] = [:]
  /// The first object with a duplicate of a selected name.
  private(set) var ambiguity: (name: [UInt8], object: Int)?

  /// A pattern as bytes: strings would be compared by canonical equivalence.
  struct PatternKey: Hashable {
    let text: [UInt8]
    let isAnchored: Bool
  }

  init(document: JSONDocument, path: JSONPath, nodeLimit: Int) {
    self.nodeLimit = nodeLimit
    self.document = document
    self.path = path
    budget = 10_000_000 + 32 * document.nodes.count
    absoluteNodes = Array(repeating: nil, count: path.absoluteQueryCount)
  }

  mutating func spend(_ steps: Int) throws(JSONPathError) {
    budget -= steps
    guard budget >= 0 else {
      throw JSONPathError(
        message: "the query takes too much work on this document", range: 0..<path.text.utf8.count,
        help: "several `..` or filters inside of filters multiply; name the members on the way")
    }
    if meter.isOver(after: steps) {
      throw JSONPathError(message: "the query takes too long on this document", range: 0..<path.text.utf8.count)
    }
  }

  mutating func nodes(of query: JSONPathQuery, from current: Int) throws(JSONPathError) -> [UInt32] {
    guard case .root(let number) = query.start else { return try nodes(of: query.segments, from: current) }
    guard let number else { return try nodes(of: query.segments, from: 0) }
    if let known = absoluteNodes[number] { return known }
    let nodes = try nodes(of: query.segments, from: 0)
    absoluteNodes[number] = nodes
    return nodes
  }

  /// The only node of a singular query, without the arrays that other queries need.
  mutating func node(ofSingular query: JSONPathQuery, from current: Int) throws(JSONPathError) -> Int? {
    var index = current
    if case .root(let number) = query.start {
      // A filter evaluates it again and again.
      if number != nil { return try nodes(of: query, from: current).first.map { Int($0) } }
      index = 0
    }
    for segment in query.segments {
      let next: Int?
      switch segment.selectors.first {
      case .name(let name): next = try member(name, of: index)
      case .index(let position): next = try item(position, of: index)
      default: next = nil
      }
      guard let next else { return nil }
      index = next
    }
    return index
  }

  private mutating func nodes(
    of segments: [JSONPathQuery.Segment], from start: Int
  ) throws(JSONPathError) -> [UInt32] {
    var nodes = [UInt32(truncatingIfNeeded: start)]
    for segment in segments {
      var selected: [UInt32] = []
      for node in nodes.lazy.map({ Int($0) }) {
        if segment.isDescendant {
          let end = Int(document.nodes[node].next)
          try spend(end - node)
          for index in node..<end where document.nodes[index].isContainer {
            try select(segment.selectors, from: index, into: &selected)
          }
        } else {
          try select(segment.selectors, from: node, into: &selected)
        }
      }
      nodes = selected
    }
    return nodes
  }

  private mutating func select(
    _ selectors: [JSONPathQuery.Selector], from index: Int, into selected: inout [UInt32]
  ) throws(JSONPathError) {
    guard document.nodes[index].isContainer else { return try spend(1) }
    for selector in selectors {
      switch selector {
      case .name(let name): if let node = try member(name, of: index) { try add(node, to: &selected) }
      case .index(let position): if let node = try item(position, of: index) { try add(node, to: &selected) }
      case .wildcard:
        let count = document.nodes[index].count
        try spend(count + 1)
        try makeRoom(for: count, in: selected)
        forEachChild(of: index) { selected.append(UInt32(truncatingIfNeeded: $0)) }
      case .slice(let start, let end, let step):
        try select(sliceFrom: start, to: end, by: step, of: index, into: &selected)
      case .filter(let condition):
        let offset = document.nodes[index].isObject ? 1 : 0
        var child = index + 1 + offset
        let end = Int(document.nodes[index].next)
        while child < end {
          try spend(1)
          if try isTrue(condition, for: child) { try add(child, to: &selected) }
          child = Int(document.nodes[child].next) + offset
        }
      }
    }
  }

  private func add(_ node: Int, to selected: inout [UInt32]) throws(JSONPathError) {
    if selected.count == nodeLimit { try makeRoom(for: 1, in: selected) }
    selected.append(UInt32(truncatingIfNeeded: node))
  }

  private func makeRoom(for count: Int, in selected: [UInt32]) throws(JSONPathError) {
    guard selected.count + count > nodeLimit else { return }
    throw JSONPathError(
      message: "the query finds more than \(nodeLimit) nodes on its way", range: 0..<path.text.utf8.count,
      help: "a node that is found by several ways counts each time; name the members on the way")
  }

  private mutating func member(_ name: [UInt8], of index: Int) throws(JSONPathError) -> Int? {
    let node = document.nodes[index]
    try spend(node.count + 1)
    guard node.isObject else { return nil }
    var isRepeated = false
    let member = document.member(name, ofObjectAt: index, isRepeated: &isRepeated)
    if isRepeated, ambiguity == nil { ambiguity = (name, index) }
    return member
  }

  private mutating func item(_ position: Int, of index: Int) throws(JSONPathError) -> Int? {
    let node = document.nodes[index]
    guard node.isContainer, !node.isObject else { return nil }
    try spend((position < 0 ? node.count : min(position, node.count)) + 1)
    return document.item(position, ofArrayAt: index)
  }

  /// Selects by RFC 9535, section 2.3.4.2.2.
  private mutating func select(
    sliceFrom start: Int?, to end: Int?, by step: Int, of index: Int, into selected: inout [UInt32]
  ) throws(JSONPathError) {
    let node = document.nodes[index]
    guard step != 0, !node.isObject else { return }
    let count = node.count
    try spend(count + 1)
    let first = normalized(start ?? (step > 0 ? 0 : count - 1), count)
    let last = end.map { normalized($0, count) } ?? (step > 0 ? count : -1)
    try makeRoom(for: count, in: selected)
    var items: [UInt32] = []
    items.reserveCapacity(count)
    forEachChild(of: index) { items.append(UInt32(truncatingIfNeeded: $0)) }
    if step > 0 {
      let upper = min(max(last, 0), count)
      for position in stride(from: min(max(first, 0), count), to: upper, by: step) { selected.append(items[position]) }
    } else {
      let upper = min(max(first, -1), count - 1)
      let lower = min(max(last, -1), count - 1)
      for position in stride(from: upper, to: lower, by: step) { selected.append(items[position]) }
    }
  }

  private func normalized(_ position: Int, _ count: Int) -> Int { position < 0 ? count + position : position }

  private func forEachChild(of index: Int, _ body: (Int) -> Void) {
    let offset = document.nodes[index].isObject ? 1 : 0
    var child = index + 1 + offset
    let end = Int(document.nodes[index].next)
    while child < end {
      body(child)
      child = Int(document.nodes[child].next) + offset
    }
  }
}
