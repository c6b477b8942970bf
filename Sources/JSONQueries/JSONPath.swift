internal import RegularExpressions

/// A JSONPath query (RFC 9535), checked when it is read.
///
/// Where an object has several members of a name, the name selects the last one, and a wildcard all of them. A literal
/// pattern of `match()` or `search()` that is no regular expression is an error of the path; the RFC would have it match
/// nothing.
package struct JSONPath: Sendable {
  package let text: String
  let query: JSONPathQuery
  /// How many absolute queries its filters have, numbered from 0.
  let absoluteQueryCount: Int

  package init(_ text: String) throws(JSONPathError) {
    var parser = JSONPathParser(text)
    query = try parser.parse()
    absoluteQueryCount = parser.absoluteQueryCount
    self.text = text
  }

  /// Whether the text alone tells that there is at most one node (RFC 9535, section 2.3.5.1).
  package var isSingular: Bool { query.isSingular }

  /// The name of the root's member that all it selects is or lies in; nil where the path tells of no such name.
  package var firstName: String? {
    guard let segment = query.segments.first, !segment.isDescendant, segment.selectors.count == 1,
      case .name(let name) = segment.selectors[0]
    else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  /// How many nodes a query may find, on its way too.
  package static let nodeLimit = 10_000_000

  /// The nodes that the query selects, in document order where RFC 9535 leaves the order open.
  ///
  /// A query that takes more work than the document's size explains ends with an error.
  package func nodes(in document: JSONDocument) throws(JSONPathError) -> JSONNodeList {
    try selection(in: document).nodes
  }

  /// The nodes, and whether a name on the way to them leads to several.
  ///
  /// - Parameter nodeLimit: how many nodes a list may have, at four bytes each.
  package func selection(
    in document: JSONDocument, nodeLimit: Int = JSONPath.nodeLimit
  ) throws(JSONPathError) -> JSONSelection {
    if let node = document.node(at: self) { return JSONSelection(nodes: JSONNodeList(node), ambiguity: nil) }
    var evaluator = JSONPathEvaluator(document: document, path: self, nodeLimit: min(nodeLimit, JSONPath.nodeLimit))
    let nodes =
      isSingular
      ? try evaluator.node(ofSingular: query, from: 0).map { [UInt32(truncatingIfNeeded: $0)] } ?? []
      : try evaluator.nodes(of: query, from: 0)
    return JSONSelection(
      nodes: JSONNodeList(document: document, positions: nodes),
      ambiguity: evaluator.ambiguity.map { document.repeatedMember($0.name, ofObjectAt: $0.object) })
  }
}

/// What a query selects.
package struct JSONSelection: Sendable {
  package let nodes: JSONNodeList
  /// The first name that an object on the way has more than once; the last member counts.
  package let ambiguity: JSONRepeatedMember?
}

/// What is wrong with a JSONPath, or with a query while it runs.
package struct JSONPathError: Error, Sendable, Hashable {
  package let message: String
  /// The part of the path that the error is about, in bytes of its UTF-8; empty where something is missing.
  package let range: Range<Int>
  /// What to write instead.
  package let help: String?

  package init(message: String, range: Range<Int>, help: String? = nil) {
    self.message = message
    self.range = range
    self.help = help
  }
}

/// A query: where it starts, and its segments.
struct JSONPathQuery: Sendable {
  enum Start: Sendable, Hashable {
    /// `$`, with the query's number if it stands in a filter: there its nodes are always the same.
    case root(number: Int?)
    /// `@`
    case current
  }

  struct Segment: Sendable {
    let isDescendant: Bool
    let selectors: [Selector]
  }

  enum Selector: Sendable {
    case name([UInt8])
    case wildcard
    case index(Int)
    case slice(start: Int?, end: Int?, step: Int)
    case filter(JSONPathCondition)
  }

  let start: Start
  let segments: [Segment]
  let isSingular: Bool

  init(start: Start, segments: [Segment]) {
    self.start = start
    self.segments = segments
    isSingular = segments.allSatisfy { segment in
      guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
      switch segment.selectors[0] {
      case .name, .index: return true
      case .wildcard, .slice, .filter: return false
      }
    }
  }
}

/// What a filter asks of a node.
indirect enum JSONPathCondition: Sendable {
  enum Comparison: Sendable { case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual }

  case or([JSONPathCondition])
  case and([JSONPathCondition])
  case not(JSONPathCondition)
  case exists(JSONPathQuery)
  case compare(JSONPathOperand, Comparison, JSONPathOperand)
  case matches(JSONPathOperand, JSONPathPattern)
}

/// Something that has a value, or nothing (RFC 9535's ValueType).
indirect enum JSONPathOperand: Sendable {
  case literal(JSONPathValue)
  /// A singular query.
  case query(JSONPathQuery)
  case length(JSONPathOperand)
  case count(JSONPathQuery)
  case value(JSONPathQuery)
}

/// The second argument of `match()` or `search()`.
struct JSONPathPattern: Sendable {
  let operand: JSONPathOperand
  /// The compiled pattern, if it is a literal.
  let expression: RegularExpression?
  /// Whether the whole text must match: `match()`.
  let isAnchored: Bool
  let range: Range<Int>
}
