import Matching
import Testing
import Values

struct PredicateCase: Sendable, CustomTestStringConvertible {
  let predicate: Predicate
  let subject: MatchSubject
  let holds: Bool

  init(_ predicate: Predicate, _ subject: MatchSubject, _ holds: Bool) {
    self.predicate = predicate
    self.subject = subject
    self.holds = holds
  }

  init(_ predicate: Predicate, _ value: Value, _ holds: Bool) { self.init(predicate, .value(value), holds) }

  var testDescription: String { "\(describe(predicate).string) on \(subject)" }

  func check() {
    #expect(failures(of: [predicate], against: subject).isEmpty == holds)
  }
}

@Suite struct PredicateTests {
  static let equalityRows: [PredicateCase] = [
    .init(.equals(1), 1, true),
    .init(.equals(1), "1", false),
    .init(.equals("1"), 1, false),
    .init(.equals(1), decimal("1.0"), true),
    .init(.equals(decimal("0.1")), decimal("0.10"), true),
    .init(.equals(decimal("1e2")), 100, true),
    .init(.equals(decimal("12345678901234567890")), decimal("12345678901234567891"), false),
    .init(.equals(.null), .null, true),
    .init(.equals(.null), .missing, false),
    .init(.equals(0), false, false),
    .init(.equals(true), "true", false),
    .init(.equals("e\u{301}"), "\u{e9}", false),
    .init(.equals(["a": 1, "b": [1, 2]]), ["b": [1, 2], "a": decimal("1.0")], true),
    .init(.equals(["a": 1]), ["a": 1, "b": 2], false),
    .init(.equals(["a": .null]), [:], false),
    .init(.equals([1, 2]), [2, 1], false),
    .init(.equals([]), [], true),
    .init(.equals([]), [:], false),
    .init(.equals(date("2024-05-01T10:00:00Z")), "2024-05-01T12:00:00+02:00", true),
    .init(.equals(date("2024-05-01T10:00:00Z")), "2024-05-01T12:00:00+01:00", false),
    .init(.equals(["at": date("2024-05-01T10:00:00Z")]), ["at": "2024-05-01T10:00:00.000Z"], true),
    .init(.equals("2024-05-01T10:00:00Z"), "2024-05-01T12:00:00+02:00", false),
    .init(.equals("AbC="), .data(Bytes([1, 0xB0])), false),
    .init(.equals("aGVsbG8="), .data(Bytes(Array("hello".utf8))), true),
    .init(.equals("00FF"), .data(Bytes([0, 255], textForm: .hex)), true),
    .init(.equals(.data(Bytes([1]))), .data(Bytes([1], textForm: .hex)), true),
    .init(.notEquals(1), "1", false),
    .init(.notEquals(1), decimal("1.0"), false),
    .init(.notEquals(1), .missing, false),
    .init(.oneOf([1, "a"]), "a", true),
    .init(.oneOf([1, "a"]), "1", false),
    .init(.oneOf([]), 1, false),
    // A query that isn't singular yields a list, whatever the data.
    .init(.equals(1), found(1), false),
    .init(.equals([1]), found(1), true),
    .init(.equals([]), found(), true),
    .init(.notEquals(1), found(2), false),
    .init(.notEquals([1]), found(2), true),
    .init(.oneOf([1, 2]), found(1), false),
    // A header.
    .init(.equals("a, b"), header("a", "b"), true),
    .init(.equals(["a", "b"]), header("a", "b"), true),
    .init(.equals(["a, b"]), header("a", "b"), false),
    .init(.equals(42), header("42"), false),
    .init(.equals("x"), header(), false),
  ]

