import Values

/// The predicates of Hurl as those of specs.
enum HurlPredicates {
  typealias Member = (key: String, value: ImportedValue)

  /// The unit in which a spec gives what is a bare value in Hurl.
  enum Unit { case none, milliseconds, seconds, days, lowercase }

  /// Predicates on a part of a text or of a list.
  static let partWords = ["startsWith": "starts_with", "endsWith": "ends_with", "contains": "contains"]

  private static let comparisons = [">": "greater_than", ">=": "at_least", "<": "less_than", "<=": "at_most"]

  private static let kinds = [
    "isEmpty": "empty", "isInteger": "integer", "isNumber": "number", "isBoolean": "boolean", "isString": "string",
    "isDate": "datetime", "isIsoDate": "datetime", "isUuid": "uuid", "isIpv4": "ipv4", "isIpv6": "ipv6",
    "isObject": "object", "isList": "array",
  ]

  /// The predicates; nil if there are none of that meaning.
  ///
  /// - Parameters:
  ///   - selectsMany: whether the value is a list, where Hurl takes a single item for the list.
  ///   - isText: whether the value is a text, and no other type.
  static func predicates(
    _ predicate: HurlPredicate, selectsMany: Bool = false, isDate: Bool = false, isText: Bool = false,
    unit: Unit = .none
  ) -> [Member]? {
    let isNegated = predicate.isNegated
    switch predicate.word {
    case "exists": return [("exists", .bool(!isNegated))]
    case "==", "!=":
      guard let operand = predicate.operand, var value = value(of: operand, unit) else { return nil }
      // A variable's number in quotes is a text.
      if case .text(let text) = operand, text.literal == nil, !isText, unit == .none {
        value = .json(text, isQuoted: true)
      }
      if selectsMany, case .text = operand { value = .list([value]) }
      if selectsMany, case .number = operand { value = .list([value]) }
      return [((predicate.word == "==") != isNegated ? "equals" : "not_equals", value)]
    case "includes":
      guard let operand = predicate.operand, let value = value(of: operand, unit) else { return nil }
      return [(isNegated ? "not_contains" : "contains", value)]
    case "matches":
      let pattern: ImportedText
      switch predicate.operand {
      case .regex(let text)?: pattern = ImportedText(text)
      case .text(let text)?: pattern = text
      default: return nil
      }
      return [(isNegated ? "not_matches" : "matches", .text(pattern))]
    case "isFloat":
      let members: [Member] = [("is", .text("number")), ("is_not", .text("integer"))]
      return isNegated ? [("not", .mapping(members))] : members
    case "isCollection":
      let kinds = ["string", "number", "boolean", "null"]
      let members: [Member] = [("all", .list(kinds.map { .mapping([("is_not", .text($0))]) }))]
      return isNegated ? [("not", .mapping(members))] : members
    default: break
    }
    if let kind = kinds[predicate.word] { return [(isNegated ? "is_not" : "is", .text(kind))] }
    if let word = comparisons[predicate.word] {
      guard let operand = predicate.operand, let value = value(of: operand, unit) else { return nil }
      if case .text = operand, !isDate { return nil }
      return isNegated ? [("not", .mapping([(word, value)]))] : [(word, value)]
    }
    guard let word = partWords[predicate.word], let operand = predicate.operand else { return nil }
    var value: ImportedValue
    switch operand {
    case .text(let text), .value(let text):
      guard !text.isEmpty else { return nil }
      value = .text(text)
    case .bytes(let bytes):
      guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else { return nil }
      value = .text(text)
    default:
      guard word == "contains", let other = Self.value(of: operand, unit) else { return nil }
      value = other
    }
    if !isNegated { return [(word, value)] }
    return word == "contains" ? [("not_contains", value)] : [("not", .mapping([(word, value)]))]
  }

  private static func value(of operand: HurlOperand, _ unit: Unit) -> ImportedValue? {
    switch operand {
    case .null: return .node(.null)
    case .bool(let value): return .bool(value)
    case .number(let number):
      switch unit {
      case .milliseconds: return .text(duration(number, "ms"))
      case .seconds: return .text(duration(number, "s"))
      case .days: return .text(duration(number, "d"))
      case .none, .lowercase:
        let isPlain =
          !number.drop { $0 == "-" }.hasPrefix("0") || number.contains(".")
          || number.hasSuffix("0") && number.utf8.count < 3
        return isPlain ? .node(.number(number)) : .text(number)
      }
    case .text(let text):
      if unit == .lowercase { return .text(text.mapText { $0.lowercased() }) }
      return unit == .none ? .text(text) : nil
    case .value(let text):
      switch unit {
      case .none, .lowercase: return .text(text)
      case .milliseconds: return .text(text + ImportedText("ms"))
      case .seconds: return .text(text + ImportedText("s"))
      case .days: return .text(text + ImportedText("d"))
      }
    case .bytes(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      return .text(text)
    case .regex, .file: return nil
    }
  }

  private static func duration(_ number: String, _ unit: String) -> String {
    if number == "0" { return "0" }
    if unit == "ms", number.hasSuffix("000"), number.utf8.count > 3 { return "\(number.dropLast(3))s" }
    return number + unit
  }
}
