internal import Values

extension PredicateEvaluator {
  func inclusion(_ operand: Value, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard operand.kind == .mapping || operand.kind == .list else {
      return inapplicable(predicate, target, hint: "`includes` takes a mapping or a list; write `contains` for one item")
    }
    guard operand.kind == target.kind else {
      return inapplicable(
        predicate, target,
        hint: target.kind == .list ? "the value is a list: write `{any: {includes: …}}` or a list of what it includes" : nil)
    }
    var matcher = InclusionMatcher()
    if matcher.includes(operand, in: target.value) { return .holds }
    let isExhausted = matcher.isExhausted
    return .fails {
      var collector = DifferenceCollector()
      var matcher = InclusionMatcher()
      matcher.collect(operand, in: target.value, at: place, into: &collector)
      return MatchFailure(
        predicate: describe(predicate), expected: expectation(predicate), actual: rendered(target.value),
        differences: collector.list.listed, moreDifferences: collector.list.more,
        hint: isExhausted ? "the lists are too long to try every pairing of their items" : matcher.nearestHint)
    }
  }
}

/// Finds a partial value in a whole one: named members match, each listed item matches a different item.
struct InclusionMatcher {
  /// Pairs of items to look at before giving up.
  private var budget = 5_000_000
  private(set) var isExhausted = false
  private(set) var nearestHint: String?

  mutating func includes(_ expected: Value, in actual: Value) -> Bool {
    switch (expected, actual) {
    case (.mapping(let parts), .mapping(let whole)):
      let members = whole.count > 8 ? whole.grouped : nil
      return parts.members.allSatisfy { part in
        let found = members?[part.key]?.last ?? (members == nil ? whole.last(part.key) : nil)
        return found.map { includes(part.value, in: $0) } ?? false
      }
    case (.list(let parts), .list(let whole)):
      return parts.count <= whole.count && !pairing(parts, whole).contains(nil)
    default: return isEqual(expected, actual)
    }
  }

  /// The index of the item that each part is paired with; nil where none is left for it.
  private mutating func pairing(_ parts: [Value], _ whole: [Value]) -> [Int?] {
    // Texts, numbers and the like equal nothing but themselves, so that they need no search for a pairing.
    let isSimple = { (value: Value) in value.kind != .list && value.kind != .mapping }
    let crossesTypes = (parts + whole).contains { $0.kind == .date || $0.kind == .data }
    var result = [Int?](repeating: nil, count: parts.count)
    var structures: [Int] = []
    var positions: [Value: [Int]] = [:]
    if !crossesTypes {
      for (index, item) in whole.enumerated().reversed() where isSimple(item) { positions[item, default: []].append(index) }
    }
    for (index, part) in parts.enumerated() {
      if !crossesTypes, isSimple(part) {
        result[index] = positions[part]?.popLast()
      } else {
        structures.append(index)
      }
    }
    let candidates = whole.indices.filter { crossesTypes || !isSimple(whole[$0]) }
    for (part, candidate) in zip(structures, augment(structures.map { parts[$0] }, candidates.map { whole[$0] })) {
      result[part] = candidate.map { candidates[$0] }
    }
    return result
  }

  /// A largest pairing in a bipartite graph, by augmenting paths.
  private mutating func augment(_ parts: [Value], _ candidates: [Value]) -> [Int?] {
    var pairOfPart = [Int?](repeating: nil, count: parts.count)
    var pairOfCandidate = [Int?](repeating: nil, count: candidates.count)
    var known: [Int: Bool] = [:]
    var start = 0
    for root in parts.indices {
      var parent: [Int: Int] = [:]
      var queue = [root]
      var head = 0
      search: while head < queue.count {
        let part = queue[head]
        head += 1
        for step in candidates.indices {
          // Lists are mostly in order: begin after the last pair.
          let candidate = (start + step) % candidates.count
          guard parent[candidate] == nil else { continue }
          guard budget > 0 else {
            isExhausted = true
            return pairOfPart
          }
          budget -= 1
          let edge = part * candidates.count + candidate
          let fits = known[edge] ?? includes(parts[part], in: candidates[candidate])
          known[edge] = fits
          guard fits else { continue }
          parent[candidate] = part
          if let taken = pairOfCandidate[candidate] {
            queue.append(taken)
            continue
          }
          start = (candidate + 1) % candidates.count
          var free: Int? = candidate
          while let current = free, let owner = parent[current] {
            free = pairOfPart[owner]
            pairOfPart[owner] = current
            pairOfCandidate[current] = owner
          }
          break search
        }
      }
    }
    return pairOfPart
  }

  // MARK: reporting

  mutating func collect(_ expected: Value, in actual: Value, at place: Place, into collector: inout DifferenceCollector) {
    switch (expected, actual) {
    case (.mapping(let parts), .mapping(let whole)):
      for part in parts.members {
        let memberPlace = Place.member(place, part.key)
        if let found = whole.last(part.key) {
          collect(part.value, in: found, at: memberPlace, into: &collector)
        } else {
          collector.add(.missing, at: memberPlace, expected: part.value, actual: nil)
        }
      }
    case (.list(let parts), .list(let whole)):
      let pairs = pairing(parts, whole)
      let taken = Set(pairs.compactMap(\.self))
      for (part, pair) in zip(parts, pairs) where pair == nil {
        collector.add(.missing, at: .anyItem(place), expected: part, actual: nil)
        noteNearest(part, whole.indices.filter { !taken.contains($0) }.prefix(50).map { ($0, whole[$0]) }, at: place)
      }
    default:
      if !isEqual(expected, actual) { collector.add(.changed, at: place, expected: expected, actual: actual) }
    }
  }

  /// Remembers the free item that is most like the first one that was not found.
  private mutating func noteNearest(_ part: Value, _ free: [(index: Int, item: Value)], at place: Place) {
    guard nearestHint == nil, case .mapping(let wanted) = part else { return }
    var best: (place: Place, differences: DifferenceList, count: Int)?
    for (index, item) in free where item.kind == .mapping {
      var collector = DifferenceCollector()
      let itemPlace = Place.item(place, index)
      collect(part, in: item, at: itemPlace, into: &collector)
      let count = collector.list.listed.count + collector.list.more
      if count < best?.count ?? wanted.count { best = (itemPlace, collector.list, count) }
    }
    guard nearestHint == nil, let best, let first = best.differences.listed.first else { return }
    let expected = first.expected?.masked ?? "nothing"
    let actual = first.actual?.masked ?? "nothing"
    nearestHint = "\(best.place.string) comes nearest, but \(first.path) is \(actual), not \(expected)"
  }
}

extension Mapping {
  /// The value of the last member of that name, compared byte by byte.
  func last(_ key: Text) -> Value? {
    members.last { $0.key == key }?.value
  }
}
