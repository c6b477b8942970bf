internal import Values

/// Texts up to this length are shown whole.
let textLimit = 80
/// How much is shown of longer ones.
let textWindow = 60
/// Larger texts, in bytes, are not searched for hints.
let subtletyLimit = 1 << 20

/// The text in quotes with what cannot be seen escaped; a long one as a window around a byte, with its length.
func quoted(_ text: Text, limit: Int = textLimit, around offset: Int = 0) -> Text {
  let scalars = text.string.unicodeScalars
  guard text.string.utf8.count > limit else { return Text("\"") + text.mapRuns(visible) + Text("\"") }
  let count = scalars.count
  guard count > limit else { return Text("\"") + text.mapRuns(visible) + Text("\"") }
  let width = min(textWindow, limit)
  var lower = scalars.startIndex
  if offset > 0 {
    let centre = scalarIndex(at: offset, in: text.string)
    lower = scalars.index(centre, offsetBy: -width / 3, limitedBy: scalars.startIndex) ?? scalars.startIndex
  }
  var upper = scalars.endIndex
  if let end = scalars.index(lower, offsetBy: width, limitedBy: scalars.endIndex), end < scalars.endIndex {
    upper = end
  } else {
    lower = scalars.index(scalars.endIndex, offsetBy: -width)
  }
  let utf8 = text.string.utf8
  let bytes = utf8.distance(from: utf8.startIndex, to: lower)..<utf8.distance(from: utf8.startIndex, to: upper)
  var result = Text(lower > scalars.startIndex ? "\"…" : "\"")
  result.append(slice(text, bytes).mapRuns(visible))
  result.append(upper < scalars.endIndex ? "…\" (\(count) characters)" : "\" (\(count) characters)")
  return result
}

func quoted(_ string: String) -> String {
  quoted(Text(string)).string
}

/// Where two texts begin to differ, in bytes; the shorter one's length if it begins the other.
func firstDifference(_ left: String, _ right: String) -> Int {
  var offset = 0
  for (a, b) in zip(left.utf8, right.utf8) {
    if a != b { break }
    offset += 1
  }
  return offset
}

/// Why two texts that look alike are not equal; nil where the difference shows.
func subtleDifference(expected: String, actual: String) -> String? {
  guard expected.utf8.count + actual.utf8.count <= subtletyLimit else { return nil }
  if expected == actual { return "the texts look alike but are composed of different Unicode characters" }
  if expected.lowercased() == actual.lowercased() { return "the texts differ in letter case only" }
  if trimmed(expected[...]) == trimmed(actual[...]) {
    return "the texts differ only in white space at their beginning or end"
  }
  return nil
}

/// Part of a text by its bytes, which must lie on characters' borders.
private func slice(_ text: Text, _ bytes: Range<Int>) -> Text {
  let utf8 = text.string.utf8
  func piece(_ range: Range<Int>) -> String {
    let lower = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    let upper = utf8.index(utf8.startIndex, offsetBy: range.upperBound)
    return String(text.string[lower..<upper])
  }
  var result = Text("")
  var position = bytes.lowerBound
  for secret in text.secretRanges {
    let part = secret.clamped(to: bytes)
    if part.isEmpty { continue }
    if part.lowerBound > position { result.append(piece(position..<part.lowerBound)) }
    result.append(Text(secret: piece(part)))
    position = part.upperBound
  }
  if position < bytes.upperBound { result.append(piece(position..<bytes.upperBound)) }
  return result
}

private func scalarIndex(at offset: Int, in string: String) -> String.Index {
  let utf8 = string.utf8
  guard offset < utf8.count else { return string.endIndex }
  var index = utf8.index(utf8.startIndex, offsetBy: offset)
  while index > utf8.startIndex, utf8[index] & 0xC0 == 0x80 { index = utf8.index(before: index) }
  return index
}

/// JSON's escapes, also for what a terminal would swallow or reorder.
private func visible(_ string: String) -> String {
  let escaped = jsonEscaped(string)
  guard escaped.unicodeScalars.contains(where: isInvisible) else { return escaped }
  var result = ""
  for scalar in escaped.unicodeScalars {
    if isInvisible(scalar) {
      let code = String(scalar.value, radix: 16)
      result += code.count > 4 ? "\\u{\(code)}" : "\\u" + String(repeating: "0", count: 4 - code.count) + code
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

private func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
  guard scalar.value > 0x7F else { return scalar.value < 0x20 || scalar.value == 0x7F }
  switch scalar.properties.generalCategory {
  case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: return true
  // Zero-width joiners hold emoji together.
  case .format: return scalar.value != 0x200D
  default: return false
  }
}
