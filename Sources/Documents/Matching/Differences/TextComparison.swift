import Values

/// Two differing texts for a report: cut at the same positions, so that equal parts are aligned.
struct TextComparison {
  let expected: Text
  let actual: Text
  /// The differing part of the actual text; nil if it doesn't help.
  private(set) var mark: Mark?

  init(expected: Text, actual written: Text) {
    let span = DifferingSpan(expected.string, written.string)
    let actual = written.concealing(partsOf: expected)
    let isSecret = expected.isSecret || actual.isSecret
    let window = TextWindow(expected.string, actual.string, around: span.start)
    var (wanted, shown) = (window.quoted(expected), window.shown(actual, marking: span.start..<span.actualEnd))
    // Equality of strings disregards normalization.
    if !isSecret, plainLooking(wanted.string) == plainLooking(shown.text.string) {
      wanted = window.shown(expected, marking: span.start..<span.expectedEnd, as: withCodePoints).text
      shown = window.shown(actual, marking: span.start..<span.actualEnd, as: withCodePoints)
    }
    self.expected = wanted
    self.actual = shown.text
    guard !isSecret, window.isCut || span.isWorthMarking else { return }
    var label: String?
    if window.isCut {
      let place = textPlace(of: span.start, in: actual.string)
      label = span.actualEnd - span.start <= 8 ? "at \(place)" : "from \(place) on"
    }
    mark = Mark(range: shown.marked, label: label)
  }
}

/// The span between the common beginning and the common end of two texts, in bytes of their UTF-8.
struct DifferingSpan {
  /// The start, which is the same in both.
  private(set) var start: Int
  private(set) var expectedEnd: Int
  private(set) var actualEnd: Int
  private let expectedCount: Int
  private let actualCount: Int

  init(_ expected: String, _ actual: String) {
    var (expected, actual) = (expected, actual)
    let (prefix, suffix) = expected.withUTF8 { a in
      actual.withUTF8 { b in DifferingSpan.common(a, b) }
    }
    expectedCount = expected.utf8.count
    actualCount = actual.utf8.count
    start = prefix
    expectedEnd = expectedCount - suffix
    actualEnd = actualCount - suffix
    // Not within a character, and not between one and its combining marks.
    while start > 0, !isCharacterBorder(start, of: expected) || !isCharacterBorder(start, of: actual) { start -= 1 }
    while expectedEnd < expectedCount,
      !isCharacterBorder(expectedEnd, of: expected) || !isCharacterBorder(actualEnd, of: actual)
    {
      expectedEnd += 1
      actualEnd += 1
    }
  }

