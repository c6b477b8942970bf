/// A parsed expression of XPath 1.0.
indirect enum XPathExpression: Sendable {
  case string(String)
  case number(Double)
  case or([XPathExpression])
  case and([XPathExpression])
  case comparison(XPathExpression, [(XPathComparison, XPathExpression)])
  case arithmetic(XPathExpression, [(XPathOperation, XPathExpression)])
  /// A number with one sign or several.
  case signed(XPathExpression, isNegative: Bool)
  case union([XPathExpression])
  case path(XPathLocation)
  case call(XPathFunction, [XPathExpression])

  var type: XPathType {
    switch self {
    case .string: .string
    case .number, .arithmetic, .signed: .number
    case .or, .and, .comparison: .boolean
    case .union, .path: .nodeSet
    case .call(let name, _): name.result
    }
  }
}

enum XPathComparison: Sendable { case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual }

enum XPathOperation: Sendable { case plus, minus, times, divided, remainder }

/// A location path, or one that continues from another expression's nodes.
struct XPathLocation: Sendable {
  enum Start: Sendable {
    case root, context
    case nodes(XPathExpression, [XPathPredicate])
  }

  let start: Start
  private(set) var steps: [XPathStep] = []

  init(_ start: Start, _ steps: some Sequence<XPathStep> = []) {
    self.start = start
    for step in steps { append(step) }
  }

  /// `//a` is `/descendant-or-self::node()/child::a`, which finds the same as `/descendant::a` unless positions count.
  private mutating func append(_ step: XPathStep) {
    if step.axis == .child, !step.predicates.contains(where: \.isPositional), let last = steps.last,
      last.axis == .descendantOrSelf, case .node = last.test, last.predicates.isEmpty
    {
      steps[steps.count - 1] = XPathStep(axis: .descendant, test: step.test, predicates: step.predicates)
    } else {
      steps.append(step)
    }
  }
}

struct XPathStep: Sendable {
  let axis: XPathAxis
  let test: XPathNodeTest
  var predicates: [XPathPredicate] = []
}

struct XPathPredicate: Sendable {
  let expression: XPathExpression
  /// Indicates whether it may depend on a node's position among the others.
  let isPositional: Bool
}

enum XPathAxis: String, Sendable, CaseIterable {
  case ancestor
  case ancestorOrSelf = "ancestor-or-self"
  case attribute, child, descendant
  case descendantOrSelf = "descendant-or-self"
  case following
  case followingSibling = "following-sibling"
  case namespace, parent, preceding
  case precedingSibling = "preceding-sibling"
  case `self`
}

enum XPathNodeTest: Sendable {
  case node, text, comment
  /// A processing instruction with that target, or any.
  case processingInstruction(String?)
  /// Nodes of the axis's principal type: all, those of a namespace by its prefix, or those of a name.
  case any
  case namespace(String)
  case name(prefix: String?, String)
}
