import DocumentQueries
import Values

/// The size in bytes of texts that are searched for other forms of what is denied.
private let doubtLimit = 1 << 16

/// The hint for a text that is what another one means: with other white space, as a media type, or by its signs as a
/// pattern.
///
/// - Parameter isPart: whether it may be a part of the other.
func textHint(_ expected: Text, in actual: Text, isPart: Bool) -> String? {
  let (part, text) = (expected.string, actual.string)
  guard expected.secretRanges.isEmpty, !part.isEmpty, part.utf8.count <= 1 << 12, text.utf8.count <= doubtLimit else {
    return nil
  }
  func isThere(_ part: String, in text: String) -> Bool {
    isPart ? occurs(part.utf8, in: text.utf8) : part == text
  }
  if part.hasSuffix("\n"), part.count > 1, isThere(String(part.dropLast()), in: text) {
    return "the text ends with a line break, which is not there: write the block with `|-` or `>-`"
  }
  if let odd = part.unicodeScalars.first(where: isOddSpace)
    ?? (part.contains(" ") ? text.unicodeScalars.first(where: isOddSpace) : nil),
    isThere(plainSpaces(part), in: plainSpaces(text))
  {
    return "it is there but for \(characterName(odd)) in place of a blank"
  }
  if !isPart, text.hasPrefix(part), let range = MediaRange(parsing: part), !range.type.isEmpty,
    text.dropFirst(part.count).drop(while: { $0 == " " }).first == ";"
  {
    return "parameters follow the media type: write `contains` or `not_contains` for the type alone"
  }
  if part.contains("\\\""), isThere(part.replacing("\\\"", with: "\""), in: text) {
    return "`\\\"` is a backslash and a quote in single quotes, and in plain text: write `\"` alone"
  }
  if !isPart, part.contains(";"), MediaRange(parsing: part) != nil,
    withoutWhiteSpace(part).lowercased() == withoutWhiteSpace(text).lowercased()
  {
    return "the media types are the same, written differently"
  }
  if !isPart, part.trimming(while: \.isWhitespace) == text.trimming(while: \.isWhitespace) {
    return "the texts differ only in white space at their beginning or end"
  }
  if isPart, part.contains("\":"), occurs(withoutWhiteSpace(part).utf8, in: withoutWhiteSpace(text).utf8) {
    return "it is there with other white space: `json` compares what JSON means"
  }
  return signsHint(part, in: text, isPart: isPart)
}

/// The hint for a pattern with two backslashes where one is meant.
func patternHint(_ pattern: RegularExpression, in actual: Text) -> String? {
  let written = pattern.pattern
  if pattern.secrets.isEmpty, written.hasPrefix("/"), written.hasSuffix("/"), written.utf8.count > 2,
    !actual.string.contains("/"), isFound(String(written.dropFirst().dropLast()), in: actual.string)
  {
    return "the slashes are part of the pattern: write '\(written.dropFirst().dropLast())'"
  }
  guard pattern.secrets.isEmpty, let signs = written.firstRange(of: "\\\\"), signs.upperBound < written.endIndex,
    "bBdDsSwW.*+?()[]{}|^$".contains(written[signs.upperBound]),
    isFound(written.replacing("\\\\", with: "\\"), in: actual.string)
  else { return nil }
  return "`\\\\` is a backslash itself in single quotes, and in plain text: write `\\\(written[signs.upperBound])`"
}

private func isOddSpace(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar {
  case "\u{A0}", "\u{2007}", "\u{2009}", "\u{202F}": true
  default: false
  }
}

private func plainSpaces(_ text: String) -> String {
  String(String.UnicodeScalarView(text.unicodeScalars.map { isOddSpace($0) ? " " : $0 }))
}

/// The hint for a text with signs of a pattern that would match.
private func signsHint(_ part: String, in text: String, isPart: Bool) -> String? {
  let plain = part.trimming { $0 == "*" }
  if isPart, plain.count > 2, plain.count < part.count, plain.first != " ", !hasPatternSigns(String(plain)) {
    guard occurs(plain.utf8, in: text.utf8) else { return nil }
    return "`*` is a character itself here: write `\(plain)`"
  }
  guard hasPatternSigns(part), isFound(isPart ? part : "^(?:\(part))$", in: text) else { return nil }
  return "it is compared as text: write `matches` or `not_matches` for a pattern"
}

private func hasPatternSigns(_ text: String) -> Bool {
  if [".*", ".+", "(?", "\\d", "\\w", "\\s", "\\b", "]+", "]*"].contains(where: text.contains) { return true }
  if text.hasPrefix("^") && text.count > 1 { return true }
  let parts = text.split(separator: "|", omittingEmptySubsequences: false)
  return parts.count > 1 && parts.allSatisfy { $0.count > 1 && $0.first != " " && $0.last != " " }
}

/// Returns whether a pattern that does not match anything is found in a text.
private func isFound(_ pattern: String, in text: String) -> Bool {
  guard text.utf8.count <= doubtLimit, let expression = try? RegularExpression(pattern) else { return false }
  return (try? expression.matches("")) == false && (try? expression.matches(text)) == true
}
