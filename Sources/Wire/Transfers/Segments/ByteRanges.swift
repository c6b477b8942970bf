import Values

/// Ranges of a file's bytes, in order; overlapping and adjacent ones are merged.
package struct ByteRanges: Sendable, Hashable {
  package private(set) var ranges: [Range<Int64>] = []

  package init() {}

  package init(_ range: Range<Int64>) {
    if !range.isEmpty { ranges = [range] }
  }

  /// The number of bytes in them.
  package var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

  /// The length of the contiguous range from the file's beginning.
  package var beginning: Int64 {
    if let first = ranges.first, first.lowerBound == 0 { first.upperBound } else { 0 }
  }

  package mutating func insert(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    var lowest = range.lowerBound
    var highest = range.upperBound
    let first = ranges.partitioningIndex { $0.upperBound >= lowest }
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
    let first = ranges.partitioningIndex { $0.upperBound > range.lowerBound }
    var end = first
    var rest: [Range<Int64>] = []
    while end < ranges.count, ranges[end].lowerBound < range.upperBound {
      if ranges[end].lowerBound < range.lowerBound { rest.append(ranges[end].lowerBound..<range.lowerBound) }
      if ranges[end].upperBound > range.upperBound { rest.append(range.upperBound..<ranges[end].upperBound) }
      end += 1
    }
    ranges.replaceSubrange(first..<end, with: rest)
  }

  /// The ranges missing from a file of that length.
  package func missing(of length: Int64) -> ByteRanges {
    var result = ByteRanges()
    var position: Int64 = 0
    for range in ranges where range.lowerBound < length {
      if position < range.lowerBound { result.ranges.append(position..<range.lowerBound) }
      position = range.upperBound
    }
    if position < length { result.ranges.append(position..<length) }
    return result
  }
}
