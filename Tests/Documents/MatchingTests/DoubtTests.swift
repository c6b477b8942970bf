import Matching
import Testing
import Values

/// A predicate that holds for a value, and a part of the hint that doubts it; nil for none.
struct DoubtCase: Sendable, CustomTestStringConvertible {
  let predicate: Predicate
  let value: Value
  let hint: String?

  init(_ predicate: Predicate, _ value: Value, _ hint: String?) {
    self.predicate = predicate
    self.value = value
    self.hint = hint
  }

  var testDescription: String { "\(describe(predicate).string) on \(value)" }
}

@Suite struct DoubtTests {
  static let order: Value = ["id": 2, "status": "failed", "tags": ["a"]]

  static let cases: [DoubtCase] = [
    .init(.notEquals(["status": "failed"]), order, "more members"),
    .init(.notEquals(["status": "open"]), order, nil),
    .init(.notEquals(["id": 2, "status": "failed"]), order, nil),
    .init(.notEquals([:]), order, nil),
    .init(.notContains(["status": "failed"]), [order], "more members"),
    .init(.none([.equals(["status": "failed"])]), [order], "more members"),
    .init(.none([.includes(["id": "2"])]), [order], "without quotes"),
    .init(.none([.includes(["staus": "failed"])]), [order], "`status`"),
    .init(.none([.includes(["tags": "a"])]), [order], "contains"),
    .init(.none([.includes(["status": ["failed", "error"]])]), [order], "one_of"),
    .init(.none([.includes(["error": "failed"])]), [order], nil),
    .init(.not([.includes(["id": "2"])]), order, "without quotes"),
    .init(.not([.every([.includes(["id": "2"])])]), [order, order], nil),
    .init(.any([.notEquals(["status": "failed"])]), [order, 1], nil),
    .init(.not([.equals("x"), .equals(["status": "failed"])]), order, nil),
    .init(.every([.notEquals(["status": "failed"])]), [order], "more members"),
    .init(.notContains("failed"), [order], "member `status`"),
    .init(.notEquals([2, "failed"]), [order, "failed"], nil),
    .init(.notEquals(["2"]), [2], "without quotes"),
    .init(.notEquals(["a": 1]), "{\"a\": 1, \"b\": 2}", "as JSON"),
    .init(.notEquals("a\n"), "a", "`|-`"),
    .init(.notContains("a\n"), "b a c", "`|-`"),
    .init(.notContains("a b"), "a\u{A0}b", "U+00A0"),
    .init(.notEquals("text/html"), "text/html; charset=utf-8", "media type"),
    .init(.notEquals("text"), "text; more", nil),
    .init(.notEquals("a"), " a ", "white space"),
    .init(.notContains("\"a\":1"), "{\"a\": 1}", "white space"),
    .init(.notContains("in to"), "into", nil),
    .init(.notContains("Error|Fault"), "a Fault", "pattern"),
    .init(.notContains("| Error |"), "an Error", nil),
    .init(.notContains("(?i)error"), "an Error", "pattern"),
    .init(.notContains("*Error*"), "an Error", "`Error`"),
    .init(.notContains("* Error"), "an Error", nil),
    .init(.notContains("f(x)"), "fx", nil),
    .init(.notMatches(expression("\\\\bError")), "an Error", "`\\b`"),
    .init(.notMatches(expression("/Error/")), "an Error", "slashes"),
    .init(.notMatches(expression("/Error/")), "/an/Error", nil),
    .init(.notContains("error"), "All good, ERROR 17", "letter case"),
    .init(.notContains("not found"), "HTTP 404 NOT FOUND", "letter case"),
    .init(.notContains("error"), "Error: no such tide", "letter case"),
    .init(.notContains("error"), "Error codes", nil),
    .init(.notContains("error"), "ERRORS: 0", nil),
    .init(.notContains("Error"), "no error", nil),
    .init(.notContains("nan"), "NAN", nil),
    .init(.notContains("FAILED "), "status: FAILED\n", "no blank"),
    .init(.notContains("FAILED "), "FAILED2", nil),
    .init(.notContains("total: "), "total:\n", nil),
    .init(.notContains(" error"), "ok\nerror 1", "without a blank"),
    .init(.notContains(" error"), "terror 1", nil),
    .init(.not([.startsWith("ann")]), "Ann Lindgren", "letter case"),
    .init(.not([.startsWith("ann")]), "Anna", nil),
    .init(.not([.endsWith(".png")]), "a.PNG", "letter case"),
    .init(.not([.endsWith("son")]), "JOHNSON", nil),
    .init(.not([.startsWith("2024-5-")]), "2024-05-01", "\"2024-05-\""),
    .init(.not([.startsWith("2024-05-1")]), "2024-05-01", nil),
    .init(.notContains("2024/05/01"), "on 2024-05-01", nil),
    .init(.notEquals("2024-05-01 10:00:00Z"), "2024-05-01T10:00:00Z", "form of a date"),
    .init(.notEquals("2024-05-01T10:00:00"), "2024-05-01T10:00:00Z", "form of a date"),
    .init(.notEquals("2024-5-1"), "2024-05-01", "form of a date"),
    .init(.notEquals("2024-5-1"), "2024-05-11", nil),
    .init(.notEquals("2024-5-1"), "2024-5-01", nil),
    .init(.notEquals("1_000"), 1000, "`1000`"),
    .init(.notEquals("12,500"), 12_500, "`12500`"),
    .init(.notEquals("1_0"), 10, nil),
    .init(.includes(["status": "failed"]), order, nil),
    .init(.equals("a"), "a", nil),
  ]

