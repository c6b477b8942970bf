/// A step from one list to another; what is equal has none.
enum AlignmentStep: Equatable {
  case replace(Int, Int)
  case remove(Int)
  case insert(Int)
}

/// The steps from one list to another by a longest common subsequence, where the budget allows one and it explains
/// more than comparing item by item does.
func alignment(
  _ expectedCount: Int, _ actualCount: Int, budget: inout Int, areEqual: (Int, Int) -> Bool
) -> [AlignmentStep] {
  var start = 0
  while start < min(expectedCount, actualCount), areEqual(start, start) { start += 1 }
  var end = 0
  while end < min(expectedCount, actualCount) - start,
    areEqual(expectedCount - 1 - end, actualCount - 1 - end)
  {
    end += 1
  }
  let height = expectedCount - end - start
  let width = actualCount - end - start
  guard height > 0, width > 0 else {
    return (0..<height).map { .remove(start + $0) } + (0..<width).map { .insert(start + $0) }
  }
  let size = height.multipliedReportingOverflow(by: width)
  guard !size.overflow, size.partialValue <= budget, min(height, width) > 1 || height != width else {
    return itemByItem(start, height, width)
  }
  budget -= size.partialValue

  // lengths[i][j] is the length of the longest common subsequence of what follows i and j.
  var equal = [Bool](repeating: false, count: height * width)
  var lengths = [Int32](repeating: 0, count: (height + 1) * (width + 1))
  for i in (0..<height).reversed() {
    for j in (0..<width).reversed() {
      equal[i * width + j] = areEqual(start + i, start + j)
      lengths[i * (width + 1) + j] =
        equal[i * width + j]
        ? lengths[(i + 1) * (width + 1) + j + 1] + 1
        : max(lengths[(i + 1) * (width + 1) + j], lengths[i * (width + 1) + j + 1])
    }
  }
  let inPlace = (0..<min(height, width)).count { equal[$0 * width + $0] }
  guard Int(lengths[0]) > inPlace else {
    return itemByItem(start, height, width).filter { step in
      guard case .replace(let a, let b) = step else { return true }
      return !equal[(a - start) * width + b - start]
    }
  }

  var steps: [AlignmentStep] = []
  var (i, j) = (0, 0)
  var (removed, inserted): ([Int], [Int]) = ([], [])
  func flush() {
    let pairs = min(removed.count, inserted.count)
    steps += (0..<pairs).map { .replace(removed[$0], inserted[$0]) }
    steps += removed.dropFirst(pairs).map { .remove($0) }
    steps += inserted.dropFirst(pairs).map { .insert($0) }
    removed = []
    inserted = []
  }
  while i < height || j < width {
    if i < height, j < width, equal[i * width + j] {
      flush()
      i += 1
      j += 1
    } else if j == width || (i < height && lengths[(i + 1) * (width + 1) + j] >= lengths[i * (width + 1) + j + 1]) {
      removed.append(start + i)
      i += 1
    } else {
      inserted.append(start + j)
      j += 1
    }
  }
  flush()
  return steps
}

private func itemByItem(_ start: Int, _ height: Int, _ width: Int) -> [AlignmentStep] {
  let pairs = min(height, width)
  return (0..<pairs).map { .replace(start + $0, start + $0) }
    + (pairs..<height).map { .remove(start + $0) } + (pairs..<width).map { .insert(start + $0) }
}
