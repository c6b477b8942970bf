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
