import Values

extension PredicateKind {
  package static let equals = PredicateKind(
    "equals", signs: ["eq", "=="], words: "be deepequals deepequal strictequals strictequal equalto isequalto",
    takes: .anyValue, of: .anything,
    documentation: (
      "anything",
      """
      equal with type: 1 is not `"1"`, `1.0` is 1; members in any order; a date equals an RFC 3339 or HTTP date text of the \
      same instant, data their base64 or hex text
      """
    ),
    expectation: { predicate, wording in wording.shown(predicate.value) },
    outcome: { $0.equality($1.value, $1, $2) })

  package static let notEquals = PredicateKind(
    "not_equals", signs: ["ne", "neq", "!=", "!=="], words: "notequal notequalto", takes: .anyValue, of: .anything,
    isNegation: true,
    expectation: { predicate, wording in "anything but " + wording.shown(predicate.value) },
    outcome: { $0.inequality($1.value, $1, $2) })

  package static let oneOf = PredicateKind(
    "one_of", words: "in enum anyof", takes: .list, of: .anything,
    documentation: ("anything", "it equals one of the list"),
    expectation: { predicate, wording in "one of " + rendered(.list(predicate.values), unit: wording.unit) },
    outcome: { $0.choice($1.values, $1, $2) })

  static let equality = [equals, notEquals, oneOf]
}

extension PredicateEvaluator {
  fileprivate func equality(_ operand: Value, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    if case .list = target, operand.kind != .list {
      return inapplicable(predicate, target, hint: PredicateEvaluator.listHint(operand))
    }
    if case .lines(let lines, _) = target, operand.kind == .list {
      return isEqual(operand, .list(lines.map { .text($0) })) ? .holds : fails(predicate, target)
    }
    if isEqual(operand, target) { return .holds }
    let outcome = MatchOutcome.fails { inequalityReport(operand, predicate, target) }
    return PredicateEvaluator.areAlike(operand, target) ? outcome.asInapplicable : outcome
  }

  fileprivate func inequality(_ operand: Value, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    if case .list = target, operand.kind != .list {
      return inapplicable(
        predicate, target,
        hint: "the query can yield several values: write `{none: \(PredicateEvaluator.written(operand))}`")
    }
    if PredicateEvaluator.areAlike(operand, target) {
      return inapplicable(predicate, target, hint: PredicateEvaluator.formHint(operand, target, isDenied: true))
    }
    return inverted(equality(operand, predicate, target), predicate, target)
  }

  fileprivate func choice(_ operands: [Value], _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    if case .list = target, !operands.contains(where: { $0.kind == .list }) { return inapplicable(predicate, target) }
    if operands.contains(where: { isEqual($0, target) }) { return .holds }
    let outcome = fails(
      predicate, target,
      actual: operands.contains { canBeEqual($0.kind, target.kind) }
        ? nil : typed(target, unit: unit),
      hint: nearestChoice(operands, target))
    return operands.contains { PredicateEvaluator.areAlike($0, target) } ? outcome.asInapplicable : outcome
  }

  /// The most similar of several values.
  private func nearestChoice(_ choices: [Value], _ target: MatchTarget) -> String? {
    guard choices.contains(where: { $0.kind == target.kind || target.kind != .list && target.kind != .mapping }) else {
      return nil
    }
    let actual = target.value
    if let hint = choices.lazy.compactMap({ PredicateEvaluator.formHint($0, target) }).first { return hint }
    if case .text(let text) = actual, let near = nearestText(to: text, among: choices) {
      return subtleDifference(expected: near, actual: text.string).map { "\(quoted(near)): \($0)" }
        ?? "\(quoted(near)) comes nearest"
    }
    guard actual.kind == .list || actual.kind == .mapping else { return nil }
    var best: (index: Int, list: DifferenceList, count: Int)?
    for (index, choice) in choices.prefix(50).enumerated() where choice.kind == actual.kind {
      let list = differenceList(expected: choice, actual: actual, place: place)
      let count = list.listed.count + list.more
      if count < best?.count ?? .max { best = (index, list, count) }
    }
    guard let best, let first = best.list.listed.first, choices.count > 1 else { return nil }
    return "the \(ordinal(best.index + 1)) comes nearest, but \(first.statement)"
  }

