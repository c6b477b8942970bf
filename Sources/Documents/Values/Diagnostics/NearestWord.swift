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

/// The one of names in data that another name certainly misspells: they differ in one letter, or only in case and
/// separators, and not as names of data differ on purpose: in digits, in their first letter, or in a grammatical ending.
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
    if other == wanted || letters(other) == letters(wanted) { return true }
    return areOneSlipApart(wanted, other)
  }
}

private func areOneSlipApart(_ wanted: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Bool {
  guard abs(other.count - wanted.count) < 2, editDistance(wanted, other) == 1 else { return false }
  func digits(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] { word.filter { $0.properties.numericType != nil } }
  guard digits(wanted) == digits(other) else { return false }
  if wanted.count == other.count {
    // In short words another letter makes another word.
    if wanted.sorted() != other.sorted() { return wanted.count > 5 && wanted.first == other.first }
    return !([wanted, other].allSatisfy { swappedWords.contains(String(String.UnicodeScalarView($0))) })
  }
  let (shorter, longer) = other.count < wanted.count ? (other, wanted) : (wanted, other)
  guard shorter.first == longer.first else { return false }
  guard longer.dropLast().elementsEqual(shorter), let ending = longer.last else { return true }
  return (ending != "s" || shorter.last == "s") && !(shorter.last == "e" && (ending == "d" || ending == "r"))
}

/// Words of which each is another one with two letters swapped.
private let swappedWords: Set = [
  "from", "form", "sign", "sing", "two", "tow", "trial", "trail", "quiet", "quite", "angel", "angle", "diary", "dairy",
  "casual", "causal", "tries", "tires", "united", "untied", "own", "won", "does", "dose",
]

private func letters(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] { word.filter { $0 != "_" && $0 != "-" } }

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
