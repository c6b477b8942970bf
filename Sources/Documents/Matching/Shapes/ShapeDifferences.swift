import Values

/// Collects the differences between a value and a shape.
struct ShapeDifferences {
  private let matcher: ShapeMatcher
  private(set) var collector = DifferenceCollector()
  /// The hint at the item most similar to a missing one, with its differences.
  private(set) var nearestHint: String?
  /// The number of further missing parts that may be compared with existing items.
  private var searchesForNearest = 3

  init(_ matcher: ShapeMatcher) { self.matcher = matcher }

  mutating func collect(_ shape: Shape, _ actual: Value, at place: Place) {
    let isExact = !matcher.isPartial && !matcher.isUnordered
    switch (shape, actual) {
    case (.value(let value), _) where isExact: collector.compare(value, actual, at: place)
    case (.value(let value), _) where isPlain(value) || value.kind != actual.kind:
      if !matcher.holds(shape, actual) { collector.add(.changed, at: place, expected: value, actual: actual) }
    case (.value, .list), (.value, .mapping): collect(shape.expanded, actual, at: place)
    case (.each(let item), .list(let items)) where !items.isEmpty:
      for (index, value) in items.enumerated() where !matcher.holds(item, value) {
        collect(item, value, at: .item(place, index))
      }
    case (.list(let parts), .list(let items)):
      if isExact { align(parts, items, at: place) } else { pair(parts, items, at: place) }
    case (.object(let members), .mapping(let mapping)): compare(members, mapping, at: place)
    case (.kind, _), (.pattern, _), (.predicates, _): addFailures(of: shape, actual, at: place)
    default:
      if !matcher.holds(shape, actual) {
        collector.add(.changed, at: place, expected: phrase(shape), actual: typed(actual))
      }
    }
  }

  private mutating func addFailures(of shape: Shape, _ actual: Value, at place: Place) {
    for failure in matcher.leafOutcomes(shape, actual, at: place).compactMap(\.failure) {
      if failure.differences.isEmpty {
        collector.add(
          .changed, at: place, expected: failure.expected, actual: failure.actual, mark: failure.mark,
          note: failure.hint)
      } else {
        collector.add(failure.differences, more: failure.moreDifferences)
      }
    }
  }

  private mutating func compare(_ members: [Shape.Member], _ mapping: Mapping, at place: Place) {
    var rest = mapping.grouped.mapValues { $0[...] }
    for member in members {
      let memberPlace = Place.member(place, member.key)
      let found = matcher.isPartial ? rest[member.key]?.last : rest[member.key]?.popFirst()
      if let found {
        if !matcher.holds(member.shape, found) { collect(member.shape, found, at: memberPlace) }
      } else if !ShapeMatcher.mayBeAbsent(member) {
        let note =
          collector.isFull
          ? nil
          : collector.nearName(
            to: member.key, among: mapping.members.filter { other in !members.contains { $0.key == other.key } })
        collector.add(.missing, at: memberPlace, expected: phrase(member.shape), actual: nil, note: note)
      }
    }
    guard !matcher.isPartial else { return }
    for member in mapping.members {
      // Of duplicate names the last ones remain.
      if let value = rest[member.key]?.popFirst() {
        collector.add(.unexpected, at: .member(place, member.key), expected: nil, actual: value)
      }
    }
  }

  private mutating func align(_ parts: [Shape], _ items: [Value], at place: Place) {
    let matcher = matcher
    for step in collector.steps(parts.count, items.count, areEqual: { matcher.holds(parts[$0], items[$1]) }) {
      switch step {
      case .replace(let part, let item):
        collect(parts[part], items[item], at: .pair(place, actual: item, expected: part))
      case .remove(let part):
        collector.add(
          .missing, at: .pair(place, actual: part, expected: part), expected: phrase(parts[part]), actual: nil)
      case .insert(let item):
        collector.add(.unexpected, at: .item(place, item), expected: nil, actual: items[item])
      }
    }
  }

  private mutating func pair(_ parts: [Shape], _ items: [Value], at place: Place) {
    let pairs = matcher.pairing(parts, items, stopsEarly: false)
    let taken = Set(pairs.compactMap(\.self))
    let free = items.indices.filter { !taken.contains($0) }
    let nearest = free.prefix(50).map { ($0, items[$0]) }
    for (index, (part, pair)) in zip(parts, pairs).enumerated() where pair == nil {
      collector.add(.missing, at: .anyItem(place, expected: index), expected: phrase(part), actual: nil)
      noteNearest(part.expanded, nearest, at: place)
    }
    guard !matcher.isPartial else { return }
    for index in free { collector.add(.unexpected, at: .item(place, index), expected: nil, actual: items[index]) }
  }

  /// Notes the free item most similar to one of the first missing ones.
  private mutating func noteNearest(_ part: Shape, _ free: [(index: Int, item: Value)], at place: Place) {
    guard nearestHint == nil, searchesForNearest > 0, case .object(let members) = part else { return }
    searchesForNearest -= 1
    var best: (place: Place, list: DifferenceList, count: Int)?
    for (index, item) in free where item.kind == .mapping {
      var differences = ShapeDifferences(matcher)
      differences.searchesForNearest = 0
      let itemPlace = Place.item(place, index)
      differences.collect(part, item, at: itemPlace)
      let list = differences.collector.list
      let count = list.listed.count + list.more
      if count < best?.count ?? members.count { best = (itemPlace, list, count) }
    }
    guard let best, let first = best.list.listed.first else { return }
    nearestHint = "\(best.place.string) comes nearest, but \(first.statement)"
  }
}
