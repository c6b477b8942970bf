import Values

/// Finds schemas that refer back to themselves without descending into the instance.
extension SchemaCompiler {
  /// Checks the schemas from an index on: those compiled earlier lead to none of these.
  mutating func findCircles(_ compiled: [CompiledResource], from first: Int) {
    for index in circles(from: first, by: { $0.rules.flatMap { $0.check.next(compiled) } }) {
      nodes[index].mayCircle = true
    }
    let suspects = nodes[first...].filter(\.mayCircle)
    if suspects.contains(where: \.allowsCircles) { findEmptyCircles(from: first) }
    guard suspects.contains(where: { !$0.allowsCircles }) else { return }
    // At any other circle, validation ends with an error if an instance leads into it.
    let unavoidable = reached(from: asked.map { Int($0.index) }.filter { $0 >= first })
    for index in circles(from: first, by: { $0.rules.flatMap(\.check.unavoidableNext) })
    where unavoidable.contains(index) && !nodes[index].allowsCircles {
      let (node, document) = (nodes[index], documents[Int(nodes[index].document)])
      // For a circle of several schemas, the reference is the place to fix.
      guard
        let reference = node.rules.first(where: {
          if case .reference = $0.check { true } else { false }
        })
      else { continue }
      bag.error(
        .circularReference,
        "the schema leads back to itself without going deeper into the instance: validation would never end",
        at: document.range(of: document.json.node(at: Int(reference.place))),
        help: "refer to it from within `properties` or `items`")
    }
  }

  /// The schemas that apply to each instance that one of these applies to.
  private func reached(from roots: [Int]) -> Set<Int> {
    var result = Set(roots)
    var pending = roots
    while let index = pending.popLast() {
      for next in nodes[index].rules.flatMap(\.check.unavoidableNext) where result.insert(next).inserted {
        pending.append(next)
      }
    }
    return result
  }

  /// Finds circles of references alone. These are wrong even if circles are allowed: every instance would pass.
  private mutating func findEmptyCircles(from first: Int) {
    let found = circles(from: first) { node in
      guard node.rules.count == 1, case .reference(let target)? = node.rules.first?.check else { return [] }
      return [Int(target.index)]
    }
    for index in found where nodes[index].allowsCircles {
      let (node, document) = (nodes[index], documents[Int(nodes[index].document)])
      guard let reference = node.rules.first else { continue }
      bag.error(
        .circularReference, "the references lead in a circle",
        at: document.range(of: document.json.node(at: Int(reference.place))),
        help: "say somewhere in it what a value is")
    }
  }

  /// The schemas from an index on that refer back to themselves.
  private func circles(from first: Int, by next: (SchemaNode) -> [Int]) -> [Int] {
    let edges = nodes[first...].map { node in next(node).filter { $0 >= first }.map { $0 - first } }
    return circles(edges).enumerated().filter(\.element).map { $0.offset + first }
  }

  /// Returns which nodes of a graph are part of a cycle (Tarjan's strongly connected components, without recursion).
  private func circles(_ edges: [[Int]]) -> [Bool] {
    var result = edges.indices.map { edges[$0].contains($0) }
    var order = [Int](repeating: -1, count: edges.count)
    var low = order
    var isOpen = [Bool](repeating: false, count: edges.count)
    var open: [Int] = []
    var next = 0
    for root in edges.indices where order[root] < 0 {
      var path = [(node: root, edge: 0)]
      while let (node, edge) = path.last {
        if edge == 0 {
          order[node] = next
          low[node] = next
          next += 1
          open.append(node)
          isOpen[node] = true
        }
        if edge < edges[node].count {
          path[path.count - 1].edge += 1
          let target = edges[node][edge]
          if order[target] < 0 {
            path.append((target, 0))
          } else if isOpen[target] {
            low[node] = min(low[node], order[target])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last?.node { low[parent] = min(low[parent], low[node]) }
        guard low[node] == order[node] else { continue }
        var component: [Int] = []
        while let member = open.popLast() {
          isOpen[member] = false
          component.append(member)
          if member == node { break }
        }
        if component.count > 1 { for member in component { result[member] = true } }
      }
    }
    return result
  }
}

extension SchemaCheck {
  /// The schemas that apply to each instance that this one applies to.
  fileprivate var unavoidableNext: [Int] {
    switch self {
    case .reference(let schema), .not(let schema): [Int(schema.index)]
    case .allOf(let schemas): schemas.map { Int($0.index) }
    case .anyOf(let schemas), .oneOf(let schemas): schemas.prefix(1).map { Int($0.index) }
    case .conditional(let rule): [Int(rule.condition.index)]
    default: []
    }
  }

  /// The schemas that always apply to the same instance.
  fileprivate var certainNext: [Int] {
    switch self {
    case .reference(let schema), .not(let schema): [Int(schema.index)]
    case .allOf(let schemas), .anyOf(let schemas), .oneOf(let schemas): schemas.map { Int($0.index) }
    case .conditional(let rule):
      [rule.condition, rule.then, rule.otherwise].compactMap { $0.map { Int($0.index) } }
    default: []
    }
  }

  /// The schemas that may apply to the same instance.
  fileprivate func next(_ resources: [CompiledResource]) -> [Int] {
    switch self {
    case .dynamicReference(let anchor, let initial):
      [Int(initial.index)] + resources.compactMap { $0.dynamicAnchors[anchor].map { Int($0.index) } }
    case .dependentSchemas(let rules): rules.map { Int($0.schema.index) }
    default: certainNext
    }
  }
}
