import Values

/// Pairs the parts of a list with matching items: as many as possible, each with an item of its own.
///
/// This is a maximum matching in a bipartite graph: in order if possible, then by augmenting paths.
struct ItemPairing {
  private let parts: [Shape]
  private let items: [Value]
  private let index: CandidateIndex?
  private(set) var itemOfPart: [Int?]
  private var partOfItem: [Int?]
  /// All items that match a part, once computed.
  private var fitting: [Int: [Int]] = [:]
  private var decisions: PairResults
  /// The number of items that may still be visited.
  private var steps = 100_000_000

  /// - Parameter parts: those that are values of members or items, ``Shape/expanded``.
  init(_ parts: [Shape], _ items: [Value]) {
    self.parts = parts
    self.items = items
    let pairCount = parts.count.multiplied(by: items.count) ?? .max
    decisions = PairResults(pairCount)
    index = pairCount > 4096 && !items.contains(where: crossesTypes) ? CandidateIndex(items) : nil
    itemOfPart = Array(repeating: nil, count: parts.count)
    partOfItem = Array(repeating: nil, count: items.count)
  }

  /// - Parameter stopsEarly: whether one part without an item ends the search.
  mutating func run(_ matcher: ShapeMatcher, stopsEarly: Bool) {
    // Lists are mostly in order: first try the item after the last pair.
    var start = 0
    for part in parts.indices {
      if let item = firstFree(for: part, from: start, matcher) {
        join(part, item)
        start = item + 1
      } else if matcher.isExhausted || (!augment(from: part, matcher) && stopsEarly) || matcher.isExhausted {
        return
      }
    }
  }

  private mutating func firstFree(for part: Int, from start: Int, _ matcher: ShapeMatcher) -> Int? {
    let candidates = index?.candidates(for: parts[part])
    let count = candidates?.count ?? items.count
    let first = candidates.map { $0.partitioningIndex { $0 >= start } } ?? start
    for step in 0..<count {
      let place = (first + step) % count
      let item = candidates?[place] ?? place
      steps -= 1
      if steps < 0 { matcher.giveUp() }
      if matcher.isExhausted { return nil }
      if partOfItem[item] == nil, fits(part, item, matcher) { return item }
    }
    return nil
  }

  private mutating func join(_ part: Int, _ item: Int) {
    itemOfPart[part] = item
    partOfItem[item] = part
  }

  /// Finds an item for a part by reassigning other parts' items to free ones; false if that is impossible.
  private mutating func augment(from root: Int, _ matcher: ShapeMatcher) -> Bool {
    var owners: [Int: Int] = [:]
    var queue = [root]
    var head = 0
    while head < queue.count {
      let part = queue[head]
      head += 1
      if fitting[part] == nil {
        let candidates = index?.candidates(for: parts[part]) ?? Array(items.indices)
        fitting[part] = candidates.filter { fits(part, $0, matcher) }
      }
      for item in fitting[part] ?? [] where owners[item] == nil {
        guard matcher.spend() else { return false }
        owners[item] = part
        guard let taken = partOfItem[item] else {
          var free: Int? = item
          while let current = free, let owner = owners[current] {
            free = itemOfPart[owner]
            join(owner, current)
          }
          return true
        }
        queue.append(taken)
      }
    }
    return false
  }

  private mutating func fits(_ part: Int, _ item: Int, _ matcher: ShapeMatcher) -> Bool {
    let pair = part * items.count + item
    if let known = decisions[pair] { return known }
    guard matcher.spend() else { return false }
    let decision = matcher.holds(parts[part], items[item])
    decisions[pair] = decision
    return decision
  }
}

/// The results for pairs of items and parts: computing them twice would double the work with each level of nesting.
private struct PairResults {
  private enum Decision: UInt8 { case unknown, fits, differs }

  /// The maximum number of pairs, each of which takes a byte.
  private static let tableLimit = 1 << 22
  private var table: [Decision]
  private var few: [Int: Bool] = [:]

  init(_ count: Int) {
    table = count <= PairResults.tableLimit ? Array(repeating: .unknown, count: count) : []
  }

  subscript(pair: Int) -> Bool? {
    get {
      if table.isEmpty { return few[pair] }
      switch table[pair] {
      case .unknown: return nil
      case .fits: return true
      case .differs: return false
      }
    }
    set {
      guard let newValue else { return }
      if table.isEmpty { few[pair] = newValue } else { table[pair] = newValue ? .fits : .differs }
    }
  }
}
