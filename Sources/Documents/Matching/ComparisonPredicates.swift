import Values

extension PredicateKind {
  private static let comparable = (
    subjects: "numbers; dates where the operand is a date",
    meaning: "exact decimals; text never compares with a number, but for that of a header and the like"
  )

  /// A comparison with one value, by whether the subject is below (-1), at or above it.
  private static func comparison(
    _ name: String, signs: [String] = [], words: String = "", takes operand: PredicateOperand = .comparable,
    of subjects: PredicateSubjects = .numbersAndDates, documentation: (subjects: String, meaning: String) = ("", ""),
    phrase: String, _ isWanted: @escaping @Sendable (Int) -> Bool
  ) -> PredicateKind {
    PredicateKind(
      name, signs: signs, words: words, takes: operand, of: subjects, documentation: documentation,
      expectation: { predicate, wording in Text(phrase + " ") + wording.shown(predicate.value) },
      outcome: { $0.comparison($1, $2, isWanted) })
  }

  static let comparisons: [PredicateKind] = [
    comparison(
      "greater_than", signs: ["gt", ">"], words: "greater above morethan", documentation: comparable,
      phrase: "more than"
    ) { $0 > 0 },
    comparison(
      "at_least", signs: ["gte", "ge", ">="],
      words: "min minimum greaterorequal greaterthanorequal greaterthanorequalto", phrase: "at least"
    ) { $0 >= 0 },
    comparison("less_than", signs: ["lt", "<"], words: "less below lowerthan", phrase: "less than") { $0 < 0 },
    comparison(
      "at_most", signs: ["lte", "le", "<="], words: "max maximum lessorequal lessthanorequal lessthanorequalto",
      phrase: "at most"
    ) { $0 <= 0 },
    PredicateKind(
      "between", words: "range within", takes: .bounds, of: .numbersAndDates,
      documentation: ("the same", "both bounds belong to it"),
      problem: { operand in
        let isReversed: Bool
        switch operand {
        case .bounds(.number(let low), .number(let high)): isReversed = high < low
        case .bounds(.date(let low), .date(let high)): isReversed = high < low
        default: return ("`between` takes two numbers or two dates, found one of each", nil)
        }
        return isReversed
          ? ("nothing lies between these: the first is greater than the second", "write the lower one first") : nil
      },
      expectation: { predicate, wording in
        guard case .bounds(let low, let high) = predicate.operand else { predicate.mismatch() }
        return "from " + wording.shown(low) + " to " + wording.shown(high)
      },
      outcome: { $0.betweenness($1, $2) }),
    PredicateKind(
      "close_to", words: "approx", takes: .distance, of: .numbers,
      documentation: ("numbers", "the border belongs to it"),
      problem: { operand in
        guard case .distance(_, let tolerance) = operand, tolerance < Number(0) else { return nil }
        return ("`within` is a distance, and never negative", nil)
      },
      expectation: { predicate, wording in
        guard case .distance(let number, let tolerance) = predicate.operand else { predicate.mismatch() }
        return (wording.namesTypes ? "a number, " : "") + rendered(.number(number), unit: wording.unit) + " ± "
          + rendered(.number(tolerance), unit: wording.unit)
      },
      outcome: { $0.closeness($1, $2) }),
    PredicateKind(
      "divisible_by", words: "divisible multipleof ismultipleof", takes: .number, of: .numbers,
      documentation: ("numbers", "an exact multiple: `0.3` is one of `0.1`; zero is a multiple of everything"),
      problem: { operand in
        guard case .value(.number(let number)) = operand, number.isZero else { return nil }
        return ("nothing is divisible by zero", "write another number")
      },
      expectation: { predicate, wording in "a multiple of " + wording.shown(predicate.value) },
      outcome: { evaluator, predicate, target in
        guard case .number(let divisor) = predicate.value, let number = target.number else {
          return evaluator.inapplicable(
            predicate, target, hint: evaluator.comparisonHint(predicate.value, predicate, target))
        }
        return number.isMultiple(of: divisor) ? .holds : evaluator.fails(predicate, target)
      }),
  ]

  static let dates: [PredicateKind] = [
    comparison(
      "before", takes: .date, of: .dates,
      documentation: ("dates, texts that are dates", "as instants; RFC 3339 and HTTP dates"), phrase: "before"
    ) { $0 < 0 },
    comparison("after", takes: .date, of: .dates, phrase: "after") { $0 > 0 },
  ]
}

extension PredicateEvaluator {
  fileprivate func comparison(
    _ predicate: Predicate, _ target: MatchTarget, _ isWanted: (Int) -> Bool
  ) -> MatchOutcome {
    let operand = predicate.value
    guard let order = order(target, operand) else {
      return inapplicable(predicate, target, hint: comparisonHint(operand, predicate, target))
    }
    return isWanted(order) ? .holds : fails(predicate, target)
  }

  fileprivate func betweenness(_ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard case .bounds(let low, let high) = predicate.operand else { predicate.mismatch() }
    guard let fromLow = order(target, low), let fromHigh = order(target, high) else {
      return inapplicable(predicate, target, hint: comparisonHint(low, predicate, target))
    }
    return fromLow >= 0 && fromHigh <= 0 ? .holds : fails(predicate, target)
  }

  fileprivate func closeness(_ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard case .distance(let number, let tolerance) = predicate.operand else { predicate.mismatch() }
    guard let actual = target.number else {
      return inapplicable(predicate, target, hint: comparisonHint(.number(number), predicate, target))
    }
    // If digits are too far apart to be written out, the distance is the larger one, give or take a trifle.
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

  /// The order of the subject relative to the operand, as -1, 0, 1; nil if the two cannot be compared.
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

  fileprivate func comparisonHint(_ operand: Value, _ predicate: Predicate, _ target: MatchTarget) -> String? {
    if target.isQueryResult { return nil }
    switch (operand, target.beginning.value) {
    case (.number, .text(let text)) where Number(parsing: text.string) != nil:
      return "what is there is text: capture it with `as: number` to compare it"
    case (.text, .text(let text)) where instant(text) != nil:
      return "texts have no order here: write `before` or `after` for dates"
    case (.date, .text(let text)) where Timestamp.lacksZone(text.string): return zoneHint
    case (.date, .text): return "what is there is not a date of RFC 3339 (`2024-05-01T10:00:00Z`) or HTTP"
    case (.number, _), (.date, _): return nil
    default: return "`\(predicate.kind.name)` takes \(predicate.kind.operand.phrase)"
    }
  }
}
