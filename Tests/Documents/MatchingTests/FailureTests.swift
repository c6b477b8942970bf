import Matching
import Testing
import Values

struct FailureCase: Sendable, CustomTestStringConvertible {
  let predicate: Predicate
  let subject: MatchSubject
  let drawing: String

  init(_ predicate: Predicate, _ subject: MatchSubject, _ drawing: String) {
    self.predicate = predicate
    self.subject = subject
    self.drawing = drawing
  }

  init(_ predicate: Predicate, _ value: Value, _ drawing: String) { self.init(predicate, .value(value), drawing) }

  var testDescription: String { "\(describe(predicate).string) on \(subject)" }
}

/// Predicate, expected, actual and hint as a report draws them.
@Suite struct FailureTests {
  static let types: [FailureCase] = [
    .init(
      .equals(1), "1",
      """
      equals 1
        expected: 1 (an integer)
        actual:   "1" (a string)
        hint: what is there is text: write `"1"`, in quotes
      """),
    .init(
      .equals("1"), 1,
      """
      equals "1"
        expected: "1" (a string)
        actual:   1 (an integer)
        hint: what is there is an integer: write `1`, without quotes
      """),
    .init(.equals(1), decimal("1.5"), "equals 1\n  expected: 1\n  actual:   1.5"),
    .init(.equals(1), .null, "equals 1\n  expected: 1 (an integer)\n  actual:   null"),
    .init(.equals("x"), .missing, "equals \"x\"\n  expected: \"x\"\n  actual:   nothing"),
    .init(.equals([1]), [:], "equals [1]\n  expected: [1] (an array)\n  actual:   {} (an object)"),
    .init(
      .equals(200), found(200, 404),
      """
      equals 200
        expected: 200 (an integer)
        actual:   [200, 404] (a list of 2 values)
        hint: the query can yield several values: write `[200]` or `{any: 200}`
      """),
    .init(
      .notEquals("a"), found("b"),
      """
      not_equals "a"
        expected: anything but "a" (a string)
        actual:   ["b"] (a list of 1 value)
        hint: the query can yield several values: write `{none: "a"}`
      """),
    .init(
      .greaterThan(5), "7",
      """
      greater_than 5
        expected: more than 5 (an integer)
        actual:   "7" (a string)
        hint: what is there is text: capture it with `as: number` to compare it
      """),
    .init(
      .lessThan(5), found(3),
      """
      less_than 5
        expected: less than 5 (an integer)
        actual:   [3] (a list of 1 value)
        hint: the query can yield several values: apply the predicate by `every` or `any`
      """),
    .init(
      .lessThan("2024-01-01"), "2023-01-01",
      """
      less_than "2024-01-01"
        expected: less than "2024-01-01" (a string)
        actual:   "2023-01-01" (a string)
        hint: texts have no order here: write `before` or `after` for dates
      """),
    .init(
      .startsWith("a"), 5,
      """
      starts_with "a"
        expected: a string that starts with "a"
        actual:   5 (an integer)
        hint: what is there is a number: write `equals`, `between` or `is`
      """),
    .init(
      .contains("a"), true,
      "contains \"a\"\n  expected: a string, an array or an object that contains \"a\" (a string)\n"
        + "  actual:   true (a boolean)"),
    .init(.isKind(.uuid), "abc", "is uuid\n  expected: a UUID\n  actual:   \"abc\" (a string)"),
    .init(.isNotKind(.null), .null, "is_not null\n  expected: anything but null\n  actual:   null"),
    .init(
      .isNotKind(.empty), .null,
      "is_not empty\n  expected: a string, array or object that is not empty\n  actual:   null"),
    .init(
      .every([.atLeast(1)]), ["a": 1],
      "every at_least 1\n  expected: an array, every item: at least 1 (an integer)\n"
        + "  actual:   {\"a\": 1} (an object)"),
    .init(
      .includes("a"), ["a"],
      """
      includes "a"
        expected: a string that includes "a"
        actual:   ["a"] (an array)
        hint: `includes` takes a mapping or a list; write `contains` for one item
      """),
    .init(
      .oneOf([1, 2]), "1",
      """
      one_of [1, 2]
        expected: one of [1, 2]
        actual:   "1" (a string)
        hint: what is there is text: write `"1"`, in quotes
      """),
  ]

