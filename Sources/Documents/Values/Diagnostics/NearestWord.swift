import OperatingSystem

/// The candidate that a misspelt word probably means; nil if none is near.
package func nearestWord(to word: String, among candidates: some Sequence<String>) -> String? {
  let wanted = Array(word.lowercased().unicodeScalars.prefix(64))
  var best: (word: String, distance: Int)?
  let meter = EvaluationBudget.meter
  for candidate in candidates {
    if meter.isOver(after: 64) { return nil }
    let distance = editDistance(wanted, Array(candidate.lowercased().unicodeScalars.prefix(64)))
    if distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  guard let best, best.distance <= max(1, min(wanted.count, best.word.count) / 3) else { return nil }
  return best.word
}

/// The keyword that another word probably means: the nearest, or else one of which either begins with the other.
package func likelyWord(for word: String, among candidates: [String]) -> String? {
  if let nearest = nearestWord(to: word, among: candidates) { return nearest }
  let wanted = word.lowercased()
  guard wanted.utf8.count > 2 else { return nil }
  let related = candidates.filter { candidate in
    candidate.hasPrefix(wanted) || ["_", "-"].contains { wanted.hasPrefix(candidate + $0) }
  }
  return related.count == 1 ? related.first : nil
}

/// The nearest of names in data, of which the shortest are all near each other.
package func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  let wanted = name.lowercased()
  if wanted.unicodeScalars.count < 3 { return candidates.first { $0.lowercased() == wanted } }
  return nearestWord(to: name, among: candidates)
}

/// The one of names in data that another name certainly misspells: they differ in one letter, or only in case, and
/// neither in digits nor in an `s` at their end, by which names of data differ on purpose.
///
/// - Parameter ignoringCase: whether names that differ in case are the same.
/// - Returns: nil also if the name itself is among them.
package func misspelt(
  _ name: String, among candidates: some Sequence<String>, ignoringCase: Bool = false
) -> String? {
  let wanted = Array(name.lowercased().unicodeScalars.prefix(64))
  let isThere = candidates.contains { $0 == name || ignoringCase && $0.lowercased() == name.lowercased() }
  guard wanted.count > 2, !isThere else { return nil }
  let meter = EvaluationBudget.meter
  return candidates.first { candidate in
    if meter.isOver(after: 64) { return false }
    let other = Array(candidate.lowercased().unicodeScalars.prefix(64))
    if other == wanted { return true }
    // In short words another letter makes another word.
    guard abs(other.count - wanted.count) < 2, other.count != wanted.count || wanted.count > 4 || isSwap(other, wanted),
      editDistance(wanted, other) == 1
    else { return false }
    let (shorter, longer) = other.count < wanted.count ? (other, wanted) : (wanted, other)
    if longer.count > shorter.count, longer.last == "s", longer.dropLast().elementsEqual(shorter) { return false }
    return other.filter { $0.properties.numericType != nil } == wanted.filter { $0.properties.numericType != nil }
  }
}

private func isSwap(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Bool { a.sorted() == b.sorted() }

/// The optimal string alignment distance: insertions, deletions, substitutions, swaps of neighbours.
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
  var beforeLast = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  for i in a.indices {
    var current = [i + 1]
    for j in b.indices {
      var cost = min(last[j + 1] + 1, current[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
      current.append(cost)
    }
    beforeLast = last
    last = current
  }
  return last[b.count]
}
