internal import Values

extension PredicateEvaluator {
  func inclusion(_ operand: Value, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard operand.kind == .mapping || operand.kind == .list else {
      return inapplicable(
        predicate, target, hint: "`includes` takes a mapping or a list; write `contains` for one item")
    }
    guard operand.kind == target.kind else {
      return inapplicable(
        predicate, target,
        hint: target.kind == .list
          ? "the value is a list: write `{any: {includes: …}}` or a list of what it includes" : nil)
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
        hint: isExhausted || matcher.isExhausted
          ? "the lists are too long to try every pairing of their items" : matcher.nearestHint)
    }
  }
}
