internal import EvaluationBudgets
internal import Values

extension PredicateEvaluator {
  func universal(_ inner: [Predicate], _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard let items = target.items else { return inapplicable(predicate, target) }
    guard !items.isEmpty else { return fails(predicate, target, hint: emptyHint("`not: {any: {not: …}}`")) }
    let outcomes = outcomes(of: inner, against: items)
    guard let first = outcomes.first(where: { !$0.outcome.holds }) else { return .holds }
    let failing = outcomes.filter { !$0.outcome.holds }
    let isApplied = failing.contains(where: \.outcome.fails)
    let report = {
      let firstFailure = first.outcome.failure
      var failure = MatchFailure(
        predicate: describe(predicate, unit: unit),
        expected: isApplied
          ? expectation(predicate, unit: unit) : itemExpectation(predicate, inner, target),
        actual: itemList(failing.map(\.index), of: items, verb: "do not", shown: firstFailure?.actual),
        hint: failing.count == 1 ? firstFailure?.hint : nil)
      let list = itemDifferences(failing, of: items)
      failure.summary =
        "\(failing.count) of \(counted(items.count, target.itemNoun)) \(failing.count == 1 ? "fails" : "fail"):"
      failure.differences = list.listed
      failure.moreDifferences = list.more
      return failure
    }
    return isApplied ? .fails(report) : .inapplicable(report)
  }

  func existential(_ inner: [Predicate], _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard let items = target.items else { return inapplicable(predicate, target) }
    let outcomes = outcomes(of: inner, against: items)
    if outcomes.contains(where: { $0.outcome.holds }) { return .holds }
    guard let inapplicable = outcomes.first(where: { !$0.outcome.fails }) else {
      return fails(predicate, target, hint: nearestHint(outcomes, of: items))
    }
    return .inapplicable { itemFailure(inapplicable, items, predicate, inner, target) }
  }

  /// An item that the predicates cannot be applied to.
  private func itemFailure(
    _ item: (index: Int, outcome: MatchOutcome), _ items: [MatchItem], _ predicate: Predicate, _ inner: [Predicate],
    _ target: MatchTarget
  ) -> MatchFailure {
    let failure = item.outcome.failure
    return MatchFailure(
      predicate: describe(predicate, unit: unit), expected: itemExpectation(predicate, inner, target),
      actual: Text("\(name(of: item.index, in: items)) is ") + typed(items[item.index].value, unit: unit),
      hint: failure?.hint)
  }

  /// What is demanded of the items, with the types that they would have.
  private func itemExpectation(_ predicate: Predicate, _ inner: [Predicate], _ target: MatchTarget) -> Text {
    let noun = target.itemNoun
    let quantity =
      switch predicate {
      case .every: "every \(noun)"
      case .any: "at least one \(noun)"
      default: "no \(noun)"
      }
    return Text("\(quantity): ") + expectation(of: inner, unit: unit, namesTypes: true)
  }

  /// Of the first items of a structure the one that has the fewest differences.
  private func nearestHint(_ outcomes: [(index: Int, outcome: MatchOutcome)], of items: [MatchItem]) -> String? {
    var best: (index: Int, failure: MatchFailure)?
    for (index, outcome) in outcomes.prefix(50) {
      guard let failure = outcome.failure else { continue }
      guard !failure.differences.isEmpty else {
        return outcomes.count == 1 ? failure.hint : best == nil ? failure.hint : nil
      }
      if failure.differenceCount < best?.failure.differenceCount ?? .max { best = (index, failure) }
    }
    guard let best, items.count > 1, let first = best.failure.differences.first else { return best?.failure.hint }
    let more = best.failure.differenceCount - 1
    return "\(name(of: best.index, in: items)) comes nearest, but \(first.statement)"
      + (more > 0 ? ", and \(counted(more, "more difference"))" : "")
  }

  func absence(_ inner: [Predicate], _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard let items = target.items else { return inapplicable(predicate, target) }
    guard !items.isEmpty else { return fails(predicate, target, hint: emptyHint("`not: {any: …}`")) }
    let outcomes = outcomes(of: inner, against: items)
    let matching = outcomes.filter { $0.outcome.holds }
    if !matching.isEmpty {
      return fails(predicate, target, actual: itemList(matching.map(\.index), of: items, verb: "do", shown: nil))
    }
    guard let inapplicable = outcomes.first(where: { !$0.outcome.fails }) else { return .holds }
    return .inapplicable { itemFailure(inapplicable, items, predicate, inner, target) }
  }

