import DocumentQueries
import Values

/// The size in bytes of texts that are searched for other forms of what is denied.
private let doubtLimit = 1 << 16

/// The hint for a text that is what another one means: with other white space, as a media type, or by its signs as a
/// pattern.
///
/// - Parameters:
///   - isPart: whether it may be a part of the other.
///   - isHeader: whether the texts are those of a header.
func textHint(_ expected: Text, in actual: Text, isPart: Bool, ofHeader isHeader: Bool = false) -> String? {
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
  // Blanks around more than a word are meant.
  let inner = part.trimming(while: \.isWhitespace)
  if !isPart, inner == text.trimming(while: \.isWhitespace), inner == part[...] || isWord(inner) {
    return "the texts differ only in white space at their beginning or end"
  }
  if isHeader || isMediaType(text) || !isPart && part.count > 1, isThere(part.lowercased(), in: text.lowercased()) {
    return "it is there in another letter case"
  }
  if let hint = spellingHint(part, text, isPart: isPart, isThere) { return hint }
  if isPart, part.contains("\":"), let hint = jsonHint(withoutWhiteSpace(part), in: withoutWhiteSpace(text)) {
    return hint
  }
  if isPart, part.hasPrefix("<") || part.hasSuffix(">") || part.contains("><"), text.contains("<"), part.count > 3,
    case let other = withoutBlanksBetweenTags(text), case let wanted = withoutBlanksBetweenTags(part),
    occurs(wanted.utf8, in: other.utf8)
  {
    return "it is there with other white space between tags: `xpath` looks at elements"
  }
  if let hint = quotesHint(part, text, isThere) ?? encodingHint(part, text, isThere) { return hint }
  if !isPart, let hint = wholeHint(part, text, ofHeader: isHeader) { return hint }
  if part.hasPrefix("$."), part.dropFirst(2).utf8.allSatisfy({ isWordCharacter($0) || ".[]".utf8.contains($0) }),
    !text.contains("$"), text.hasPrefix("{") || text.hasPrefix("["), !part.dropFirst(2).isEmpty
  {
    return "this is text, not what the path finds: write the path under `json`"
  }
  return signsHint(part, in: text, isPart: isPart)
}

/// The hint for a part of JSON that is there with other white space, or with other quotes around a value.
private func jsonHint(_ part: String, in text: String) -> String? {
  if occurs(part.utf8, in: text.utf8) { return "it is there with other white space: `json` compares what JSON means" }
  let (bare, other) = (part.replacing("\"", with: ""), text.replacing("\"", with: ""))
  let ends = part.hasSuffix("\"") || part.last?.isNumber ?? false ? [",", "}", "]"] : [""]
  let isThere = ends.contains { end in
    (part.hasPrefix("\"") ? ["{", ","] : [""]).contains { occurs(($0 + bare + end).utf8, in: other.utf8) }
  }
  return isThere ? "it is there with other quotes: `json` compares what JSON means" : nil
}

/// A text without white space at the borders of tags.
private func withoutBlanksBetweenTags(_ text: String) -> String {
  text.split(separator: "<", omittingEmptySubsequences: false).map { part in
    part.split(separator: ">", omittingEmptySubsequences: false).map { $0.trimming(while: \.isWhitespace) }
      .joined(separator: ">")
  }.joined(separator: "<")
}

/// The hint for a text that is there with other quotes, without them, or with characters for escapes.
private func quotesHint(_ part: String, _ text: String, _ isThere: (String, String) -> Bool) -> String? {
  if part.contains("\\u"), case let meant = charactersForEscapes(part), meant != part, isThere(meant, text) {
    return "`\\u…` is a character in double quotes alone"
  }
  func count(_ quote: Character) -> Int { part.count { $0 == quote } }
  if count("'") > 1, isThere(part.replacing("'", with: "\""), text) { return "it is there with `\"` in place of `'`" }
  if count("\"") > 1, isThere(part.replacing("\"", with: "'"), text) { return "it is there with `'` in place of `\"`" }
  if !(part + text).utf8.allSatisfy({ $0 < 0x80 }), isThere(plainSigns(part), plainSigns(text)) {
    return "it is there with other quotes or dashes: `’` is not `'`"
  }
  guard part.contains("="), !part.contains("\""), text.contains("=\""),
    isThere(part, text.replacing("\"", with: ""))
  else { return nil }
  return "it is there with a value in quotes"
}

