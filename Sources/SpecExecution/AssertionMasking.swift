import Diagnostics
import Matching
import Values

extension AssertionReport {
  /// The failure with its marked secrets masked; a pattern, a path in the answer and a hint come without marks.
  init(subject: String, range: SourceRange?, failure: MatchFailure, registry: SecretRegistry) {
    self.init(
      subject: subject, range: range, predicate: registry.masked(wording: failure.predicate),
      expected: registry.masked(wording: failure.expected), actual: failure.actual.masked,
      differences: failure.differences.map {
        DifferenceReport(
          path: registry.masked($0.path), expected: $0.expected?.masked, actual: $0.actual?.masked)
      }, moreDifferences: failure.moreDifferences, hint: failure.hint.map(registry.masked(message:)))
  }

  /// A failed validation; its texts come without marks, but for the status, which is a number.
  ///
  /// - Parameter note: what is known of the status.
  init(
    _ failure: ValidationFailure, from source: ValidationRulesSource, place: SourceRange?, note: String?,
    registry: SecretRegistry
  ) {
    var failureText = failure.matchFailure
    if case .unacceptableStatus = failure {
    } else {
      failureText.expected = registry.filtered(failureText.expected.string)
      failureText.actual = registry.filtered(failureText.actual.string)
    }
    failureText.predicate = failureText.expected
    if source.range == nil {
      failureText.hint =
        if case .unacceptableStatus = failure {
          "by default an answer must have a status of 200..<300; say otherwise with `expect.status` or `validate`"
        } else {
          "by default an answer must have a type that the `Accept` header names; say otherwise with `validate`"
        }
    }
    if let note, case .unacceptableStatus = failure { failureText.hint = registry.masked(note) }
    self.init(subject: "validate", range: source.range ?? place, failure: failureText, registry: registry)
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