  private func outcomes(
    of predicates: [Predicate], against items: [MatchItem]
  ) -> [(index: Int, outcome: MatchOutcome)] {
    items.enumerated().map { index, item in
      let evaluator = PredicateEvaluator(place: place(of: item, index), unit: unit, meter: meter)
      return (index, evaluator.outcome(of: predicates, against: .single(item)))
    }
  }

  /// The place of an item; those of a query's result stand where they were found.
  private func place(of item: MatchItem, _ index: Int) -> Place {
    item.isFound ? .found(item, index) : .item(place, index)
  }

  /// `[3]`, or `$.prices[3]` of what a query found.
  private func name(of index: Int, in items: [MatchItem]) -> String { items[index].location ?? "[\(index)]" }

  /// `[3] is 0.05`, or `2 of 10 do not, first [3]: 0.05`.
  private func itemList(_ indices: [Int], of items: [MatchItem], verb: String, shown: Text?) -> Text {
    guard let first = indices.first else { return Text("") }
    let value = shown ?? rendered(items[first].value, unit: unit)
    let name = name(of: first, in: items)
    if indices.count == 1 { return Text("\(name) is ") + value }
    return Text("\(indices.count) of \(items.count) \(verb), the first is \(name): ") + value
  }

  /// What is wrong with each item that fails, by its place.
  private func itemDifferences(
    _ failing: [(index: Int, outcome: MatchOutcome)], of items: [MatchItem]
  ) -> DifferenceList {
    var result = DifferenceList()
    for (index, outcome) in failing {
      guard result.listed.count < DifferenceList.limit, let failure = outcome.failure else {
        result.more += 1
        continue
      }
      if failure.differences.isEmpty {
        var difference = Difference(
          path: place(of: items[index], index).string, kind: .changed, expected: failure.expected,
          actual: failure.actual)
        difference.mark = failure.mark
        if failing.count > 1 { difference.note = failure.hint }
        result.listed.append(difference)
      } else {
        let room = DifferenceList.limit - result.listed.count
        result.listed += failure.differences.prefix(room)
        result.more += max(0, failure.differences.count - room) + failure.moreDifferences
      }
    }
    return result
  }

  private func emptyHint(_ alternative: String?) -> String {
    "there is nothing to check" + (alternative.map { "; if that may be, write \($0)" } ?? "")
  }

  // MARK: unique and sorted

  func uniqueness(_ wanted: Bool, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard let items = target.items else { return inapplicable(predicate, target) }
    guard !items.isEmpty else {
      return fails(predicate, target, hint: emptyHint("`not: {unique: \(!wanted)}`"))
    }
    var seen: [StructuralKey: Int] = [:]
    var duplicates: [(first: Int, second: Int)] = []
    for (index, item) in items.enumerated() {
      if meter.isOver(after: 8) { return .holds }
      let key = StructuralKey(value: item.value)
      if let first = seen[key] { duplicates.append((first, index)) } else { seen[key] = index }
    }
    guard let (first, second) = duplicates.first else { return wanted ? .holds : fails(predicate, target) }
    guard wanted else { return .holds }
    let more = duplicates.count - 1
    return fails(
      predicate, target,
      actual: Text("\(name(of: first, in: items)) and \(name(of: second, in: items)) are both ")
        + rendered(items[second].value, unit: unit)
        + Text(more > 0 ? ", and \(more) more" : ""))
  }

  func sortedness(_ order: SortOrder, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    if case .lines = target { return inapplicable(predicate, target) }
    guard let items = target.items else { return inapplicable(predicate, target) }
    guard !items.isEmpty else { return fails(predicate, target, hint: emptyHint(nil)) }
    for index in items.indices {
      if meter.isOver(after: 8) { return .holds }
      let previous = items[max(0, index - 1)].value
      let item = items[index].value
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

  /// Whether the first may stand before the second; texts by their Unicode scalars. Nil if they have no order.
  private func isOrdered(_ left: Value, _ right: Value) -> Bool? {
    switch (left, right) {
    case (.number(let a), .number(let b)): a <= b
    case (.text(let a), .text(let b)): !b.string.utf8.lexicographicallyPrecedes(a.string.utf8)
    case (.date(let a), .date(let b)): a <= b
    default: nil
    }
  }
}
