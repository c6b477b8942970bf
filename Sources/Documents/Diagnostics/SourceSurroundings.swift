extension SourceRange {
  /// The lines before and after the first line of the place, without their secrets and cut to a width; none if the
  /// source is gone or is only a fragment.
  ///
  /// - Parameter count: the number of lines on each side.
  package func linesAround(_ count: Int = 2, width: Int = 160) -> [(number: Int, text: String)] {
    guard let source = owner, source.fragment == nil, !source.utf8.isEmpty else { return [] }
    let index = source.lineIndex(at: bytes.lowerBound)
    let last = min(index + count, source.lineIndex(at: source.utf8.count))
    return (max(0, index - count)...max(index, last)).filter { $0 != index }.map { line in
      let start = source.lineBytes(line).lowerBound
      return (line + 1, SourceExcerpt(moved(to: start..<start), width: width).text)
    }
  }
}
