import OperatingSystem
import Values

extension PredicateKind {
  /// A predicate that applies others to items.
  private static func quantifier(
    _ name: String, words: String = "", isNegation: Bool = false, quantity: String,
    documentation: (subjects: String, meaning: String) = ("", ""), outcome: @escaping Evaluation
  ) -> PredicateKind {
    PredicateKind(
      name, words: words, takes: .items, of: .listsAndLines, isNegation: isNegation, goesThroughItems: true,
      quantity: quantity, documentation: documentation,
      expectation: { predicate, wording in
        Text("\(wording.items)\(quantity) item: ") + wording.all(predicate.inner)
      },
      outcome: outcome)
  }

  static let items: [PredicateKind] = [
    quantifier(
      "every", words: "all each", quantity: "every",
      documentation: (
        "arrays, lines",
        """
        a value or predicates, for the items. `every` and `none` fail on an empty array: there is nothing to check. Where a \
        path that isn't singular finds nothing, none of these passes, nor `contains`, `not_contains`, `includes`, nor \
        `not` around them; `count: 0` does
        """
      )
    ) { $0.universal($1.inner, $1, $2) },
    quantifier("any", words: "some", quantity: "at least one") { $0.existential($1.inner, $1, $2) },
    quantifier("none", isNegation: true, quantity: "no") { $0.absence($1.inner, $1, $2) },
    PredicateKind(
      "unique", takes: .flag, of: .listsAndLines, goesThroughItems: true,
      documentation: ("arrays, lines", "no two items are equal"),
      expectation: { predicate, wording in
        Text(wording.items + (predicate.flag ? "no two equal items" : "two equal items"))
      },
      outcome: { $0.uniqueness($1.flag, $1, $2) }),
    PredicateKind(
      "sorted", takes: .order, of: .lists, goesThroughItems: true,
      documentation: ("arrays", "`sorted: true` or `ascending`, `descending`"),
      expectation: { predicate, wording in
        guard case .order(let order) = predicate.operand else { predicate.mismatch() }
        return Text(wording.items + "items in \(order.rawValue) order")
      },
      outcome: { evaluator, predicate, target in
        guard case .order(let order) = predicate.operand else { predicate.mismatch() }
        return evaluator.sortedness(order, predicate, target)
      }),
  ]
}

extension PredicateEvaluator {
  fileprivate func universal(_ inner: [Predicate], _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard let items = target.items else { return inapplicable(predicate, target) }
    guard !items.isEmpty else { return fails(predicate, target, hint: emptyHint("`not: {any: {not: …}}`")) }
    let outcomes = ItemOutcomes(self, inner, items, keeping: DifferenceList.limit) { !$0.holds }
    guard let first = outcomes.kept.first else { return .holds }
    let isApplied = outcomes.failCount > 0
    let report = {
      let firstFailure = first.outcome.failure
      var failure = MatchFailure(
        predicate: describe(predicate, unit: unit),
        expected: isApplied
          ? expectation(predicate, unit: unit) : itemExpectation(predicate, inner, target),
        actual: itemList(
          first: first.index, of: outcomes.keptCount, in: items, verb: "do not", shown: firstFailure?.actual),
        hint: outcomes.keptCount == 1 ? firstFailure?.hint : nil)
      let list = itemDifferences(outcomes, of: items)
      failure.summary =
        "\(outcomes.keptCount) of \(counted(items.count, target.itemNoun)) \(outcomes.keptCount == 1 ? "fails" : "fail"):"
      failure.differences = list.listed
      failure.moreDifferences = list.more
      return failure
    }
    return isApplied ? .fails(report) : .inapplicable(report)
  }

  fileprivate func existential(_ inner: [Predicate], _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard let items = target.items else { return inapplicable(predicate, target) }
    let outcomes = ItemOutcomes(self, inner, items, keeping: 50, stopsAtFirst: true) { !$0.holds }
    if outcomes.holdCount > 0 { return .holds }
    guard let inapplicable = outcomes.firstInapplicable else {
      return fails(predicate, target, hint: nearestHint(outcomes.kept, of: items))
    }
    return .inapplicable { itemFailure(inapplicable, items, predicate, inner, target) }
  }

  /// The failure for an item that the predicates cannot be applied to.
  private func itemFailure(
    _ item: (index: Int, outcome: MatchOutcome), _ items: MatchList, _ predicate: Predicate, _ inner: [Predicate],
    _ target: MatchTarget
  ) -> MatchFailure {
    let failure = item.outcome.failure
    return MatchFailure(
      predicate: describe(predicate, unit: unit), expected: itemExpectation(predicate, inner, target),
      actual: Text("\(name(of: item.index, in: items)) is ") + typed(.single(items[item.index]), unit: unit),
      hint: failure?.hint)
  }