  @Test(arguments: cases) func doubts(_ doubtful: DoubtCase) {
    #expect(hold([doubtful.predicate], for: .value(doubtful.value)))
    let hint = doubtful.predicate.doubt(in: .value(doubtful.value))?.hint
    if let wanted = doubtful.hint {
      #expect(hint?.contains(wanted) == true, "\(hint ?? "none")")
    } else {
      #expect(hint == nil)
    }
  }

  @Test("what should hold is doubted if it is there in another form")
  func conditions() {
    #expect(Predicate.equals("500").doubt(in: .value(500), isDenied: true) != nil)
    #expect(Predicate.equals(["a", "b"]).doubt(in: .value("a"), isDenied: true) != nil)
    #expect(Predicate.equals("501").doubt(in: .value(500), isDenied: true) == nil)
  }

  /// Predicates with texts from templates that are never equal to a value; nil for those that may be.
  @Test(
    "a text that is computed never equals a value of another type",
    arguments: [
      .init(.notEquals("4"), 5, "to_number"),
      .init(.notEquals("false"), true, "boolean"),
      .init(.not([.equals("4")]), 5, "to_number"),
      .init(.not([.oneOf(["4", "3"])]), 5, "to_number"),
      .init(.notContains("4"), [5, 6], "to_number"),
      .init(.none([.equals("4")]), [5, 6], "to_number"),
      .init(.none([.includes(["id": "4"])]), [["id": 5]], "to_number"),
      .init(.none([.equals("4")]), [5, "6"], nil),
      .init(.not([.oneOf(["4", "open"])]), 5, nil),
      .init(.notEquals("open"), 5, nil),
      .init(.notEquals("4"), "5", nil),
      .init(.notEquals("true"), 5, nil),
      .init(.not([.notEquals("4")]), 5, nil),
    ] as [DoubtCase])
  func computedTexts(_ doubtful: DoubtCase) {
    #expect(doubtful.predicate.doubt(in: .value(doubtful.value)) == nil)
    let hint = doubtful.predicate.doubt(in: .value(doubtful.value), isComputed: true)?.hint
    #expect(hint?.contains(doubtful.hint ?? "-") ?? false == (doubtful.hint != nil), "\(hint ?? "none")")
  }

  @Test(
    "no negation holds for what it denies in another form",
    arguments: [
      (Predicate.notEquals(["a", "b"]), Value.text("a")), (.not([.oneOf([["a"]])]), "a"), (.notEquals("a"), ["a"]),
      (.notContains("a"), [["a"]]), (.notContains(["a", "b"]), ["a"]), (.none([.equals(["a", "b"])]), ["a"]),
      (.notEquals("10.50"), decimal("10.5")), (.notEquals(decimal("7.0")), "7"), (.notEquals("off"), false),
      (.notEquals("None"), .null), (.notEquals(true), "True"),
    ] as [(Predicate, Value)])
  func otherForms(predicate: Predicate, value: Value) {
    #expect(!hold([predicate], for: .value(value)))
  }

  @Test(
    "other values are other values",
    arguments: [
      (Predicate.notEquals(["a", "b"]), Value.text("c")), (.notEquals([]), .null), (.notEquals(["a"]), ["a", "b"]),
      (.notEquals(""), .null), (.notEquals(""), [""]), (.notEquals("no"), "off"),
      (.notEquals("10.51"), decimal("10.5")),
      (.notEquals(0), false), (.notContains(["a", "b"]), ["c"]), (.notEquals(false), "no"),
    ] as [(Predicate, Value)])
  func otherValues(predicate: Predicate, value: Value) {
    #expect(hold([predicate], for: .value(value)))
  }
}
