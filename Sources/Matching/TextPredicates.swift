internal import RegularExpressions
internal import Values

extension PredicateEvaluator {
  func beginning(_ operand: Text, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard let text = text(target) else { return inapplicable(predicate, target) }
    if operand.isEmpty { return emptyOperand(predicate, target) }
    return text.string.utf8.starts(with: operand.string.utf8)
      ? .holds
      : fails(predicate, target, hint: PredicateEvaluator.subtleHint(operand, text.string.prefix(operand.string.count)))
  }

  func ending(_ operand: Text, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard let text = text(target) else { return inapplicable(predicate, target) }
    if operand.isEmpty { return emptyOperand(predicate, target) }
    let bytes = text.string.utf8
    return bytes.suffix(operand.string.utf8.count).elementsEqual(operand.string.utf8)
      ? .holds
      : fails(
        predicate, target, actual: quoted(text, around: bytes.count),
        hint: PredicateEvaluator.subtleHint(operand, text.string.suffix(operand.string.count)))
  }

  func expressionMatch(
    _ expression: RegularExpression, _ predicate: Predicate, _ target: MatchTarget
  ) -> MatchOutcome {
    guard let text = text(target) else {
      return inapplicable(
        predicate, target, hint: target.kind == .number ? "a regular expression reads texts alone" : nil)
    }
    do throws(RegularExpressionMatchError) {
      return try expression.matches(text.string) ? .holds : fails(predicate, target)
    } catch {
      let reason = error.message
      return .inapplicable {
        MatchFailure(
          predicate: describe(predicate), expected: expectation(predicate), actual: quoted(text),
          hint: "whether it matches was not found out: \(reason)")
      }
    }
  }

  func kindMatch(_ kind: MatchKind, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    if target.isQueryResult, kind != .array, kind != .empty { return inapplicable(predicate, target) }
    let holds: Bool
    switch kind {
    case .string: holds = target.kind == .text
    case .boolean: holds = target.kind == .boolean
    case .array: holds = target.kind == .list
    case .object: holds = target.kind == .mapping
    case .null: holds = target.kind == .null
    case .number: holds = target.number != nil
    case .integer: holds = target.number?.isInteger ?? false
    case .empty:
      // Of a header it is the text that may be empty: a line is there.
      let count = if case .lines(_, let joined) = target { joined.size?.count } else { size(target)?.count }
      guard let count else { return inapplicable(predicate, target) }
      holds = count == 0
    case .datetime where target.kind == .date: holds = true
    case .uuid, .date, .datetime, .email, .url, .ipv4, .ipv6, .base64, .json:
      holds = text(target).map { hasForm(kind, $0.string) } ?? false
    }
    return holds ? .holds : fails(predicate, target, actual: typed(target, unit: unit))
  }

  func text(_ target: MatchTarget) -> Text? {
    guard target.kind == .text, case .text(let text) = target.value else { return nil }
    return text
  }

  /// An empty text is part of every text: a check that would always pass.
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

/// Whether bytes occur among others, one after another.
func occurs(_ part: some Collection<UInt8>, in whole: some Collection<UInt8>) -> Bool {
  let part = Array(part)
  func search(_ whole: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = part.first else { return true }
    guard whole.count >= part.count else { return false }
    return part.withUnsafeBufferPointer { part in
      for start in 0...(whole.count - part.count) where whole[start] == first {
        var length = 1
        while length < part.count, whole[start + length] == part[length] { length += 1 }
        if length == part.count { return true }
      }
      return false
    }
  }
  // The whole may be a large body: it is not copied.
  return whole.withContiguousStorageIfAvailable(search) ?? Array(whole).withUnsafeBufferPointer(search)
}
