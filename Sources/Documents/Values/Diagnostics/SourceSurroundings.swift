/// A line of a source, without its secrets.
package struct SourceLine: Sendable, Hashable {
  /// The number, counted from 1.
  package var number: Int
  package var text: String

  package init(number: Int, text: String) {
    self.number = number
    self.text = text
  }
}

extension SourceRange {
  /// The lines before and after the first line of the place, without their secrets and cut to a width; none if the
  /// source is gone, and those that were given if it is only a fragment.
  ///
  /// - Parameter count: the number of lines on each side.
  package func linesAround(_ count: Int = 2, width: Int = 160) -> [SourceLine] {
    guard let source = owner, !source.utf8.isEmpty else { return [] }
    if let fragment = source.fragment { return fragment.surroundings }
    let index = source.lineIndex(at: bytes.lowerBound)
    let last = min(index + count, source.lineIndex(at: source.utf8.count))
    return (max(0, index - count)...max(index, last)).filter { $0 != index }.map { line in
      let start = source.lineBytes(line).lowerBound
      return SourceLine(number: line + 1, text: SourceExcerpt(moved(to: start..<start), width: width).text)
    }
  }
}
