internal import CLibXML2
import LibC
import OperatingSystem

/// Evaluates one expression on one document.
///
/// A step finds each node once, and all work counts. That of libxml2 does neither: its `opLimit` counts visited nodes,
/// but not how it drops those that it reaches in several ways, nor how `=` and `<` compare. With 2.9.14,
/// `//div//div//div//span` in 100 nested elements (1.1 KB) takes 14 s and counts 101 operations, and
/// `//a/following-sibling::a` on 20,000 elements doesn't stop within a minute, with a limit of 10 million.
struct XPathEvaluator {
  /// The context of predicates.
  struct Context {
    var node: XPathNode
    var position = 1
    var size = 1
  }

  /// The maximum size of text held at a time, in bytes.
  static let textLimit = 64 << 20

  let document: MarkupDocument
  private let namespaces: [String: String]
  /// The whole expression, for errors.
  let whole: Range<Int>
  /// The number of steps left: a step is a visited node, or some bytes of text.
  private var stepsLeft: Int
  private let meter = EvaluationBudget.meter

  init(_ document: MarkupDocument, _ xpath: XPath, namespaces: [(prefix: String, uri: String)]) {
    self.document = document
    self.namespaces = Dictionary(namespaces.map { ($0.prefix, $0.uri) }, uniquingKeysWith: { $1 })
    whole = 0..<xpath.text.utf8.count
    stepsLeft = document.stepLimit
  }

  mutating func spend(_ steps: Int = 1) throws(XPathError) {
    stepsLeft -= steps
    guard stepsLeft >= 0 else {
      throw XPathError(
        "the query takes too much work on this document", whole,
        help: "`//` inside of `[…]` multiplies; name the elements on the way")
    }
    if meter.isOver(after: steps) { throw XPathError("the query takes too long on this document", whole) }
  }

  func namespaceURI(of prefix: String) throws(XPathError) -> String {
    if let uri = namespaces[prefix] { return uri }
    if prefix == "xml" { return "http://www.w3.org/XML/1998/namespace" }
    throw XPathError("the prefix `\(prefix)` stands for no namespace", whole)
  }

  // MARK: expressions

  mutating func value(of expression: XPathExpression, _ context: Context) throws(XPathError) -> XPathValue {
    switch expression {
    case .string(let text): return .string(text)
    case .number(let number): return .number(number)
    case .or(let operands):
      for operand in operands where try boolean(operand, context) { return .boolean(true) }
      return .boolean(false)
    case .and(let operands):
      for operand in operands where try !boolean(operand, context) { return .boolean(false) }
      return .boolean(true)
    case .comparison(let first, let rest):
      var left = try value(of: first, context)
      for (comparison, operand) in rest {
        left = .boolean(try compare(left, comparison, try value(of: operand, context)))
      }
      return left
    case .arithmetic(let first, let rest):
      var result = try number(try value(of: first, context))
      for (operation, operand) in rest {
        let right = try number(try value(of: operand, context))
        switch operation {
        case .plus: result += right
        case .minus: result -= right
        case .times: result *= right
        case .divided: result /= right
        case .remainder: result = result.truncatingRemainder(dividingBy: right)
        }
      }
      return .number(result)
    case .signed(let operand, let isNegative):
      let number = try number(try value(of: operand, context))
      return .number(isNegative ? -number : number)
    case .union(let operands):
      var nodes: [XPathNode] = []
      for operand in operands { nodes += try self.nodes(of: operand, context) }
      return .nodes(try sorted(nodes))
    case .path(let location): return .nodes(try nodes(of: location, context))
    case .call(let function, let arguments): return try call(function, arguments, context)
    }
  }

  mutating func nodes(of expression: XPathExpression, _ context: Context) throws(XPathError) -> [XPathNode] {
    guard case .nodes(let nodes) = try value(of: expression, context) else { return [] }
    return nodes
  }

  mutating func boolean(_ expression: XPathExpression, _ context: Context) throws(XPathError) -> Bool {
    if case .path(let location) = expression { return try exists(location, context) }
    return boolean(try value(of: expression, context))
  }

  // MARK: conversions

  func boolean(_ value: XPathValue) -> Bool {
    switch value {
    case .nodes(let nodes): !nodes.isEmpty
    case .string(let text): !text.isEmpty
    case .number(let number): number != 0 && !number.isNaN
    case .boolean(let flag): flag
    }
  }

  mutating func number(_ value: XPathValue) throws(XPathError) -> Double {
    switch value {
    case .number(let number): return number
    case .boolean(let flag): return flag ? 1 : 0
    case .string(let text):
      try spend(1 + text.utf8.count >> 4)
      return xpathNumber(text)
    case .nodes(let nodes):
      return xpathNumber(try nodes.first.map { (node) throws(XPathError) in try text(of: node) } ?? "")
    }
  }

