import DocumentQueries
import OperatingSystem
import Values

extension PredicateKind {
  static let texts: [PredicateKind] = [
    PredicateKind(
      "starts_with", words: "startwith beginswith", takes: .text, of: .texts, documentation: ("text", "byte by byte"),
      expectation: { predicate, _ in "a string that starts with " + quoted(predicate.text) },
      outcome: { $0.beginning($1.text, $1, $2) }),
    PredicateKind(
      "ends_with", words: "endwith", takes: .text, of: .texts,
      expectation: { predicate, _ in "a string that ends with " + quoted(predicate.text) },
      outcome: { $0.ending($1.text, $1, $2) }),
    matches,
    PredicateKind(
      "not_matches", words: "notmatch", takes: .pattern, of: .texts, isNegation: true,
      expectation: { predicate, _ in "a string that does not match " + Matching.pattern(predicate.pattern) },
      outcome: { $0.expressionMismatch($1.pattern, $1, $2) }),
  ]

  package static let matches = PredicateKind(
    "matches", signs: ["=~"], words: "regex regexp pattern like match matchregex matchesregex", takes: .pattern,
    of: .texts,
    documentation: (
      "text",
      """
      the pattern (PCRE2) is found anywhere in it; a search that backtracks or takes too long fails, in the negative too
      """
    ),
    expectation: { predicate, _ in "a string that matches " + Matching.pattern(predicate.pattern) },
    outcome: { $0.expressionMatch($1.pattern, $1, $2) })

  package static let isKind = PredicateKind(
    "is", words: "type", takes: .kind, of: .anything, documentation: ("anything", "see below"),
    expectation: { predicate, wording in
      guard predicate.matchKind == .empty else { return Text(predicate.matchKind.phrase) }
      return wording.namesTypes ? "an empty string, array or object" : "empty"
    },
    outcome: { $0.kindMatch($1.matchKind, $1, $2) })

  static let kinds: [PredicateKind] = [
    isKind,
    PredicateKind(
      "is_not", takes: .kind, of: .anything, isNegation: true,
      expectation: { predicate, wording in
        guard predicate.matchKind == .empty else { return Text("anything but \(predicate.matchKind.phrase)") }
        return wording.namesTypes ? "a string, array or object that is not empty" : "not empty"
      },
      outcome: { $0.inverted($0.kindMatch($1.matchKind, $1, $2), $1, $2) }),
  ]
}

extension PredicateEvaluator {
  fileprivate func beginning(_ operand: Text, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard let text = text(target) else { return inapplicable(predicate, target) }
    if operand.isEmpty { return emptyOperand(predicate, target) }
    if text.string.utf8.starts(with: operand.string.utf8) { return .holds }
    return fails(
      predicate, showing: { shownBeginning(text, expected: operand) },
      hint: PredicateEvaluator.subtleHint(operand, text.string.prefix(operand.string.count)))
  }

  fileprivate func ending(_ operand: Text, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard let text = text(target) else { return inapplicable(predicate, target) }
    if operand.isEmpty { return emptyOperand(predicate, target) }
    let bytes = text.string.utf8
    return bytes.suffix(operand.string.utf8.count).elementsEqual(operand.string.utf8)
      ? .holds
      : fails(
        predicate, target, actual: quoted(text.concealing(partsOf: operand), around: bytes.count),
        hint: PredicateEvaluator.subtleHint(operand, text.string.suffix(operand.string.count)))
  }

  func expressionMatch(
    _ expression: RegularExpression, _ predicate: Predicate, _ target: MatchTarget
  ) -> MatchOutcome {
    guard let text = text(target) else {
      return inapplicable(
        predicate, target,
        hint: target.kind == .number
          ? "a regular expression matches texts, not numbers: write `equals`, `between` or `is`"
          : target.kind == .list ? "write `{any: {…}}` or `{every: {…}}` around it for the items of the list" : nil)
    }
    do throws(RegularExpressionMatchError) {
      if try expression.matches(text.string) { return .holds }
      if expression.secrets.isEmpty { return fails(predicate, target) }
      return fails(predicate, target, actual: quoted(concealing(expression, in: text)))
    } catch {
      let reason = error.message
      return .inapplicable {
        MatchFailure(
          predicate: describe(predicate), expected: expectation(predicate),
          actual: quoted(concealing(expression, in: text)),
          hint: "whether it matches was not found out: \(reason)")
      }
    }
  }

