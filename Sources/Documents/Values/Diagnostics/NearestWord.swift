import OperatingSystem

/// The candidate that a misspelt word probably means; nil if none is near.
package func nearestWord(to word: String, among candidates: some Sequence<String>) -> String? {
  let (wanted, letters) = (folded(word), Letters(word))
  var limit = max(1, wanted.count / 3)
  var best: String?
  let meter = EvaluationBudget.meter
  for candidate in candidates {
    if meter.isOver(after: 1) { return nil }
    guard letters.minimumDistance(to: Letters(candidate)) <= limit else { continue }
    if meter.isOver(after: 64) { return nil }
    let other = folded(candidate)
    let distance = editDistance(wanted, other)
    guard distance <= min(limit, max(1, other.count / 3)) else { continue }
    if distance == 0 { return candidate }
    (best, limit) = (candidate, distance - 1)
  }
  return best
}

/// The first characters of a word in lower case: no word that people write is longer.
private func folded(_ word: String) -> [Unicode.Scalar] {
  Array(word.lowercased().unicodeScalars.prefix(Letters.limit))
}

/// The length of a word and the set of its letters, which show at once that most words are not near.
private struct Letters {
  static let limit = 64

  /// The number of characters, without the separators `_` and `-` for ``letterCount``.
  private(set) var count = 0
  private(set) var letterCount = 0
  private var set: UInt64 = 0
  private var isPlain = true

  init(_ word: String) {
    for byte in word.utf8 {
      guard byte < 0x80, count < Letters.limit else {
        isPlain = false
        break
      }
      count += 1
      guard byte != UInt8(ascii: "_"), byte != UInt8(ascii: "-") else { continue }
      letterCount += 1
      set |= 1 << UInt64(lowercasedASCII(byte) & 63)
    }
  }

  /// A lower bound of the edit distance: a substitution changes two letters at most.
  func minimumDistance(to other: Letters) -> Int {
    isPlain && other.isPlain ? max(abs(count - other.count), differentLetters(from: other)) : 0
  }

  /// Returns whether one slip, or any separators, may be the difference.
  func mayBeOneSlip(from other: Letters) -> Bool {
    !isPlain || !other.isPlain || abs(letterCount - other.letterCount) < 2 && differentLetters(from: other) < 2
  }

  private func differentLetters(from other: Letters) -> Int { ((set ^ other.set).nonzeroBitCount + 1) / 2 }
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

/// The one of names in data that another name may be confused with: the nearest, or one with another ending, as `state`
/// and `status`.
package func similarName(to name: String, among candidates: some Sequence<String>) -> String? {
  nearestName(to: name, among: candidates)
    ?? candidates.first { other in
      let common = zip(name, other).prefix { $0 == $1 }.count
      return common > 3 && max(name.count, other.count) - common < 3
    }
}

/// The one of names in data that another name certainly misspells: they differ in one letter, or only in case and
/// separators, and not as names of data differ on purpose: in digits, in their first letter, or in a grammatical ending.
///
/// - Parameter ignoringCase: whether names that differ in case are the same.
/// - Returns: nil also if the name itself is among them.
package func misspelt(
  _ name: String, among candidates: some Sequence<String>, ignoringCase: Bool = false
) -> String? {
  let (wanted, letters) = (folded(name), Letters(name))
  guard wanted.count > 1 else { return nil }
  let meter = EvaluationBudget.meter
  var found: String?
  for candidate in candidates {
    if meter.isOver(after: 1) { return nil }
    guard letters.mayBeOneSlip(from: Letters(candidate)) else { continue }
    if candidate == name { return nil }
    if meter.isOver(after: 64) { return nil }
    let other = folded(candidate)
    if ignoringCase, other == wanted { return nil }
    if found == nil, withoutSeparators(other) == withoutSeparators(wanted) || areOneSlipApart(wanted, other) {
      found = candidate
    }
  }
  return found
}

private func areOneSlipApart(_ wanted: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Bool {
  guard wanted.count > 2, abs(other.count - wanted.count) < 2, editDistance(wanted, other) == 1 else { return false }
  func digits(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] { word.filter { $0.properties.numericType != nil } }
  guard digits(wanted) == digits(other) else { return false }
  if wanted.count == other.count {
    // In short words another letter makes another word.
    if wanted.sorted() != other.sorted() {
      let soundsAlike = zip(wanted, other).contains { $0 != $1 && likeSounds.contains([$0, $1]) }
      return wanted.count > (soundsAlike ? 4 : 5) && wanted.first == other.first
    }
    return !([wanted, other].allSatisfy { swappedWords.contains(String(String.UnicodeScalarView($0))) })
  }
  let (shorter, longer) = other.count < wanted.count ? (other, wanted) : (wanted, other)
  guard shorter.first == longer.first else { return false }
  guard longer.dropLast().elementsEqual(shorter), let ending = longer.last else { return true }
  return (ending != "s" || shorter.last == "s") && !(shorter.last == "e" && (ending == "d" || ending == "r"))
}

/// Letters that are taken for each other since they sound alike.
private let likeSounds: Set<Set<Unicode.Scalar>> = [["s", "c"], ["s", "z"], ["i", "y"]]

/// Words of which each is another one with two letters swapped.
private let swappedWords: Set = [
  "from", "form", "sign", "sing", "two", "tow", "trial", "trail", "quiet", "quite", "angel", "angle", "diary", "dairy",
  "casual", "causal", "tries", "tires", "united", "untied", "own", "won", "does", "dose",
]

private func withoutSeparators(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] {
  word.filter { $0 != "_" && $0 != "-" }
}

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
