import Values

/// The tags that reqrun knows.
enum YAMLTag: Equatable {
  /// `!`: the scalar is text, the collection unchanged.
  case nonSpecific
  case string, integer, float, boolean, null, timestamp, binary, mapping, sequence
  /// A tag of reqrun's expectations, such as `!uuid` or `!uuid?`, without its `!` and `?`.
  case local(String, isOptional: Bool)

  private static let standardPrefix = "tag:yaml.org,2002:"

  private static let standard: [String: YAMLTag] = [
    "str": .string, "int": .integer, "float": .float, "bool": .boolean, "null": .null, "timestamp": .timestamp,
    "binary": .binary, "map": .mapping, "seq": .sequence,
  ]

  static let localNames = [
    "any", "string", "integer", "number", "boolean", "array", "object", "uuid", "datetime", "email", "url", "ipv4",
    "ipv6", "base64", "regex", "each", "is", "optional",
  ]

  /// The names of other languages and tools for these.
  private static let synonyms = [
    "int": "integer", "float": "number", "double": "number", "str": "string", "text": "string", "bool": "boolean",
    "list": "array", "seq": "array", "map": "object", "mapping": "object", "dict": "object", "guid": "uuid",
    "timestamp": "datetime",
    "date-time": "datetime", "iso8601": "datetime", "uri": "url", "ip": "ipv4", "matches": "regex", "match": "regex",
    "re": "regex", "pattern": "regex", "every": "each", "anything": "any", "ignore": "any",
    "present": "any", "predicate": "is",
  ]

  /// Predicates by the words and signs that are taken for such.
  private static let predicates = [
    "=": "not_equals", "not": "not_equals", "contains": "contains", "includes": "includes", "any_of": "one_of",
    "anyof": "one_of", "one_of": "one_of", "oneof": "one_of", "in": "one_of", "starts_with": "starts_with",
    "ends_with": "ends_with", "between": "between", "greater_than": "greater_than", "less_than": "less_than",
    "at_least": "at_least", "at_most": "at_most", "count": "count", "ne": "not_equals", "gt": "greater_than",
    "gte": "at_least", "lt": "less_than", "lte": "at_most", "len": "count", "length": "count", "size": "count",
  ]

  /// Words for a predicate with its operand.
  private static let assertions = [
    "exists": "exists: true", "notnull": "is_not: null", "not_null": "is_not: null", "notempty": "is_not: empty",
    "not_empty": "is_not: empty", "empty": "is: empty", "positive": "greater_than: 0",
    "negative": "less_than: 0",
  ]

  init?(_ tag: String) {
    if tag == "!" {
      self = .nonSpecific
    } else if tag == "!date" {
      self = .timestamp
    } else if let local = YAMLTag.local(tag) {
      self = local
    } else if tag.hasPrefix(YAMLTag.standardPrefix),
      let known = YAMLTag.standard[String(tag.dropFirst(YAMLTag.standardPrefix.count))]
    {
      self = known
    } else {
      return nil
    }
  }

  private static func local(_ tag: String) -> YAMLTag? {
    guard tag.hasPrefix("!") else { return nil }
    let isOptional = tag.hasSuffix("?")
    let name = String(tag.dropFirst().dropLast(isOptional ? 1 : 0))
    guard localNames.contains(name), !(isOptional && name == "optional") else { return nil }
    return .local(name, isOptional: isOptional)
  }

  var isLocal: Bool {
    if case .local = self { true } else { false }
  }

