/// The line of a place, with what a drawing of it needs: for reports that are drawn without the source.
package struct SourceFragment: Sendable, Hashable {
  /// The name of the source.
  package var name: String
  /// The line and the column of the place.
  package var start: SourcePosition
  /// The last line of a longer place.
  package var lastLine: Int?
  /// The line, or the part of it around the place, with `***` in place of secrets; nil if the source has no text.
  package var text: String?
  /// The place in the UTF-8 of the text.
  package var mark: Range<Int>
  /// The lines around it, if a report has them.
  package var surroundings: [SourceLine] = []

  package init(name: String, start: SourcePosition, lastLine: Int? = nil, text: String? = nil, mark: Range<Int> = 0..<0)
  {
    self.name = name
    self.start = start
    self.lastLine = lastLine
    self.text = text
    self.mark = mark
  }
}

/// The number of bytes before, in, and after a place that a fragment has at most: more than is ever drawn.
private let reach = 4096

extension SourceRange {
  /// The line of the place; nil if its source is gone.
  package var fragment: SourceFragment? {
    guard let source = owner else { return nil }
    var fragment = SourceFragment(
      name: concealingSecrets(in: source.name), start: source.position(at: bytes.lowerBound))
    if source.utf8.isEmpty { return fragment }
    let place = SourceLinePlace(self)
    fragment.lastLine = place.lastLine
    let before = source.tail(place.line.lowerBound..<place.marked.lowerBound, reach)
    let marked = source.head(place.marked, reach)
    let after = marked == place.marked ? source.head(marked.upperBound..<place.line.upperBound, reach) : 0..<0
    let end = marked == place.marked ? after.upperBound : marked.upperBound

    var text = before.lowerBound > place.line.lowerBound ? "…" : ""
    var mark: Range<Int>?
    func append(_ more: String, isMarked: Bool, isBehind: Bool) {
      let start = text.utf8.count
      text += more
      if isMarked || isBehind && mark == nil {
        mark = (mark?.lowerBound ?? start)..<(isMarked ? text.utf8.count : start)
      }
    }
    var position = before.lowerBound
    for secret in source.secretRanges(within: before.lowerBound..<end) + [end..<end] {
      let bounds = [position, marked.lowerBound, marked.upperBound, secret.lowerBound]
        .map { min(max($0, position), secret.lowerBound) }
      for (start, end) in zip(bounds, bounds.dropFirst()) where start < end {
        append(
          source.text(in: start..<end),
          isMarked: start >= marked.lowerBound && end <= marked.upperBound && !marked.isEmpty,
          isBehind: start >= marked.lowerBound)
      }
      position = secret.upperBound
      if !secret.isEmpty {
        append(
          "***", isMarked: secret.overlaps(marked), isBehind: secret.upperBound > marked.lowerBound)
      }
    }
    fragment.mark = mark ?? text.utf8.count..<text.utf8.count
    fragment.text = end < place.line.upperBound ? text + "…" : text
    return fragment
  }

  /// The place of a fragment, whose source must be kept.
  package init(in source: SourceText, of fragment: SourceFragment) {
    self.init(
      source, fragment.mark.lowerBound..<(fragment.lastLine == nil ? fragment.mark.upperBound : source.utf8.count))
  }
}

/// A place in its first line.
struct SourceLinePlace {
  let index: Int
  let line: Range<Int>
  /// The marked bytes of the line.
  let marked: Range<Int>
  /// The number of the last line of a longer range.
  let lastLine: Int?

  init(_ range: SourceRange) {
    let source = range.source
    let start = min(range.bytes.lowerBound, source.utf8.count)
    let end = min(max(start, range.bytes.upperBound), source.utf8.count)
    index = source.lineIndex(at: start)
    line = source.lineBytes(index)
    let lastIndex = source.lineIndex(at: max(start, end - 1))
    lastLine = lastIndex > index ? lastIndex + 1 : nil
    // A mark under a part of a character would shift everything after it.
    let markedStart = source.character(around: min(start, line.upperBound), from: line.lowerBound).lowerBound
    marked =
      markedStart..<max(
        markedStart, source.character(around: min(end, line.upperBound), from: line.lowerBound).upperBound)
  }
}

extension SourceText {
  /// The first bytes of a range, without cutting a UTF-8 sequence.
  func head(_ range: Range<Int>, _ count: Int) -> Range<Int> {
    guard range.count > count else { return range }
    var end = range.lowerBound + count
    while end < range.upperBound, utf8[end] & 0xC0 == 0x80 { end += 1 }
    return range.lowerBound..<end
  }

  /// The last bytes of a range, without cutting a UTF-8 sequence.
  func tail(_ range: Range<Int>, _ count: Int) -> Range<Int> {
    guard range.count > count else { return range }
    var start = range.upperBound - count
    while start < range.upperBound, utf8[start] & 0xC0 == 0x80 { start += 1 }
    return start..<range.upperBound
  }
}
