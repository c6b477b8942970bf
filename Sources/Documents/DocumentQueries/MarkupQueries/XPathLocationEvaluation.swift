internal import CLibXML2

/// Location paths, step by step.
extension XPathEvaluator {
  mutating func nodes(of location: XPathLocation, _ context: Context) throws(XPathError) -> [XPathNode] {
    var nodes: [XPathNode]
    switch location.start {
    case .context: nodes = [context.node]
    case .root: nodes = [document.root]
    case .nodes(let expression, let predicates):
      nodes = try self.nodes(of: expression, context)
      for predicate in predicates { nodes = try filtered(nodes, by: predicate) }
    }
    for step in location.steps {
      if nodes.isEmpty { return [] }
      nodes = try self.nodes(of: step, from: nodes)
    }
    return nodes
  }

  /// Returns whether a path finds anything.
  mutating func exists(_ location: XPathLocation, _ context: Context) throws(XPathError) -> Bool {
    guard let last = location.steps.last, !last.predicates.contains(where: \.isPositional) else {
      return try !nodes(of: location, context).isEmpty
    }
    let contexts = try nodes(of: XPathLocation(location.start, location.steps.dropLast()), context)
    let test = try NodeMatcher(last.test, on: last.axis, self)
    var isFound = false
    for context in needed(contexts, on: last.axis) where !isFound {
      try context.forEach(on: last.axis) { (node) throws(XPathError) in
        try spend()
        guard test.matches(node) else { return true }
        for predicate in last.predicates where try !boolean(predicate.expression, Context(node: node)) { return true }
        isFound = true
        return false
      }
    }
    return isFound
  }

  /// The nodes that a step finds from all context nodes, each once and in document order.
  private mutating func nodes(of step: XPathStep, from contexts: [XPathNode]) throws(XPathError) -> [XPathNode] {
    let test = try NodeMatcher(step.test, on: step.axis, self)
    let isPositional = step.predicates.contains(where: \.isPositional)
    var found: [XPathNode] = []
    // Up to twice as many may be collected before duplicates are dropped.
    var limit = 1 << 16
    for context in isPositional ? contexts : needed(contexts, on: step.axis) {
      var nodes: [XPathNode] = []
      try collect(step.axis, from: context, test, into: &nodes)
      if isPositional {
        for predicate in step.predicates { nodes = try filtered(nodes, by: predicate) }
      }
      found += nodes
      if found.count > limit {
        found = try sorted(found)
        limit = max(limit, 2 * found.count)
      }
    }
    found = try sorted(found)
    if !isPositional {
      for predicate in step.predicates { found = try filtered(found, by: predicate) }
    }
    return found
  }

  private mutating func collect(
    _ axis: XPathAxis, from context: XPathNode, _ test: NodeMatcher, into nodes: inout [XPathNode]
  ) throws(XPathError) {
    var visited = 1
    try context.forEach(on: axis) { (node) throws(XPathError) in
      visited += 1
      if visited == 512 {
        try spend(visited)
        visited = 0
      }
      if test.matches(node) { nodes.append(node) }
      return true
    }
    try spend(visited)
  }

  /// The context nodes without those from which an axis finds only nodes that it also finds from others.
  private func needed(_ contexts: [XPathNode], on axis: XPathAxis) -> [XPathNode] {
    guard contexts.count > 1 else { return contexts }
    switch axis {
    case .descendant, .descendantOrSelf:
      var end = 0
      return contexts.filter { context in
        if context.isPart { return true }
        guard context.order > end else { return false }
        end = max(end, XPathNode(context.pointer.deepestLast).order)
        return true
      }
    case .following:
      // The node whose descendants end first finds all that the others find.
      if contexts.contains(where: \.isPart) { return contexts }
      return contexts.min { $0.pointer.deepestLast.documentOrder < $1.pointer.deepestLast.documentOrder }.map { [$0] }
        ?? []
    case .preceding: return contexts.suffix(1)
    case .followingSibling:
      var parents: Set<xmlNodePtr?> = []
      return contexts.filter { !$0.isPart && parents.insert($0.pointer.pointee.parent).inserted }
    case .precedingSibling:
      var parents: Set<xmlNodePtr?> = []
      return contexts.reversed().filter { !$0.isPart && parents.insert($0.pointer.pointee.parent).inserted }
    default: return contexts
    }
  }

