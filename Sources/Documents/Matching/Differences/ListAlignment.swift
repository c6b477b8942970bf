import OperatingSystem
import Values

/// A step from one list to another; equal items have none.
enum AlignmentStep: Equatable {
  case replace(Int, Int)
  case remove(Int)
  case insert(Int)
}

/// Finds the steps from an expected list to the actual one.
///
/// It uses a longest common subsequence, if the budget allows it and it explains more than comparing item by item;
/// longer lists are first cut at the items that occur once in each of them.
struct ListAlignment<Key: Hashable> {
  /// The number of pairs of items that may be compared.
  private(set) var budget: Int
  private let comparison: (Int, Int) -> Bool
  private let expectedKey: ((Int) -> Key)?
  private let actualKey: ((Int) -> Key)?
  private(set) var steps: [AlignmentStep] = []
  private let meter = EvaluationBudget.meter

  /// - Parameters:
  ///   - areEqual: whether an expected item and an actual one are equal.
  ///   - expectedKey: the key of an expected item; equal items have equal keys. Without keys long lists are not cut.
  init(
    budget: Int, areEqual: @escaping (Int, Int) -> Bool, expectedKey: ((Int) -> Key)? = nil,
    actualKey: ((Int) -> Key)? = nil
  ) {
    self.budget = budget
    comparison = areEqual
    self.expectedKey = expectedKey
    self.actualKey = actualKey
  }

  private func areEqual(_ expected: Int, _ actual: Int) -> Bool {
    !meter.isOver(after: 4) && comparison(expected, actual)
  }

  mutating func align(_ expected: Range<Int>, _ actual: Range<Int>, cutsLeft: Int = 3) {
    var (expected, actual) = (expected, actual)
    while !expected.isEmpty, !actual.isEmpty, areEqual(expected.lowerBound, actual.lowerBound) {
      expected = expected.dropFirst()
      actual = actual.dropFirst()
    }
    while !expected.isEmpty, !actual.isEmpty, areEqual(expected.upperBound - 1, actual.upperBound - 1) {
      expected = expected.dropLast()
      actual = actual.dropLast()
    }
    guard !expected.isEmpty, !actual.isEmpty else {
      steps += expected.map { .remove($0) } + actual.map { .insert($0) }
      return
    }
    if expected.count == 1, actual.count == 1 { return steps.append(.replace(expected.lowerBound, actual.lowerBound)) }
    if let size = expected.count.multiplied(by: actual.count), size <= budget {
      budget -= size
      return alignByCommonSubsequence(expected, actual)
    }
    let anchors = cutsLeft > 0 ? anchors(expected, actual) : []
    guard !anchors.isEmpty else { return alignItemByItem(expected, actual) }
    var (start, otherStart) = (expected.lowerBound, actual.lowerBound)
    for (index, other) in anchors + [(expected.upperBound, actual.upperBound)] {
      align(start..<index, otherStart..<other, cutsLeft: cutsLeft - 1)
      (start, otherStart) = (min(index + 1, expected.upperBound), min(other + 1, actual.upperBound))
    }
  }

  private mutating func alignItemByItem(_ expected: Range<Int>, _ actual: Range<Int>) {
    for (a, b) in zip(expected, actual) where !areEqual(a, b) { steps.append(.replace(a, b)) }
    steps += expected.dropFirst(actual.count).map { .remove($0) }
    steps += actual.dropFirst(expected.count).map { .insert($0) }
  }

  /// Equal items that occur once in each list, as many as are in the same order in both.
  private func anchors(_ expected: Range<Int>, _ actual: Range<Int>) -> [(Int, Int)] {
    guard let expectedKey, let actualKey else { return [] }
    var places: [Key: (expected: Int?, actual: Int?)] = [:]
    places.reserveCapacity(expected.count)
    for index in expected { places[expectedKey(index), default: (nil, nil)].expected.note(index) }
    for index in actual { places[actualKey(index), default: (nil, nil)].actual.note(index) }
    let pairs = places.values.compactMap { place -> (Int, Int)? in
      guard let a = place.expected, let b = place.actual, a >= 0, b >= 0 else { return nil }
      return (a, b)
    }.sorted { $0.0 < $1.0 }
    return longestAscending(pairs)
  }

  private mutating func alignByCommonSubsequence(_ expected: Range<Int>, _ actual: Range<Int>) {
    let (start, otherStart) = (expected.lowerBound, actual.lowerBound)
    let (height, width) = (expected.count, actual.count)
    // lengths[i][j] is the length of the longest common subsequence after i and j.
    var equal = [Bool](repeating: false, count: height * width)
    var lengths = [Int32](repeating: 0, count: (height + 1) * (width + 1))
    for i in (0..<height).reversed() {
      for j in (0..<width).reversed() {
        equal[i * width + j] = areEqual(start + i, otherStart + j)
        lengths[i * (width + 1) + j] =
          equal[i * width + j]
          ? lengths[(i + 1) * (width + 1) + j + 1] + 1
          : max(lengths[(i + 1) * (width + 1) + j], lengths[i * (width + 1) + j + 1])
      }
    }
    let inPlace = (0..<min(height, width)).count { equal[$0 * width + $0] }
    guard Int(lengths[0]) > inPlace else { return alignItemByItem(expected, actual) }

    var (i, j) = (0, 0)
    var (removed, inserted): ([Int], [Int]) = ([], [])
    func flush(into steps: inout [AlignmentStep]) {
      let pairs = min(removed.count, inserted.count)
      steps += (0..<pairs).map { .replace(removed[$0], inserted[$0]) }
      steps += removed.dropFirst(pairs).map { .remove($0) }
      steps += inserted.dropFirst(pairs).map { .insert($0) }
      removed = []
      inserted = []
    }
    while i < height || j < width {
      if i < height, j < width, equal[i * width + j] {
        flush(into: &steps)
        i += 1
        j += 1
      } else if j == width || (i < height && lengths[(i + 1) * (width + 1) + j] >= lengths[i * (width + 1) + j + 1]) {
        removed.append(start + i)
        i += 1
      } else {
        inserted.append(otherStart + j)
        j += 1
      }
    }
    flush(into: &steps)
  }
}

extension Int? {
  /// Notes an index; a second one makes it negative.
  fileprivate mutating func note(_ index: Int) {
    self = self == nil ? index : -1
  }
}

/// The longest subsequence of pairs, in the order of their first numbers, whose second numbers ascend too.
private func longestAscending(_ pairs: [(Int, Int)]) -> [(Int, Int)] {
  // For each length, the index of the pair with the smallest second number that ends such a subsequence.
  var ends: [Int] = []
  var previous = [Int](repeating: -1, count: pairs.count)
  for (index, pair) in pairs.enumerated() {
    let low = ends.partitioningIndex { pairs[$0].1 >= pair.1 }
    if low > 0 { previous[index] = ends[low - 1] }
    if low == ends.count { ends.append(index) } else { ends[low] = index }
  }
  var result: [(Int, Int)] = []
  var index = ends.last ?? -1
  while index >= 0 {
    result.append(pairs[index])
    index = previous[index]
  }
  return result.reversed()
}
