import OperatingSystem
import Values

extension PredicateEvaluator {
  func uniqueness(_ wanted: Bool, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard let items = target.items else { return inapplicable(predicate, target) }
    guard !items.isEmpty else {
      let outcome = fails(predicate, target, hint: emptyHint("`not: {unique: \(!wanted)}`"))
      // `not: {unique: true}` claims duplicates.
      return wanted ? outcome.asInapplicable : outcome
    }
    let (duplicate, more) = firstDuplicate(in: items)
    guard let (first, second) = duplicate else { return wanted ? .holds : fails(predicate, target) }
    guard wanted else { return .holds }
    return fails(
      predicate, target,
      actual: Text("\(name(of: first, in: items)) and \(name(of: second, in: items)) are both ")
        + rendered(.single(items[second]), unit: unit)
        + Text(more > 0 ? ", and \(more) more" : ""))
  }

  /// The first item that equals an earlier one, and the number of further ones. No value is kept for it.
  private func firstDuplicate(in items: MatchList) -> (first: (Int, Int)?, more: Int) {
    var digests: [(digest: Int, index: Int)] = []
    for index in items.indices {
      if meter.isOver(after: 8) { return (nil, 0) }
      digests.append((StructuralKey.digest(items[index].value), index))
    }
    digests.sort { $0.digest == $1.digest ? $0.index < $1.index : $0.digest < $1.digest }
    var first: (Int, Int)?
    var count = 0
    var start = 0
    while start < digests.count {
      // Items with the same digest are nearly always equal.
      var different = [start]
      var end = start + 1
      while end < digests.count, digests[end].digest == digests[start].digest {
        if meter.isOver(after: 8 * different.count) { return (nil, 0) }
        let index = digests[end].index
        let item = items[index]
        if let equal = different.first(where: { isEqual(items[digests[$0].index].value, item.value) }) {
          count += 1
          if index < first?.1 ?? .max { first = (digests[equal].index, index) }
        } else {
          different.append(end)
        }
        end += 1
      }
      start = end
    }
    return (first, max(0, count - 1))
  }

  func sortedness(_ order: SortOrder, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    if case .lines = target { return inapplicable(predicate, target) }
    guard let items = target.items else { return inapplicable(predicate, target) }
    guard !items.isEmpty else { return fails(predicate, target, hint: emptyHint(nil)).asInapplicable }
    var last = items[0].value
    for index in items.indices {
      if meter.isOver(after: 8) { return .holds }
      let (previous, item) = (last, items[index].value)
      last = item
      guard let isAscending = isOrdered(previous, item), let isDescending = isOrdered(item, previous) else {
        return .inapplicable {
          MatchFailure(
            predicate: describe(predicate), expected: expectation(predicate),
            actual: Text("\(name(of: max(0, index - 1), in: items)) is ") + typed(previous, unit: unit)
              + Text(", \(name(of: index, in: items)) is ")
              + typed(item, unit: unit),
            hint: "only numbers, texts or dates among themselves have an order")
        }
      }
      if order == .ascending ? isAscending : isDescending { continue }
      return fails(
        predicate, target,
        actual: Text("\(name(of: index - 1, in: items)) is ") + rendered(previous, unit: unit)
          + Text(", \(name(of: index, in: items)) is ")
          + rendered(item, unit: unit))
    }
    return .holds
  }

  /// Returns whether the first may come before the second; texts by their Unicode scalars. Nil if they have no order.
  private func isOrdered(_ left: Value, _ right: Value) -> Bool? {
    switch (left, right) {
    case (.number(let a), .number(let b)): a <= b
    case (.text(let a), .text(let b)): !b.string.utf8.lexicographicallyPrecedes(a.string.utf8)
    case (.date(let a), .date(let b)): a <= b
    default: nil
    }
  }
}