/// A text with the characters of ASCII for typographic quotes, dashes and dots.
private func plainSigns(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\u{2018}", "\u{2019}", "\u{201A}", "\u{2032}": result += "'"
    case "\u{201C}", "\u{201D}", "\u{201E}", "\u{2033}": result += "\""
    case "\u{2010}"..."\u{2015}", "\u{2212}": result += "-"
    case "\u{2026}": result += "..."
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// A text with the characters that `\uXXXX` stands for in JSON; a half of a pair stays.
private func charactersForEscapes(_ text: String) -> String {
  var parts = text.split(separator: "\\u", omittingEmptySubsequences: false).map(String.init)
  for index in parts.indices.dropFirst() {
    let digits = parts[index].prefix(4)
    let scalar = digits.count == 4 ? UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) : nil
    parts[index] = scalar.map { String(Character($0)) + parts[index].dropFirst(4) } ?? "\\u" + parts[index]
  }
  return parts.joined()
}

/// The hint for a text that is there with other blanks around signs, or in an encoding.
private func encodingHint(_ part: String, _ text: String, _ isThere: (String, String) -> Bool) -> String? {
  func pieces(_ text: String, _ sign: String) -> [String] {
    text.split(separator: sign, omittingEmptySubsequences: false).map { trimmingBlanks($0) }
  }
  for sign in [",", "="] where part.contains(sign) {
    let parts = pieces(part, sign)
    if !parts.contains(""), isThere(parts.joined(separator: sign), pieces(text, sign).joined(separator: sign)) {
      return "it is there with other blanks beside `\(sign)`"
    }
  }
  if text.contains("%") || part.contains("%"), isThere(percentDecoded(part), percentDecoded(text)) {
    return text.contains("%") ? "it is there percent-encoded" : "it is there without percent-encoding"
  }
  if part.contains("\\"), isThere(part.replacing("\\", with: "/"), text) {
    return "it is there with `/` in place of `\\`"
  }
  // Markup that is there in escaped form is what tests of escaping are about.
  guard part.contains("&"), !part.contains("<"), isThere(part.replacing("&", with: "&amp;"), text) else { return nil }
  return "it is there with `&amp;` for `&`, as in HTML and XML"
}

/// The hint for a text that is more, or less, than what a value of its kind has.
private func wholeHint(_ whole: String, _ text: String, ofHeader isHeader: Bool) -> String? {
  if isHeader, let number = Number(parsing: whole), number == Number(parsing: text) { return "the numbers are equal" }
  let parts = text.lowercased().split { "/;+ ".contains($0) }
  if isMediaType(text), parts.contains(whole.lowercased()[...]) { return "a content type has two parts, around a `/`" }
  if whole.hasPrefix("$."), !text.hasPrefix("$") { return "this is text, not what the path finds: capture that first" }
  if whole == "'\(text)'" || whole == "\"\(text)\"" { return "these quotes are part of the text: leave them out" }
  let items = { (text: String) in text.split(separator: ",").map { trimmingBlanks($0) }.sorted() }
  if whole.contains(","), text.contains(","), items(whole) == items(text) {
    return "it is there as a list in another order"
  }
  if whole.hasSuffix("*"), whole.count > 3, text.hasPrefix(whole.dropLast()) {
    return "`*` is a character itself here: write `starts_with` or `not: {starts_with: …}`"
  }
  if isHeader, let colon = whole.firstRange(of: ": "), text.hasPrefix(whole[colon.upperBound...]),
    whole[..<colon.lowerBound].utf8.allSatisfy({ isWordCharacter($0) || $0 == UInt8(ascii: "-") })
  {
    return "the value of a header is compared without its name"
  }
  if text == "\"\(whole)\"" { return "the value has quotes of its own" }
  if isHeader, [whole, text].contains(where: { $0.hasPrefix("W/\"") }), whole.hasSuffix("\""),
    whole.replacing("W/", with: "") == text.replacing("W/", with: "")
  {
    return "the entity tags differ in `W/` alone"
  }
  if whole.hasPrefix("/"), let host = text.firstRange(of: "://")?.upperBound, text[host...].hasSuffix(whole),
    !text[host...].dropLast(whole.count).contains("/")
  {
    return "what is there is an absolute URL"
  }
  if whole != text, hasForm(.datetime, whole), hasForm(.datetime, text),
    let instant = Timestamp(rfc3339: whole), instant == Timestamp(rfc3339: text)
  {
    return "it is the same instant: a `!date` compares as one"
  }
  if text.hasPrefix(whole + "T"), hasForm(.date, whole) { return "a time follows the date: write `starts_with`" }
  if whole == "now", hasForm(.datetime, text) { return "this is a word: write `${{ now }}` for the time" }
  if let meant = wordsForConstants[text], meant.contains(whole.lowercased()) {
    return "what is there is the text \"\(text)\", and YAML 1.2 takes `\(whole)` for a text of its own"
  }
  if text.count > 2, whole.hasSuffix("=" + text), whole.dropLast(text.count + 1).allSatisfy(\.isLetter) {
    return "what is there is the value alone, without a name and `=`"
  }
  return nil
}