  static let comparisonRows: [PredicateCase] = [
    .init(.greaterThan(1), 2, true),
    .init(.greaterThan(2), 2, false),
    .init(.atLeast(2), decimal("2.0"), true),
    .init(.lessThan(decimal("0.3")), decimal("0.29999999999999999999999"), true),
    .init(.atMost(-1), -1, true),
    .init(.atMost(decimal("1e400")), decimal("9e399"), true),
    .init(.greaterThan(1), "2", false),
    .init(.lessThan(1), "0", false),
    .init(.lessThan(1), .missing, false),
    .init(.greaterThan("a"), "b", false),
    .init(.greaterThan(1), true, false),
    .init(.greaterThan(1), found(2), false),
    .init(.between(1, 3), 1, true),
    .init(.between(1, 3), 3, true),
    .init(.between(1, 3), decimal("3.0001"), false),
    .init(.between(date("2024-01-01"), date("2024-12-31")), "2024-05-01T00:00:00Z", true),
    .init(.closeTo(value: number("0.3"), within: number("0.1")), decimal("0.4"), true),
    .init(.closeTo(value: number("0.3"), within: number("0.1")), decimal("0.2"), true),
    .init(.closeTo(value: number("0.3"), within: number("0.1")), decimal("0.40000000000000000001"), false),
    .init(.closeTo(value: number("1"), within: number("1")), decimal("1e999999999"), false),
    .init(.closeTo(value: number("1"), within: number("1")), "1", false),
    .init(.divisibleBy(5), 15, true),
    .init(.divisibleBy(5), 16, false),
    .init(.divisibleBy(-5), 15, true),
    .init(.divisibleBy(5), 0, true),
    .init(.divisibleBy(5), decimal("15.0"), true),
    .init(.divisibleBy(5), decimal("15.5"), false),
    .init(.divisibleBy(decimal("0.1")), decimal("0.3"), true),
    .init(.divisibleBy(decimal("0.1")), decimal("0.35"), false),
    .init(.divisibleBy(decimal("0.01")), decimal("19.99"), true),
    .init(.divisibleBy(7), decimal("1e30"), false),
    .init(.divisibleBy(3), decimal("123456789012345678901234567890"), true),
    .init(.divisibleBy(5), header("15"), true),
    .init(.divisibleBy(5), "15", false),
    .init(.divisibleBy(5), found(15), false),
    .init(.every([.divisibleBy(5)]), found(5, 10), true),
    .init(.before(timestamp("2024-05-01T10:00:00Z")), "2024-05-01T11:30:00+02:00", true),
    .init(.before(timestamp("2024-05-01T10:00:00Z")), "2024-05-01T10:00:00Z", false),
    .init(.after(timestamp("2024-05-01T10:00:00Z")), "2024-05-01T10:00:00.001Z", true),
    .init(.after(timestamp("2024-05-01T10:00:00Z")), date("2024-05-02"), true),
    .init(.after(timestamp("1994-11-06T08:49:36Z")), header("Sun, 06 Nov 1994 08:49:37 GMT"), true),
    .init(.after(timestamp("1994-11-06T08:49:37Z")), header("Sun, 06 Nov 1994 08:49:37 GMT"), false),
    .init(.after(timestamp("2024-05-01T10:00:00Z")), "tomorrow", false),
    .init(.after(timestamp("2024-05-01T10:00:00Z")), 1_800_000_000, false),
    .init(.greaterThan(date("2024-05-01")), "2024-05-02", true),
  ]

