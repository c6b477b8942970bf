import OperatingSystem
import Values

/// All differences of two values, in the order of the expected one.
///
/// Members may be in any order, numbers compare by value, a date equals a text of the same instant. Inserted or removed
/// items don't make all that follow differ.
package func differences(expected: Value, actual: Value, path: String = "$") -> [Difference] {
  var collector = DifferenceCollector(limit: .max)
  collector.compare(expected, actual, at: .root(path))
  return collector.list.listed
}

/// The first ``DifferenceList/limit`` differences, and the number of further ones.
package func differenceList(expected: Value, actual: Value, path: String = "$") -> DifferenceList {
  differenceList(expected: expected, actual: actual, place: .root(path))
}

func differenceList(expected: Value, actual: Value, place: Place) -> DifferenceList {
  var collector = DifferenceCollector()
  collector.compare(expected, actual, at: place)
  return collector.list
}

/// The hint for a mapping whose names are all predicates', but members' inside an expected value.
private func predicateHint(_ expected: Value) -> String? {
  guard case .mapping(let mapping) = expected, let name = mapping.keys.first,
    mapping.keys.allSatisfy({ PredicateKind.named($0) != nil })
  else { return nil }
  return "`\(name)` is the name of a member here: write `!is {\(name): …}` for the predicate"
}

/// Collects differences; those beyond the limit are only counted.
struct DifferenceCollector {
  let limit: Int
  private(set) var list = DifferenceList()
  /// The number of pairs of items that may be compared to align lists; beyond it they are compared item by item.
  private var alignmentBudget = 400_000
  private let meter = EvaluationBudget.meter

  init(limit: Int = DifferenceList.limit) { self.limit = limit }

  /// Indicates whether further differences are only counted.
  var isFull: Bool { list.listed.count >= limit }

  mutating func add(
    _ kind: Difference.Kind, at place: Place, expected: Value?, actual: Value?, note: String? = nil
  ) {
    guard !isFull else {
      list.more += 1
      return
    }
    var difference = Difference(path: place.string, kind: kind)
    difference.expectedPath = place.inExpected
    difference.note = note
    if case .text(let a) = expected, case .text(let b) = actual {
      let pair = TextComparison(expected: a, actual: b)
      difference.expected = pair.expected
      difference.actual = pair.actual
      difference.mark = pair.mark
      difference.note = note ?? subtleDifference(expected: a.string, actual: b.string)
    } else if case .number(let a) = expected, case .number(let b) = actual {
      (difference.expected, difference.actual) = (rendered(.number(a)), rendered(.number(b)))
      difference.note = note ?? roundingHint(expected: a, actual: b)
    } else if let expected, let actual, expected.kind != actual.kind {
      difference.expected = typed(expected)
      difference.actual = typed(actual)
      difference.note = note ?? predicateHint(expected)
    } else {
      difference.expected = expected.map { rendered($0) }
      difference.actual = actual.map { rendered($0) }
    }
    list.listed.append(difference)
  }

  /// Adds a difference whose expected side is described in words.
  mutating func add(
    _ kind: Difference.Kind, at place: Place, expected: Text, actual: Text?, mark: Mark? = nil,
    note: String? = nil
  ) {
    if case .anyItem = place, let last = list.listed.last, last.kind == kind, last.expected == expected,
      last.path == place.string
    {
      list.listed[list.listed.count - 1].count += 1
    } else if !isFull {
      var difference = Difference(path: place.string, kind: kind, expected: expected, actual: actual)
      difference.expectedPath = place.inExpected
      difference.mark = mark
      difference.note = note
      list.listed.append(difference)
    } else {
      list.more += 1
    }
  }

  /// Adds differences that were collected separately.
  mutating func add(_ differences: [Difference], more: Int) {
    let room = max(0, limit - list.listed.count)
    list.listed += differences.prefix(room)
    list.more += max(0, differences.count - room) + more
  }

  /// The steps from one list to another, within the remaining budget.
  mutating func steps(
    _ expectedCount: Int, _ actualCount: Int, areEqual: (Int, Int) -> Bool
  ) -> [AlignmentStep] {
    withoutActuallyEscaping(areEqual) { areEqual in
      var alignment = ListAlignment<Int>(budget: alignmentBudget, areEqual: areEqual)
      alignment.align(0..<expectedCount, 0..<actualCount)
      alignmentBudget = alignment.budget
      return alignment.steps
    }
  }