  mutating func string(_ value: XPathValue) throws(XPathError) -> String {
    switch value {
    case .string(let text): text
    case .boolean(let flag): flag ? "true" : "false"
    case .number(let number): xpathString(number)
    case .nodes(let nodes): try nodes.first.map { (node) throws(XPathError) in try text(of: node) } ?? ""
    }
  }

  /// The string-value of a node.
  mutating func text(of node: XPathNode) throws(XPathError) -> String {
    var bytes: [UInt8] = []
    var problem: XPathError?
    node.forEachText { piece in
      let count = strlen(UnsafeRawPointer(piece).assumingMemoryBound(to: CChar.self))
      do throws(XPathError) {
        try spend(1 + count >> 4)
        try checkSize(bytes.count + count)
        bytes.append(contentsOf: UnsafeBufferPointer(start: piece, count: count))
      } catch {
        problem = error
      }
      return problem == nil
    }
    if let problem { throw problem }
    return String(decoding: bytes, as: UTF8.self)
  }

  func checkSize(_ size: Int) throws(XPathError) {
    guard size <= XPathEvaluator.textLimit else {
      throw XPathError(
        "the query makes a text larger than \(XPathEvaluator.textLimit >> 20) MiB", whole,
        help: "an element's text is that of all elements inside: name those that are wanted")
    }
  }

  // MARK: comparisons (section 3.4)

  private mutating func compare(
    _ left: XPathValue, _ comparison: XPathComparison, _ right: XPathValue
  ) throws(XPathError) -> Bool {
    switch (left, right) {
    case (.nodes, .boolean), (.boolean, .nodes):
      return holds(comparison, .boolean(boolean(left)), .boolean(boolean(right)))
    case (.nodes(let a), .nodes(let b)):
      return try compareAll(try texts(of: a), comparison, try texts(of: b))
    case (.nodes(let a), let other):
      for node in a where holds(comparison, .string(try text(of: node)), other) { return true }
      return false
    case (let other, .nodes(let b)):
      for node in b where holds(comparison, other, .string(try text(of: node))) { return true }
      return false
    default: return holds(comparison, left, right)
    }
  }

  /// Returns whether a comparison is true for any pair.
  private mutating func compareAll(
    _ left: Set<String>, _ comparison: XPathComparison, _ right: Set<String>
  ) throws(XPathError) -> Bool {
    guard let first = left.first, let second = right.first else { return false }
    switch comparison {
    case .equal: return !left.isDisjoint(with: right)
    case .notEqual: return left.count > 1 || right.count > 1 || first != second
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let (a, b) = (
        left.map { xpathNumber($0) }.filter { !$0.isNaN }, right.map { xpathNumber($0) }.filter { !$0.isNaN }
      )
      guard let least = a.min(), let most = a.max(), let otherLeast = b.min(), let otherMost = b.max() else {
        return false
      }
      let isAscending = comparison == .less || comparison == .lessOrEqual
      return holds(
        comparison, .number(isAscending ? least : most), .number(isAscending ? otherMost : otherLeast))
    }
  }

  private mutating func texts(of nodes: [XPathNode]) throws(XPathError) -> Set<String> {
    var result: Set<String> = []
    var size = 0
    for node in nodes {
      let (isNew, text) = result.insert(try text(of: node))
      if isNew { size += text.utf8.count }
      try checkSize(size)
    }
    return result
  }

  /// Evaluates a comparison between values that aren't node-sets.
  private func holds(_ comparison: XPathComparison, _ left: XPathValue, _ right: XPathValue) -> Bool {
    switch comparison {
    case .equal: return areEqual(left, right)
    case .notEqual: return !areEqual(left, right)
    default:
      let (a, b) = (plainNumber(left), plainNumber(right))
      switch comparison {
      case .less: return a < b
      case .lessOrEqual: return a <= b
      case .greater: return a > b
      default: return a >= b
      }
    }
  }

  private func areEqual(_ left: XPathValue, _ right: XPathValue) -> Bool {
    switch (left, right) {
    case (.boolean, _), (_, .boolean): boolean(left) == boolean(right)
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    default: plainNumber(left) == plainNumber(right)
    }
  }

  private func plainNumber(_ value: XPathValue) -> Double {
    switch value {
    case .number(let number): number
    case .string(let text): xpathNumber(text)
    case .boolean(let flag): flag ? 1 : 0
    case .nodes: .nan
    }
  }
}
