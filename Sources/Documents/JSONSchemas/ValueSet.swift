import DocumentQueries
import OperatingSystem
import Values

/// The values that `enum` or `const` allows, looked up by meaning: `1.0` is `1`.
final class ValueSet: Sendable {
  /// The values in their order.
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

/// A hash that is the same for nodes of the same meaning, whatever the order of members and the form of numbers.
func meaningHash(_ node: JSONNode) -> Int {
  // In reverse order, a container's contents are finished before the container: no recursion, however deeply it nests.
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

/// The positions of the first two items with the same meaning.
func firstEqualItems(of list: JSONNode) -> (Int, Int)? {
  guard list.count > 1 else { return nil }
  let items = list.itemList
  var hashes: [(hash: Int, index: Int)] = []
  hashes.reserveCapacity(items.count)
  let meter = EvaluationBudget.meter
  for (index, item) in items.enumerated() {
    if meter.isOver(after: 8) { return nil }
    hashes.append((meaningHash(item), index))
  }
  hashes.sort { $0.hash == $1.hash ? $0.index < $1.index : $0.hash < $1.hash }
  var first: (Int, Int)?
  for position in hashes.indices.dropFirst() where hashes[position].hash == hashes[position - 1].hash {
    let index = hashes[position].index
    guard index < first?.1 ?? .max else { continue }
    // Items of one hash are nearly always equal, so that the previous one is, too.
    var other = position - 1
    while other >= 0, hashes[other].hash == hashes[position].hash {
      if meter.isOver(after: 8) { return nil }
      if items[hashes[other].index].means(items[index]) {
        first = (hashes[other].index, index)
        break
      }
      other -= 1
    }
  }
  return first
}