  /// The expectation of the items, with their expected types.
  private func itemExpectation(_ predicate: Predicate, _ inner: [Predicate], _ target: MatchTarget) -> Text {
    let noun = target.itemNoun
    return Text("\(predicate.kind.quantity) \(noun): ") + expectation(of: inner, unit: unit, namesTypes: true)
  }

  /// The hint for the item of a structure with the fewest differences, among the first.
  private func nearestHint(_ outcomes: [(index: Int, outcome: MatchOutcome)], of items: MatchList) -> String? {
    var best: (index: Int, failure: MatchFailure)?
    for (index, outcome) in outcomes {
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

  fileprivate func absence(_ inner: [Predicate], _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard let items = target.items else { return inapplicable(predicate, target) }
    guard !items.isEmpty else { return fails(predicate, target, hint: emptyHint("`not: {any: …}`")) }
    let outcomes = ItemOutcomes(self, inner, items, keeping: 1) { $0.holds }
    if let first = outcomes.kept.first {
      return fails(
        predicate, target,
        actual: itemList(first: first.index, of: outcomes.keptCount, in: items, verb: "do", shown: nil))
    }
    guard let inapplicable = outcomes.firstInapplicable else { return .holds }
    return .inapplicable { itemFailure(inapplicable, items, predicate, inner, target) }
  }

  /// The place of an item; for a query's result, its place in the document.
  fileprivate func place(of item: MatchItem, _ index: Int) -> Place {
    item.isFound ? .found(item, index) : .item(place, index)
  }

  /// `[3]`, or `$.prices[3]` for a query's result.
  func name(of index: Int, in items: MatchList) -> String { items[index].location ?? "[\(index)]" }

  /// `[3] is 0.05`, or `2 of 10 do not, first [3]: 0.05`.
  private func itemList(first: Int, of count: Int, in items: MatchList, verb: String, shown: Text?) -> Text {
    let value = shown ?? rendered(.single(items[first]), unit: unit)
    let name = name(of: first, in: items)
    if count == 1 { return Text("\(name) is ") + value }
    return Text("\(count) of \(items.count) \(verb), the first is \(name): ") + value
  }

  /// The differences of each failing item, by its place.
  private func itemDifferences(_ failing: ItemOutcomes, of items: MatchList) -> DifferenceList {
    var result = DifferenceList()
    result.more = failing.keptCount - failing.kept.count
    for (index, outcome) in failing.kept {
      guard result.listed.count < DifferenceList.limit, let failure = outcome.failure else {
        result.more += 1
        continue
      }
      if failure.differences.isEmpty {
        var difference = Difference(
          path: place(of: items[index], index).string, kind: .changed, expected: failure.expected,
          actual: failure.actual)
        difference.mark = failure.mark
        if failing.keptCount > 1 { difference.note = failure.hint }
        result.listed.append(difference)
      } else {
        let room = DifferenceList.limit - result.listed.count
        result.listed += failure.differences.prefix(room)
        result.more += max(0, failure.differences.count - room) + failure.moreDifferences
      }
    }
    return result
  }

  func emptyHint(_ alternative: String?) -> String {
    "there is nothing to check" + (alternative.map { "; if that may be, write \($0)" } ?? "")
  }
}

/// The outcomes of predicates for some items. Most are only counted: an outcome retains its item.
private struct ItemOutcomes {
  typealias Item = (index: Int, outcome: MatchOutcome)

  /// The first outcomes to keep.
  var kept: [Item] = []
  private(set) var keptCount = 0
  private(set) var holdCount = 0
  private(set) var failCount = 0
  private(set) var firstInapplicable: Item?

  /// - Parameter stopsAtFirst: whether only the first success matters.
  init(
    _ evaluator: PredicateEvaluator, _ predicates: [Predicate], _ items: MatchList, keeping limit: Int,
    stopsAtFirst: Bool = false, where isKept: (MatchOutcome) -> Bool
  ) {
    for index in items.indices {
      if evaluator.meter.isOver(after: 4) { break }
      let item = items[index]
      let inner = PredicateEvaluator(
        place: evaluator.place(of: item, index), unit: evaluator.unit, meter: evaluator.meter)
      let outcome = inner.outcome(of: predicates, against: .single(item))
      switch outcome {
      case .holds:
        holdCount += 1
        if stopsAtFirst { return }
      case .fails: failCount += 1
      case .inapplicable: if firstInapplicable == nil { firstInapplicable = (index, outcome) }
      }
      guard isKept(outcome) else { continue }
      keptCount += 1
      if kept.count < limit { kept.append((index, outcome)) }
    }
  }
}
