/// A JSONPath query (RFC 9535), validated when it is read.
///
/// For duplicate members, a name selects the last one, and a wildcard all of them. A literal pattern of `match()` or
/// `search()` that isn't a regular expression is an error of the path; in the RFC it matches nothing.
package struct JSONPath: Sendable {
  package let text: String
  let query: JSONPathQuery
  /// The number of absolute queries in its filters, numbered from 0.
  let absoluteQueryCount: Int

  package init(_ text: String) throws(JSONPathError) {
    var parser = JSONPathParser(text)
    query = try parser.parse()
    absoluteQueryCount = parser.absoluteQueryCount
    self.text = text
  }

  /// Indicates whether the text alone guarantees at most one node (RFC 9535, section 2.3.5.1).
  package var isSingular: Bool { query.isSingular }
  /// Indicates whether it has slices, and each is of one item.
  package var isOfOneItem: Bool {
    !isSingular
      && query.segments.allSatisfy { segment in
        switch segment.onlySelector {
        case .name, .index: true
        case .slice(let start, let end?, 1): (start ?? 0) >= 0 && end >= 0 && end - (start ?? 0) < 2
        default: false
        }
      }
  }

  /// A step to children.
  package enum Step: Sendable {
    case name(String)
    case index(Int)
    case all
  }

  /// The names, indices and wildcards that the path consists of; nil for any other path.
  package var steps: [Step]? {
    var steps: [Step] = []
    for segment in query.segments {
      switch segment.onlySelector {
      case .name(let name): steps.append(.name(String(decoding: name, as: UTF8.self)))
      case .index(let index): steps.append(.index(index))
      case .wildcard: steps.append(.all)
      case .slice, .filter, nil: return nil
      }
    }
    return steps
  }

  /// The name of the root's member that contains all selected nodes; nil if the path doesn't start with a name.
  package var firstName: String? {
    guard case .name(let name)? = query.segments.first?.onlySelector else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  /// The names of members that are read of the items of the root, which is a list.
  package var namesOfItems: [String] {
    guard let first = query.segments.first else { return [] }
    var names: [String] = []
    switch first.onlySelector {
    case .filter(let condition): names = condition.memberNames
    case .index, .wildcard, .slice: break
    case .name, nil: return []
    }
    guard query.segments.count > 1, case .name(let name)? = query.segments[1].onlySelector else { return names }
    return names + [String(decoding: name, as: UTF8.self)]
  }

  /// The maximum number of nodes that a query may select, in its intermediate lists too.
  package static let nodeLimit = 10_000_000

  /// The nodes that the query selects, in document order where RFC 9535 leaves the order open.
  ///
  /// A query whose work is out of proportion to the document's size fails.
  package func nodes(in document: JSONDocument) throws(JSONPathError) -> JSONNodeList {
    try selection(in: document).nodes
  }

  /// The nodes, and whether a name on the way to them is a duplicate.
  ///
  /// - Parameter nodeLimit: the maximum number of nodes in a list, at four bytes each.
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

/// The result of a query.
package struct JSONSelection: Sendable {
  package let nodes: JSONNodeList
  /// The first duplicate name of an object on the way; the last member counts.
  package let ambiguity: JSONRepeatedMember?
}

/// An error in a JSONPath, or of a query while it runs.
package struct JSONPathError: Error, Sendable, Hashable {
  package let message: String
  /// The part of the path that the error is about, in bytes of its UTF-8; empty if something is missing.
  package let range: Range<Int>
  /// Advice on what to write instead.
  package var help: String?
}

/// A query: where it starts, and its segments.
struct JSONPathQuery: Sendable {
  enum Start: Sendable, Hashable {
    /// `$`, with the query's number if it is in a filter: there its nodes are always the same.
    case root(number: Int?)
    /// `@`
    case current
  }

  struct Segment: Sendable {
    let isDescendant: Bool
    let selectors: [Selector]

    /// The selector for children; nil if there are several, or it is one for descendants.
    var onlySelector: Selector? { !isDescendant && selectors.count == 1 ? selectors[0] : nil }
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

  /// The name of the member of `@` that it begins with, if there is one.
  fileprivate var memberName: String? {
    guard case .name(let name)? = segments.first?.onlySelector else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  init(start: Start, segments: [Segment]) {
    self.start = start
    self.segments = segments
    isSingular = segments.allSatisfy { segment in
      switch segment.onlySelector {
      case .name, .index: true
      case .wildcard, .slice, .filter, nil: false
      }
    }
  }
}

/// A condition of a filter.
indirect enum JSONPathCondition: Sendable {
  enum Comparison: Sendable { case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual }

  case or([JSONPathCondition])
  case and([JSONPathCondition])
  case not(JSONPathCondition)
  case exists(JSONPathQuery)
  case compare(JSONPathOperand, Comparison, JSONPathOperand)
  case matches(JSONPathOperand, JSONPathPattern)

  /// The names of members of `@` that it reads.
  var memberNames: [String] { queries.compactMap(\.memberName) }

  /// The queries from `@`.
  var queries: [JSONPathQuery] {
    switch self {
    case .or(let parts), .and(let parts): parts.flatMap(\.queries)
    case .not(let condition): condition.queries
    case .exists(let query): query.start == .current ? [query] : []
    case .compare(let left, _, let right): left.queries + right.queries
    case .matches(let text, let pattern): text.queries + pattern.operand.queries
    }
  }
}

/// An operand that has a value, or nothing (RFC 9535's ValueType).
indirect enum JSONPathOperand: Sendable {
  case literal(JSONPathValue)
  /// A singular query.
  case query(JSONPathQuery)
  case length(JSONPathOperand)
  case count(JSONPathQuery)
  case value(JSONPathQuery)

  fileprivate var queries: [JSONPathQuery] {
    switch self {
    case .literal: []
    case .query(let query), .count(let query), .value(let query): query.start == .current ? [query] : []
    case .length(let operand): operand.queries
    }
  }
}

/// The second argument of `match()` or `search()`.
struct JSONPathPattern: Sendable {
  let operand: JSONPathOperand
  /// The compiled pattern, if it is a literal.
  let expression: RegularExpression?
  /// Indicates whether the whole text must match: `match()`.
  let isAnchored: Bool
  let range: Range<Int>
}
