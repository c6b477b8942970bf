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
    return "the texts differ only in white space at their beginning or end"
  }
  let (words, otherWords) = (withoutWhiteSpace(expected), withoutWhiteSpace(actual))
  if words == otherWords {
    let isJSON = ["{", "["].contains(words.first) && isJSON(expected) && isJSON(actual)
    return "the texts differ only in white space" + (isJSON ? jsonAdvice : "")
  }
  if expected.lowercased() == actual.lowercased() { return "the texts differ in letter case only" }
  if words.lowercased() == otherWords.lowercased() { return "the texts differ only in letter case and white space" }
  if withoutInvisible(expected) == withoutInvisible(actual) {
    return "the texts differ only in characters that cannot be seen"
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
  return urlSlash(expected, actual)
}

private func urlSlash(_ expected: String, _ actual: String) -> String? {
  guard expected + "/" == actual || expected == actual + "/" else { return nil }
  return "the texts differ only in the slash at the end"
}

private func lineFeeds(_ text: String) -> String {
  String(decoding: text.utf8.filter { $0 != 0x0D }, as: UTF8.self)
}

private func withoutWhiteSpace(_ text: String) -> String { text.filter { !$0.isWhitespace } }

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
