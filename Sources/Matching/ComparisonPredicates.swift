internal import Values

extension PredicateEvaluator {
  func comparison(
    _ operand: Value, _ predicate: Predicate, _ target: MatchTarget, _ isWanted: (Int) -> Bool
  ) -> MatchOutcome {
    guard let order = order(target, operand) else {
      return inapplicable(predicate, target, hint: comparisonHint(operand, predicate, target))
    }
    return isWanted(order) ? .holds : fails(predicate, target)
  }

  func betweenness(_ low: Value, _ high: Value, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard let fromLow = order(target, low), let fromHigh = order(target, high) else {
      return inapplicable(predicate, target, hint: comparisonHint(low, predicate, target))
    }
    return fromLow >= 0 && fromHigh <= 0 ? .holds : fails(predicate, target)
  }

  func closeness(
    _ number: Number, _ tolerance: Number, _ predicate: Predicate, _ target: MatchTarget
  ) -> MatchOutcome {
    guard let actual = target.number else {
      return inapplicable(predicate, target, hint: comparisonHint(.number(number), predicate, target))
    }
    // Where digits are too far apart to be written out the distance is the larger one, less or more a trifle.
    let distance = (actual - number)?.magnitude
    let isClose = (distance ?? max(actual.magnitude, number.magnitude)) <= tolerance
    if isClose { return .holds }
    return fails(
      predicate, target,
      actual: distance.map { distance in
        rendered(.number(actual), unit: unit) + Text(", which is ") + rendered(.number(distance), unit: unit)
          + Text(" away")
      })
  }

  /// Below, at or above the operand as -1, 0, 1; nil if the two cannot be compared.
  private func order(_ target: MatchTarget, _ operand: Value) -> Int? {
    switch target {
    case .missing, .list: return nil
    case .single, .lines: break
    }
    if case .number(let b) = operand {
      guard let a = target.number else { return nil }
      return a < b ? -1 : (b < a ? 1 : 0)
    }
    switch (operand.kind, target.kind) {
    case (.date, .date), (.date, .text), (.text, .date):
      guard let b = instant(operand), let a = instant(target.value) else { return nil }
      return a < b ? -1 : (b < a ? 1 : 0)
    default: return nil
    }
  }

  private func comparisonHint(_ operand: Value, _ predicate: Predicate, _ target: MatchTarget) -> String? {
    if target.isQueryResult { return nil }
    switch (operand, target.beginning.value) {
    case (.number, .text(let text)) where Number(parsing: text.string) != nil:
      return "what is there is text: capture it with `as: number` to compare it"
    case (.text, .text(let text)) where instant(text) != nil:
      return "texts have no order here: write `before` or `after` for dates"
    case (.date, .text(let text)) where Timestamp.lacksZone(text.string): return zoneHint
    case (.date, .text): return "what is there is no date as RFC 3339 or HTTP write it"
    case (.number, _), (.date, _): return nil
    default: return "`\(predicate.name.rawValue)` takes \(predicate.name.operandPhrase)"
    }
  }
}
