import Values

extension PredicateEvaluator {
  func shapedMatch(_ operand: ShapedPredicate, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    let outcome =
      switch operand.use {
      case .equals: resemblance(operand, predicate, target)
      case .includes: shapedInclusion(operand, predicate, target)
      case .contains: shapedContainment(operand, predicate, target)
      case .oneOf: shapedChoice(operand, predicate, target)
      }
    return operand.isNegated ? inverted(outcome, predicate, target) : outcome
  }

  // MARK: equals

  private func resemblance(_ operand: ShapedPredicate, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    // A shape without parts is worded like the corresponding predicate.
    switch operand.shape {
    case .kind(let kind): return kindMatch(kind, predicate, target)
    case .pattern(let expression): return expressionMatch(expression, predicate, target)
    case .predicates(let inner): return outcome(of: inner, against: target)
    case .anything where target.isQueryResult: return outcome(of: Predicate(.exists, .flag(true)), against: target)
    default: break
    }
    let required = operand.shape.requiredKind
    if target.isQueryResult, let required, required != .list {
      return inapplicable(
        predicate, target, hint: "the query can yield several values: write `{every: …}` or `{any: …}`")
    }
    let actual = required == .list ? target.listValue : target.value
    return structuralOutcome(ShapeMatcher(isUnordered: operand.isUnordered), operand.shape, actual, predicate, target)
  }

  /// The outcome of a matcher for a value; differences are collected only for a report.
  func structuralOutcome(
    _ matcher: ShapeMatcher, _ shape: Shape, _ actual: Value, _ predicate: Predicate, _ target: MatchTarget
  ) -> MatchOutcome {
    if let required = shape.requiredKind, !canBeEqual(required, actual.kind) {
      return .fails {
        MatchFailure(
          predicate: describe(predicate, unit: unit), expected: phrase(shape, unit: unit) + namedType(shape),
          actual: typed(target, unit: unit))
      }
    }
    if matcher.holds(shape, actual) { return .holds }
    let report = {
      var failure = MatchFailure(
        predicate: describe(predicate, unit: unit), expected: expectation(predicate, unit: unit),
        actual: rendered(actual, unit: unit))
      if case .each = shape, case .list(let items) = actual, items.isEmpty {
        failure.hint = "there is nothing to check; if that may be, write `!is {one_of: [[], !each …]}`"
        return failure
      }
      guard !matcher.isExhausted else {
        failure.hint = "the lists are too long, or nested too deeply, to try every pairing of their items"
        return failure
      }
      var differences = ShapeDifferences(matcher)
      differences.collect(shape, actual, at: place)
      failure.differences = differences.collector.list.listed
      failure.moreDifferences = differences.collector.list.more
      failure.hint =
        matcher.isExhausted
        ? "not every pairing of the items was tried: some that are named here may have one" : differences.nearestHint
      return failure
    }
    // Neither a match nor its absence was found.
    return matcher.isExhausted ? .inapplicable(report) : .fails(report)
  }

  private func namedType(_ shape: Shape) -> Text {
    switch shape {
    case .value(let value): Text(" (\(typePhrase(value)))")
    case .list: Text(" (\(MatchKind.array.phrase))")
    case .object: Text(" (\(MatchKind.object.phrase))")
    default: ""
    }
  }

  // MARK: includes

  private func shapedInclusion(
    _ operand: ShapedPredicate, _ predicate: Predicate, _ target: MatchTarget
  ) -> MatchOutcome {
    guard let required = operand.shape.requiredKind, required == .list || required == .mapping else {
      return inapplicable(
        predicate, target, hint: "`includes` takes a mapping or a list; write `contains` for one item")
    }
    guard required == target.kind else {
      return inapplicable(
        predicate, target,
        hint: target.kind == .list
          ? "the value is a list: write `{any: {includes: …}}` or a list of what it includes"
          : target.kind == .text && required == .list ? "a text includes only texts: write `matches` for others" : nil)
    }
    return structuralOutcome(ShapeMatcher(isPartial: true), operand.shape, target.value, predicate, target)
  }

  // MARK: contains and one_of

  private func shapedContainment(
    _ operand: ShapedPredicate, _ predicate: Predicate, _ target: MatchTarget
  ) -> MatchOutcome {
    guard let items = target.items else {
      return inapplicable(
        predicate, target, hint: "what stands for a kind of values is looked for among the items of an array")
    }
    let matcher = ShapeMatcher(isUnordered: operand.isUnordered)
    return items.contains { matcher.holds(operand.shape, $0.value) } ? .holds : fails(predicate, target)
  }

  private func shapedChoice(
    _ operand: ShapedPredicate, _ predicate: Predicate, _ target: MatchTarget
  ) -> MatchOutcome {
    guard case .list(let all) = operand.shape.expanded else { return inapplicable(predicate, target) }
    let matcher = ShapeMatcher(isUnordered: operand.isUnordered)
    let actual = target.value
    var canBeApplied = false
    for choice in all {
      switch choice.requiredKind {
      case nil:
        // A tag for any value holds, and can be applied, as in `equals`.
        let outcome = resemblance(ShapedPredicate(.equals, choice), predicate, target)
        if outcome.holds { return .holds }
        if outcome.fails { canBeApplied = true }
      case .list?,
        _ where !target.isQueryResult:
        canBeApplied = true
        if matcher.holds(choice, choice.requiredKind == .list ? target.listValue : actual) { return .holds }
      default: break
      }
    }
    return canBeApplied && !matcher.isExhausted
      ? fails(predicate, target, actual: typed(target, unit: unit)) : inapplicable(predicate, target)
  }
}

extension MatchTarget {
  /// The value for an expected list: that of a header is its lines.
  fileprivate var listValue: Value {
    if case .lines(let lines, _) = self { .list(lines.map { .text($0) }) } else { value }
  }
}