  private static func common(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> (prefix: Int, suffix: Int) {
    let shorter = min(a.count, b.count)
    var prefix = 0
    while prefix < shorter, a[prefix] == b[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix, a[a.count - 1 - suffix] == b[b.count - 1 - suffix] { suffix += 1 }
    return (prefix, suffix)
  }

  /// Indicates whether most of the texts is equal, so that a reader has to search for the difference.
  var isWorthMarking: Bool {
    let longer = max(expectedCount, actualCount)
    return longer >= 10 && 2 * (longer - max(expectedEnd, actualEnd) + start) >= longer
  }
}

/// The shown part of two long texts.
private struct TextWindow {
  /// The start in bytes, the same for both.
  private let start: Int
  /// The length in scalars.
  private let room: Int

  var isCut: Bool { start > 0 }

  init(_ expected: String, _ actual: String, around offset: Int) {
    guard isLong(expected) || isLong(actual) else {
      (start, room) = (0, textLimit)
      return
    }
    // The text before the offset is the same in both.
    let remaining = max(
      scalars(from: offset, of: expected, limit: textWindow), scalars(from: offset, of: actual, limit: textWindow))
    let start = offset - bytes(max(textWindow / 3, textWindow - remaining), before: offset, of: actual)
    // A few more characters are better than an ellipsis.
    self.start = start > 8 ? start : 0
    room = start > 8 ? textWindow : textWindow + 8
  }

  func quoted(_ text: Text) -> Text { shown(text, marking: 0..<0).text }

  /// The text in its quotes, and the range to mark in it.
  ///
  /// - Parameter written: writes the marked part.
  func shown(
    _ text: Text, marking range: Range<Int>, as written: (String) -> String = visible
  ) -> (text: Text, marked: Range<Int>) {
    let count = text.string.utf8.count
    let start = min(start, count)
    var end = start + bytes(room, after: start, of: text.string)
    if count - end <= 8 { end = count }
    while !isCharacterBorder(end, of: text.string) { end += 1 }
    let part = range.clamped(to: start..<end)
    var result = Text(start > 0 ? "\"…" : "\"")
    result.append(text[utf8: start..<part.lowerBound].mapRuns(visible))
    let lower = result.string.utf8.count
    result.append(text[utf8: part].mapRuns(written))
    let marked = lower..<result.string.utf8.count
    result.append(text[utf8: part.upperBound..<end].mapRuns(visible))
    result.append(end < count ? "…\"" : "\"")
    if start > 0 || end < count { result.append(" (\(text.string.unicodeScalars.count) characters)") }
    return (result, marked)
  }
}

/// A text with escapes for all characters beyond ASCII.
private func withCodePoints(_ text: String) -> String {
  visible(text).unicodeScalars.map { scalar in
    guard scalar.value > 0x7F else { return String(Character(scalar)) }
    return scalar.value > 0xFFFF
      ? "\\U" + hexadecimal(scalar.value, digits: 8) : "\\u" + hexadecimal(scalar.value, digits: 4)
  }.joined()
}

/// Returns whether a text is too long to be shown completely.
func isLong(_ text: String, limit: Int = textLimit) -> Bool {
  text.utf8.count > limit && text.unicodeScalars.count > limit
}

/// The number of bytes of that many scalars after an offset, as far as they exist.
private func bytes(_ scalars: Int, after offset: Int, of text: String) -> Int {
  let view = text.unicodeScalars
  let start = text.utf8.index(text.startIndex, offsetBy: min(offset, text.utf8.count))
  let end = view.index(start, offsetBy: scalars, limitedBy: text.endIndex) ?? text.endIndex
  return text.utf8.distance(from: start, to: end)
}

private func bytes(_ scalars: Int, before offset: Int, of text: String) -> Int {
  let view = text.unicodeScalars
  let end = text.utf8.index(text.startIndex, offsetBy: min(offset, text.utf8.count))
  let start = view.index(end, offsetBy: -scalars, limitedBy: text.startIndex) ?? text.startIndex
  return text.utf8.distance(from: start, to: end)
}

private func scalars(from offset: Int, of text: String, limit: Int) -> Int {
  let start = text.utf8.index(text.startIndex, offsetBy: min(offset, text.utf8.count))
  return text.unicodeScalars[start...].prefix(limit).count
}

/// A line and a column in characters, counted from 1.
struct TextPlace: CustomStringConvertible {
  var line = 1
  var column = 1

  /// `line 3, character 5`, or for the first line of a text `character 5`.
  var description: String { line > 1 ? "line \(line), character \(column)" : "character \(column)" }
}

/// The place of a byte.
func textPlace(of offset: Int, in text: String) -> TextPlace {
  var text = text
  return text.withUTF8 { bytes in
    var place = TextPlace()
    var start = 0
    for index in 0..<min(offset, bytes.count) where bytes[index] == 0x0A {
      place.line += 1
      start = index + 1
    }
    let before = bytes[start..<max(start, min(offset, bytes.count))]
    // Nobody counts the characters in a line of megabytes.
    place.column +=
      before.count <= 1 << 20 ? String(decoding: before, as: UTF8.self).count : before.count { $0 & 0xC0 != 0x80 }
    return place
  }
}

/// Returns whether a scalar begins at an offset that isn't a combining mark.
private func isCharacterBorder(_ offset: Int, of text: String) -> Bool {
  let utf8 = text.utf8
  guard offset > 0, offset < utf8.count else { return true }
  let index = utf8.index(utf8.startIndex, offsetBy: offset)
  guard utf8[index] & 0xC0 != 0x80 else { return false }
  guard utf8[index] >= 0x80 else { return true }
  return !isMark(text.unicodeScalars[index])
}

/// A text for a report, with its relevant part.
struct ShownText {
  let text: Text
  var mark: Mark?

  /// A text, shortened to its beginning if it is long.
  init(_ whole: Text) {
    text = quoted(whole)
  }

  /// A text, shortened to its relevant part if it is long.
  init(_ whole: Text, marking range: Range<Int>, label: String? = nil) {
    let window = TextWindow(whole.string, whole.string, around: range.lowerBound)
    let shown = window.shown(whole, marking: range)
    text = shown.text
    if !whole.isSecret {
      let place = window.isCut ? textPlace(of: range.lowerBound, in: whole.string).description : nil
      let parts = [label, place.map { "at \($0)" }].compactMap(\.self)
      mark = Mark(range: shown.marked, label: parts.isEmpty ? nil : parts.joined(separator: ", "))
    }
  }
}
