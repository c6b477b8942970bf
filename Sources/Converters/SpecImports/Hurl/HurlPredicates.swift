import Values

/// The predicates of Hurl as those of specs.
enum HurlPredicates {
  typealias Member = (key: String, value: ImportedValue)

  /// The unit in which a spec gives what is a bare value in Hurl.
  enum Unit: String {
    case none, lowercase
    case milliseconds = "ms"
    case seconds = "s"
    case days = "d"

    /// The unit of a duration in a spec; nil for other values.
    var suffix: String? { self == .none || self == .lowercase ? nil : rawValue }
  }

  /// Predicates on a part of a text or of a list.
  static let partWords = ["startsWith": "starts_with", "endsWith": "ends_with", "contains": "contains"]

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
      let word = isNegated ? "not_matches" : "matches"
      switch predicate.operand {
      case .regex(let pattern)?: return [(word, .text(ImportedText(pattern)))]
      case .text(let pattern)?: return [(word, .text(pattern))]
      default: return nil
      }
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
    if let word = predicatesOfSigns[predicate.word] {
      guard let operand = predicate.operand, let value = value(of: operand, unit) else { return nil }
      if case .text = operand, !isDate { return nil }
      return isNegated ? [("not", .mapping([(word, value)]))] : [(word, value)]
    }
    guard let word = partWords[predicate.word], let operand = predicate.operand else { return nil }
    let hasText =
      switch operand {
      case .text(let text), .value(let text): !text.isEmpty
      case .bytes(let bytes): !bytes.isEmpty
      default: word == "contains"
      }
    guard hasText, let value = value(of: operand, .none) else { return nil }
    if !isNegated { return [(word, value)] }
    return word == "contains" ? [("not_contains", value)] : [("not", .mapping([(word, value)]))]
  }

  private static func value(of operand: HurlOperand, _ unit: Unit) -> ImportedValue? {
    switch operand {
    case .null: return .node(.null)
    case .bool(let value): return .bool(value)
    case .number(let number):
      if let suffix = unit.suffix { return .text(duration(number, suffix)) }
      let isPlain =
        !number.drop { $0 == "-" }.hasPrefix("0") || number.contains(".")
        || number.hasSuffix("0") && number.utf8.count < 3
      return isPlain ? .node(.number(number)) : .text(number)
    case .text(let text):
      if unit == .lowercase { return .text(text.mapText { $0.lowercased() }) }
      return unit == .none ? .text(text) : nil
    case .value(let text): return .text(unit.suffix.map { text + ImportedText($0) } ?? text)
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