  static let textsRows: [PredicateCase] = [
    .init(.contains("ell"), "hello", true),
    .init(.contains("Ell"), "hello", false),
    .init(.contains(""), "hello", false),
    .init(.contains("1"), 123, false),
    .init(.contains(1), "123", false),
    .init(.notContains("x"), "hello", true),
    .init(.notContains("ell"), "hello", false),
    .init(.notContains("x"), 5, false),
    .init(.notContains(""), "hello", false),
    .init(.notContains("x"), .missing, false),
    .init(.contains("max-age"), header("no-cache", "max-age=60"), true),
    .init(.contains("e, m"), header("no-cache", "max-age=60"), true),
    .init(.contains("ell"), .data(Bytes(Array("hello".utf8))), true),
    .init(.contains(.data(Bytes([0, 1]))), .data(Bytes([9, 0, 1])), true),
    .init(.contains(.data(Bytes([1, 0]))), .data(Bytes([9, 0, 1])), false),
    .init(.startsWith("he"), "hello", true),
    .init(.startsWith("el"), "hello", false),
    .init(.startsWith(""), "hello", false),
    .init(.startsWith("1"), 12, false),
    .init(.startsWith("e"), "e\u{301}", true),
    .init(.endsWith("lo"), "hello", true),
    .init(.endsWith("hello!"), "hello", false),
    .init(.endsWith("\n"), "a\r\n", true),
    .init(.endsWith("a"), ["a"], false),
    .init(.matches(expression(#"^\d+$"#)), "123", true),
    .init(.matches(expression(#"\d"#)), "a1b", true),
    .init(.matches(expression(#"^\d+$"#)), 123, false),
    .init(.notMatches(expression(#"\d"#)), "abc", true),
    .init(.notMatches(expression(#"\d"#)), "abc1", false),
    .init(.notMatches(expression(#"\d"#)), .null, false),
    .init(.matches(expression("(a+)+$")), .value(.text(String(repeating: "a", count: 60) + "!")), false),
    .init(.notMatches(expression("(a+)+$")), .value(.text(String(repeating: "a", count: 60) + "!")), false),
  ]

  static let containersRows: [PredicateCase] = [
    .init(.contains("admin"), ["user", "admin"], true),
    .init(.contains(1), ["1"], false),
    .init(.contains(decimal("1.0")), [1], true),
    .init(.contains(["a": 1]), [["a": 1]], true),
    .init(.contains(["a": 1]), [["a": 1, "b": 2]], false),
    .init(.contains([1, 2]), [1, 2, 3], false),
    .init(.contains("name"), ["name": .null], true),
    .init(.contains("Ann"), ["name": "Ann"], false),
    .init(.contains(["name": "Ann"]), ["name": "Ann"], false),
    .init(.contains(2), found(1, 2), true),
    .init(.contains("x"), .null, false),
    .init(.notContains(3), [1, 2], true),
    .init(.notContains("name"), ["name": 1], false),
    .init(.exists(true), .null, true),
    .init(.exists(true), .missing, false),
    .init(.exists(false), .missing, true),
    .init(.exists(false), .null, false),
    .init(.exists(true), found(), false),
    .init(.exists(false), found(), true),
    .init(.exists(false), found(.null), false),
    .init(.exists(false), header(), true),
    .init(.exists(true), header(""), true),
    .init(.count([.equals(2)]), [1, 2], true),
    .init(.count([.equals(2)]), ["a": 1, "b": 2], true),
    .init(.count([.equals(5)]), "h\u{e9}llo", true),
    .init(.count([.equals(2)]), "e\u{301}", true),
    .init(.count([.equals(3)]), .data(Bytes([1, 2, 3])), true),
    .init(.count([.equals(2)]), header("a, b", "c"), true),
    .init(.count([.equals(0)]), found(), true),
    .init(.count([.atLeast(1), .lessThan(3)]), [1, 2], true),
    .init(.count([.equals(1)]), 1, false),
    .init(.count([.equals(0)]), .null, false),
    .init(.count([.equals(0)]), .missing, false),
    .init(.every([.atLeast(decimal("0.10"))]), [decimal("0.1"), 2], true),
    .init(.every([.atLeast(1)]), [1, "2"], false),
    .init(.every([.atLeast(1)]), [], false),
    .init(.every([.atLeast(1)]), found(), false),
    .init(.every([.exists(true)]), found(.null), true),
    .init(.every([.atLeast(1)]), ["a": 1], false),
    .init(.every([.startsWith("a")]), header("a1", "a2"), true),
    .init(.every([.startsWith("a")]), header("a1", "b"), false),
    .init(.any([.equals(2)]), [1, 2], true),
    .init(.any([.greaterThan(5)]), ["x", 7], true),
    .init(.any([.greaterThan(1), .lessThan(3)]), [1, 3], false),
    .init(.any([.equals(1)]), [], false),
    .init(.any([.equals("b")]), header("a", "b"), true),
    .init(.none([.equals(3)]), [1, 2], true),
    .init(.none([.equals(2)]), [1, 2], false),
    .init(.none([.equals(2)]), [], false),
    .init(.none([.greaterThan(2)]), ["x"], false),
    .init(.unique(true), [1, "1", 2], true),
    .init(.unique(true), [1, decimal("1.0")], false),
    .init(.unique(true), [["a": 1, "b": 2], ["b": 2, "a": 1]], false),
    .init(.unique(true), [], false),
    .init(.unique(false), [1, 1], true),
    .init(.unique(false), [1, 2], false),
    .init(.unique(true), header("a", "a"), false),
    .init(.sorted(.ascending), [1, 2, 2, 10], true),
    .init(.sorted(.ascending), ["1", "10", "2"], true),
    .init(.sorted(.ascending), [2, 1], false),
    .init(.sorted(.descending), [3, 3, 1], true),
    .init(.sorted(.descending), [1, 3], false),
    .init(.sorted(.ascending), [1, "2"], false),
    .init(.sorted(.ascending), [.null], false),
    .init(.sorted(.ascending), [], false),
    .init(.sorted(.ascending), found("a", "b"), true),
  ]

  static let negationRows: [PredicateCase] = [
    .init(.not([.equals(1)]), 2, true),
    .init(.not([.equals(1)]), 1, false),
    .init(.not([.atLeast(1), .atMost(3)]), 5, true),
    .init(.not([.atLeast(1), .atMost(3)]), 2, false),
    // What cannot be applied is not a success of its opposite.
    .init(.not([.greaterThan(5)]), "x", false),
    .init(.not([.contains("x")]), 5, false),
    .init(.not([.isKind(.string), .contains("x")]), 5, true),
    .init(.not([.equals(1)]), .missing, false),
    .init(.not([.exists(true)]), .missing, true),
    .init(.not([.exists(false)]), .missing, false),
    .init(.not([.not([.exists(false)])]), .missing, true),
    .init(.not([.every([.greaterThan(1)])]), ["x"], false),
    .init(.not([.any([.greaterThan(1)])]), ["x"], false),
    .init(.not([.any([.equals(1)])]), [], true),
    .init(.not([.unique(false)]), [], true),
    .init(.not([.matches(expression("(a+)+$"))]), .value(.text(String(repeating: "a", count: 60) + "!")), false),
  ]

  @Test(arguments: equalityRows) func equality(_ row: PredicateCase) { row.check() }
  @Test(arguments: comparisonRows) func comparison(_ row: PredicateCase) { row.check() }
  @Test(arguments: textsRows) func texts(_ row: PredicateCase) { row.check() }
  @Test(arguments: containersRows) func containers(_ row: PredicateCase) { row.check() }
  @Test(arguments: negationRows) func negation(_ row: PredicateCase) { row.check() }

  @Test func everyFailureIsReported() {
    let all = failures(of: [.equals(1), .isKind(.string), .exists(true), .lessThan(1)], against: .value(2))
    #expect(all.map(\.predicate.string) == ["equals 1", "is string", "less_than 1"])
  }

  /// What is missing passes nothing but `exists: false`.
  @Test(arguments: [
    Predicate.equals(.null), .notEquals(1), .greaterThan(1), .atLeast(1), .lessThan(1), .atMost(1), .between(0, 1),
    .closeTo(value: Number(1), within: Number(1)), .contains("a"), .notContains("a"), .startsWith("a"),
    .endsWith("a"), .matches(expression("")), .notMatches(expression("a")), .isKind(.null), .isNotKind(.string),
    .exists(true), .count([.equals(0)]), .oneOf([.null]), .includes([:]), .every([]), .any([]), .none([.equals(1)]),
    .unique(true), .sorted(.ascending), .before(timestamp("2024-01-01")), .after(timestamp("2024-01-01")),
    .not([.equals(1)]),
  ])
  func missingFails(_ predicate: Predicate) {
    let failures = failures(of: [predicate], against: .missing)
    #expect(failures.map(\.actual.string) == ["nothing"])
  }

  @Test func lazyValuesStayUnmadeWhereTheirKindDecides() {
    struct Untouchable: LazyValue {
      let kind: ValueKind
      let count: Int?
      var value: Value {
        Issue.record("the value was made")
        return .null
      }
    }
    let object = MatchSubject.lazy(Untouchable(kind: .mapping, count: 3))
    let predicates: [Predicate] = [
      .exists(true), .isKind(.object), .isNotKind(.array), .count([.equals(3)]), .notEquals("text"), .isNotKind(.empty),
    ]
    #expect(failures(of: predicates, against: object).isEmpty)
    let list = MatchSubject.list(EagerList([Untouchable(kind: .mapping, count: 3)]))
    #expect(failures(of: [.count([.equals(1)]), .notContains(1), .isKind(.array)], against: list).isEmpty)
  }
}