  mutating func compare(_ expected: Value, _ actual: Value, at place: Place) {
    if meter.isOver(after: 4) { return }
    switch (expected, actual) {
    case (.mapping(let a), .mapping(let b)): compare(a, b, at: place)
    case (.list(let a), .list(let b)): compare(a, b, at: place)
    default:
      if !isEqual(expected, actual) { add(.changed, at: place, expected: expected, actual: actual) }
    }
  }

  private mutating func compare(_ expected: Mapping, _ actual: Mapping, at place: Place) {
    var found = actual.grouped.mapValues { $0[...] }
    var missing: [Mapping.Member] = []
    for member in expected.members {
      if let value = found[member.key]?.popFirst() {
        compare(member.value, value, at: .member(place, member.key))
      } else {
        missing.append(member)
      }
    }
    // Of duplicate names the last ones remain.
    let unexpected = actual.members.compactMap { member in
      found[member.key]?.popFirst().map { Mapping.Member(key: member.key, value: $0) }
    }
    for member in missing {
      add(
        .missing, at: .member(place, member.key), expected: member.value, actual: nil,
        note: nearName(to: member.key, among: unexpected))
    }
    for member in unexpected { add(.unexpected, at: .member(place, member.key), expected: nil, actual: member.value) }
  }

  /// The hint at an unexpected member whose name is similar to that of a missing one.
  func nearName(to key: Text, among unexpected: [Mapping.Member]) -> String? {
    guard !isFull, !key.isSecret else { return nil }
    let names = unexpected.prefix(200).filter { !$0.key.isSecret }.map(\.key.string)
    return nearestName(to: key.string, among: names).map { "there is `\(jsonEscaped($0))`" }
  }

  mutating func compare(_ expected: [Value], _ actual: [Value], at place: Place) {
    var alignment = ListAlignment(budget: alignmentBudget) {
      isEqual(expected[$0], actual[$1])
    } expectedKey: {
      StructuralKey(value: expected[$0])
    } actualKey: {
      StructuralKey(value: actual[$0])
    }
    alignment.align(expected.indices, actual.indices)
    alignmentBudget = alignment.budget
    var steps = alignment.steps[...]
    while let step = steps.popFirst() {
      switch step {
      case .replace(let a, let b): compare(expected[a], actual[b], at: .pair(place, actual: b, expected: a))
      case .remove(let first):
        let run = first..<popRun(of: &steps, after: first) { .remove($0) }
        add(.missing, expected, run, at: place)
      case .insert(let first):
        let run = first..<popRun(of: &steps, after: first) { .insert($0) }
        add(.unexpected, actual, run, at: place)
      }
    }
  }

  /// Takes consecutive steps; returns the index after the last.
  private func popRun(
    of steps: inout ArraySlice<AlignmentStep>, after first: Int, _ step: (Int) -> AlignmentStep
  ) -> Int {
    var end = first + 1
    while steps.first == step(end) {
      steps.removeFirst()
      end += 1
    }
    return end
  }

  /// Adds items that only one of the lists has: a few one by one, more of them together.
  private mutating func add(_ kind: Difference.Kind, _ items: [Value], _ run: Range<Int>, at place: Place) {
    func add(_ value: Value, at place: Place, _ note: String?) {
      let isMissing = kind == .missing
      self.add(kind, at: place, expected: isMissing ? value : nil, actual: isMissing ? nil : value, note: note)
    }
    if run.count > 3, limit < .max {
      add(.list(Array(items[run])), at: .items(place, run.lowerBound...run.upperBound - 1), nil)
    } else {
      let note = !isFull && items.count > 3 ? neighbours(of: run, in: items) : nil
      for index in run {
        let isMissing = kind == .missing
        add(items[index], at: isMissing ? .pair(place, actual: index, expected: index) : .item(place, index), note)
      }
    }
  }

  /// The neighbours `between "b" and "d"`, if they are short.
  private func neighbours(of run: Range<Int>, in items: [Value]) -> String? {
    func shown(_ index: Int) -> String? {
      guard items.indices.contains(index), !items[index].isSecret else { return nil }
      let text = rendered(items[index]).string
      return text.unicodeScalars.count <= 24 ? text : nil
    }
    switch (shown(run.lowerBound - 1), shown(run.upperBound)) {
    case (let before?, let after?): return "between \(before) and \(after)"
    case (let before?, nil): return run.upperBound == items.count ? "at the end, after \(before)" : nil
    case (nil, let after?): return run.lowerBound == 0 ? "at the start, before \(after)" : nil
    case (nil, nil): return nil
    }
  }
}
