import Values

/// A failure that shows the position where a body isn't JSON or the like: the surrounding line, and the error.
///
/// - Parameters:
///   - form: the expected format of the body, such as `JSON`.
///   - problem: the error of the whole, such as `is not JSON`.
package func unreadableExcerpt(
  of text: Text, at offset: Int, form: String, problem: String, because message: String
) -> MatchFailure {
  let offset = min(max(0, offset), text.string.utf8.count)
  let place = textPlace(of: offset, in: text.string)
  let (line, mark) = lineExcerpt(text, at: offset)
  return MatchFailure(
    predicate: Text("the body \(problem)"), expected: Text(form), actual: line,
    mark: Mark(range: mark, label: "\(place): \(message)"))
}

/// The line of a text around an offset, and that character's range in the shown part.
private func lineExcerpt(_ text: Text, at offset: Int) -> (line: Text, mark: Range<Int>) {
  let (before, after) = (50, 50)
  let utf8 = text.string.utf8
  let scalars = text.string.unicodeScalars
  var place = utf8.index(utf8.startIndex, offsetBy: offset)
  // The offset of a parser that counts differently may be inside a character.
  while place > utf8.startIndex, place < utf8.endIndex, utf8[place] & 0xC0 == 0x80 { place = utf8.index(before: place) }
  var (start, end) = (place, place)
  for _ in 0..<before {
    guard start > scalars.startIndex, scalars[scalars.index(before: start)] != "\n" else { break }
    start = scalars.index(before: start)
  }
  for _ in 0..<after {
    guard end < scalars.endIndex, scalars[end] != "\n" else { break }
    end = scalars.index(after: end)
  }
  let next = place < end ? scalars.index(after: place) : place
  func bytes(before index: String.Index) -> Int { utf8.distance(from: utf8.startIndex, to: index) }
  func shown(_ range: Range<String.Index>) -> Text {
    text[utf8: bytes(before: range.lowerBound)..<bytes(before: range.upperBound)].mapRuns {
      visible($0).replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
    }
  }
  let isCutBefore = start > scalars.startIndex && scalars[scalars.index(before: start)] != "\n"
  var line = Text(isCutBefore ? "…" : "") + shown(start..<place)
  let markStart = line.string.utf8.count
  line.append(shown(place..<next))
  let mark = markStart..<line.string.utf8.count
  line.append(shown(next..<end))
  if end < scalars.endIndex, scalars[end] != "\n" { line.append("…") }
  return (line, mark)
}
