import Values

extension Text {
  /// The text with all parts marked that are half of an expected secret or more: a value similar to the secret shows
  /// most of it.
  func concealing(partsOf expected: Text) -> Text {
    guard expected.isSecret, !isEmpty else { return self }
    var secrets: Set<String> = []
    for run in expected.runs where run.isSecret && run.text.utf8.count >= 4 && secrets.count < 20 {
      secrets.insert(run.text)
    }
    guard !secrets.isEmpty else { return self }
    let bytes = Array(string.utf8)
    let reversed = Array(bytes.reversed())
    var ranges: [Range<Int>] = []
    for secret in secrets {
      let wanted = Array(secret.utf8)
      ranges += partialOccurrences(of: wanted, in: bytes).map { wordRange(around: $0, in: bytes) }
      ranges += partialOccurrences(of: wanted.reversed(), in: reversed).map {
        wordRange(around: bytes.count - $0.upperBound..<bytes.count - $0.lowerBound, in: bytes)
      }
    }
    return ranges.isEmpty ? self : Text(string, secretRanges: secretRanges + ranges)
  }
}

extension MatchFailure {
  /// Conceals the parts of expected secrets in the actual value.
  mutating func concealNearSecrets() {
    guard expected.isSecret || differences.contains(where: { $0.expected?.isSecret ?? false }) else { return }
    actual = actual.concealing(partsOf: expected)
    for index in differences.indices {
      var secrets = expected
      if let part = differences[index].expected { secrets.append(part) }
      for line in differences[index].lines where line.side == .expected { secrets.append(line.text) }
      differences[index].actual = differences[index].actual?.concealing(partsOf: secrets)
      for line in differences[index].lines.indices where differences[index].lines[line].side == .actual {
        differences[index].lines[line].text = differences[index].lines[line].text.concealing(partsOf: secrets)
      }
    }
  }
}

/// The ranges of at least half of the part's beginning, by the failure function of Knuth, Morris and Pratt.
private func partialOccurrences(of part: [UInt8], in text: [UInt8]) -> [Range<Int>] {
  let least = max(4, (part.count + 1) / 2)
  let fallback = prefixFunction(of: part)
  var result: [Range<Int>] = []
  var matched = 0
  for (index, byte) in text.enumerated() {
    if matched == part.count { matched = fallback[matched - 1] }
    let before = matched
    while matched > 0, byte != part[matched] { matched = fallback[matched - 1] }
    if byte == part[matched] { matched += 1 }
    if before >= least, matched <= before { result.append(index - before..<index) }
    if matched == part.count { result.append(index + 1 - matched..<index + 1) }
  }
  if matched >= least { result.append(text.count - matched..<text.count) }
  return result
}

/// The range extended to whole words.
private func wordRange(around range: Range<Int>, in text: [UInt8]) -> Range<Int> {
  func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || isAlphanumeric(byte) || "+/=_-.".utf8.contains(byte)
  }
  var (start, end) = (range.lowerBound, range.upperBound)
  while start > 0, isWord(text[start - 1]) { start -= 1 }
  while end < text.count, isWord(text[end]) { end += 1 }
  // A range must not split a character.
  while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
  while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
  return start..<end
}
