/// Parts of a file, in order and apart from each other.
package struct ByteRanges: Sendable, Hashable {
  package private(set) var ranges: [Range<Int64>] = []

  package init() {}

  package init(_ range: Range<Int64>) {
    if !range.isEmpty { ranges = [range] }
  }

  package var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

  /// What is there from the file's beginning without a gap.
  package var beginning: Int64 {
    if let first = ranges.first, first.lowerBound == 0 { first.upperBound } else { 0 }
  }

  package mutating func insert(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    // What comes piece by piece goes on where the last one ended.
    if let index = ranges.firstIndex(where: { $0.upperBound == range.lowerBound }),
      index + 1 == ranges.count || ranges[index + 1].lowerBound > range.upperBound
    {
      ranges[index] = ranges[index].lowerBound..<range.upperBound
      return
    }
    var merged = range
    var others: [Range<Int64>] = []
    for other in ranges {
      if other.upperBound < merged.lowerBound || other.lowerBound > merged.upperBound {
        others.append(other)
      } else {
        merged = min(other.lowerBound, merged.lowerBound)..<max(other.upperBound, merged.upperBound)
      }
    }
    let index = others.firstIndex { $0.lowerBound > merged.lowerBound } ?? others.count
    others.insert(merged, at: index)
    ranges = others
  }

  /// What is missing of a file of that length.
  package func gaps(to total: Int64) -> [Range<Int64>] {
    var gaps: [Range<Int64>] = []
    var position: Int64 = 0
    for range in ranges where range.lowerBound < total {
      if position < range.lowerBound { gaps.append(position..<range.lowerBound) }
      position = range.upperBound
    }
    if position < total { gaps.append(position..<total) }
    return gaps
  }
}
