import Matching
import Values
import YAMLNodes

/// Other tools' names for predicates.
enum PredicateWord {
  /// The advice for a word; nil if it is probably a name of data.
  static func advice(_ key: String, value: YAMLNode) -> String? {
    let plain = key.lowercased().filter { $0 != "_" && $0 != "-" }
    let bare = plain.hasPrefix("to") ? String(plain.dropFirst(2)) : plain
    // `isInteger: false` and `notEmpty: false` mean the opposite.
    let isTrue = value.scalar?.meaning != .bool(false)
    if let help = missing(bare, isTrue) ?? kind(bare, isTrue) { return help }
    if let negated = ["isnot", "not"].lazy.compactMap({ rest(of: bare, after: $0) }).first,
      let help = kind("is" + negated, !isTrue)
    {
      return help
    }
    if let kind = PredicateKind.called(plain) ?? .called(bare) { return "write `\(kind.name)`" }
    return sentences[plain]
  }

  /// Returns whether a word may also be a name of data.
  static func isNameOfData(_ key: String) -> Bool { PredicateKind.called(key) != nil }

  private static func missing(_ word: String, _ isTrue: Bool) -> String? {
    let negative: Set = [
      "notexists", "notexist", "absent", "missing", "notpresent", "undefined", "isundefined", "doesnotexist",
      "nonexistent", "isabsent",
    ]
    let positive: Set = ["present", "ispresent", "defined", "isdefined", "exist", "isexist", "notundefined"]
    if negative.contains(word) { return "write `exists: \(!isTrue)`" }
    return positive.contains(word) ? "write `exists: \(isTrue)`" : nil
  }

  /// `isInteger`, `is_not_empty`, `nonEmpty`, `null`
  private static func kind(_ word: String, _ isTrue: Bool) -> String? {
    let isNegative = word.hasPrefix("non")
    guard
      let name = rest(of: word, after: "is") ?? rest(of: word, after: "non")
        ?? ["null", "empty"].first(where: { $0 == word })
    else { return nil }
    let predicate = isTrue != isNegative ? "is" : "is_not"
    if name == "collection" { return "write `one_of: [!array, !object]`" }
    if name == "float" { return "write {is: number, is_not: integer}" }
    if name == "true" || name == "false" { return "write `equals: \((name == "true") == isTrue)`" }
    if name == "isodate" { return "write `\(predicate): datetime`" }
    if let kind = MatchKind.allCases.map(\.rawValue).first(where: { $0 == name }) {
      return "write `\(predicate): \(kind)`"
    }
    return kindWord(.text(Text(name))).map { "write `\(predicate): \($0.filter { $0 != "`" })`" }
  }

  private static func rest(of word: String, after prefix: String) -> String? {
    word.hasPrefix(prefix) && word.count > prefix.count ? String(word.dropFirst(prefix.count)) : nil
  }

  private static let sentences = [
    "as": "it stands beside the predicates of the subject itself: `body: {as: integer, at_least: 1}`",
    "uppercase": "write a pattern: `matches: '^[^a-z]*$'`", "lowercase": "write a pattern: `matches: '^[^A-Z]*$'`",
    "isuppercase": "write a pattern: `matches: '^[^a-z]*$'`", "islowercase": "write a pattern: `matches: '^[^A-Z]*$'`",
    "ignorecase": "write a pattern: `matches: '(?i)^…$'`", "equalsignorecase": "write a pattern: `matches: '(?i)^…$'`",
  ]
}