/// Returns whether a text may be a word of an enumeration, whose letter case is rarely what is meant.
private func isWord(_ text: some StringProtocol) -> Bool {
  text.utf8.count > 1 && text.utf8.allSatisfy(isWordCharacter)
}

/// The hint for a text that another begins or ends with, but for a line break or as a pattern.
func edgeHint(_ expected: Text, in actual: Text, isEnd: Bool) -> String? {
  let (part, text) = (expected.string, actual.string)
  guard expected.secretRanges.isEmpty, !part.isEmpty, text.utf8.count <= doubtLimit else { return nil }
  if isEnd, text.hasSuffix("\n"), text.trimming(while: \.isNewline).hasSuffix(part) {
    return "a line break follows, with which the text ends"
  }
  if isEdgeInOtherCase(part, of: text, isEnd: isEnd) { return "it is there in another letter case" }
  let form = dateForms(of: part, isWhole: false).first { isEnd ? text.hasSuffix($0) : text.hasPrefix($0) }
  if let form { return "it is there in another form of a date: \(quoted(form))" }
  guard hasPatternSigns(part), isFound(isEnd ? "(?:\(part))$" : "^(?:\(part))", in: text) else { return nil }
  return "it is compared as text: write `matches` or `not_matches` for a pattern"
}

private func isMediaType(_ text: String) -> Bool {
  let types = ["application", "audio", "font", "image", "multipart", "text", "video"]
  return MediaRange(parsing: text).map { types.contains($0.type.lowercased()) } ?? false
}

/// The hint for a pattern between slashes, for one of a line, or with two backslashes where one is meant.
///
/// - Parameter ignoresCase: whether also for one that matches in another letter case.
package func patternHint(_ pattern: RegularExpression, in actual: Text, ignoresCase: Bool = false) -> String? {
  let written = pattern.pattern
  if ignoresCase, pattern.secrets.isEmpty, isFound("(?i)" + written, in: actual.string) {
    return "it matches in another letter case: write `(?i)` before it"
  }
  if pattern.secrets.isEmpty, written.hasPrefix("/"), written.hasSuffix("/"), written.utf8.count > 2,
    !actual.string.contains("/"), isFound(String(written.dropFirst().dropLast()), in: actual.string)
  {
    return "the slashes are part of the pattern: write '\(written.dropFirst().dropLast())'"
  }
  if pattern.secrets.isEmpty, written.hasPrefix("^"), written.hasSuffix("$"), actual.string.contains("\n"),
    isFound("(?m)" + written, in: actual.string)
  {
    return "`^` and `$` are the ends of the whole text: write `(?m)` before them for those of a line"
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
  let pieces = part.split(separator: "*", omittingEmptySubsequences: false)
  if isPart, pieces.count > 1, pieces.allSatisfy({ $0.count > 2 && $0.allSatisfy(\.isLetter) }),
    isFound(pieces.joined(separator: ".*"), in: text)
  {
    return "`*` is a character itself here: write `matches` or `not_matches` for a pattern"
  }
  guard hasPatternSigns(part), isFound(isPart ? part : "^(?:\(part))$", in: text) else { return nil }
  return "it is compared as text: write `matches` or `not_matches` for a pattern"
}

private func hasPatternSigns(_ text: String) -> Bool {
  if [".*", ".+", "(?", "\\d", "\\w", "\\s", "\\b", "]+", "]*"].contains(where: text.contains) { return true }
  if text.hasPrefix("^") && text.count > 1 { return true }
  if text.hasSuffix("$"), text.dropLast().last?.isLetter ?? false { return true }
  let parts = text.split(separator: "|", omittingEmptySubsequences: false)
  return parts.count > 1 && parts.allSatisfy { $0.count > 1 && $0.first != " " && $0.last != " " }
}

/// Returns whether a pattern that does not match anything is found in a text.
private func isFound(_ pattern: String, in text: String) -> Bool {
  guard text.utf8.count <= doubtLimit, let expression = try? RegularExpression(pattern) else { return false }
  return (try? expression.matches("")) == false && (try? expression.matches(text)) == true
}