  static let values: [FailureCase] = [
    .init(.greaterThan(5), 5, "greater_than 5\n  expected: more than 5\n  actual:   5"),
    .init(.atLeast(decimal("0.10")), decimal("0.05"), "at_least 0.10\n  expected: at least 0.10\n  actual:   0.05"),
    .init(.between(1, 3), 4, "between 1 and 3\n  expected: from 1 to 3\n  actual:   4"),
    .init(
      .closeTo(value: number("1.5"), within: number("0.1")), 2,
      "close_to 1.5 within 0.1\n  expected: 1.5 ± 0.1\n  actual:   2, which is 0.5 away"),
    .init(
      .after(timestamp("2024-05-01T10:00:00Z")), "2024-04-30T23:00:00-02:00",
      "after 2024-05-01T10:00:00Z\n  expected: after 2024-05-01T10:00:00Z\n  actual:   \"2024-04-30T23:00:00-02:00\""),
    .init(
      .before(timestamp("2024-05-01T10:00:00Z")), "soon",
      """
      before 2024-05-01T10:00:00Z
        expected: before 2024-05-01T10:00:00Z (a date)
        actual:   "soon" (a string)
        hint: what is there is not a date of RFC 3339 (`2024-05-01T10:00:00Z`) or HTTP
      """),
    .init(.exists(true), .missing, "exists\n  expected: something\n  actual:   nothing"),
    .init(.exists(false), "x", "exists false\n  expected: nothing\n  actual:   \"x\""),
    .init(.exists(true), found(), "exists\n  expected: at least one value\n  actual:   no values"),
    .init(.exists(false), found(1), "exists false\n  expected: no values\n  actual:   [1]"),
    .init(
      .equals(.null), .missing,
      "equals null\n  expected: null\n  actual:   nothing\n  hint: what is not there meets `exists: false` alone"),
    .init(
      .not([.equals(1)]), .missing,
      "not equals 1\n  expected: not 1\n  actual:   nothing\n  hint: what is not there meets `exists: false` alone"),
    .init(.isKind(.string), .missing, "is string\n  expected: a string\n  actual:   nothing"),
    .init(.count([.equals(2)]), [1], "count 2\n  expected: 2 items\n  actual:   1 item: [1]"),
    .init(.count([.equals(1)]), [], "count 1\n  expected: 1 item\n  actual:   no items"),
    .init(
      .count([.atLeast(2), .lessThan(9)]), found(1),
      "count {at_least 2, less_than 9}\n  expected: at least 2 and less than 9 values\n  actual:   1 value: [1]"),
    .init(.count([.equals(1)]), header("a", "b"), "count 1\n  expected: 1 line\n  actual:   2 lines: \"a, b\""),
    .init(
      .count([.equals(1)]), 5,
      "count 1\n  expected: a string, array or object with 1 item\n  actual:   5 (an integer)"),
    .init(
      .contains("Ell"), "hello",
      """
      contains "Ell"
        expected: a string that contains "Ell"
        actual:   "hello"
                    ^^^ in another letter case
      """),
    .init(
      .contains(1), ["1", "2"],
      """
      contains 1
        expected: an array that contains 1
        actual:   ["1", "2"]
        hint: [0] is "1" (a string): write `"1"`, in quotes
      """),
    .init(
      .contains([1, 2]), [1, 2, 3],
      """
      contains [1, 2]
        expected: an array that contains [1, 2]
        actual:   [1, 2, 3]
        hint: `contains` looks for one item; write `includes` for several
      """),
    .init(
      .matches(expression(#"^\d+$"#)), "12a",
      "matches /^\\d+$/\n  expected: a string that matches /^\\d+$/\n  actual:   \"12a\""),
    .init(
      .not([.contains("x")]), "xyz",
      "not contains \"x\"\n  expected: not a string that contains \"x\"\n  actual:   \"xyz\""),
    .init(.not([.equals(1)]), 1, "not equals 1\n  expected: not 1\n  actual:   1"),
    .init(
      .startsWith(""), "abc",
      """
      starts_with ""
        expected: a string that starts with ""
        actual:   "abc"
        hint: an empty text is part of every text, so this would check nothing
      """),
  ]

  static let items: [FailureCase] = [
    .init(
      .every([.atLeast(decimal("0.10"))]), found(1, decimal("0.05"), 2),
      """
      every at_least 0.10
        expected: every item: at least 0.10
        actual:   [1] is 0.05
        ~ [1]: at least 0.10 → 0.05
      """),
    .init(
      .every([.isKind(.string)]), ["a", 1, .null],
      """
      every is string
        expected: every item: a string
        actual:   2 of 3 do not, the first is [1]: 1 (an integer)
        ~ $[1]: a string → 1 (an integer)
        ~ $[2]: a string → null
      """),
    .init(
      .every([.includes(["a": 1])]), [["a": 1], ["a": 2]],
      """
      every includes {"a": 1}
        expected: every item: an object that includes {"a": 1}
        actual:   [1] is {"a": 2}
        ~ $[1].a: 1 → 2
      """),
    .init(
      .every([.atLeast(1)]), [],
      """
      every at_least 1
        expected: every item: at least 1
        actual:   []
        hint: there is nothing to check; if that may be, write `not: {any: {not: …}}`
      """),
    .init(.any([.equals(3)]), found(1, 2), "any 3\n  expected: at least one item: 3\n  actual:   [1, 2]"),
    .init(.none([.equals(2)]), [1, 2], "none 2\n  expected: no item: 2\n  actual:   [1] is 2"),
    .init(
      .none([.greaterThan(1)]), [1, 2, 3],
      "none greater_than 1\n  expected: no item: more than 1\n  actual:   2 of 3 do, the first is [1]: 2"),
    .init(
      .none([.greaterThan(1)]), [1, "x"],
      "none greater_than 1\n  expected: no item: more than 1 (an integer)\n  actual:   [1] is \"x\" (a string)"
    ),
    .init(
      .unique(true), ["a", "b", "a", "b"],
      "unique\n  expected: no two equal items\n  actual:   [0] and [2] are both \"a\", and 1 more"),
    .init(.unique(false), [1, 2], "unique false\n  expected: two equal items\n  actual:   [1, 2]"),
    .init(
      .sorted(.ascending), [1, 3, 2],
      "sorted ascending\n  expected: items in ascending order\n  actual:   [1] is 3, [2] is 2"),
    .init(
      .sorted(.descending), [1, "2"],
      """
      sorted descending
        expected: items in descending order
        actual:   [0] is 1 (an integer), [1] is "2" (a string)
        hint: only numbers, texts or dates among themselves have an order
      """),
  ]

  @Test(arguments: types) func namesTypes(_ row: FailureCase) {
    #expect(drawings([row.predicate], row.subject) == row.drawing)
  }

  @Test(arguments: values) func showsValues(_ row: FailureCase) {
    #expect(drawings([row.predicate], row.subject) == row.drawing)
  }

  @Test(arguments: items) func namesItems(_ row: FailureCase) {
    #expect(drawings([row.predicate], row.subject) == row.drawing)
  }

  @Test func unitsAreShown() {
    #expect(
      drawings([.lessThan(500)], .value(decimal("734.2")), unit: "ms")
        == "less_than 500ms\n  expected: less than 500ms\n  actual:   734.2ms")
  }

  @Test func backtrackingIsReported() {
    let text = Value.text(String(repeating: "a", count: 60) + "!")
    let hint = failures(of: [.matches(expression("(a+)+$"))], against: .value(text)).first?.hint
    #expect(hint?.contains("whether it matches was not found out") == true)
    #expect(hint?.contains("backtrack") == true)
  }
}
