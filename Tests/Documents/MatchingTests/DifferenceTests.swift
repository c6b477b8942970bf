import Matching
import TestSupport
import Testing
import Values

@Suite struct DifferenceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let expected: Value
    let actual: Value
    let differences: [String]

    init(_ name: String, _ expected: Value, _ actual: Value, _ differences: [String]) {
      self.name = name
      self.expected = expected
      self.actual = actual
      self.differences = differences
    }

    var testDescription: String { name }
  }

  static let rows: [Row] = [
    .init("equal", ["a": [1, decimal("2.0")]], ["a": [decimal("1.0"), 2]], []),
    .init("order of members", ["a": 1, "b": 2], ["b": 2, "a": 1], []),
    .init(
      "a changed leaf", ["user": ["roles": ["a", "b"]]], ["user": ["roles": ["a", "c"]]],
      ["~ $.user.roles[1]: \"b\" → \"c\""]),
    .init("types", ["id": 1], ["id": "1"], ["~ $.id: 1 (an integer) → \"1\" (a string)"]),
    .init("missing and unexpected", ["a": 1, "b": 2], ["b": 2, "c": 3], ["- $.a: 1", "+ $.c: 3"]),
    .init("null is not missing", ["a": .null], [:], ["- $.a: null"]),
    .init(
      "names that need quotes", ["a b": ["it's": 1, "\n": 2, "": 3]], ["a b": ["it's": 2, "\n": 3, "": 4]],
      [#"~ $['a b']['it\'s']: 1 → 2"#, #"~ $['a b']['\n']: 2 → 3"#, "~ $['a b']['']: 3 → 4"]),
    .init("the root", 1, 2, ["~ $: 1 → 2"]),
    .init("an item put in front", [1, 2, 3, 4], [0, 1, 2, 3, 4], ["+ $[0]: 0 (at the start, before 1)"]),
    .init("an item left out", [1, 2, 3, 4], [1, 3, 4], ["- $[1]: 2 (between 1 and 3)"]),
    .init(
      "one put in and one left out", [1, 2, 3, 4, 5], [2, 3, 4, 9, 5],
      ["- $[0]: 1 (at the start, before 2)", "+ $[3]: 9 (between 4 and 5)"]),
    .init(
      "a member by a similar name", ["userName": "Ann", "b": 1], ["user_name": "Ann", "b": 1],
      ["- $.userName: \"Ann\" (there is `user_name`)", "+ $.user_name: \"Ann\""]),
    .init(
      "letter case", ["a": "Ann"], ["a": "ann"], ["~ $.a: \"Ann\" → \"ann\" (the texts differ in letter case only)"]),
    .init(
      "a changed item between", [["id": 1], ["id": 2], ["id": 3]], [["id": 1], ["id": 9], ["id": 3]],
      ["~ $[1].id: 2 → 9"]),
    .init(
      "a changed item and one more", [["a": 1, "b": 1], 5], [["a": 1, "b": 2], 5, 6],
      ["~ $[0].b: 1 → 2", "+ $[2]: 6"]),
    .init("an empty list", [], [1, 2], ["+ $[0]: 1", "+ $[1]: 2"]),
    .init("lists within lists", [[1, 2], [3, 4]], [[1, 2], [3, 5]], ["~ $[1][1]: 4 → 5"]),
    .init("a structure for a leaf", ["a": 1], ["a": [1]], ["~ $.a: 1 (an integer) → [1] (an array)"]),
    .init("dates as instants", ["a": date("2024-05-01")], ["a": "2024-05-01T02:00:00+02:00"], []),
    .init("a name that stands twice", ["a": 1], .mapping(Mapping([("a", 1), ("a", 2)])), ["+ $.a: 2"]),
  ]

  @Test(arguments: rows) func differences(_ row: Row) {
    let found = Matching.differences(expected: row.expected, actual: row.actual).map { difference in
      MatchFailure(predicate: "", expected: "", actual: "", differences: [difference]).drawing
        .split(separator: "\n").last.map { $0.drop { $0 == " " } } ?? ""
    }
    #expect(found.map(String.init) == row.differences)
    #expect(failures(of: [.equals(row.expected)], against: .value(row.actual)).isEmpty == row.differences.isEmpty)
  }

  @Test func pathsBeginWhereTheQueryPoints() {
    let failure = failures(of: [.equals(["name": "Ann"])], against: .value(["name": "Bob"]), path: "$.user").first
    #expect(failure?.differences.map(\.path) == ["$.user.name"])
  }

  @Test func sameItemsInAnotherOrder() {
    let hint = failures(of: [.equals([1, 2, ["a": 1]])], against: .value([["a": 1], 1, 2])).first?.hint
    let list = #"[1, 2, {"a": 1}]"#
    #expect(
      hint == "the items are the same in another order: `{equals: \(list), unordered: true}` accepts any order")
  }

  @Test func textsOfSeveralLinesDifferByLine() {
    let drawing = drawings([.equals("<html>\n<p>one</p>\n</html>\n")], .value("<html>\n<p>two</p>\n<br>\n</html>\n"))
    #expect(
      drawing == #"""
        equals "<html>\n<p>one</p>\n</html>\n"
          expected: "<html>\n<p>one</p>\n</html>\n"
          actual:   "<html>\n<p>two</p>\n<br>\n</html>\n"
                                ^^^^^^^^^^^^
          lines 2 to 3
              <html>
            - <p>one</p>
            + <p>two</p>
            + <br>
              </html>
        """#)
  }

  /// Lists too long to compare each pair of items are cut at those that stand once in both.
  @Test func longListsAreAlignedToo() {
    let growth = growth(to: 8000) { count in
      let expected = (0..<count).map { Value.integer($0) }
      var actual = expected
      actual.insert("new", at: 10)
      actual.remove(at: count / 2)
      let list = differenceList(expected: .list(expected), actual: .list(actual))
      #expect(list.listed.map(\.path) == ["$[10]", "$[\(count / 2 - 1)]"])
      #expect(list.more == 0)
      let lines = (0..<count).map { "line \($0)" }
      let otherLines = ["first"] + lines.dropLast() + ["last"]
      let failure = failures(
        of: [.equals(.text(Text(lines.joined(separator: "\n"))))],
        against: .value(.text(Text(otherLines.joined(separator: "\n"))))
      ).first
      #expect(failure?.differences.map(\.path) == ["line 1", "line \(count + 1)"])
    }
    #expect(growth < 1.5)
  }

  @Test func manyItemsMoreAreOneDifference() {
    let items = (0..<1000).map { Value.integer($0) }
    let list = differenceList(expected: [0], actual: .list(items))
    #expect(list.listed.map(\.path) == ["$[1] to [999]"])
    #expect(list.listed.first?.actual?.string.hasSuffix("(999 items)") == true)
  }

  @Test func manyDifferencesAreCounted() {
    let growth = growth(to: 10_000) { count in
      func items(_ offset: Int) -> Value {
        .list((0..<count).map { .mapping(Mapping([("id", .integer($0 + offset)), ("name", "x")])) })
      }
      let failure = failures(of: [.equals(items(0))], against: .value(items(100_000))).first
      #expect(failure?.differences.count == DifferenceList.limit)
      #expect(failure?.moreDifferences == count - DifferenceList.limit)
      #expect(differenceList(expected: items(0), actual: items(100_000)).more == count - DifferenceList.limit)
      #expect(Matching.differences(expected: items(0), actual: items(100_000)).count == count)
    }
    #expect(growth < 1.5)
  }

  @Test func manyFailingItemsAreCounted() {
    let growth = growth(to: 10_000) { count in
      let items = Value.list((0..<count).map { .integer($0) })
      let failure = failures(of: [.every([.lessThan(0)])], against: .value(items)).first
      #expect(failure?.actual.string == "\(count) of \(count) do not, the first is [0]: 0")
      #expect(failure?.differences.count == DifferenceList.limit)
      #expect(failure?.moreDifferences == count - DifferenceList.limit)
    }
    #expect(growth < 1.5)
  }

  @Test func largeListsAreUniqueInTime() {
    let growth = growth(to: 10_000) { count in
      let items = Value.list((0..<count).map { .mapping(Mapping([("id", .integer($0)), ("name", "x")])) })
      #expect(failures(of: [.unique(true)], against: .value(items)).isEmpty)
    }
    #expect(growth < 1.5)
  }

  @Test func namesThatStandManyTimesAreGatheredInTime() {
    let growth = growth(to: 40_000) { count in
      let body = Value.mapping(Mapping((0..<count).map { ("a", .integer($0)) }))
      let failure = failures(of: [.equals(["a": 0])], against: .value(body)).first
      #expect(failure?.moreDifferences == count - 1 - DifferenceList.limit)
      #expect(failures(of: [.includes(["a": .integer(count - 1)])], against: .value(body)).isEmpty)
    }
    #expect(growth < 1.5)
  }
}
