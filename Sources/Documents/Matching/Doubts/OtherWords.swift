import Values

/// The size in bytes of parts that are taken for words.
private let wordLimit = 64

/// The hint for a word or a date in another form, for an escape, or for blanks.
func spellingHint(_ part: String, _ text: String, isPart: Bool, _ isThere: (String, String) -> Bool) -> String? {
  if isPart, let hint = wordHint(part, in: text) { return hint }
  if let form = dateForms(of: part, isWhole: !isPart).first(where: { isThere($0, text) }) {
    return "it is there in another form of a date: \(quoted(form))"
  }
  if part.contains("\\n"), isThere(part.replacing("\\n", with: "\n"), text) {
    return "`\\n` is a line break in double quotes alone"
  }
  let words = part.split(separator: " ")
  guard words.count > 1, part.contains("  "), isThere(words.joined(separator: " "), text) else { return nil }
  return "it is there with one blank in place of several"
}

/// The hint for a word that is there in capitals, or but for a blank beside it.
private func wordHint(_ part: String, in text: String) -> String? {
  guard part.utf8.count <= wordLimit else { return nil }
  if isShouted(part, in: text) { return "it is there in another letter case" }
  let word = part.trimming { $0 == " " }
  guard word.utf8.count == part.utf8.count - 1, word.utf8.count > 1, part.utf8.allSatisfy({ $0 < 0x80 }) else {
    return nil
  }
  // Beside a sign, a blank is a part of the form: `total: ` has a value.
  if part.hasSuffix(" "), word.utf8.last.map(isAlphanumeric) ?? false,
    text.hasSuffix(word) || ["\n", "\r\n"].contains(where: { occurs((word + $0).utf8, in: text.utf8) })
  {
    return
      "it is there at the end of \(text.contains(where: \.isNewline) ? "a line" : "the text"), where no blank follows"
  }
  if part.hasPrefix(" "), word.utf8.first.map(isAlphanumeric) ?? false,
    text.hasPrefix(word) || occurs(("\n" + word).utf8, in: text.utf8)
  {
    return
      "it is there at the beginning of \(text.contains(where: \.isNewline) ? "a line" : "the text"), without a blank"
  }
  return nil
}

/// Returns whether words are there in capitals, or with one before a colon as in messages: `ERROR 17`, `Error: …`.
///
/// Other texts may have the word in another sense, such as a label.
private func isShouted(_ part: String, in text: String) -> Bool {
  let words = Array(part.utf8)
  guard words.count > 3, isLetter(words[0]), isLetter(words[words.count - 1]),
    words.allSatisfy({ isWordCharacter($0) || $0 == UInt8(ascii: " ") })
  else { return false }
  let capitals = Array(part.uppercased().utf8)
  if capitals != words, occursAsWord(capitals, in: text) { return true }
  guard part == part.lowercased() else { return false }
  return occursAsWord([capitals[0]] + words.dropFirst() + [UInt8(ascii: ":")], in: text)
}

/// Returns whether bytes occur in a text without a letter or digit beside them.
private func occursAsWord(_ word: [UInt8], in text: String) -> Bool {
  let (text, first) = (Array(text.utf8), word[0])
  guard text.count >= word.count else { return false }
  func isOuter(_ byte: UInt8) -> Bool { !isWordCharacter(byte) && byte < 0x80 }
  return (0...(text.count - word.count)).contains { start in
    let end = start + word.count
    return text[start] == first && (start == 0 || isOuter(text[start - 1]))
      && (end == text.count || isOuter(text[end])) && text[start..<end].elementsEqual(word)
  }
}

/// Returns whether a text begins or ends with another in another letter case, as with a whole word.
func isEdgeInOtherCase(_ part: String, of text: String, isEnd: Bool) -> Bool {
  guard part.count > 1, part.utf8.count <= 1 << 12, part.utf8.contains(where: isLetter) else { return false }
  let edge = isEnd ? text.suffix(part.count) : text.prefix(part.count)
  guard edge.lowercased() == part.lowercased() else { return false }
  func isOuter(_ character: Character?) -> Bool { character.map { !$0.isLetter && !$0.isNumber } ?? true }
  return isEnd
    ? isOuter(part.first) || isOuter(text.dropLast(part.count).last)
    : isOuter(part.last) || isOuter(text.dropFirst(part.count).first)
}

/// The forms of RFC 3339 that a text such as `2024-5-1` or `2024-05-01 10:00:00Z` may stand for.
///
/// - Parameter isWhole: whether it is a whole text, whose last number is complete; in a part, slashes may be those of a
///   URL.
func dateForms(of part: String, isWhole: Bool) -> [String] {
  let bytes = Array(part.utf8)
  guard (6...40).contains(bytes.count), bytes.prefix(4).allSatisfy(isDigit),
    bytes[4] == UInt8(ascii: "-") || isWhole && bytes[4] == UInt8(ascii: "/"),
    bytes.allSatisfy({ isDigit($0) || "-/:.+TZ ".utf8.contains($0) })
  else { return [] }
  var padded: [UInt8] = []
  var start = 0
  for index in 0...bytes.count where index == bytes.count || !isDigit(bytes[index]) {
    let isLast = index == bytes.count
    let isFraction = start > 0 && bytes[start - 1] == UInt8(ascii: ".")
    if index - start == 1, isWhole || !isLast, !isFraction { padded.append(UInt8(ascii: "0")) }
    padded += bytes[start..<index]
    if !isLast { padded.append(bytes[index] == UInt8(ascii: "/") ? UInt8(ascii: "-") : bytes[index]) }
    start = index + 1
  }
  let date = String(decoding: padded, as: UTF8.self)
  var forms = [date]
  let time = padded.dropFirst(10)
  if time.first == UInt8(ascii: " ") || time.first == UInt8(ascii: "T") {
    let (day, rest) = (date.prefix(10), date.dropFirst(11))
    forms += ["\(day)T\(rest)", "\(day) \(rest)"]
  }
  if isWhole, time.count == 9 { forms += forms.map { $0 + "Z" } }
  return forms.filter { $0 != part }
}

/// The number in a text with separators of thousands, as in `1_000` or `12,500`; nil for any other text.
func groupedNumber(_ text: some StringProtocol) -> Number? {
  guard text.utf8.count <= wordLimit, let separator = text.first(where: { "_,' \u{A0}\u{202F}".contains($0) }) else {
    return nil
  }
  let groups = text.split(separator: separator, omittingEmptySubsequences: false)
  let isGrouped = groups.enumerated().allSatisfy { index, group in
    let digits = index == groups.count - 1 ? group.prefix { $0 != "." } : group[...]
    return index == 0 ? (1...3).contains(digits.count { $0 != "-" }) : digits.count == 3
  }
  return isGrouped ? Number(parsing: groups.joined()) : nil
}
