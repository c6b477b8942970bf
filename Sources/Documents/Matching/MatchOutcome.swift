/// The outcome of one predicate; a failure is only worded if a report needs it.
enum MatchOutcome {
  case holds
  case fails(() -> MatchFailure)
  /// The predicate cannot be applied to the value; `not` does not turn this into success.
  case inapplicable(() -> MatchFailure)

  var holds: Bool {
    if case .holds = self { return true }
    return false
  }

  /// Indicates whether the predicate was applied and does not hold.
  var fails: Bool {
    if case .fails = self { return true }
    return false
  }

  /// The same failure, but of a predicate that cannot be applied.
  var asInapplicable: MatchOutcome { if case .fails(let failure) = self { .inapplicable(failure) } else { self } }

  var failure: MatchFailure? {
    switch self {
    case .holds: nil
    case .fails(let failure), .inapplicable(let failure): failure()
    }
  }
}

extension [MatchOutcome] {
  /// The combined outcome: a failed predicate decides before one that cannot be applied.
  var all: MatchOutcome {
    var result = MatchOutcome.holds
    for outcome in self {
      switch outcome {
      case .holds: continue
      case .fails: return outcome
      case .inapplicable: if result.holds { result = outcome }
      }
    }
    return result
  }
}
