import Matching
import Testing
import Values

/// Small inputs against the plainest way to compute the same; the seeds make a failure repeatable.
@Suite struct RandomisedTests {
  @Test(arguments: 0..<300) func pairingAgreesWithTryingAllOrders(_ seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    let names = ["a", "b", "c"]
    func object() -> Value {
      .mapping(Mapping(names.filter { _ in Bool.random(using: &generator) }.map { ($0, 1) }))
    }
    let parts = (0..<Int.random(in: 1...4, using: &generator)).map { _ in object() }
    let whole = (0..<Int.random(in: 1...5, using: &generator)).map { _ in object() }

    func includes(_ part: Value, _ item: Value) -> Bool {
      guard case .mapping(let part) = part, case .mapping(let item) = item else { return false }
      return part.keys.allSatisfy { item.keys.contains($0) }
    }
    func canPair(_ rest: ArraySlice<Value>, _ free: Set<Int>) -> Bool {
      guard let part = rest.first else { return true }
      return free.contains { includes(part, whole[$0]) && canPair(rest.dropFirst(), free.subtracting([$0])) }
    }
    let holds = failures(of: [.includes(.list(parts))], against: .value(.list(whole))).isEmpty
    #expect(holds == canPair(parts[...], Set(whole.indices)))
  }

  @Test(arguments: 0..<300) func differencesLeadFromOneListToTheOther(_ seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    func list() -> [Int] {
      (0..<Int.random(in: 0...7, using: &generator)).map { _ in Int.random(in: 0...3, using: &generator) }
    }
    let (expected, actual) = (list(), list())
    let found = differences(
      expected: .list(expected.map { .integer($0) }), actual: .list(actual.map { .integer($0) }), path: "")
    let kinds = found.map(\.kind)
    let missing = kinds.count { $0 == .missing }
    let unexpected = kinds.count { $0 == .unexpected }
    #expect(found.isEmpty == (expected == actual))
    #expect(expected.count - missing + unexpected == actual.count)

    let common = expected.difference(from: actual)
    let changes = max(common.insertions.count, common.removals.count)
    let inPlace = zip(expected, actual).count { $0 != $1 } + abs(expected.count - actual.count)
    #expect(found.count >= changes || found.count == inPlace)
    #expect(found.count <= max(inPlace, common.count))

    // What is not named is the same in both.
    func index(_ difference: Difference) -> Int { Int(difference.path.dropFirst().dropLast()) ?? -1 }
    let gone = Set(found.filter { $0.kind != .unexpected && $0.kind != .changed }.map(index))
    let come = Set(found.filter { $0.kind == .unexpected }.map(index))
    let changed = Dictionary(found.filter { $0.kind == .changed }.map { (index($0), $0) }, uniquingKeysWith: { $1 })
    let kept = expected.indices.filter { !gone.contains($0) }.map { expected[$0] }
    let rest = actual.indices.filter { !come.contains($0) }
    for (value, position) in zip(kept, rest) {
      #expect(changed[position] == nil ? value == actual[position] : value != actual[position])
    }
  }

  @Test("Any order agrees with trying all orders, with kinds among the items", arguments: 0..<300)
  func unorderedAgreesWithTryingAllOrders(_ seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    let values: [Value] = [1, 2, decimal("1.5"), "a", "b", .null, [1, 2], [2, 1], ["k": 1], ["k": "a"]]
    let kinds: [Shape] = [
      .kind(.integer), .kind(.number), .kind(.string), .anything, .kind(.array), ["k": .anything],
      .predicates([.oneOf([1, "a"])]),
    ]
    let items = (0..<Int.random(in: 0...5, using: &generator)).map { _ in values.randomElement(using: &generator) ?? 1 }
    var parts = items.shuffled(using: &generator).map { item -> Shape in
      Bool.random(using: &generator) ? .value(item) : kinds.randomElement(using: &generator) ?? .anything
    }
    if Int.random(in: 0...3, using: &generator) == 0 { parts.append(.anything) }

    func fits(_ part: Shape, _ item: Value, _ isPartial: Bool) -> Bool {
      let predicate: Predicate
      switch (part, item) {
      case (.value(.list), .list), (.value(.mapping), .mapping), (.object, .mapping):
        predicate = isPartial ? including(part) : like(part, unordered: true)
      default: predicate = like(part, unordered: true)
      }
      return failures(of: [predicate], against: .value(item)).isEmpty
    }
    func canPair(_ rest: ArraySlice<Shape>, _ free: Set<Int>, _ isPartial: Bool) -> Bool {
      guard let part = rest.first else { return true }
      return free.contains {
        fits(part, items[$0], isPartial) && canPair(rest.dropFirst(), free.subtracting([$0]), isPartial)
      }
    }
    let all = Set(items.indices)
    let equal = failures(of: [like(.list(parts), unordered: true)], against: .value(.list(items))).isEmpty
    #expect(equal == (parts.count == items.count && canPair(parts[...], all, false)))
    let included = failures(of: [including(.list(parts))], against: .value(.list(items))).isEmpty
    #expect(included == canPair(parts[...], all, true))
  }
}
