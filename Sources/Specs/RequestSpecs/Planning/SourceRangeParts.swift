import Values

extension SourceRange {
  func contains(_ other: SourceRange) -> Bool {
    source === other.source && bytes.lowerBound <= other.bytes.lowerBound && other.bytes.upperBound <= bytes.upperBound
  }

  /// The place of the first occurrence of a text within the range; all of it if the source writes the text differently.
  func part(_ text: String) -> SourceRange {
    let shown = self.text
    guard let found = shown.firstRange(of: text) else { return self }
    let start = bytes.lowerBound + shown.utf8.distance(from: shown.startIndex, to: found.lowerBound)
    return moved(to: start..<start + text.utf8.count)
  }
}
