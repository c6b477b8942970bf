/// A place in a source with the lines around it, without their secrets, for reports that draw it themselves.
package struct SourceFrame: Sendable {
  package struct Line: Sendable {
    /// The number of the line, counted from 1.
    package let number: Int
    /// The line; that of the place in three parts, of which the second is marked.
    package let parts: [String]
  }

  package let lines: [Line]

  /// Creates the frame of a range; nil if its source is gone or has no text.
  ///
  /// - Parameters:
  ///   - around: the number of lines before and after the one of the range.
  ///   - width: the columns to which lines are cut.
  package init?(_ range: SourceRange, around: Int = 2, width: Int = 160) {
    guard let source = range.owner, !source.utf8.isEmpty else { return nil }
    let excerpt = SourceExcerpt(range, width: width)
    let index = excerpt.lineNumber - 1
    let last = min(index + around, source.lineIndex(at: source.utf8.count))
    lines = (max(0, index - around)...max(index, last)).map { line in
      if line == index {
        return Line(number: line + 1, parts: [excerpt.parts.before, excerpt.parts.marked, excerpt.parts.after])
      }
      let start = source.lineBytes(line).lowerBound
      return Line(number: line + 1, parts: [SourceExcerpt(range.moved(to: start..<start), width: width).text])
    }
  }
}
