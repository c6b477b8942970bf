import Values

/// The reason why two texts that look alike aren't equal; nil if the difference is visible.
func subtleDifference(expected: String, actual: String) -> String? {
  guard expected.utf8.count + actual.utf8.count <= subtletyLimit, !expected.isEmpty, !actual.isEmpty else { return nil }
  if expected == actual { return normalisationDifference(expected, actual) }
  if expected + "\n" == actual || expected + "\r\n" == actual {
    return "what is there has one more line break, at its end"
  }
  if expected == actual + "\n" || expected == actual + "\r\n" { return lineBreakMissing }
  if lineFeeds(expected) == lineFeeds(actual) {
    let isThere = actual.utf8.contains(0x0D) && actual.utf8.count > expected.utf8.count
    return "the texts differ only in line breaks: what is there has \(isThere ? "CR LF" : "LF alone")"
  }
  if expected.trimming(while: \.isWhitespace) == actual.trimming(while: \.isWhitespace) {
    return "the texts differ only in white space at their beginning or end" + oddCharacter(expected, actual)
  }
  let (words, otherWords) = (withoutWhiteSpace(expected), withoutWhiteSpace(actual))
  if words == otherWords {
    let isJSON = ["{", "["].contains(words.first) && isJSON(expected) && isJSON(actual)
    return "the texts differ only in white space" + (isJSON ? jsonAdvice : oddCharacter(expected, actual))
  }
  if expected.lowercased() == actual.lowercased() { return "the texts differ in letter case only" }
  if words.lowercased() == otherWords.lowercased() { return "the texts differ only in letter case and white space" }
  if withoutInvisible(expected) == withoutInvisible(actual) {
    return "the texts differ only in characters that cannot be seen" + oddCharacter(expected, actual)
  }
  if plainLooking(expected) == plainLooking(actual) {
    return "the texts look alike" + oddCharacter(expected, actual)
  }
  if plainPunctuation(expected) == plainPunctuation(actual) {
    return "the texts differ only in the form of quotes or dashes"
  }
  return sameMeaning(expected, actual)
}

/// Returns whether two texts differ only in the form of line breaks and a final one.
func differOnlyInLineBreaks(_ expected: String, _ actual: String) -> Bool {
  guard expected.utf8.count + actual.utf8.count <= subtletyLimit else { return false }
  func lines(_ text: String) -> ArraySlice<UInt8> {
    let bytes = text.utf8.filter { $0 != 0x0D }
    return bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
  }
  return lines(expected) == lines(actual)
}

/// The reason why a text that looks alike is not found in another one.
func lookalike(of part: String, in text: String) -> String? {
  if text.contains(part) { return "it is there in another Unicode normalisation (NFC or NFD)" }
  let words = withoutWhiteSpace(part)
  guard !words.isEmpty, occurs(words.utf8, in: withoutWhiteSpace(text).utf8) else { return nil }
  return "it is there with other white space" + oddCharacter(part, text.filter(\.isWhitespace))
}

/// The first unusual character that only one of two texts has: `: what is there has U+00A0 (no-break space)`.
private func oddCharacter(_ expected: String, _ actual: String) -> String {
  func odd(_ text: String, without other: String) -> Unicode.Scalar? {
    let known = Set(other.unicodeScalars)
    return text.unicodeScalars.first { scalar in
      scalar != " " && !known.contains(scalar)
        && (scalar.properties.isWhitespace || misleadingCharacter(in: String(Character(scalar))) != nil)
    }
  }
  func named(_ scalar: Unicode.Scalar) -> String {
    let letter = misleadingCharacter(in: String(Character(scalar)))?.lookalike
    return characterName(scalar) + (letter.map { ", which only looks like `\($0)`" } ?? "")
  }
  if let scalar = odd(actual, without: expected) { return ": what is there has \(named(scalar))" }
  return odd(expected, without: actual).map { ": what is expected has \(named($0))" } ?? ""
}

private let lineBreakMissing =
  "what is there lacks the line break at the end: in a block text write `|-` instead of `|`"
private let jsonAdvice = "; `json: {$: …}` compares what they mean"

/// The description of a difference in normalization: of two canonically equivalent texts, the longer is decomposed.
private func normalisationDifference(_ expected: String, _ actual: String) -> String {
  let isDecomposed = actual.unicodeScalars.count > expected.unicodeScalars.count
  return "the texts look alike but differ in Unicode normalisation: what is there is "
    + (isDecomposed ? "decomposed (NFD)" : "composed (NFC)")
}

/// The common meaning of two different texts.
private func sameMeaning(_ expected: String, _ actual: String) -> String? {
  guard expected.utf8.count <= 64, actual.utf8.count <= 2048 else { return urlSlash(expected, actual) }
  if let a = Number(parsing: expected), let b = Number(parsing: actual), a == b {
    return "the texts are the same number, written differently"
  }
  if let a = instant(Text(expected)), let b = instant(Text(actual)), a == b {
    return "the texts are the same instant, written differently: write `!date` before it to compare instants"
  }
  if let a = instant(Text(expected)), let b = instant(Text(actual)), a.seconds == b.seconds {
    return "the instants differ in fractions of a second: "
      + "`!date` compares instants, `before` and `after` accept a range"
  }
  return urlSlash(expected, actual)
}

private func urlSlash(_ expected: String, _ actual: String) -> String? {
  guard expected + "/" == actual || expected == actual + "/" else { return nil }
  return "the texts differ only in the slash at the end"
}

private func lineFeeds(_ text: String) -> String {
  String(decoding: text.utf8.filter { $0 != 0x0D }, as: UTF8.self)
}

func withoutWhiteSpace(_ text: String) -> String { text.filter { !$0.isWhitespace } }

private func withoutInvisible(_ text: String) -> String {
  String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\u{FEFF}" && !isInvisible($0) }))
}

private func plainPunctuation(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\u{2018}", "\u{2019}", "\u{201A}", "\u{2032}": result.append("'")
    case "\u{201C}", "\u{201D}", "\u{201E}", "\u{2033}", "\u{AB}", "\u{BB}": result.append("\"")
    case "\u{2010}"..."\u{2015}", "\u{2212}": result.append("-")
    default: result.append(scalar)
    }
  }
  return String(result)
}
