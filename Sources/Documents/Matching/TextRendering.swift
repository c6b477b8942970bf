import Values

/// The length up to which texts are shown completely.
let textLimit = 80
/// The number of characters shown of longer texts.
let textWindow = 60
/// The size in bytes up to which texts are searched for hints.
let subtletyLimit = 1 << 20

/// The text in quotes with invisible characters escaped; a long one as a window around an offset, with its length.
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
  result.append(text[utf8: bytes].mapRuns(visible))
  result.append(upper < scalars.endIndex ? "…\" (\(count) characters)" : "\" (\(count) characters)")
  return result
}

func quoted(_ string: String) -> String {
  quoted(Text(string)).string
}

private func scalarIndex(at offset: Int, in string: String) -> String.Index {
  let utf8 = string.utf8
  guard offset < utf8.count else { return string.endIndex }
  var index = utf8.index(utf8.startIndex, offsetBy: offset)
  while index > utf8.startIndex, utf8[index] & 0xC0 == 0x80 { index = utf8.index(before: index) }
  return index
}

/// JSON's escapes, also for characters that a terminal would hide or reorder, and for stray or stacked combining marks.
func visible(_ string: String) -> String {
  sanitizedForTerminal(jsonEscaped(string), as: .escape)
}