  private func inequalityReport(_ operand: Value, _ predicate: Predicate, _ target: MatchTarget) -> MatchFailure {
    var failure = MatchFailure(
      predicate: describe(predicate, unit: unit), expected: rendered(operand, unit: unit),
      actual: rendered(target, unit: unit))
    // For a value of another type its beginning is enough.
    let actual = operand.kind == target.kind ? target.value : target.beginning.value
    switch (operand, actual) {
    case (.list, .list), (.mapping, .mapping):
      let list = differenceList(expected: operand, actual: actual, place: place)
      failure.differences = list.listed
      failure.moreDifferences = list.more
      if case (.list(let a), .list(let b)) = (operand, actual), haveSameItems(a, b) {
        let list = PredicateEvaluator.written(operand)
        failure.hint =
          "the items are the same in another order: `{equals: \(list), unordered: true}` accepts any order"
        // A few differences are clearer side by side.
        if a.count <= 12 {
          failure.differences = []
          failure.moreDifferences = 0
        }
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
    case (.number(let a), .number(let b)): failure.hint = roundingHint(expected: a, actual: b)
    default:
      guard operand.kind != actual.kind else { break }
      failure.expected = typed(operand, unit: unit)
      failure.actual = typed(target, unit: unit)
      failure.hint = PredicateEvaluator.formHint(operand, target)
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

  /// The operand for a hint, unless it is secret or long.
  static func written(_ operand: Value) -> String {
    guard !operand.isSecret else { return "…" }
    let text = rendered(operand).string
    return text.unicodeScalars.count <= 40 ? text : "…"
  }
}

/// The tolerance that accepts a number which differs from the expected one by rounding alone.
func roundingHint(expected: Number, actual: Number) -> String? {
  let lexeme = expected.lexeme
  guard !expected.isSecret, !actual.isSecret, lexeme.utf8.count <= 12,
    !lexeme.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }),
    let point = lexeme.utf8.firstIndex(of: UInt8(ascii: "."))
  else { return nil }
  let digits = lexeme.utf8.distance(from: point, to: lexeme.utf8.endIndex) - 1
  let half = 0.5 / (0..<digits).reduce(1.0) { power, _ in power * 10 }
  guard abs(expected.double - actual.double) <= half * 1.000001 else { return nil }
  // Noise of floating point is much smaller than what was rounded on purpose.
  let isNoise = abs(expected.double - actual.double) < 1e-9 * max(1, abs(expected.double))
  let within = isNoise ? "0.000001" : "0." + String(repeating: "0", count: digits) + "5"
  return "the numbers differ by rounding: `{close_to: {value: \(lexeme), within: \(within)}}` accepts it"
}

/// The most similar text among values, if one is near and neither is secret.
func nearestText(to text: Text, among values: some Sequence<Value>) -> String? {
  guard !text.isSecret, text.string.utf8.count <= 200 else { return nil }
  return nearestName(
    to: text.string,
    among: values.prefix(1000).compactMap { value in
      if case .text(let text) = value, !text.isSecret, text.string.utf8.count <= 200 { text.string } else { nil }
    })
}

/// `1st`, `2nd`, `3rd`, `4th`.
private func ordinal(_ number: Int) -> String {
  let isTeen = (11...13).contains(number % 100)
  let ending =
    switch number % 10 {
    case 1 where !isTeen: "st"
    case 2 where !isTeen: "nd"
    case 3 where !isTeen: "rd"
    default: "th"
    }
  return "\(number)\(ending)"
}