  private func concealing(_ expression: RegularExpression, in text: Text) -> Text {
    var secrets = Text("")
    for secret in expression.secrets { secrets.append(Text(secret: secret) + "\n") }
    return text.concealing(partsOf: secrets)
  }

  fileprivate func expressionMismatch(
    _ expression: RegularExpression, _ predicate: Predicate, _ target: MatchTarget
  ) -> MatchOutcome {
    let outcome = expressionMatch(expression, predicate, target)
    guard case .holds = outcome, let text = text(target) else { return inverted(outcome, predicate, target) }
    return fails(
      predicate,
      showing: {
        let range = (try? expression.firstMatch(in: text.string))?.range ?? 0..<0
        return ShownText(text, marking: range, label: "matches")
      })
  }

  func kindMatch(_ kind: MatchKind, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    if target.isQueryResult, kind != .array, kind != .empty { return inapplicable(predicate, target) }
    let holds: Bool
    switch kind {
    case .empty:
      // For a header the text may be empty: a line exists.
      let count = if case .lines(_, let joined) = target { joined.size?.count } else { size(target)?.count }
      guard let count else { return inapplicable(predicate, target) }
      holds = count == 0
    case .number: holds = target.number != nil
    case .integer: holds = target.number?.isInteger ?? false
    // The type of a structure is known without creating it.
    default:
      holds =
        target.kind != .list && target.kind != .mapping ? Matching.isOf(kind, target.value) : isOf(kind, target.kind)
    }
    return holds
      ? .holds
      : fails(predicate, target, actual: typed(target, unit: unit), hint: kind == .datetime ? zoneHint(target) : nil)
  }

  private func zoneHint(_ target: MatchTarget) -> String? {
    text(target).flatMap { Timestamp.lacksZone($0.string) ? Matching.zoneHint : nil }
  }

  private func isOf(_ kind: MatchKind, _ structure: ValueKind) -> Bool {
    kind == .array && structure == .list || kind == .object && structure == .mapping
  }

  func text(_ target: MatchTarget) -> Text? {
    guard target.kind == .text, case .text(let text) = target.value else { return nil }
    return text
  }

  /// The outcome for an empty text, which is part of every text: the check would always pass.
  func emptyOperand(_ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    .inapplicable {
      MatchFailure(
        predicate: describe(predicate), expected: expectation(predicate), actual: rendered(target.value),
        hint: "an empty text is part of every text, so this would check nothing")
    }
  }

  private static func subtleHint(_ operand: Text, _ part: Substring) -> String? {
    operand.string.lowercased() == part.lowercased() ? "the texts differ in letter case only" : nil
  }
}

/// Returns whether a value is of a kind; one that cannot be empty isn't.
func isOf(_ kind: MatchKind, _ value: Value) -> Bool {
  switch (kind, value) {
  case (.string, .text), (.boolean, .bool), (.array, .list), (.object, .mapping), (.null, .null), (.number, .number),
    (.datetime, .date):
    true
  case (.integer, .number(let number)): number.isInteger
  case (.uuid, .text(let text)), (.date, .text(let text)), (.datetime, .text(let text)), (.email, .text(let text)),
    (.url, .text(let text)), (.ipv4, .text(let text)), (.ipv6, .text(let text)), (.base64, .text(let text)),
    (.json, .text(let text)):
    hasForm(kind, text.string)
  case (.empty, _): MatchItem(ConcreteValue(value)).size?.count == 0
  default: false
  }
}

/// Returns whether bytes occur contiguously among others.
package func occurs(_ part: some Collection<UInt8>, in whole: some Collection<UInt8>) -> Bool {
  let part = Array(part)
  let meter = EvaluationBudget.meter
  func search(_ whole: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = part.first else { return true }
    guard whole.count >= part.count else { return false }
    return part.withUnsafeBufferPointer { part in
      for start in 0...(whole.count - part.count) where whole[start] == first {
        var length = 1
        while length < part.count, whole[start + length] == part[length] { length += 1 }
        if length == part.count { return true }
        if meter.isOver(after: 1 + length >> 5) { return false }
      }
      return false
    }
  }
  // The whole may be a large body: it isn't copied.
  return whole.withContiguousStorageIfAvailable(search) ?? Array(whole).withUnsafeBufferPointer(search)
}
