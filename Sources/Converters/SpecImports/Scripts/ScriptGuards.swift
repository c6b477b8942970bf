import Values
import YAMLNodes

/// Conditions around expectations. In a `when` they must hold exactly where they hold in the script: what they miss is
/// checked no longer, and nothing fails.
extension ScriptEvaluation {
  /// The assertions that hold exactly if a condition is true; nil if specs have none.
  func guarding(_ expression: JavaScriptExpression, isNegated: Bool = false) -> [ScriptAssertion]? {
    var evaluation = fixed
    evaluation.isGuard = true
    return evaluation.condition(expression, isNegated: isNegated)
  }

  /// The evaluation without names whose value may have changed in a statement that isn't understood.
  private var fixed: ScriptEvaluation {
    var result = self
    for name in changing { result.names[name] = nil }
    return result
  }

  /// The condition with the parts that the request's name decides, and those that follow from them, as true or false.
  func simplified(_ expression: JavaScriptExpression) -> JavaScriptExpression { fixed.decided(expression) }

  private func decided(_ expression: JavaScriptExpression) -> JavaScriptExpression {
    switch expression {
    case .prefix("!", let operand):
      let operand = decided(operand)
      if case .bool(let value) = operand { return .bool(!value) }
      return .prefix("!", operand)
    case .infix(let sign, let left, let right) where sign == "&&" || sign == "||":
      let (one, other) = (decided(left), decided(right))
      // The value that decides the whole; the other one leaves it to the other side.
      let isDecisive = sign == "||"
      if case .bool(let value) = one { return value == isDecisive ? one : other }
      if case .bool(let value) = other { return value == isDecisive ? other : one }
      return .infix(sign, one, other)
    case .infix(let sign, let left, let right):
      guard let one = value(left), one.isText, let word = one.word, let other = value(right), other.isText,
        let otherWord = other.word
      else { return expression }
      switch sign {
      case "==", "===": return .bool(word == otherWord)
      case "!=", "!==": return .bool(word != otherWord)
      default: return expression
      }
    case .call(.member(let base, let method), let arguments) where arguments.count == 1:
      guard let argument = value(arguments[0]), argument.isText, let part = argument.word, let base = value(base) else {
        return expression
      }
      switch (base, method) {
      case (.value(.list(let items)), "includes"):
        return .bool(items.contains(where: ImportedValue.text(part).isSame))
      case (_, "includes") where base.isText:
        return base.word.map { .bool(part.isEmpty || $0.contains(part)) } ?? expression
      case (_, "startsWith") where base.isText: return base.word.map { .bool($0.hasPrefix(part)) } ?? expression
      case (_, "endsWith") where base.isText: return base.word.map { .bool($0.hasSuffix(part)) } ?? expression
      default: return expression
      }
    default: return expression
    }
  }
}

extension ScriptEvaluation {
  /// The names that a script assigns again after they have a value.
  static func changingNames(in bytes: [UInt8]) -> Set<String> {
    var declared: Set<String> = []
    var assigned: [String: Int] = [:]
    for (index, byte) in bytes.enumerated() {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      let isStep = (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")) && byte == next
      guard isStep || byte == UInt8(ascii: "=") && !"=>".utf8.contains(next) else { continue }
      var start = index
      func skip(_ isSkipped: (UInt8) -> Bool) -> Range<Int> {
        let end = start
        while start > 0, isSkipped(bytes[start - 1]) { start -= 1 }
        return start..<end
      }
      let sign = skip { "+-*/%&|^?".utf8.contains($0) }
      _ = skip { $0 <= 0x20 }
      let name = skip { isAlphanumeric($0) || "_$".utf8.contains($0) }
      let blank = skip { $0 <= 0x20 }
      let word = skip { isAlphanumeric($0) || "_$".utf8.contains($0) }
      guard !name.isEmpty, blank.isEmpty ? name.lowerBound == 0 || bytes[name.lowerBound - 1] != 0x2E : true else {
        continue
      }
      let text = String(decoding: bytes[name], as: UTF8.self)
      let before = String(decoding: bytes[word], as: UTF8.self)
      if !blank.isEmpty, ["const", "let", "var"].contains(before) {
        declared.insert(text)
      } else {
        // A sign or a step reads the value from before.
        assigned[text, default: 0] += isStep || !sign.isEmpty ? 2 : 1
      }
    }
    return Set(assigned.filter { $0.value > 1 || declared.contains($0.key) }.keys)
  }
}

extension ScriptAssertion {
  /// Indicates that it holds exactly where the condition of a script does.
  ///
  /// A comparison with a part that is missing, or has another type, holds in no spec, whatever JavaScript makes of it.
  var isExact: Bool {
    guard conversion == nil, !subject.isQuery else { return false }
    switch subject {
    case .json(_, isEach: true): return false
    case .json where isCount: return ["equals", "greater_than", "at_least"].contains(predicate)
    case .json(let path, _):
      if isSame(as: ScriptEvaluation.truth(of: subject, isNegated: false)) { return true }
      switch predicate {
      case "exists": return path != "$"
      case "equals", "one_of": return value.items.allSatisfy { $0.scalarText != nil }
      case "is": return value.scalarText != "object"
      case "contains", "starts_with", "ends_with": return value.isLiteralText
      default: return false
      }
    case .status: return !isCount && isPossible && value.items.allSatisfy(\.isInteger)
    case .duration, .size: return isPossible
    case .body: return !isCount && ["contains", "not_contains"].contains(predicate) && value.isLiteralText
    case .header, .cookie:
      let isText = ["equals", "contains", "starts_with", "ends_with"].contains(predicate) && value.isLiteralText
      return !isCount && (isText || predicate == "exists")
    case .variable(let name):
      guard !name.contains(where: { " '\"()|{".contains($0) }) else { return false }
      return predicate == "equals" ? value.scalarText != nil : predicate == "not_equals" && value.isWord
    case .response, .sent, .reason, .headers, .mediaType: return false
    }
  }

  /// Indicates that JavaScript's `==`, which converts, says the same as `===` here.
  var isSameLoosely: Bool {
    switch subject {
    case .status, .duration, .size, .variable: true
    case .json where isCount: true
    default: predicate != "exists" && value.isWord
    }
  }
}

extension ImportedValue {
  /// The items of a list, or the value itself.
  var items: [ImportedValue] {
    switch self {
    case .list(let items): items
    case .node(let node): node.items.map { $0.map { .node($0) } } ?? [self]
    default: [self]
    }
  }

  /// The text of a literal.
  var scalarText: String? {
    switch self {
    case .text(let text): text.literal
    case .node(let node): node.scalar?.text
    default: nil
    }
  }

  var isLiteralText: Bool {
    switch self {
    case .text(let text): text.literal != nil
    case .node(let node): if case .text? = node.scalar?.meaning { true } else { false }
    default: false
    }
  }

  var isInteger: Bool {
    if case .node(let node) = self, case .number(let text)? = node.scalar?.meaning { Int(text) != nil } else { false }
  }

  /// Indicates a text that no number, truth value or absence converts to.
  var isWord: Bool {
    guard isLiteralText, let first = scalarText?.first else { return false }
    return first.isLetter && !["true", "false", "null", "undefined", "NaN", "Infinity"].contains(scalarText)
  }
}
