internal import EvaluationBudgets
internal import JSONQueries
internal import Values

/// The values that `enum` or `const` allows, found by what they mean: `1.0` is `1`.
final class ValueSet: Sendable {
  /// In their order.
  let values: [Value]
  private let byHash: [Int: [Value]]

  init(_ nodes: [JSONNode]) {
    values = nodes.map(\.value)
    byHash = Dictionary(zip(nodes.map(meaningHash), values).map { ($0, [$1]) }, uniquingKeysWith: +)
  }

  func contains(_ node: JSONNode) -> Bool {
    guard let candidates = byHash[meaningHash(node)] else { return false }
    let value = node.value
    return candidates.contains(value)
  }
}

/// A hash that is the same for nodes that mean the same, whatever the order of members and the form of numbers.
func meaningHash(_ node: JSONNode) -> Int {
  // Backwards, what a container holds is finished before the container: no recursion, however deep it nests.
  var finished: [Int] = []
  for position in (node.position..<node.end).reversed() {
    let node = node.document.node(at: position)
    var hasher = Hasher()
    hasher.combine(node.kind)
    switch node.kind {
    case .list:
      for _ in 0..<node.count { hasher.combine(finished.popLast()) }
    case .mapping:
      var sum = 0
      for _ in 0..<node.count {
        var member = Hasher()
        member.combine(finished.popLast())
        member.combine(finished.popLast())
        sum &+= member.finalize()
      }
      hasher.combine(sum)
    case .number:
      let number = Number(lexeme: node.text)
      if let int = number.int { hasher.combine(int) } else { hasher.combine(number) }
    default:
      let bytes = node.utf8
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    finished.append(hasher.finalize())
  }
  return finished.last ?? 0
}

/// The positions in a list of the first two items that mean the same.
func firstEqualItems(of list: JSONNode) -> (Int, Int)? {
  guard list.count > 1 else { return nil }
  var seen: [Int: [(index: Int, node: JSONNode)]] = [:]
  seen.reserveCapacity(list.count)
  let meter = EvaluationBudget.meter
  for (index, item) in list.items.enumerated() {
    if meter.isOver(after: 8) { return nil }
    let hash = meaningHash(item)
    if let others = seen[hash] {
      let value = item.value
      for other in others where other.node.value == value { return (other.index, index) }
    }
    seen[hash, default: []].append((index, item))
  }
  return nil
}
