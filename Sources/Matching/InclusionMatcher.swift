internal import Values

/// Which part has which candidate, and what is known of the parts.
private struct Pairing {
  var ofPart: [Int?]
  var ofCandidate: [Int?]
  /// All candidates that fit a part, once it was worth finding out.
  var fitting: [Int: [Int]] = [:]
  /// Whether a candidate fits a part, by both. To find it out twice would double the work with each level of nesting.
  var verdicts: [Int: Bool] = [:]

  init(parts: Int, candidates: Int) {
    ofPart = Array(repeating: nil, count: parts)
    ofCandidate = Array(repeating: nil, count: candidates)
  }

  mutating func join(_ part: Int, _ candidate: Int) {
    ofPart[part] = candidate
    ofCandidate[candidate] = part
  }
}

/// Finds a partial value in a whole one: named members match, each listed item matches a different item.
struct InclusionMatcher {
  /// Pairs of items to look at before giving up.
  private var budget = 1_000_000
  private(set) var isExhausted = false
  private(set) var nearestHint: String?
  /// How many more parts that are missing may be compared with what is there.
  private var searchesForNearest = 3

  mutating func includes(_ expected: Value, in actual: Value) -> Bool {
    switch (expected, actual) {
    case (.mapping(let parts), .mapping(let whole)):
      let members = whole.count > 8 ? whole.grouped : nil
      return parts.members.allSatisfy { part in
        let found = members?[part.key]?.last ?? (members == nil ? whole.last(part.key) : nil)
        return found.map { includes(part.value, in: $0) } ?? false
      }
    case (.list(let parts), .list(let whole)):
      return parts.count <= whole.count && !pairing(parts, whole, stopsEarly: true).contains(nil)
    default: return isEqual(expected, actual)
    }
  }

  /// The index of the item that each part is paired with; nil where none is left for it.
  private mutating func pairing(_ parts: [Value], _ whole: [Value], stopsEarly: Bool) -> [Int?] {
    // Texts, numbers and the like equal nothing but themselves, so that they need no search for a pairing.
    let isSimple = { (value: Value) in value.kind != .list && value.kind != .mapping }
    let crossesTypes = (parts + whole).contains { $0.kind == .date || $0.kind == .data }
    var result = [Int?](repeating: nil, count: parts.count)
    var structures: [Int] = []
    var positions: [Value: [Int]] = [:]
    if !crossesTypes {
      for (index, item) in whole.enumerated().reversed() where isSimple(item) {
        positions[item, default: []].append(index)
      }
    }
    for (index, part) in parts.enumerated() {
      if !crossesTypes, isSimple(part) {
        result[index] = positions[part]?.popLast()
      } else {
        structures.append(index)
      }
    }
    let candidates = whole.indices.filter { crossesTypes || !isSimple(whole[$0]) }
    let pairs = paired(structures.map { parts[$0] }, candidates.map { whole[$0] }, stopsEarly: stopsEarly)
    for (part, candidate) in zip(structures, pairs) { result[part] = candidate.map { candidates[$0] } }
    return result
  }

  /// A largest pairing in a bipartite graph: in order where that goes, then by augmenting paths.
  private mutating func paired(_ parts: [Value], _ candidates: [Value], stopsEarly: Bool) -> [Int?] {
    var pairs = Pairing(parts: parts.count, candidates: candidates.count)
    // Lists are mostly in order: look first at what follows the last pair.
    var start = 0
    for part in parts.indices {
      for step in candidates.indices {
        let candidate = (start + step) % candidates.count
        guard pairs.ofCandidate[candidate] == nil else { continue }
        guard spend() else { return pairs.ofPart }
        guard fits(part, candidate, parts, candidates, &pairs) else { continue }
        pairs.join(part, candidate)
        start = (candidate + 1) % candidates.count
        break
      }
      guard pairs.ofPart[part] == nil else { continue }
      if !augment(from: part, parts, candidates, &pairs), stopsEarly || isExhausted { return pairs.ofPart }
    }
    return pairs.ofPart
  }

  /// Finds a pair for a part by giving others' pairs away for free ones; false if there is no way.
  private mutating func augment(
    from root: Int, _ parts: [Value], _ candidates: [Value], _ pairs: inout Pairing
  ) -> Bool {
    var owners: [Int: Int] = [:]
    var queue = [root]
    var head = 0
    while head < queue.count {
      let part = queue[head]
      head += 1
      if pairs.fitting[part] == nil {
        var fitting: [Int] = []
        for candidate in candidates.indices {
          guard spend() else { return false }
          if fits(part, candidate, parts, candidates, &pairs) { fitting.append(candidate) }
        }
        pairs.fitting[part] = fitting
      }
      for candidate in pairs.fitting[part] ?? [] where owners[candidate] == nil {
        guard spend() else { return false }
        owners[candidate] = part
        guard let taken = pairs.ofCandidate[candidate] else {
          var free: Int? = candidate
          while let current = free, let owner = owners[current] {
            free = pairs.ofPart[owner]
            pairs.join(owner, current)
          }
          return true
        }
        queue.append(taken)
      }
    }
    return false
  }

  private mutating func fits(
    _ part: Int, _ candidate: Int, _ parts: [Value], _ candidates: [Value], _ pairs: inout Pairing
  ) -> Bool {
    let pair = part * candidates.count + candidate
    if let known = pairs.verdicts[pair] { return known }
    let verdict = includes(parts[part], in: candidates[candidate])
    pairs.verdicts[pair] = verdict
    return verdict
  }

  private mutating func spend() -> Bool {
    budget -= 1
    if budget < 0 { isExhausted = true }
    return budget >= 0
  }

  // MARK: reporting

  mutating func collect(_ expected: Value, in actual: Value, at place: Place, into collector: inout DifferenceCollector)
  {
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
      let pairs = pairing(parts, whole, stopsEarly: false)
      let taken = Set(pairs.compactMap(\.self))
      let free = Array(whole.indices.lazy.filter { !taken.contains($0) }.prefix(50).map { ($0, whole[$0]) })
      for (part, pair) in zip(parts, pairs) where pair == nil {
        collector.add(.missing, at: .anyItem(place), expected: part, actual: nil)
        noteNearest(part, free, at: place)
      }
    default:
      if !isEqual(expected, actual) { collector.add(.changed, at: place, expected: expected, actual: actual) }
    }
  }

  /// Remembers the free item that is most like one of the first that were not found.
  private mutating func noteNearest(_ part: Value, _ free: [(index: Int, item: Value)], at place: Place) {
    guard nearestHint == nil, searchesForNearest > 0, case .mapping(let wanted) = part else { return }
    searchesForNearest -= 1
    var best: (place: Place, differences: DifferenceList, count: Int)?
    for (index, item) in free where item.kind == .mapping {
      var collector = DifferenceCollector()
      let itemPlace = Place.item(place, index)
      collect(part, in: item, at: itemPlace, into: &collector)
      let count = collector.list.listed.count + collector.list.more
      if count < best?.count ?? wanted.count { best = (itemPlace, collector.list, count) }
    }
    guard nearestHint == nil, let best, let first = best.differences.listed.first else { return }
    nearestHint = "\(best.place.string) comes nearest, but \(first.statement)"
  }
}

extension Mapping {
  /// The value of the last member of that name, compared byte by byte.
  func last(_ key: Text) -> Value? {
    members.last { $0.key == key }?.value
  }
}
