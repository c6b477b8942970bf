import Matching
import Templates
import Values

extension AssertionReport {
  /// - Parameter body: masked already.
  package init(
    subject: String, range: SourceRange?, failure: MatchFailure, body: String? = nil, registry: SecretRegistry
  ) {
    let registry = range.map(registry.shared(with:)) ?? registry
    self.init(subject: subject, range: range, mismatch: failure.masked(by: registry), body: body)
  }

  /// A failed validation; its texts have no marks, except for the status, which is a number.
  ///
  /// - Parameter note: a note about the status.
  package init(
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
        if isStatus, source.wantsWebSocket {
          "a WebSocket is opened by the status 101; say otherwise with `expect.status` or `validate`"
        } else if isStatus {
          "by default a response must have a status of 200..<300; say otherwise with `expect.status` or `validate`"
        } else if source.wantsEvents {
          "`stream` reads server-sent events, and this response has none: look at the URL, or leave `stream` out"
        } else {
          "by default a response must have a type that the `Accept` header names; say otherwise with `validate`"
        }
    }
    if let note, isStatus { failureText.hint = registry.masked(note) }
    self.init(
      subject: "validate", range: source.range ?? place, failure: failureText, body: isStatus ? body : nil,
      registry: registry)
  }
}

extension SecretRegistry {
  /// The registry with what the source conceals of an assertion, too; its own secrets are concealed in the source: an
  /// assertion's text and its lines hide the same.
  fileprivate func shared(with range: SourceRange) -> SecretRegistry {
    let source = range.source
    let concealed = source.secretRanges(within: range.bytes).flatMap { secret in
      source.text(in: secret).split(whereSeparator: \.isNewline).map { unquoted(trimmingBlanks($0)) }
    }
    let literals = concealed.filter { literal in
      !Template.isTemplate(literal) && !cookieAttributes.contains(literal.prefix { $0 != "=" }.lowercased())
    }
    let lines = source.surroundings(of: range.bytes)
    let found = filtered(source.text(in: lines)).secretRanges
      .map { $0.lowerBound + lines.lowerBound..<$0.upperBound + lines.lowerBound }
    source.conceal(found.filter { source.secretRanges(within: $0) != [$0] })
    guard !literals.isEmpty else { return self }
    let result = SecretRegistry(copying: self)
    for literal in literals { result.add(literal) }
    return result
  }

  private func unquoted(_ text: String) -> String {
    guard let quote = text.first, text.count > 1, "\"'".contains(quote), text.last == quote else { return text }
    return String(text.dropFirst().dropLast())
  }

  /// Hints of one line each, masked separately: there is only our own text between them.
  fileprivate func masked(hints: String) -> String {
    hints.split(separator: "\n").map { masked(message: String($0)) }.joined(separator: "\n")
  }
}

extension MatchFailure {
  /// The failure with its marked secrets masked; a pattern, a path in the response and a hint have no marks.
  fileprivate func masked(by registry: SecretRegistry) -> Mismatch<String> {
    var masked = Mismatch<String>(
      predicate: registry.masked(wording: predicate), expected: registry.masked(wording: expected),
      actual: registry.masked(value: actual), differences: differences.map { $0.masked(by: registry) },
      moreDifferences: moreDifferences, hint: hint.map(registry.masked(hints:)), mark: mark?.masked(in: actual))
    masked.summary = summary.map(registry.masked(message:))
    return masked
  }
}

extension Difference {
  fileprivate func masked(by registry: SecretRegistry) -> Mismatch<String>.Difference {
    var masked = Mismatch<String>.Difference(
      path: registry.masked(path), kind: kind, expected: expected.map(registry.masked(wording:)),
      actual: actual.map(registry.masked(value:)))
    masked.mark = mark.flatMap { mark in actual.flatMap(mark.masked) }
    masked.note = note.map(registry.masked(message:))
    masked.count = count
    masked.lines = lines.map { Mismatch<String>.Line($0.side, registry.shown($0.text)) }
    return masked
  }
}

extension Mark {
  /// The mark in the masked text; nil if it contains a secret, whose length must not be revealed.
  fileprivate func masked(in text: Text) -> Mark? {
    if text.secretRanges.contains(where: { $0.overlaps(range) || $0.contains(range.lowerBound) }) { return nil }
    let start = text.prefix(utf8: range.lowerBound).masked.utf8.count
    return Mark(range: start..<start + range.count, label: label)
  }
}
