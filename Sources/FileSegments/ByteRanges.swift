/// Ranges of a file's bytes, in order; those that overlap or touch are one.
package struct ByteRanges: Sendable, Hashable {
  package private(set) var ranges: [Range<Int64>] = []

  package init() {}

  package var byteCount: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

  package mutating func insert(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    var lowest = range.lowerBound
    var highest = range.upperBound
    let first = firstIndex { $0.upperBound >= lowest }
    var end = first
    while end < ranges.count, ranges[end].lowerBound <= highest {
      lowest = min(lowest, ranges[end].lowerBound)
      highest = max(highest, ranges[end].upperBound)
      end += 1
    }
    ranges.replaceSubrange(first..<end, with: CollectionOfOne(lowest..<highest))
  }

  package mutating func remove(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    let first = firstIndex { $0.upperBound > range.lowerBound }
    var end = first
    var rest: [Range<Int64>] = []
    while end < ranges.count, ranges[end].lowerBound < range.upperBound {
      if ranges[end].lowerBound < range.lowerBound { rest.append(ranges[end].lowerBound..<range.lowerBound) }
      if ranges[end].upperBound > range.upperBound { rest.append(range.upperBound..<ranges[end].upperBound) }
      end += 1
    }
    ranges.replaceSubrange(first..<end, with: rest)
  }

  /// What is missing from the beginning of a file to its end.
  package func missing(of length: Int64) -> ByteRanges {
    var result = ByteRanges()
    if length > 0 { result.ranges = [0..<length] }
    for range in ranges { result.remove(range) }
    return result
  }

  /// The first range that satisfies what holds for all after it, too; the end if there is none.
  private func firstIndex(where holds: (Range<Int64>) -> Bool) -> Int {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if holds(ranges[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