  /// The error for an unknown tag.
  ///
  /// - Parameter value: what stands behind it, as far as it is known and short.
  static func refusal(of tag: String, before value: String? = nil) -> CoreSchema.Refusal {
    let operand = value.map { $0.isEmpty || $0.utf8.count > 80 ? "…" : $0 } ?? "…"
    let spelling = spelling(of: tag)
    let known = standard.keys.sorted().map { "!!" + $0 } + ["!date"] + localNames.map { "!" + $0 }
    let bare = String(spelling.drop { $0 == "!" })
    let standardSpelling = known.first { $0.drop { $0 == "!" } == bare }
    let help: String
    if let predicate = predicates[bare] {
      help = "write `{\(predicate): \(operand)}`"
    } else if let assertion = assertions[bare] {
      help = "write `{\(assertion)}`"
    } else if let number = Number(parsing: bare) {
      help = "write `{not_equals: \(number.lexeme)}`"
    } else if spelling == "!null?" {
      help = "write `null`"
    } else if bare == "unordered" {
      help = "write `unordered: true` beside `equals`"
    } else if !spelling.hasPrefix("!!"), let synonym = synonyms[bare.hasSuffix("?") ? String(bare.dropLast()) : bare] {
      help =
        "write `!\(synonym)` for what is expected"
        + (bare.hasSuffix("?")
          ? ", `!\(synonym)?` for a member that may be missing"
          : standardSpelling.map { ", `\($0)` for the type of a value" } ?? "")
    } else if let near = standardSpelling ?? nearestWord(to: spelling, among: known) {
      help = "did you mean `\(near)`?"
    } else {
      help = "quote the value if the `!` belongs to the text"
    }
    return CoreSchema.Refusal(message: "unknown tag `\(spelling)`", help: help)
  }

  private static func spelling(of tag: String) -> String {
    if tag.hasPrefix(standardPrefix) { return "!!" + tag.dropFirst(standardPrefix.count) }
    return tag.hasPrefix("!") ? tag : "!<\(tag)>"
  }

  /// The meaning of a scalar under this tag.
  func meaning(of text: String, style: YAMLScalar.Style) throws(CoreSchema.Refusal) -> YAMLScalar.Meaning {
    switch self {
    case .nonSpecific, .string:
      return .text(text)
    case .local:
      return style == .plain ? try CoreSchema.meaning(ofPlain: text) : .text(text)
    case .integer:
      let meaning = try CoreSchema.meaning(ofPlain: text)
      if case .number(let lexeme) = meaning, !lexeme.utf8.contains(where: { $0 == 0x2E || $0 | 0x20 == 0x65 }) {
        return meaning
      }
      throw mismatch("!!int", "a whole number such as `42`", text)
    case .float:
      let meaning = try CoreSchema.meaning(ofPlain: text)
      switch meaning {
      case .number, .nonFinite: return meaning
      default: throw mismatch("!!float", "a number such as `1.5`", text)
      }
    case .boolean:
      let meaning = try CoreSchema.meaning(ofPlain: text)
      if case .bool = meaning { return meaning }
      throw mismatch("!!bool", "`true` or `false`", text)
    case .null:
      if text.isEmpty { return .null }
      let meaning = try CoreSchema.meaning(ofPlain: text)
      if case .null = meaning { return meaning }
      throw mismatch("!!null", "`null` or nothing", text)
    case .timestamp:
      guard Timestamp(rfc3339: text) != nil else {
        throw CoreSchema.Refusal(
          message: text.isEmpty ? "`!date` has no date" : "`\(shortened(text))` is not a date",
          help: text.isEmpty
            ? "write one after it, such as `2024-05-01`; what stands for any date is `!datetime` or `!is {is: date}`"
            : "write one as RFC 3339 has them, `2024-05-01` or `2024-05-01T10:00:00Z`, or remove the tag")
      }
      return .timestamp(text)
    case .binary:
      guard let bytes = base64Decoded(text) else {
        throw mismatch("!!binary", "base64 such as `aGVsbG8=`", text)
      }
      return .binary(bytes)
    case .mapping:
      throw mismatch("!!map", "a mapping such as `{a: 1}`", text)
    case .sequence:
      throw mismatch("!!seq", "a list such as `[1, 2]`", text)
    }
  }

  /// The error where a list or a mapping may not have the tag.
  func refusal(ofCollection kind: String, isMapping: Bool) -> CoreSchema.Refusal? {
    switch self {
    case .nonSpecific, .local: nil
    case .mapping where isMapping: nil
    case .sequence where !isMapping: nil
    default:
      CoreSchema.Refusal(message: "this tag does not fit \(kind)", help: "remove the tag")
    }
  }

  private func mismatch(_ tag: String, _ expected: String, _ text: String) -> CoreSchema.Refusal {
    CoreSchema.Refusal(
      message: "`\(tag)` does not fit `\(shortened(text))`", help: "write \(expected), or remove the tag")
  }
}

func shortened(_ text: String) -> String { text.count > 40 ? text.prefix(40) + "…" : text }
