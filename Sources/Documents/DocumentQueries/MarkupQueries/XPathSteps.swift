import Values

/// Location paths: steps with their axes, node tests and predicates.
extension XPathParser {
  mutating func locationPath() throws(XPathError) -> XPathLocation {
    if skip("//") { return XPathLocation(.root, [.descent] + (try relativePath())) }
    if skip("/") {
      skipWhitespace()
      return XPathLocation(.root, startsStep ? try relativePath() : [])
    }
    return XPathLocation(.context, try relativePath())
  }

  private mutating func relativePath() throws(XPathError) -> [XPathStep] {
    var steps = [try step()]
    while true {
      if skip("//") {
        steps.append(.descent)
      } else if !skip("/") {
        return steps
      }
      steps.append(try step())
    }
  }

  private var startsStep: Bool {
    guard let next = peek else { return false }
    return startsName || next == UInt8(ascii: "*") || next == UInt8(ascii: "@") || next == UInt8(ascii: ".")
  }

  mutating func step() throws(XPathError) -> XPathStep {
    try countPart()
    if let axis: XPathAxis = skip("..") ? .parent : skip(".") ? .`self` : nil {
      if stands("[") {
        throw expected("a step or an operator", help: "`.` and `..` take no `[…]`: write self::node()[…]")
      }
      return XPathStep(axis: axis, test: .node)
    }
    let axis = skip("@") ? .attribute : try axisName() ?? .child
    var step = XPathStep(axis: axis, test: try nodeTest(on: axis))
    while stands("[") { step.predicates.append(try predicate()) }
    return step
  }

  private mutating func axisName() throws(XPathError) -> XPathAxis? {
    skipWhitespace()
    let start = position
    guard let name = name() else { return nil }
    let end = position
    guard skip("::") else {
      position = start
      return nil
    }
    guard let axis = XPathAxis(rawValue: name) else {
      throw XPathError(
        "unknown axis `\(name)`", start..<end,
        help: nearestWord(to: name, among: XPathAxis.allCases.map(\.rawValue)).map { "did you mean `\($0)`?" })
    }
    return axis
  }

  private mutating func nodeTest(on axis: XPathAxis) throws(XPathError) -> XPathNodeTest {
    if skip("*") { return .any }
    skipWhitespace()
    let start = position
    guard let name = name() else { throw expected("a step: a name, `*`, `@…`, `.` or `..`") }
    let range = start..<position
    if peek == UInt8(ascii: ":"), !occurs("::", at: position) {
      position += 1
      if !prefixes.contains(where: { $0.name == name }) { prefixes.append((name, range)) }
      if peek == UInt8(ascii: "*") {
        position += 1
        return .namespace(name)
      }
      guard let local = self.name() else { throw expected("a name or `*` after `\(name):`") }
      if axis != .attribute, axis != .namespace { localNames.insert(local) }
      return .name(prefix: name, local)
    }
    if stands("("), xpathNodeTypes.contains(name) {
      position += 1
      var target: String?
      if name == "processing-instruction", !stands(")") {
        guard let next = peek, next == UInt8(ascii: "'") || next == UInt8(ascii: "\"") else {
          throw expected("a target in quotes")
        }
        target = try stringLiteral()
      }
      guard skip(")") else { throw expected("`)`") }
      switch name {
      case "text": return .text
      case "comment": return .comment
      case "processing-instruction": return .processingInstruction(target)
      default: return .node
      }
    }
    switch axis {
    case .attribute: attributeNames.insert(name)
    case .namespace: break
    default: plainNames.insert(name)
    }
    return .name(prefix: nil, name)
  }

  mutating func predicate() throws(XPathError) -> XPathPredicate {
    let open = position
    position += 1
    let calls = positionCalls
    let inner = try expression()
    guard skip("]") else { throw unclosed("[", by: "]", at: open) }
    noteConstant(inner, open..<position)
    return XPathPredicate(expression: inner, isPositional: inner.type == .number || positionCalls > calls)
  }
}

extension XPathStep {
  /// The step that `//` abbreviates.
  static let descent = XPathStep(axis: .descendantOrSelf, test: .node)
}
