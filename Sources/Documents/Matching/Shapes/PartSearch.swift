import Values

/// A text without the expected part, shown at the longest beginning of that part.
func nearestPart(_ part: Text, in text: Text) -> ShownText {
  guard !part.isSecret, part.string.utf8.count <= 4096 else { return ShownText(text.concealing(partsOf: part)) }
  var content = text.string
  if let range = rangeIgnoringCase(of: part.string, in: content) {
    return ShownText(text, marking: range, label: "in another letter case")
  }
  let wanted = Array(part.string.utf8)
  let (length, end) = content.withUTF8 { longestBeginning(of: wanted, in: $0) }
  let count = String(decoding: wanted[..<length], as: UTF8.self).unicodeScalars.count
  guard length >= 4, 2 * length >= wanted.count, end <= text.string.utf8.count else { return ShownText(text) }
  // Not in the middle of a character.
  let start = end - length
  var border = end
  let bytes = content.utf8
  while border > start, border < bytes.count,
    bytes[bytes.index(bytes.startIndex, offsetBy: border)] & 0xC0 == 0x80
  { border -= 1 }
  return ShownText(text, marking: start..<border, label: "only its first \(counted(count, "character"))")
}

/// The range of a part regardless of case; nil also for texts whose length changes with case.
func rangeIgnoringCase(of part: String, in text: String) -> Range<Int>? {
  guard text.utf8.count <= subtletyLimit else { return nil }
  var lower = text.lowercased()
  let wanted = Array(part.lowercased().utf8)
  guard lower.utf8.count == text.utf8.count, wanted.count == part.utf8.count else { return nil }
  let (length, end) = lower.withUTF8 { longestBeginning(of: wanted, in: $0) }
  return length == wanted.count ? end - length..<end : nil
}

/// A text that contains an unexpected part, shown at that part.
func shownPart(_ length: Int, of part: Text, in text: Text) -> ShownText {
  var content = text.string
  let wanted = Array(part.string.utf8)
  let (found, end) = content.withUTF8 { longestBeginning(of: wanted, in: $0) }
  guard found == wanted.count, !part.isSecret else { return ShownText(text) }
  return ShownText(text, marking: end - found..<end)
}

/// A text with another beginning, marked from the first difference on.
func shownBeginning(_ text: Text, expected: Text) -> ShownText {
  let span = DifferingSpan(expected.string, text.string)
  guard !expected.isSecret, span.start > 0 else { return ShownText(text.concealing(partsOf: expected)) }
  let end = min(text.string.utf8.count, span.start + 1)
  return ShownText(text, marking: span.start..<max(span.start, characterEnd(end, in: text.string)))
}

private func characterEnd(_ offset: Int, in text: String) -> Int {
  let bytes = text.utf8
  var offset = offset
  while offset < bytes.count, bytes[bytes.index(bytes.startIndex, offsetBy: offset)] & 0xC0 == 0x80 { offset += 1 }
  return offset
}

/// The length of the longest beginning of a part in a text, and the end of its first occurrence.
///
/// By the failure function of Knuth, Morris and Pratt: linear, whatever the texts.
private func longestBeginning(of part: [UInt8], in text: UnsafeBufferPointer<UInt8>) -> (length: Int, end: Int) {
  let fallback = prefixFunction(of: part)
  var best = (length: 0, end: 0)
  var matched = 0
  for index in 0..<text.count {
    while matched > 0, text[index] != part[matched] { matched = fallback[matched - 1] }
    if text[index] == part[matched] { matched += 1 }
    if matched > best.length {
      best = (matched, index + 1)
      if matched == part.count { break }
    }
  }
  return best
}
