import DocumentQueries
import OperatingSystem
import Values

/// Matches a value with a shape.
///
/// A class, since all levels of a value share its caches.
final class ShapeMatcher {
  /// Indicates whether other members and items than the listed ones are allowed.
  let isPartial: Bool
  let isUnordered: Bool
  /// The number of pairs of items that may be compared.
  private var budget = 1_000_000
  /// The depth of nested pairings, which take much stack.
  private var depth = 0
  private static let depthLimit = 100
  private(set) var isExhausted = false
  private var forms = CanonicalForms()
  private let meter = EvaluationBudget.meter

  init(isPartial: Bool = false, isUnordered: Bool = false) {
    self.isPartial = isPartial
    self.isUnordered = isUnordered
  }

  func spend() -> Bool {
    budget -= 1
    if budget < 0 || meter.isOver() { isExhausted = true }
    return !isExhausted
  }

  func giveUp() { isExhausted = true }

  func holds(_ shape: Shape, _ actual: Value) -> Bool {
    if meter.isOver(after: 2) { giveUp() }
    if isExhausted { return false }
    switch shape {
    case .value(let value):
      if isPlain(value) || !(isPartial || isUnordered) { return isEqual(value, actual) }
      if !isPartial, let number = forms.number(of: value), let other = forms.number(of: actual) {
        return number == other
      }
      return value.kind == actual.kind ? holds(shape.expanded, actual) : isEqual(value, actual)
    case .anything: return true
    case .kind(let kind): return isOf(kind, actual)
    case .pattern, .predicates: return leafOutcomes(shape, actual, at: .root("")).allSatisfy(\.holds)
    case .each(let item):
      guard case .list(let items) = actual, !items.isEmpty else { return false }
      return items.allSatisfy { holds(item, $0) }
    case .list(let parts):
      guard case .list(let items) = actual, isPartial ? parts.count <= items.count : parts.count == items.count else {
        return false
      }
      if parts.count == 1, items.count == 1 { return holds(parts[0], items[0]) }
      if isPartial || isUnordered { return !pairing(parts, items, stopsEarly: true).contains(nil) }
      return zip(parts, items).allSatisfy { holds($0, $1) }
    case .object(let members):
      guard case .mapping(let mapping) = actual else { return false }
      return isPartial ? includes(members, in: mapping) : equals(members, mapping)
    }
  }

  /// The outcomes for a shape in place of a value without parts.
  func leafOutcomes(_ shape: Shape, _ actual: Value, at place: Place) -> [MatchOutcome] {
    let predicates: [Predicate]
    switch shape {
    case .kind(let kind): predicates = [Predicate(.isKind, .kind(kind))]
    case .pattern(let expression): predicates = [Predicate(.matches, .pattern(expression))]
    case .predicates(let inner): predicates = inner
    default: return []
    }
    let evaluator = PredicateEvaluator(place: place)
    let target = MatchTarget(actual)
    return predicates.map { evaluator.outcome(of: $0, against: target) }
  }

  // MARK: objects

  private func includes(_ members: [Shape.Member], in mapping: Mapping) -> Bool {
    let found = mapping.count > 8 ? mapping.grouped : nil
    return members.allSatisfy { member in
      let value = found.map { $0[member.key]?.last } ?? mapping.last(member.key)
      return value.map { holds(member.shape, $0) } ?? ShapeMatcher.mayBeAbsent(member)
    }
  }

  private func equals(_ members: [Shape.Member], _ mapping: Mapping) -> Bool {
    if let decision = equalsInOrder(members, mapping) { return decision }
    var rest = mapping.grouped.mapValues { $0[...] }
    var count = 0
    for member in members {
      if let value = rest[member.key]?.popFirst() {
        count += 1
        guard holds(member.shape, value) else { return false }
      } else if !ShapeMatcher.mayBeAbsent(member) {
        return false
      }
    }
    return count == mapping.count
  }

  /// The same for members in the order of the shape, as they mostly are; nil if they aren't.
  private func equalsInOrder(_ members: [Shape.Member], _ mapping: Mapping) -> Bool? {
    var position = 0
    for member in members {
      if position < mapping.count, mapping.members[position].key == member.key {
        guard holds(member.shape, mapping.members[position].value) else { return false }
        position += 1
      } else if !member.isOptional {
        return nil
      }
    }
    return position == mapping.count ? true : nil
  }

  /// Returns whether a member may be absent: an optional one, or one with predicates that hold for a missing value,
  /// such as `exists: false`.
  static func mayBeAbsent(_ member: Shape.Member) -> Bool {
    if member.isOptional { return true }
    guard case .predicates(let predicates) = member.shape else { return false }
    return PredicateEvaluator(place: .root("")).outcome(of: predicates, against: .missing).holds
  }

  // MARK: lists

  /// The position of the item that each part is paired with; nil if none is left for it.
  func pairing(_ parts: [Shape], _ items: [Value], stopsEarly: Bool) -> [Int?] {
    var result = [Int?](repeating: nil, count: parts.count)
    var isTaken = [Bool](repeating: false, count: items.count)
    var searched: [Int] = []
    // Values that equal nothing but themselves need no search: equal items are interchangeable.
    var positions: [Int: [Int]] = [:]
    let canCross = items.contains(where: crossesTypes)
    if !canCross {
      for (position, item) in items.enumerated().reversed() {
        if let number = number(of: item) { positions[number, default: []].append(position) }
      }
    }
    for (index, part) in parts.enumerated() {
      if !canCross, case .value(let value) = part, let number = number(of: value) {
        result[index] = positions[number]?.popLast()
        if let position = result[index] { isTaken[position] = true }
        if result[index] == nil, stopsEarly { return result }
      } else {
        searched.append(index)
      }
    }
    guard !searched.isEmpty else { return result }
    guard depth < ShapeMatcher.depthLimit else {
      giveUp()
      return result
    }
    depth += 1
    defer { depth -= 1 }
    let candidates = items.indices.filter { !isTaken[$0] }
    var pairs = ItemPairing(searched.map { parts[$0].expanded }, candidates.map { items[$0] })
    pairs.run(self, stopsEarly: stopsEarly)
    for (part, candidate) in zip(searched, pairs.itemOfPart) { result[part] = candidate.map { candidates[$0] } }
    return result
  }

  /// A number that distinguishes a value from all that it doesn't match.
  private func number(of value: Value) -> Int? {
    isPartial && !isPlain(value) ? nil : forms.number(of: value)
  }
}

extension Mapping {
  /// The value of the last member of that name, compared byte by byte.
  func last(_ key: Text) -> Value? {
    members.last { $0.key == key }?.value
  }
}
