/// A match of an expression, with its groups.
package struct RegularExpressionMatch: Sendable {
  private let text: String
  private let ranges: [Range<Int>?]
  private let groupNumbers: [String: Int]

  init(text: String, ranges: [Range<Int>?], groupNumbers: [String: Int]) {
    self.text = text
    self.ranges = ranges
    self.groupNumbers = groupNumbers
  }

  /// The whole match, in bytes of the text's UTF-8.
  package var range: Range<Int> { ranges.first.flatMap { $0 } ?? 0..<0 }

  /// The number of groups, without the whole match.
  package var groupCount: Int { ranges.count - 1 }

  /// The text that a group matched, 0 being the whole; nil if there is no such group or it has no match.
  package func group(_ index: Int) -> String? {
    range(ofGroup: index).map { range in
      let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
      return String(text[start..<text.utf8.index(start, offsetBy: range.count)])
    }
  }

  /// The text that a named group matched; nil if there is no such group or it has no match.
  package func group(named name: String) -> String? {
    groupNumbers[name].flatMap { group($0) }
  }

  /// The range that a group matched, in bytes of the text's UTF-8.
  package func range(ofGroup index: Int) -> Range<Int>? {
    ranges.indices.contains(index) ? ranges[index] : nil
  }
}
