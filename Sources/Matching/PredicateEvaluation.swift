internal import EvaluationBudgets
internal import Values

/// All predicates that do not hold, none hidden by another.
///
/// - Parameters:
///   - path: what the paths of differences begin with.
///   - unit: what numbers are shown with, such as `ms`.
package func failures(
  of predicates: [Predicate], against subject: MatchSubject, path: String = "$", unit: String = ""
) -> [MatchFailure] {
  let target = MatchTarget(subject)
  let place: Place
  switch target {
  case .list, .lines: place = .root("")
  case .missing, .single: place = .root(path)
  }
  let evaluator = PredicateEvaluator(place: place, unit: unit)
  return predicates.enumerated().compactMap { index, predicate in
    var failure = evaluator.outcome(of: predicate, against: target).failure
    failure?.index = index
    failure?.concealNearSecrets()
    return failure
  }
}

/// Whether all predicates hold: no failure is written.
package func hold(_ predicates: [Predicate], for subject: MatchSubject) -> Bool {
  let target = MatchTarget(subject)
  let evaluator = PredicateEvaluator(place: .root("$"))
  return predicates.allSatisfy { evaluator.outcome(of: $0, against: target).holds }
}

/// Holds predicates against values; each group of predicates has a file of its own.
struct PredicateEvaluator {
  let place: Place
  var unit = ""
  var meter = EvaluationBudget.meter

  func outcome(of predicate: Predicate, against target: MatchTarget) -> MatchOutcome {
    if meter.isOver(after: 4) { return .holds }
    switch predicate {
    case .exists(let wanted): return existence(wanted, predicate, target)
    case .not(let inner): return negation(inner, predicate, target)
    default: break
    }
    if target.isMissing { return absence(predicate, target) }
    if predicate.looksAtItems, case .list(let items) = target, items.isEmpty { return nothingToCheck(predicate) }
    switch predicate {
    case .equals(let operand): return equality(operand, predicate, target)
    case .notEquals(let operand): return inequality(operand, predicate, target)
    case .oneOf(let operands): return choice(operands, predicate, target)
    case .greaterThan(let operand): return comparison(operand, predicate, target) { $0 > 0 }
    case .atLeast(let operand): return comparison(operand, predicate, target) { $0 >= 0 }
    case .lessThan(let operand): return comparison(operand, predicate, target) { $0 < 0 }
    case .atMost(let operand): return comparison(operand, predicate, target) { $0 <= 0 }
    case .between(let low, let high): return betweenness(low, high, predicate, target)
    case .closeTo(let number, let tolerance): return closeness(number, tolerance, predicate, target)
    case .before(let date): return comparison(.date(date), predicate, target) { $0 < 0 }
    case .after(let date): return comparison(.date(date), predicate, target) { $0 > 0 }
    case .contains(let operand): return containment(operand, predicate, target)
    case .notContains(let operand): return nonContainment(operand, predicate, target)
    case .startsWith(let text): return beginning(text, predicate, target)
    case .endsWith(let text): return ending(text, predicate, target)
    case .matches(let expression): return expressionMatch(expression, predicate, target)
    case .notMatches(let expression): return expressionMismatch(expression, predicate, target)
    case .isKind(let kind): return kindMatch(kind, predicate, target)
    case .isNotKind(let kind): return inverted(kindMatch(kind, predicate, target), predicate, target)
    case .count(let inner): return sizeMatch(inner, predicate, target)
    case .includes(let operand):
      return shapedMatch(ShapedPredicate(.includes, .value(operand)), predicate, target)
    case .every(let inner): return universal(inner, predicate, target)
    case .any(let inner): return existential(inner, predicate, target)
    case .none(let inner): return absence(inner, predicate, target)
    case .unique(let wanted): return uniqueness(wanted, predicate, target)
    case .sorted(let order): return sortedness(order, predicate, target)
    case .shaped(let operand): return shapedMatch(operand, predicate, target)
    case .exists, .not: return .holds
    }
  }

  func outcome(of predicates: [Predicate], against target: MatchTarget) -> MatchOutcome {
    predicates.map { outcome(of: $0, against: target) }.all
  }

  // MARK: existence and negation

  private func existence(_ wanted: Bool, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    if exists(target) == wanted { return .holds }
    guard target.isQueryResult else { return fails(predicate, target) }
    return .fails {
      MatchFailure(
        predicate: describe(predicate), expected: wanted ? "at least one value" : "no values",
        actual: wanted ? "no values" : rendered(target, unit: unit))
    }
  }

