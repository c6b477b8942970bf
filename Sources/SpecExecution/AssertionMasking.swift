import Diagnostics
import Matching
import Values

extension AssertionReport {
  /// The failure with its marked secrets masked; a pattern, a path in the answer and a hint come without marks.
  ///
  /// - Parameter body: masked already.
  init(
    subject: String, range: SourceRange?, failure: MatchFailure, body: String? = nil, registry: SecretRegistry
  ) {
    self.init(
      subject: subject, range: range, predicate: registry.masked(wording: failure.predicate),
      expected: registry.masked(wording: failure.expected), actual: registry.shown(failure.actual),
      mark: failure.mark.flatMap { MarkReport($0, in: failure.actual) },
      summary: failure.summary.map(registry.masked(message:)),
      differences: failure.differences.map { DifferenceReport($0, registry: registry) },
      moreDifferences: failure.moreDifferences, body: body, hint: failure.hint.map(registry.masked(hints:)))
  }

  /// A failed validation; its texts come without marks, but for the status, which is a number.
  ///
  /// - Parameter note: what is known of the status.
  init(
    _ failure: ValidationFailure, from source: ValidationRulesSource, place: SourceRange?, note: String?,
    body: String?, registry: SecretRegistry
  ) {
    let isStatus = if case .unacceptableStatus = failure { true } else { false }
    var failureText = failure.matchFailure
    if !isStatus {
      failureText.expected = registry.filtered(failureText.expected.string)
      failureText.actual = registry.filtered(failureText.actual.string)
    }
    failureText.predicate = failureText.expected
    if source.range == nil {
      failureText.hint =
        if isStatus {
          "by default an answer must have a status of 200..<300; say otherwise with `expect.status` or `validate`"
        } else if source.wantsEvents {
          "`stream` reads server-sent events, and this answer has none: look at the URL, or leave `stream` out"
        } else {
          "by default an answer must have a type that the `Accept` header names; say otherwise with `validate`"
        }
    }
    if let note, isStatus { failureText.hint = registry.masked(note) }
    self.init(
      subject: "validate", range: source.range ?? place, failure: failureText, body: isStatus ? body : nil,
      registry: registry)
  }
}

extension SecretRegistry {
  /// Hints of a line each, masked by itself: between two of them stand only our words.
  fileprivate func masked(hints: String) -> String {
    hints.split(separator: "\n").map { masked(message: String($0)) }.joined(separator: "\n")
  }
}

extension MarkReport {
  /// The mark as the masked text has it; nil if something secret is marked, whose extent nobody is to know.
  fileprivate init?(_ mark: Mark, in text: Text) {
    if text.secretRanges.contains(where: { $0.overlaps(mark.range) || $0.contains(mark.range.lowerBound) }) {
      return nil
    }
    let start = text.prefix(utf8: mark.range.lowerBound).masked.utf8.count
    self.init(range: start..<start + mark.range.count, label: mark.label)
  }
}

extension DifferenceReport {
  fileprivate init(_ difference: Difference, registry: SecretRegistry) {
    self.init(
      path: registry.masked(difference.path), expected: difference.expected.map(registry.masked(wording:)),
      actual: difference.actual.map(registry.shown),
      mark: difference.mark.flatMap { mark in difference.actual.flatMap { MarkReport(mark, in: $0) } },
      note: difference.note.map(registry.masked(message:)), count: difference.count,
      lines: difference.lines.map { line in
        let side: Line.Side =
          switch line.side {
          case .same: .same
          case .expected: .expected
          case .actual: .actual
          }
        return Line(side: side, text: registry.shown(line.text))
      })
  }
}

extension Predicate {
  /// Takes the secret parts of the operands.
  func addSecrets(to registry: SecretRegistry) {
    switch self {
    case .equals(let value), .notEquals(let value), .greaterThan(let value), .atLeast(let value),
      .lessThan(let value), .atMost(let value), .contains(let value), .notContains(let value), .includes(let value):
      registry.add(value)
    case .between(let low, let high):
      registry.add(low)
      registry.add(high)
    case .startsWith(let text), .endsWith(let text): registry.add(text)
    case .oneOf(let values): for value in values { registry.add(value) }
    case .count(let inner), .every(let inner), .any(let inner), .none(let inner), .not(let inner):
      for predicate in inner { predicate.addSecrets(to: registry) }
    case .shaped(let operand): operand.shape.addSecrets(to: registry)
    case .closeTo, .matches, .notMatches, .isKind, .isNotKind, .exists, .unique, .sorted, .before, .after: break
    }
  }
}

extension Shape {
  fileprivate func addSecrets(to registry: SecretRegistry) {
    switch self {
    case .value(let value): registry.add(value)
    case .each(let item): item.addSecrets(to: registry)
    case .predicates(let predicates): for predicate in predicates { predicate.addSecrets(to: registry) }
    case .list(let items): for item in items { item.addSecrets(to: registry) }
    case .object(let members): for member in members { member.shape.addSecrets(to: registry) }
    case .anything, .kind, .pattern: break
    }
  }
}
