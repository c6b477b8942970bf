package import Values

/// Every place where two values differ, in the order of the expected one.
///
/// Members may stand in any order, numbers compare by value, a date equals a text of the same instant. Items that were
/// put in or left out do not make all that follow them differ.
package func differences(expected: Value, actual: Value, path: String = "$") -> [Difference] {
  var collector = DifferenceCollector(limit: .max)
  collector.compare(expected, actual, at: .root(path))
  return collector.list.listed
}

/// The first ``DifferenceList/limit`` differences, and how many more there are.
package func differenceList(expected: Value, actual: Value, path: String = "$") -> DifferenceList {
  differenceList(expected: expected, actual: actual, place: .root(path))
}

func differenceList(expected: Value, actual: Value, place: Place) -> DifferenceList {
  var collector = DifferenceCollector()
  collector.compare(expected, actual, at: place)
  return collector.list
}

/// The lines that differ in texts of several lines; nothing for others.
func lineDifferences(expected: Text, actual: Text) -> DifferenceList {
  let size = expected.string.utf8.count + actual.string.utf8.count
  guard expected.string.utf8.contains(0x0A) || actual.string.utf8.contains(0x0A), size <= 4 << 20 else {
    return DifferenceList()
  }
  var collector = DifferenceCollector()
  collector.compare(lines(expected), lines(actual)) { .line($0 + 1) }
  return collector.list
}

/// The lines of a text, secrets kept.
private func lines(_ text: Text) -> [Value] {
  var result: [Text] = [Text("")]
  for run in text.runs {
    // Line breaks are looked for in bytes: CR LF is one character.
    let parts = run.text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index > 0 { result.append(Text("")) }
      result[result.count - 1].append(Text(String(part) ?? "", isSecret: run.isSecret))
    }
  }
  return result.map { .text($0) }
}

/// Gathers differences; those beyond the limit are counted and never written.
struct DifferenceCollector {
  let limit: Int
  private(set) var list = DifferenceList()
  /// Pairs of items that may be compared to align lists; beyond it they compare item by item.
  private var alignmentBudget = 400_000

  init(limit: Int = DifferenceList.limit) { self.limit = limit }

  mutating func add(_ kind: Difference.Kind, at place: Place, expected: Value?, actual: Value?) {
    guard list.listed.count < limit else {
      list.more += 1
      return
    }
    var difference = Difference(path: place.string, kind: kind)
    if case .text(let a) = expected, case .text(let b) = actual {
      let offset = firstDifference(a.string, b.string)
      difference.expected = quoted(a, around: offset)
      difference.actual = quoted(b, around: offset)
    } else if let expected, let actual, expected.kind != actual.kind {
      difference.expected = typed(expected)
      difference.actual = typed(actual)
    } else {
      difference.expected = expected.map { rendered($0) }
      difference.actual = actual.map { rendered($0) }
    }
    list.listed.append(difference)
  }

  /// A difference whose expected side is a kind of value, described in words.
  mutating func add(_ kind: Difference.Kind, at place: Place, expected: Text, actual: Text?) {
    if list.listed.count < limit {
      list.listed.append(Difference(path: place.string, kind: kind, expected: expected, actual: actual))
    } else {
      list.more += 1
    }
  }

  /// Differences that were gathered elsewhere.
  mutating func add(_ differences: [Difference], more: Int) {
    let room = max(0, limit - list.listed.count)
    list.listed += differences.prefix(room)
    list.more += max(0, differences.count - room) + more
  }

  /// The steps from one list to another, within what is left of the budget.
  mutating func steps(
    _ expectedCount: Int, _ actualCount: Int, areEqual: (Int, Int) -> Bool
  ) -> [AlignmentStep] {
    alignment(expectedCount, actualCount, budget: &alignmentBudget, areEqual: areEqual)
  }

  mutating func compare(_ expected: Value, _ actual: Value, at place: Place) {
    switch (expected, actual) {
    case (.mapping(let a), .mapping(let b)): compare(a, b, at: place)
    case (.list(let a), .list(let b)): compare(a, b) { .item(place, $0) }
    default:
      if !isEqual(expected, actual) { add(.changed, at: place, expected: expected, actual: actual) }
    }
  }

  private mutating func compare(_ expected: Mapping, _ actual: Mapping, at place: Place) {
    var found = actual.grouped.mapValues { $0[...] }
    for member in expected.members {
      let memberPlace = Place.member(place, member.key)
      if let value = found[member.key]?.popFirst() {
        compare(member.value, value, at: memberPlace)
      } else {
        add(.missing, at: memberPlace, expected: member.value, actual: nil)
      }
    }
    for member in actual.members {
      // Of a name that stands twice the last ones are left over.
      if let value = found[member.key]?.popFirst() {
        add(.unexpected, at: .member(place, member.key), expected: nil, actual: value)
      }
    }
  }

  mutating func compare(_ expected: [Value], _ actual: [Value], place: (Int) -> Place) {
    for step in steps(expected.count, actual.count, areEqual: { isEqual(expected[$0], actual[$1]) }) {
      switch step {
      case .replace(let a, let b): compare(expected[a], actual[b], at: place(b))
      case .remove(let a): add(.missing, at: place(a), expected: expected[a], actual: nil)
      case .insert(let b): add(.unexpected, at: place(b), expected: nil, actual: actual[b])
      }
    }
  }
}