  /// What is not there meets no predicate but `exists`, not even one that denies something.
  private func absence(_ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    fails(
      predicate, target,
      hint: predicate.seemsToHoldForNothing ? "what is not there meets `exists: false` alone" : nil)
  }

  /// A query that isn't singular always yields a list; what exists is the values in it.
  private func exists(_ target: MatchTarget) -> Bool {
    switch target {
    case .missing: false
    case .list(let items): !items.isEmpty
    case .single, .lines: true
    }
  }

  private func negation(_ inner: [Predicate], _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    if target.isMissing, !inner.contains(where: \.isAboutExistence) { return absence(predicate, target) }
    switch outcome(of: inner, against: target) {
    case .holds: return fails(predicate, target)
    case .fails: return .holds
    case .inapplicable(let failure):
      return .inapplicable {
        var result = failure()
        result.predicate = describe(predicate, unit: unit)
        return result
      }
    }
  }

  func inverted(_ outcome: MatchOutcome, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    switch outcome {
    case .holds: fails(predicate, target)
    case .fails: .holds
    case .inapplicable: outcome
    }
  }

  // MARK: failures

  /// A failure that shows the value as it is.
  func fails(
    _ predicate: Predicate, _ target: MatchTarget, actual: @escaping @autoclosure () -> Text? = nil,
    hint: @escaping @autoclosure () -> String? = nil
  ) -> MatchOutcome {
    .fails {
      let shown = actual() ?? (target.isMissing ? Text("nothing") : rendered(target, unit: unit))
      return MatchFailure(
        predicate: describe(predicate, unit: unit), expected: expectation(predicate, of: target.kind, unit: unit),
        actual: shown, hint: hint())
    }
  }

  /// A failure that shows a text around the part of it that is meant.
  func fails(
    _ predicate: Predicate, showing text: @escaping () -> ShownText, hint: @escaping @autoclosure () -> String? = nil
  ) -> MatchOutcome {
    .fails {
      let shown = text()
      return MatchFailure(
        predicate: describe(predicate, unit: unit), expected: expectation(predicate, of: .text, unit: unit),
        actual: shown.text, hint: hint(), mark: shown.mark)
    }
  }

  /// A failure that names both types.
  func inapplicable(
    _ predicate: Predicate, _ target: MatchTarget, hint: @escaping @autoclosure () -> String? = nil
  ) -> MatchOutcome {
    .inapplicable {
      var hint = hint()
      if hint == nil, target.isQueryResult {
        hint = "the query can yield several values: apply the predicate by `every` or `any`"
      }
      return MatchFailure(
        predicate: describe(predicate, unit: unit), expected: expectation(predicate, unit: unit, namesTypes: true),
        actual: typed(target, unit: unit), hint: hint)
    }
  }

  /// A query that found nothing leaves nothing to check: that never passes, under `not` neither.
  private func nothingToCheck(_ predicate: Predicate) -> MatchOutcome {
    .inapplicable {
      MatchFailure(
        predicate: describe(predicate, unit: unit), expected: expectation(predicate, unit: unit),
        actual: Text("no values"), hint: "the query finds nothing to check; `count: 0` is what that meets")
    }
  }
}

/// The value of a target with its type.
func typed(_ target: MatchTarget, unit: String = "") -> Text {
  switch target {
  case .missing: Text("nothing")
  case .list(let items):
    rendered(target, unit: unit) + Text(" (a list of \(counted(items.count, "value")))")
  case .single, .lines:
    target.kind == .null
      ? rendered(target) : rendered(target, unit: unit) + Text(" (\(typePhrase(target.beginning.value)))")
  }
}

extension Predicate {
  /// Whether the predicate goes through what a query found, and so has nothing to check where it found nothing.
  fileprivate var looksAtItems: Bool {
    switch self {
    case .contains, .notContains, .includes, .every, .any, .none, .unique, .sorted: true
    case .shaped(let operand): operand.use == .contains || operand.use == .includes
    default: false
    }
  }

  /// Whether a reader could take it to hold where there is nothing.
  fileprivate var seemsToHoldForNothing: Bool {
    switch self {
    case .equals(.null), .isKind(.null), .isKind(.empty), .count, .none, .not, .notEquals, .notContains, .notMatches,
      .isNotKind:
      true
    default: false
    }
  }

  fileprivate var isAboutExistence: Bool {
    switch self {
    case .exists: true
    case .not(let inner): inner.contains(where: \.isAboutExistence)
    default: false
    }
  }
}
