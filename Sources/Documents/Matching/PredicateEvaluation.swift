import OperatingSystem
import Values

/// All predicates that do not hold, none hidden by another.
///
/// - Parameters:
///   - path: the prefix of the paths of differences.
///   - unit: the unit for numbers, such as `ms`.
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

/// Returns whether all predicates hold, without creating failures.
package func hold(_ predicates: [Predicate], for subject: MatchSubject) -> Bool {
  let target = MatchTarget(subject)
  let evaluator = PredicateEvaluator(place: .root("$"))
  return predicates.allSatisfy { evaluator.outcome(of: $0, against: target).holds }
}

/// Evaluates predicates on values; each group of predicates has a file of its own.
struct PredicateEvaluator {
  let place: Place
  var unit = ""
  var meter = EvaluationBudget.meter

  func outcome(of predicate: Predicate, against target: MatchTarget) -> MatchOutcome {
    if meter.isOver(after: 4) { return .holds }
    let kind = predicate.kind
    if !kind.takesWhatIsMissing {
      if target.isMissing { return absence(predicate, target) }
      if kind.goesThroughItems, case .list(let items) = target, items.isEmpty { return nothingToCheck(predicate) }
      if case .shape(let operand) = predicate.operand { return shapedMatch(operand, predicate, target) }
    }
    return kind.outcome(self, predicate, target)
  }

  func outcome(of predicates: [Predicate], against target: MatchTarget) -> MatchOutcome {
    predicates.map { outcome(of: $0, against: target) }.all
  }

  // MARK: existence and negation

  fileprivate func existence(_ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    let wanted = predicate.flag
    if exists(target) == wanted { return .holds }
    guard target.isQueryResult else { return fails(predicate, target) }
    return .fails {
      MatchFailure(
        predicate: describe(predicate), expected: wanted ? "at least one value" : "no values",
        actual: wanted ? "no values" : rendered(target, unit: unit))
    }
  }

  /// The outcome for a missing value, for which no predicate but `exists` holds, not even a negated one.
  private func absence(_ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    fails(
      predicate, target,
      hint: predicate.kind.seemsToHoldForNothing(predicate.operand)
        ? "what is not there meets `exists: false` alone" : nil)
  }

  /// Returns whether a value exists. A query that isn't singular always results in a list, whose values count.
  private func exists(_ target: MatchTarget) -> Bool {
    switch target {
    case .missing: false
    case .list(let items): !items.isEmpty
    case .single, .lines: true
    }
  }

  fileprivate func negation(_ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    let inner = predicate.inner
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

  /// A failure that shows a text around its relevant part.
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
      } else if hint == nil, target.kind == .number,
        ["contains", "starts_with", "ends_with"].contains(predicate.kind.name)
      {
        hint = "what is there is a number: write `equals`, `between` or `is`"
      }
      return MatchFailure(
        predicate: describe(predicate, unit: unit), expected: expectation(predicate, unit: unit, namesTypes: true),
        actual: typed(target, unit: unit), hint: hint)
    }
  }

  /// The failure for a query without results, which leaves nothing to check: that never passes, under `not` neither.
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

extension PredicateKind {
  package static let exists = PredicateKind(
    "exists", takes: .flag, of: .anything, takesWhatIsMissing: true,
    documentation: ("anything", "null exists; an empty list of a path that isn't singular does not"),
    expectation: { predicate, _ in predicate.flag ? "something" : "nothing" },
    outcome: { $0.existence($1, $2) })

  package static let not = PredicateKind(
    "not", takes: .predicates, of: .anything, isNegation: true, takesWhatIsMissing: true,
    documentation: ("what its predicates apply to", "they don't hold"),
    expectation: { predicate, wording in
      "not "
        + Matching.expectation(
          of: predicate.inner, kind: wording.kind, unit: wording.unit, namesTypes: wording.namesTypes)
    },
    outcome: { $0.negation($1, $2) })

}

extension Predicate {
  fileprivate var isAboutExistence: Bool {
    if kind === PredicateKind.not { return inner.contains(where: \.isAboutExistence) }
    return kind === PredicateKind.exists
  }
}
