import DocumentQueries
import Values

/// An expected value with tags in place of values: `{id: !uuid, name: Ann}`.
package indirect enum Shape: Sendable {
  case value(Value)
  /// `!any`: any value, null too.
  case anything
  /// `!uuid` and the like.
  case kind(MatchKind)
  /// `!regex …`: matches anywhere in a text.
  case pattern(RegularExpression)
  /// `!each …`: a non-empty list whose items all match.
  case each(Shape)
  /// `!is {…}`
  case predicates([Predicate])
  case list([Shape])
  case object([Member])

  package struct Member: Sendable {
    package let key: Text
    package let shape: Shape
    /// Indicates whether it may be absent: `!optional …`, `!uuid?`.
    package let isOptional: Bool

    package init(key: Text, shape: Shape, isOptional: Bool = false) {
      self.key = key
      self.shape = shape
      self.isOptional = isOptional
    }
  }

  /// The shapes as one; a value if there are only values.
  package static func joined(_ items: [Shape]) -> Shape {
    var values: [Value] = []
    values.reserveCapacity(items.count)
    for item in items {
      guard case .value(let value) = item else { return .list(items) }
      values.append(value)
    }
    return .value(.list(values))
  }

  /// The members as one object; a value if there are only values.
  package static func joined(_ members: [Member]) -> Shape {
    var values: [Mapping.Member] = []
    values.reserveCapacity(members.count)
    for member in members {
      guard case .value(let value) = member.shape, !member.isOptional else { return .object(members) }
      values.append(Mapping.Member(key: member.key, value: value))
    }
    return .value(.mapping(Mapping(values)))
  }

  /// The same with the items or members of a value as separate shapes.
  var expanded: Shape {
    switch self {
    case .value(.list(let items)): .list(items.map { .value($0) })
    case .value(.mapping(let mapping)): .object(mapping.members.map { Member(key: $0.key, shape: .value($0.value)) })
    default: self
    }
  }

  /// The type that a value must have to match; nil for several or any.
  var requiredKind: ValueKind? {
    switch self {
    case .value(let value): value.kind
    case .list, .each, .kind(.array): .list
    case .object, .kind(.object): .mapping
    case .anything, .kind, .pattern, .predicates: nil
    }
  }
}

/// An expectation by a ``Shape``, or of lists in any order.
package struct ShapedPredicate: Sendable {
  package enum Use: Sendable, Hashable { case equals, includes, contains, oneOf }

  package let use: Use
  /// The shape; for ``Use/oneOf`` the list of shapes.
  package let shape: Shape
  package let isNegated: Bool
  /// Indicates whether the lists inside may be in any order.
  package let isUnordered: Bool

  /// The expectation of a predicate whose operand may be a shape.
  package init(of kind: PredicateKind, _ shape: Shape, isUnordered: Bool = false) {
    let use: Use =
      switch kind.operand {
      case .list: .oneOf
      case .members: .includes
      case .part: .contains
      default: .equals
      }
    self.init(use, shape, isNegated: kind.isNegation, isUnordered: isUnordered)
  }

  package init(_ use: Use, _ shape: Shape, isNegated: Bool = false, isUnordered: Bool = false) {
    self.use = use
    self.shape = shape
    self.isNegated = isNegated
    self.isUnordered = isUnordered
  }

  var kind: PredicateKind {
    switch use {
    case .equals: isNegated ? .notEquals : .equals
    case .includes: .includes
    case .contains: isNegated ? .notContains : .contains
    case .oneOf: .oneOf
    }
  }
}

extension ShapedPredicate {
  /// Indicates whether a value must have the listed members and no others, or be one of several such.
  package var demandsAll: Bool {
    guard !isNegated else { return false }
    switch (use, shape) {
    case (.equals, .object), (.equals, .value), (.equals, .list), (.oneOf, _): return true
    default: return false
    }
  }

  /// Returns whether it mentions a member of that name.
  package func names(member name: String) -> Bool {
    switch (use, shape) {
    case (.equals, .object(let members)), (.includes, .object(let members)):
      members.contains { $0.key.string == name }
    case (.equals, .value(.mapping(let mapping))), (.includes, .value(.mapping(let mapping))): mapping[name] != nil
    case (.equals, .predicates(let predicates)):
      predicates.contains { if case .shape(let inner) = $0.operand { inner.names(member: name) } else { false } }
    default: false
    }
  }
}
