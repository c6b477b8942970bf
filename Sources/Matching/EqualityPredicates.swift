internal import Values

extension PredicateEvaluator {
  func equality(_ operand: Value, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    if case .list = target, operand.kind != .list {
      return inapplicable(predicate, target, hint: PredicateEvaluator.listHint(operand))
    }
    if case .lines(let lines, _) = target, operand.kind == .list {
      return isEqual(operand, .list(lines.map { .text($0) })) ? .holds : fails(predicate, target)
    }
    if canBeEqual(operand.kind, target.kind), isEqual(operand, target.value) { return .holds }
    return .fails { inequalityReport(operand, predicate, target) }
  }

  func inequality(_ operand: Value, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    if case .list = target, operand.kind != .list {
      return inapplicable(
        predicate, target,
        hint: "the query can yield several values: write `{none: \(PredicateEvaluator.written(operand))}`")
    }
    return inverted(equality(operand, predicate, target), predicate, target)
  }

  func choice(_ operands: [Value], _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    if case .list = target, !operands.contains(where: { $0.kind == .list }) { return inapplicable(predicate, target) }
    if operands.contains(where: { canBeEqual($0.kind, target.kind) && isEqual($0, target.value) }) { return .holds }
    return fails(
      predicate, target,
      actual: operands.contains { canBeEqual($0.kind, target.kind) }
        ? nil : typed(target, unit: unit),
      hint: operands.lazy.compactMap { PredicateEvaluator.quoteHint($0, target.value) }.first)
  }

  private func inequalityReport(_ operand: Value, _ predicate: Predicate, _ target: MatchTarget) -> MatchFailure {
    let actual = target.value
    var failure = MatchFailure(
      predicate: describe(predicate, unit: unit), expected: rendered(operand, unit: unit),
      actual: rendered(actual, unit: unit))
    switch (operand, actual) {
    case (.list, .list), (.mapping, .mapping):
      let list = differenceList(expected: operand, actual: actual, place: place)
      failure.differences = list.listed
      failure.moreDifferences = list.more
      if case (.list(let a), .list(let b)) = (operand, actual), haveSameItems(a, b) {
        failure.hint = "the items are the same, in another order"
      }
    case (.text(let a), .text(let b)):
      let pair = TextComparison(expected: a, actual: b)
      failure.expected = pair.expected
      failure.actual = pair.actual
      failure.mark = pair.mark
      failure.hint = subtleDifference(expected: a.string, actual: b.string)
      if differOnlyInLineBreaks(a.string, b.string) { break }
      let lines = lineDifferences(expected: a, actual: b)
      failure.differences = lines.listed
      failure.moreDifferences = lines.more
    default:
      guard operand.kind != actual.kind else { break }
      failure.expected = typed(operand, unit: unit)
      failure.actual = typed(target, unit: unit)
      failure.hint = PredicateEvaluator.quoteHint(operand, actual)
    }
    return failure
  }

  private func haveSameItems(_ left: [Value], _ right: [Value]) -> Bool {
    guard left.count == right.count, left.count > 1, left.count <= 10_000 else { return false }
    var counts: [StructuralKey: Int] = [:]
    for item in left { counts[StructuralKey(value: item), default: 0] += 1 }
    for item in right { counts[StructuralKey(value: item), default: 0] -= 1 }
    return counts.values.allSatisfy { $0 == 0 }
  }

  private static func listHint(_ operand: Value) -> String {
    let text = written(operand)
    return "the query can yield several values: write `[\(text)]` or `{any: \(text)}`"
  }

  /// The operand as a hint may repeat it: not a secret, not a long one.
  static func written(_ operand: Value) -> String {
    guard !operand.isSecret else { return "…" }
    let text = rendered(operand).string
    return text.unicodeScalars.count <= 40 ? text : "…"
  }

  /// What to do if a text and something else only look alike.
  static func quoteHint(_ operand: Value, _ actual: Value) -> String? {
    switch (operand, actual) {
    case (.number, .text(let text)), (.bool, .text(let text)), (.null, .text(let text)):
      guard operand.asText == text, !operand.isSecret else { return nil }
      return "what is there is text: write `\"\(operand.asText.string)\"`, in quotes"
    case (.text(let text), .number), (.text(let text), .bool), (.text(let text), .null):
      guard actual.asText == text, !text.isSecret else { return nil }
      return "what is there is \(typePhrase(actual)): write `\(text.string)`, without quotes"
    default: return nil
    }
  }
}
