/// What came of one predicate; a failure is written only if a report wants it.
enum MatchOutcome {
  case holds
  case fails(() -> MatchFailure)
  /// The predicate cannot be applied to what is there; `not` does not turn this into success.
  case inapplicable(() -> MatchFailure)

  var holds: Bool {
    if case .holds = self { return true }
    return false
  }

  /// Whether the predicate was applied and does not hold.
  var fails: Bool {
    if case .fails = self { return true }
    return false
  }

  var failure: MatchFailure? {
    switch self {
    case .holds: nil
    case .fails(let failure), .inapplicable(let failure): failure()
    }
  }
}

extension [MatchOutcome] {
  /// All of them together: one that fails decides before one that cannot be applied.
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
