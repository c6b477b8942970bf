extension RandomAccessCollection {
  /// The index of the first element for which a condition holds that holds for all after it, too, by binary search.
  @inlinable package func partitioningIndex(where isAfter: (Element) -> Bool) -> Index {
    var (low, count) = (startIndex, self.count)
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if isAfter(self[middle]) { count = half } else { (low, count) = (index(after: middle), count - half - 1) }
    }
    return low
  }
}

/// The failure function of Knuth, Morris and Pratt: for each prefix the length of its longest proper border.
package func prefixFunction(of part: [UInt8]) -> [Int] {
  var result = [Int](repeating: 0, count: part.count)
  var matched = 0
  for index in part.indices.dropFirst() {
    while matched > 0, part[index] != part[matched] { matched = result[matched - 1] }
    if part[index] == part[matched] { matched += 1 }
    result[index] = matched
  }
  return result
}
