import Matching
import TestSupport
import Testing
import Values

@Suite struct InclusionTests {
  static let table: [PredicateCase] = [
    .init(.includes(["name": "Ann"]), ["id": 1, "name": "Ann"], true),
    .init(.includes(["name": "ann"]), ["id": 1, "name": "Ann"], false),
    .init(.includes(["name": .null]), ["id": 1], false),
    .init(.includes(["name": .null]), ["name": .null], true),
    .init(.includes(["user": ["roles": ["admin"]]]), ["user": ["roles": ["user", "admin"], "id": 1]], true),
    .init(.includes(["a": ["b": 1]]), ["a": [["b": 1]]], false),
    .init(.includes([:]), ["a": 1], true),
    .init(.includes([:]), [1], false),
    .init(.includes([3, 1]), [1, 2, 3], true),
    // Each listed item needs an item of its own.
    .init(.includes([1, 1]), [1, 2], false),
    .init(.includes([1, 1]), [1, decimal("1.0")], true),
    .init(.includes([["a": 1], ["a": 1, "b": 2]]), [["a": 1, "b": 2], ["a": 1]], true),
    .init(.includes([["a": 1], ["a": 1, "b": 2]]), [["a": 1, "b": 2]], false),
    .init(.includes([["a": 1], ["b": 2], ["c": 3]]), [["a": 1, "b": 2], ["b": 2, "c": 3], ["a": 1, "c": 3]], true),
    .init(.includes([["a": 1], ["a": 1], ["b": 1]]), [["a": 1, "b": 1], ["a": 1], ["c": 1]], false),
    .init(.includes([[1], [1, 2]]), [[1, 2], [1]], true),
    .init(.includes(["1"]), [1], false),
    .init(.includes([date("2024-05-01T10:00:00Z")]), ["x", "2024-05-01T12:00:00+02:00"], true),
    .init(.includes([1]), found(1, 2), true),
    .init(.includes(["a": 1]), found(["a": 1]), false),
    .init(.includes("a"), ["a"], false),
  ]

  @Test(arguments: table) func inclusion(_ row: PredicateCase) { row.check() }

  @Test func saysWhatIsMissingAndWhere() {
    let drawing = drawings(
      [.includes(["name": "Ann", "roles": ["admin", "root"], "address": ["zip": "1"]])],
      .value(["name": "Anne", "roles": ["admin"], "address": ["city": "X"]]), path: "$.user")
    #expect(
      drawing == """
        includes {"name": "Ann", "roles": ["admin", "root"], "address": {"zip": "1"}}
          expected: an object that includes {"name": "Ann", "roles": ["admin", "root"], "address": {"zip": "1"}}
          actual:   {"name": "Anne", "roles": ["admin"], "address": {"city": "X"}}
          ~ $.user.name: "Ann" → "Anne"
          - $.user.roles[*]: "root"
          - $.user.address.zip: "1"
        """)
  }

  @Test func namesTheNearestItem() {
    let drawing = drawings(
      [.includes([["id": 2, "name": "Bob"]])], .value([["id": 1, "name": "Ann"], ["id": 2, "name": "Rob"]]))
    #expect(drawing.contains(#"hint: $[1] comes nearest, but $[1].name is "Rob", not "Bob""#))
  }

  /// A pairing that needs the longest augmenting path.
  @Test func pairsLongChains() {
    let count = 300
    let parts = (0..<count).map { Value.mapping(Mapping([("k\($0)", 1)])) }
    let whole = (0..<count).map { index in
      Value.mapping(Mapping([("k\(index)", 1), ("k\((index + 1) % count)", 1)]))
    }
    #expect(failures(of: [.includes(.list(parts))], against: .value(.list(whole))).isEmpty)
  }

  @Test func manyItemsStayFast() {
    let growth = growth(to: 10_000) { count in
      let whole = (0..<count).map { Value.mapping(Mapping([("id", .integer($0)), ("name", "x")])) }
      let parts = (0..<count).map { Value.mapping(Mapping([("id", .integer($0))])) }
      #expect(failures(of: [.includes(.list(parts))], against: .value(.list(whole))).isEmpty)
      let others = (0..<count).map { Value.mapping(Mapping([("id", .integer(-1 - $0))])) }
      let failure = failures(of: [.includes(.list(others))], against: .value(.list(whole))).first
      #expect(failure?.hint == nil)
      #expect(failure?.differences.count == DifferenceList.limit)
      let numbers = (0..<count).map { Value.integer($0) }
      #expect(failures(of: [.includes(.list(numbers.reversed()))], against: .value(.list(numbers))).isEmpty)
    }
    #expect(growth < 1.5)
  }

  @Test("lists in lists: one more level is not twice the work")
  func nestedLists() {
    func nested(_ core: Value) -> Value { (0..<40).reduce(core) { value, _ in .list([value]) } }
    let failure = failures(of: [.includes(nested(1))], against: .value(nested(2))).first
    #expect(failure != nil)
    #expect(failure?.hint == nil)
    let pair = (0..<40).reduce(Value.integer(1)) { value, level in .list([value, .list([.integer(level)])]) }
    let other = (0..<40).reduce(Value.integer(2)) { value, level in .list([.list([.integer(level)]), value]) }
    #expect(failures(of: [.includes(pair)], against: .value(other)).first?.hint == nil)
    #expect(failures(of: [.includes(pair)], against: .value(pair)).isEmpty)
  }
}
