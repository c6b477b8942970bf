import DocumentQueries
import Matching
import Values
import YAMLNodes

extension SpecReader {
  /// Warns of a pattern that takes nothing from most texts, since it matches the empty text at their start.
  mutating func checkEmptyMatch(_ pattern: RegularExpression?, _ node: YAMLNode) {
    // A character that no pattern names.
    guard let pattern, let match = try? pattern.firstMatch(in: "\u{E000}"), match.range.isEmpty else { return }
    warn(
      .suspiciousPattern, "this also matches the empty text, at the start of any text", at: node,
      help: "write `+` in place of `*`, or what stands before the part")
  }

  /// Warns of text in a regular expression that looks like syntax.
  mutating func checkPattern(_ node: YAMLNode) {
    guard let pattern = node.plainText else { return }
    warnOfBackspace(node, pattern)
    if let brace = literalBrace(in: pattern) {
      bag.warning(
        .suspiciousPattern, "`\(brace.text)` is not a quantifier here, but text", at: node.range(ofText: brace.range),
        notes: useNote(node), help: brace.help)
    }
    if let (message, help) = patternDoubt(pattern) {
      warn(.suspiciousPattern, message, at: node, help: help)
    }
    if let (inside, flags) = delimitedPattern(pattern) {
      warn(
        .suspiciousPattern, "the slashes are part of the pattern", at: node,
        help: "write '\(flags.isEmpty ? "" : "(?\(flags))")\(inside)'")
    }
  }

  /// Warns of a date whose year lacks its century.
  mutating func warnOfYear(_ predicate: Predicate, _ node: YAMLNode) {
    guard case .value(.date) = predicate.operand, let text = node.plainText, text.hasPrefix("00") else { return }
    warn(.alwaysTrue, "this is a date of the first century", at: node, help: "write `20\(text.dropFirst(2))`")
  }

  /// Warns of a pattern that every text matches.
  mutating func warnIfMatchingAnything(_ predicate: Predicate, _ node: YAMLNode) {
    guard predicate.matchesAnything else { return }
    warn(
      .alwaysTrue, "any text matches this pattern: the assertion always holds", at: node,
      help: "write `+` for `*`, or `^…$`")
  }

  /// Warns of the control character that `\b` is in double quotes.
  private mutating func warnOfBackspace(_ node: YAMLNode, _ pattern: String) {
    guard pattern.contains(byte: 0x08) else { return }
    warn(
      .suspiciousPattern, "`\\b` in double quotes is a backspace, not the border of a word", at: node,
      help: "write it in single quotes")
  }
}

/// The reason why a pattern matches more than it seems to, and what to write: `[a|b]`, `[A-z]`, `^a|b$`.
private func patternDoubt(_ pattern: String) -> (message: String, help: String)? {
  guard pattern.utf8.count < 1 << 10, !pattern.contains("\\") else { return nil }
  if let open = pattern.firstIndex(of: "["), let close = pattern[open...].firstIndex(of: "]") {
    let inside = pattern[pattern.index(after: open)..<close]
    let words = inside.split(separator: "|", omittingEmptySubsequences: false)
    if words.count > 1, words.allSatisfy({ $0.count > 1 && $0.allSatisfy(\.isLetter) }) {
      return ("`[…]` is one character, and this matches any of its letters", "write `(?:\(inside))` for words")
    }
    if inside.contains("A-z") {
      return ("`A-z` also has the signs between `Z` and `a`", "write `A-Za-z`")
    }
  }
  // `^ | $` is a blank at either end.
  let words = pattern.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
  guard pattern.hasPrefix("^"), pattern.hasSuffix("$"), words.count > 1,
    words.allSatisfy({ $0.count > 1 && $0.utf8.allSatisfy { isWordCharacter($0) || $0 == UInt8(ascii: "-") } })
  else { return nil }
  return (
    "`^` belongs to the first alternative alone, and `$` to the last one",
    "write '^(?:\(pattern.dropFirst().dropLast()))$' for all of them"
  )
}

/// `/^a$/i`: a pattern between slashes, as in programs; a path such as `/users/` isn't one.
private func delimitedPattern(_ text: String) -> (inside: String, flags: String)? {
  guard text.hasPrefix("/"), let end = text.lastIndex(of: "/"), end > text.index(after: text.startIndex) else {
    return nil
  }
  let inside = text[text.index(after: text.startIndex)..<end]
  let flags = text[text.index(after: end)...]
  guard flags.allSatisfy({ "gimsuxy".contains($0) }), flags.count < 4,
    inside.hasPrefix("^") || inside.hasSuffix("$") || (!flags.isEmpty && !inside.contains("/")),
    !inside.contains("'")
  else { return nil }
  return (String(inside), flags.filter { "imsx".contains($0) })
}

/// A `{` that looks like a quantifier but isn't one in PCRE2.
private func literalBrace(in pattern: String) -> (text: String, range: Range<Int>, help: String)? {
  let bytes = Array(pattern.utf8)
  var position = 0
  var isInClass = false
  while position < bytes.count {
    switch bytes[position] {
    case UInt8(ascii: "\\"):
      position += 1
      // `\x{41}`, `\p{Lu}` and the like; the rest of a `\Q` is text.
      if position < bytes.count, bytes[position] == UInt8(ascii: "Q") { return nil }
      if position + 1 < bytes.count, "xpPkgNou".utf8.contains(bytes[position]), bytes[position + 1] == UInt8(ascii: "{")
      {
        position += 1
      }
    case UInt8(ascii: "["): isInClass = true
    case UInt8(ascii: "]"): isInClass = false
    case UInt8(ascii: "{") where !isInClass && position > 0:
      if let found = brokenQuantifier(bytes, at: position) { return found }
    default: break
    }
    position += 1
  }
  return nil
}

private func brokenQuantifier(_ bytes: [UInt8], at open: Int) -> (text: String, range: Range<Int>, help: String)? {
  var end = open + 1
  var commas = 0
  while end < bytes.count, isDigit(bytes[end]) || bytes[end] == UInt8(ascii: ",") {
    commas += bytes[end] == UInt8(ascii: ",") ? 1 : 0
    end += 1
  }
  let inside = String(decoding: bytes[open + 1..<end], as: UTF8.self)
  guard inside.contains(where: \.isNumber), commas < 2 else { return nil }
  let isClosed = end < bytes.count && bytes[end] == UInt8(ascii: "}")
  if isClosed, !inside.hasPrefix(",") { return nil }
  let range = open..<(isClosed ? end + 1 : end)
  let meant = inside.hasPrefix(",") ? "0\(inside)" : inside
  return (
    String(decoding: bytes[range], as: UTF8.self), range,
    "write `{\(meant)}` for a quantifier, or `\\{` for the character"
  )
}
