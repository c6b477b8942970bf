import Values

/// Values that are what an operand means, but in another form.
extension PredicateEvaluator {
  /// The number of items that one value is compared with.
  private static let itemLimit = 100

  /// Returns whether a value is what the operand means, in another form: then no negation holds, either.
  ///
  /// Text that spells another value to the letter, such as `"7"` beside 7, was put in quotes: it may be what is denied.
  static func areAlike(_ operand: Value, _ target: MatchTarget) -> Bool {
    if case .text(let text) = operand, [.number, .boolean, .null].contains(target.kind),
      text.string == target.value.asText.string
    {
      return false
    }
    return formHint(operand, target) != nil
  }

  /// The hint for a value that is what the operand means, in another form; nil for any other value.
  ///
  /// - Parameter isDenied: whether it is what must not be there.
  static func formHint(_ operand: Value, _ target: MatchTarget, isDenied: Bool = false) -> String? {
    switch (operand, target.kind) {
    case (.list(let choices), .text), (.list(let choices), .number), (.list(let choices), .boolean),
      (.list(let choices), .null):
      let isOne = choices.prefix(itemLimit).contains { isEqual($0, target) || quoteAdvice($0, target.value) != nil }
      let choice = "one_of: \(written(operand))"
      return isOne
        ? "a list is compared as one value: `\(isDenied ? "not: {\(choice)}" : choice)` is for any of its items" : nil
    case (.text, .list), (.number, .list), (.bool, .list):
      guard !target.isQueryResult, !operand.asText.isEmpty,
        target.items?.prefix(itemLimit).contains(where: { isEqual(operand, .single($0)) }) ?? false
      else { return nil }
      return "an array is compared as one value: `contains: \(written(operand))` looks among its items"
    case (.text, .number), (.text, .boolean), (.text, .null), (.number, .text), (.bool, .text), (.null, .text):
      return quoteHint(operand, target.value)
    default: return nil
    }
  }

  /// The hint for a text and a value of another type that look alike.
  static func quoteHint(_ operand: Value, _ actual: Value) -> String? {
    quoteAdvice(operand, actual).map { "what is there is \(actual.kind == .text ? "text" : typePhrase(actual)): \($0)" }
  }

  static func quoteAdvice(_ operand: Value, _ actual: Value) -> String? {
    switch (operand, actual) {
    case (.number, .text(let text)), (.bool, .text(let text)), (.null, .text(let text)):
      guard !operand.isSecret, !text.isSecret, meansSame(text.string, operand, words: caseVariants) else { return nil }
      return "write `\"\(text.string)\"`, in quotes"
    case (.text(let text), .number), (.text(let text), .bool), (.text(let text), .null):
      guard !text.isSecret, !actual.isSecret, meansSame(text.string, actual, words: wordsForConstants) else {
        return nil
      }
      return "write `\(actual.asText.string)`, without quotes"
    default: return nil
    }
  }

  /// Returns whether a text is the number, `true`, `false` or `null` in writing.
  private static func meansSame(_ text: String, _ value: Value, words: [String: [String]]) -> Bool {
    if value.asText.string == text { return true }
    guard text.utf8.count <= 64 else { return false }
    if case .number(let number) = value { return Number(parsing: text) == number }
    return words[value.asText.string]?.contains(text.lowercased()) ?? false
  }

  private static let caseVariants = ["true": ["true"], "false": ["false"], "null": ["null"]]
}

/// The words of YAML 1.1 and of programming languages.
let wordsForConstants = [
  "true": ["true", "yes", "on"], "false": ["false", "no", "off"], "null": ["null", "none", "nil", "undefined"],
]