  /// - Parameter nodes: in the order by which positions count.
  private mutating func filtered(
    _ nodes: [XPathNode], by predicate: XPathPredicate
  ) throws(XPathError) -> [XPathNode] {
    if case .number(let wanted) = predicate.expression {
      guard let index = Int(exactly: wanted), index >= 1, index <= nodes.count else { return [] }
      return [nodes[index - 1]]
    }
    var result: [XPathNode] = []
    for (index, node) in nodes.enumerated() {
      try spend()
      let context = Context(node: node, position: index + 1, size: nodes.count)
      let isWanted: Bool
      if predicate.expression.type == .number {
        isWanted = try number(try value(of: predicate.expression, context)) == Double(index + 1)
      } else {
        isWanted = try boolean(predicate.expression, context)
      }
      if isWanted { result.append(node) }
    }
    return result
  }

  /// The nodes in document order, each once.
  mutating func sorted(_ nodes: [XPathNode]) throws(XPathError) -> [XPathNode] {
    guard nodes.count > 1 else { return nodes }
    var isSorted = true
    for index in 1..<nodes.count where nodes[index - 1].order >= nodes[index].order {
      isSorted = false
      break
    }
    if isSorted { return nodes }
    try spend(nodes.count)
    var last = -1
    return nodes.sorted { $0.order < $1.order }.filter { node in
      defer { last = node.order }
      return node.order != last
    }
  }
}

/// A node test with its names prepared for comparison.
private struct NodeMatcher {
  private enum Name {
    case any
    case namespace([UInt8])
    case name([UInt8], namespace: [UInt8]?)
  }

  private enum Test {
    case node, text, comment
    case processingInstruction([UInt8]?)
    case principal(xmlElementType, Name)
  }

  private let test: Test

  init(_ test: XPathNodeTest, on axis: XPathAxis, _ evaluator: XPathEvaluator) throws(XPathError) {
    let principal =
      axis == .attribute ? XML_ATTRIBUTE_NODE : axis == .namespace ? XML_NAMESPACE_DECL : XML_ELEMENT_NODE
    switch test {
    case .node: self.test = .node
    case .text: self.test = .text
    case .comment: self.test = .comment
    case .processingInstruction(let target): self.test = .processingInstruction(target.map { Array($0.utf8) })
    case .any: self.test = .principal(principal, .any)
    case .namespace(let prefix):
      self.test = .principal(principal, .namespace(Array(try evaluator.namespaceURI(of: prefix).utf8)))
    case .name(let prefix, let name):
      let uri = try prefix.map { (prefix) throws(XPathError) in Array(try evaluator.namespaceURI(of: prefix).utf8) }
      self.test = .principal(principal, .name(Array(name.utf8), namespace: uri))
    }
  }

  func matches(_ node: XPathNode) -> Bool {
    let type = node.type
    switch test {
    case .node: return true
    case .text: return type == XML_TEXT_NODE || type == XML_CDATA_SECTION_NODE
    case .comment: return type == XML_COMMENT_NODE
    case .processingInstruction(let target):
      return type == XML_PI_NODE && (target.map { equals(node.pointer.pointee.name, $0) } ?? true)
    case .principal(let principal, let name):
      guard type == principal else { return false }
      switch name {
      case .any: return true
      case .namespace(let uri): return equals(node.own?.pointee.href, uri)
      case .name(let local, let uri):
        if let namespace = node.namespace { return uri == nil && equals(namespace.pointee.prefix, local) }
        guard equals(node.pointer.pointee.name, local) else { return false }
        if let uri { return equals(node.own?.pointee.href, uri) }
        // An attribute without a prefix is in no namespace.
        return node.own == nil || principal == XML_ATTRIBUTE_NODE && node.own?.pointee.prefix == nil
      }
    }
  }

  private func equals(_ string: UnsafePointer<xmlChar>?, _ bytes: [UInt8]) -> Bool {
    guard let string else { return bytes.isEmpty }
    for (index, byte) in bytes.enumerated() where string[index] != byte { return false }
    return string[bytes.count] == 0
  }
}
