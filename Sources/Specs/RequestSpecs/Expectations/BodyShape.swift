import DocumentQueries
import Matching
import Values
import YAMLNodes

/// The form of a JSON value, without the values themselves: what is expected of the next response.
package indirect enum BodyShape {
  case any, null, boolean, integer, number
  /// A text; nil for one of no known form.
  case text(MatchKind?)
  /// An array that may be empty.
  case array
  case list(of: BodyShape)
  /// An object with members that are not part of its form, such as ones named after identifiers.
  case anyObject
  case object([Member])
  case nullable(BodyShape)

  package struct Member {
    let name: String
    var shape: BodyShape
    var isOptional = false
  }

  private static let kinds: [MatchKind] = [.uuid, .datetime, .date, .email, .ipv4, .ipv6, .url]
  private static let deepest = 16
  /// An object with more members is probably a dictionary.
  private static let maxMembers = 100

  package init(_ node: JSONNode) { self.init(node, depth: 0) }

  private init(_ node: JSONNode, depth: Int) {
    switch node.kind {
    case .null: self = .null
    case .boolean: self = .boolean
    case .number: self = node.text.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: "-") }) ? .integer : .number
    case .list:
      guard depth < Self.deepest, let first = node[0] else {
        self = .array
        return
      }
      let items = node.itemList.dropFirst().prefix(10_000)
      self = .list(
        of: items.reduce(BodyShape(first, depth: depth + 1)) {
          $0.merged(with: BodyShape($1, depth: depth + 1))
        })
    case .mapping:
      guard depth < Self.deepest, node.count <= Self.maxMembers else {
        self = .anyObject
        return
      }
      var members: [Member] = []
      for (name, value) in node.members where !members.contains(where: { $0.name == name }) {
        members.append(Member(name: name, shape: BodyShape(value, depth: depth + 1)))
      }
      self = .object(members)
    default:
      guard case .text(let text) = node.value else {
        self = .any
        return
      }
      self = .text(Self.kinds.first { hasForm($0, text.string) })
    }
  }

  /// The form of both.
  private func merged(with other: BodyShape) -> BodyShape {
    switch (self, other) {
    case (.any, _), (_, .any): .any
    case (.null, .null): .null
    case (.null, .nullable(let shape)), (.nullable(let shape), .null): .nullable(shape)
    case (.nullable(let one), .nullable(let two)), (.nullable(let one), let two), (let one, .nullable(let two)):
      .nullable(one.merged(with: two))
    case (.null, let shape), (let shape, .null): .nullable(shape)
    case (.boolean, .boolean): .boolean
    case (.integer, .integer): .integer
    case (.number, .number), (.integer, .number), (.number, .integer): .number
    case (.text(let one), .text(let two)): .text(one == two ? one : nil)
    case (.list(let one), .list(let two)): .list(of: one.merged(with: two))
    case (.array, .list), (.list, .array), (.array, .array): .array
    case (.object(let one), .object(let two)): .object(Self.merged(one, two))
    case (.anyObject, .object), (.object, .anyObject), (.anyObject, .anyObject): .anyObject
    default: .any
    }
  }

  private static func merged(_ one: [Member], _ two: [Member]) -> [Member] {
    var result = one
    for index in result.indices {
      if let other = two.first(where: { $0.name == result[index].name }) {
        result[index].shape = result[index].shape.merged(with: other.shape)
        result[index].isOptional = result[index].isOptional || other.isOptional
      } else {
        result[index].isOptional = true
      }
    }
    for member in two where !one.contains(where: { $0.name == member.name }) {
      result.append(Member(name: member.name, shape: member.shape, isOptional: true))
    }
    return result
  }

  // MARK: In a spec

  /// The expectation on a whole body.
  package var expectation: YAMLNode {
    if case .object(let members) = self, !members.isEmpty {
      return .mapping([("includes", .mapping(members.map { ($0.name, $0.node) }))])
    }
    return node(isOptional: false)
  }

  fileprivate func node(isOptional: Bool) -> YAMLNode {
    switch self {
    case .any, .null: return .kind("any", isOptional: isOptional)
    case .boolean: return .kind("boolean", isOptional: isOptional)
    case .integer: return .kind("integer", isOptional: isOptional)
    case .number: return .kind("number", isOptional: isOptional)
    case .array: return .kind("array", isOptional: isOptional)
    case .anyObject: return .kind("object", isOptional: isOptional)
    case .text(.date?): return YAMLNode.mapping([("is", .text("date"))]).tagged("is", isOptional: isOptional)
    case .text(let kind): return .kind(kind?.rawValue ?? "string", isOptional: isOptional)
    case .nullable(let shape):
      return YAMLNode.mapping([("one_of", .list([.null, shape.node(isOptional: false)]))]).tagged(
        "is", isOptional: isOptional)
    case .list(let item):
      if case .object(let members) = item, !members.isEmpty, !item.hasNamesOfPredicates {
        return YAMLNode.mapping(members.map { ($0.name, $0.node) }).tagged("each", isOptional: isOptional)
      }
      return YAMLNode.list([item.node(isOptional: false)]).tagged("each", isOptional: isOptional)
    case .object(let members):
      if members.isEmpty || hasNamesOfPredicates && isOptional { return .kind("object", isOptional: isOptional) }
      let mapping = YAMLNode.mapping(members.map { ($0.name, $0.node) })
      if hasNamesOfPredicates { return mapping.withMapTag }
      return isOptional ? mapping.tagged("optional") : mapping
    }
  }

  /// Indicates whether all its names are those of predicates, so that it would be taken for these.
  private var hasNamesOfPredicates: Bool {
    if case .object(let members) = self { members.allSatisfy { PredicateKind.named($0.name) != nil } } else { false }
  }
}

extension BodyShape.Member {
  fileprivate var node: YAMLNode { shape.node(isOptional: isOptional) }
}
