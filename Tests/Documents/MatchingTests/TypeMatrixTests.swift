import Matching
import Testing
import Values

/// What each predicate does on each type of value, written down by hand.
///
/// - `+` holds
/// - `-` was applied and does not hold, so that `not` around it does
/// - `x` cannot be applied: neither it nor `not` around it holds, and both types are named
/// - `o` meets what is missing: neither it nor `not` around it holds
struct MatrixRow: Sendable, CustomTestStringConvertible {
  let predicate: Predicate
  let cells: String

  init(_ predicate: Predicate, _ cells: String) {
    self.predicate = predicate
    self.cells = cells.filter { $0 != " " }
  }

  var testDescription: String { describe(predicate).string }
}

@Suite("Every predicate on every type") struct TypeMatrixTests {
  static let columns: [(name: String, subject: MatchSubject)] = [
    ("null", .value(.null)), ("boolean", .value(true)), ("number", .value(3)), ("text", .value("abc")),
    ("date", .value(date("2024-05-01T10:00:00Z"))), ("data", .value(.data(Bytes([1, 2, 3])))),
    ("list", .value([1, 2])), ("object", .value(["a": 1])), ("missing", .missing),
    ("values of a query", found(1, 2)), ("lines of a header", header("abc", "b")),
  ]

  static let may: Value = date("2024-05-01T10:00:00Z")
  static let june: Value = date("2024-06-01T00:00:00Z")

  //                                          null bool num text date data list obj miss query header
  static let equality: [MatrixRow] = [
    .init(.equals(.null), /*               */ " +   -   -   -    -    -    -    -   o    x     -"),
    .init(.equals(true), /*                */ " -   +   -   -    -    -    -    -   o    x     -"),
    .init(.equals(3), /*                   */ " -   -   +   -    -    -    -    -   o    x     -"),
    .init(.equals("abc"), /*               */ " -   -   -   +    -    -    -    -   o    x     -"),
    .init(.equals(may), /*                 */ " -   -   -   -    +    -    -    -   o    x     -"),
    .init(.equals("2024-05-01T12:00:00+02:00"), " -   -   -   -    +    -    -    -   o    x     -"),
    .init(.equals(.data(Bytes([1, 2, 3]))), /**/ " -   -   -   -    -    +    -    -   o    x     -"),
    .init(.equals("AQID"), /*              */ " -   -   -   -    -    +    -    -   o    x     -"),
    .init(.equals([1, 2]), /*              */ " -   -   -   -    -    -    +    -   o    +     -"),
    .init(.equals(["abc", "b"]), /*        */ " -   -   -   x    -    -    -    -   o    -     +"),
    .init(.equals(["a": 1]), /*            */ " -   -   -   -    -    -    -    +   o    x     -"),
    .init(.notEquals(3), /*                */ " +   +   -   +    +    +    +    +   o    x     +"),
    .init(.notEquals([1, 2]), /*           */ " +   +   +   +    +    +    -    +   o    -     +"),
    .init(.oneOf([3, "abc"]), /*           */ " -   -   +   +    -    -    -    -   o    x     -"),
    .init(.oneOf([.null, [1, 2]]), /*      */ " +   -   -   -    -    -    +    -   o    +     -"),
  ]

  static let order: [MatrixRow] = [
    .init(.greaterThan(2), /*              */ " x   x   +   x    x    x    x    x   o    x     x"),
    .init(.greaterThan(3), /*              */ " x   x   -   x    x    x    x    x   o    x     x"),
    .init(.greaterThan(may), /*            */ " x   x   x   x    -    x    x    x   o    x     x"),
    .init(.atLeast(3), /*                  */ " x   x   +   x    x    x    x    x   o    x     x"),
    .init(.atLeast(may), /*                */ " x   x   x   x    +    x    x    x   o    x     x"),
    .init(.lessThan(3), /*                 */ " x   x   -   x    x    x    x    x   o    x     x"),
    .init(.lessThan(june), /*              */ " x   x   x   x    +    x    x    x   o    x     x"),
    .init(.atMost(3), /*                   */ " x   x   +   x    x    x    x    x   o    x     x"),
    .init(.atMost(may), /*                 */ " x   x   x   x    +    x    x    x   o    x     x"),
    .init(.between(3, 4), /*               */ " x   x   +   x    x    x    x    x   o    x     x"),
    .init(.between(may, june), /*          */ " x   x   x   x    +    x    x    x   o    x     x"),
    .init(.closeTo(value: number("3.1"), within: number("0.1")), " x   x   +   x    x    x    x    x   o    x     x"),
    .init(.divisibleBy(3), /*              */ " x   x   +   x    x    x    x    x   o    x     x"),
    .init(.divisibleBy(2), /*              */ " x   x   -   x    x    x    x    x   o    x     x"),
    .init(.before(timestamp("2024-06-01")), /**/ " x   x   x   x    +    x    x    x   o    x     x"),
    .init(.after(timestamp("2024-06-01")), /**/ " x   x   x   x    -    x    x    x   o    x     x"),
  ]

  static let texts: [MatrixRow] = [
    .init(.contains("b"), /*               */ " x   x   x   +    x    -    -    -   o    -     +"),
    .init(.contains("a"), /*               */ " x   x   x   +    x    -    -    +   o    -     +"),
    .init(.contains("\u{2}"), /*           */ " x   x   x   -    x    +    -    -   o    -     -"),
    .init(.contains(1), /*                 */ " x   x   x   x    x    x    +    x   o    +     x"),
    .init(.contains(.null), /*             */ " x   x   x   x    x    x    -    x   o    -     x"),
    .init(.contains(["a": 1]), /*          */ " x   x   x   x    x    x    -    x   o    -     x"),
    .init(.contains(.data(Bytes([2, 3]))), /**/ " x   x   x   x    x    +    -    x   o    -     x"),
    .init(.notContains("a"), /*            */ " x   x   x   -    x    +    +    -   o    +     -"),
    .init(.notContains(1), /*              */ " x   x   x   x    x    x    -    x   o    -     x"),
    .init(.startsWith("ab"), /*            */ " x   x   x   +    x    x    x    x   o    x     +"),
    .init(.endsWith("bc"), /*              */ " x   x   x   +    x    x    x    x   o    x     -"),
    .init(.matches(expression("^.b")), /*  */ " x   x   x   +    x    x    x    x   o    x     +"),
    .init(.notMatches(expression("^.b")), /**/ " x   x   x   -    x    x    x    x   o    x     -"),
  ]

  static let kinds: [MatrixRow] = [
    .init(.isKind(.null), /*               */ " +   -   -   -    -    -    -    -   o    x     -"),
    .init(.isKind(.boolean), /*            */ " -   +   -   -    -    -    -    -   o    x     -"),
    .init(.isKind(.number), /*             */ " -   -   +   -    -    -    -    -   o    x     -"),
    .init(.isKind(.integer), /*            */ " -   -   +   -    -    -    -    -   o    x     -"),
    .init(.isKind(.string), /*             */ " -   -   -   +    -    -    -    -   o    x     +"),
    .init(.isKind(.array), /*              */ " -   -   -   -    -    -    +    -   o    +     -"),
    .init(.isKind(.object), /*             */ " -   -   -   -    -    -    -    +   o    x     -"),
    .init(.isKind(.empty), /*              */ " x   x   x   -    x    -    -    -   o    -     -"),
    .init(.isKind(.uuid), /*               */ " -   -   -   -    -    -    -    -   o    x     -"),
    .init(.isKind(.date), /*               */ " -   -   -   -    -    -    -    -   o    x     -"),
    .init(.isKind(.datetime), /*           */ " -   -   -   -    +    -    -    -   o    x     -"),
    .init(.isKind(.email), /*              */ " -   -   -   -    -    -    -    -   o    x     -"),
    .init(.isKind(.url), /*                */ " -   -   -   -    -    -    -    -   o    x     -"),
    .init(.isKind(.ipv4), /*               */ " -   -   -   -    -    -    -    -   o    x     -"),
    .init(.isKind(.ipv6), /*               */ " -   -   -   -    -    -    -    -   o    x     -"),
    .init(.isKind(.base64), /*             */ " -   -   -   -    -    -    -    -   o    x     -"),
    .init(.isKind(.json), /*               */ " -   -   -   -    -    -    -    -   o    x     -"),
    .init(.isNotKind(.null), /*            */ " -   +   +   +    +    +    +    +   o    x     +"),
    .init(.isNotKind(.string), /*          */ " +   +   +   -    +    +    +    +   o    x     -"),
    .init(.isNotKind(.empty), /*           */ " x   x   x   +    x    +    +    +   o    +     +"),
    .init(.isNotKind(.array), /*           */ " +   +   +   +    +    +    -    +   o    -     +"),
    .init(.exists(true), /*                */ " +   +   +   +    +    +    +    +   -    +     +"),
    .init(.exists(false), /*               */ " -   -   -   -    -    -    -    -   +    -     -"),
  ]

  static let parts: [MatrixRow] = [
    .init(.count([.equals(3)]), /*         */ " x   x   x   +    x    +    -    -   o    -     -"),
    .init(.count([.equals(2)]), /*         */ " x   x   x   -    x    -    +    -   o    +     +"),
    .init(.count([.lessThan(2)]), /*       */ " x   x   x   -    x    -    -    +   o    -     -"),
    .init(.includes(["a": 1]), /*          */ " x   x   x   x    x    x    x    +   o    x     x"),
    .init(.includes([2]), /*               */ " x   x   x   x    x    x    +    x   o    +     x"),
    .init(.includes(["b", "a"]), /*        */ " x   x   x   +    x    x    -    x   o    -     +"),
    .init(.includes(["b", "d"]), /*        */ " x   x   x   -    x    x    -    x   o    -     -"),
    .init(.every([.equals(1)]), /*         */ " x   x   x   x    x    x    -    x   o    -     -"),
    .init(.every([.isKind(.string)]), /*   */ " x   x   x   x    x    x    -    x   o    -     +"),
    .init(.every([.atLeast(1)]), /*        */ " x   x   x   x    x    x    +    x   o    +     x"),
    .init(.any([.equals(2)]), /*           */ " x   x   x   x    x    x    +    x   o    +     -"),
    .init(.any([.startsWith("a")]), /*     */ " x   x   x   x    x    x    x    x   o    x     +"),
    .init(.none([.equals(3)]), /*          */ " x   x   x   x    x    x    +    x   o    +     +"),
    .init(.none([.equals("b")]), /*        */ " x   x   x   x    x    x    +    x   o    +     -"),
    .init(.unique(true), /*                */ " x   x   x   x    x    x    +    x   o    +     +"),
    .init(.unique(false), /*               */ " x   x   x   x    x    x    -    x   o    -     -"),
    .init(.sorted(.ascending), /*          */ " x   x   x   x    x    x    +    x   o    +     x"),
    .init(.sorted(.descending), /*         */ " x   x   x   x    x    x    -    x   o    -     x"),
    .init(.not([.equals(3)]), /*           */ " +   +   -   +    +    +    +    +   o    x     +"),
    .init(.not([.atLeast(2)]), /*          */ " x   x   -   x    x    x    x    x   o    x     x"),
    .init(.not([.exists(true)]), /*        */ " -   -   -   -    -    -    -    -   +    -     -"),
  ]

  static let shapes: [MatrixRow] = [
    .init(equals(.anything), /*            */ " +   +   +   +    +    +    +    +   o    +     +"),
    .init(equals(.kind(.string)), /*       */ " -   -   -   +    -    -    -    -   o    x     +"),
    .init(equals(.kind(.array)), /*        */ " -   -   -   -    -    -    +    -   o    +     -"),
    .init(equals(.kind(.datetime)), /*     */ " -   -   -   -    +    -    -    -   o    x     -"),
    .init(equals(.pattern(expression("b"))), /**/ " x   x   x   +    x    x    x    x   o    x     +"),
    .init(equals(.each(.kind(.integer))), /**/ " -   -   -   -    -    -    +    -   o    +     -"),
    .init(equals(.each(.kind(.string))), /**/ " -   -   -   -    -    -    -    -   o    -     +"),
    .init(equals(.predicates([.atLeast(3)])), /**/ " x   x   +   x    x    x    x    x   o    x     x"),
    .init(equals(.list([.value(1), .anything])), " -   -   -   -    -    -    +    -   o    +     -"),
    .init(
      equals(.object([.init(key: "a", shape: .kind(.integer))])), " -   -   -   -    -    -    -    +   o    x     -"),
    .init(equals(.kind(.string), isNegated: true), " +   +   +   -    +    +    +    +   o    x     -"),
    .init(equals(.value([2, 1]), isUnordered: true), " -   -   -   -    -    -    +    -   o    +     -"),
    .init(.shaped(ShapedPredicate(.contains, .kind(.integer))), " x   x   x   x    x    x    +    x   o    +     -"),
    .init(
      .shaped(ShapedPredicate(.contains, .kind(.integer), isNegated: true)),
      /*                                   */ " x   x   x   x    x    x    -    x   o    -     +"),
    .init(
      .shaped(ShapedPredicate(.includes, .object([.init(key: "a", shape: .anything)]))),
      /*                                   */ " x   x   x   x    x    x    x    +   o    x     x"),
    .init(
      .shaped(ShapedPredicate(.includes, .list([.kind(.integer)]))),
      /*                                   */ " x   x   x   x    x    x    +    x   o    +     x"),
    .init(
      .shaped(ShapedPredicate(.oneOf, .list([.value(.null), .kind(.string)]))),
      /*                                   */ " +   -   -   +    -    -    -    -   o    x     +"),
  ]

  private static func equals(_ shape: Shape, isNegated: Bool = false, isUnordered: Bool = false) -> Predicate {
    .shaped(ShapedPredicate(.equals, shape, isNegated: isNegated, isUnordered: isUnordered))
  }

  static let rows = equality + order + texts + kinds + parts + shapes

  @Test("Every predicate stands in the matrix") func isComplete() {
    let missing = Set(PredicateKind.all.map(\.name)).subtracting(Self.rows.map(\.predicate.kind.name))
    #expect(missing.isEmpty, "they need a row")
    #expect(Self.rows.allSatisfy { $0.cells.count == Self.columns.count })
  }

  @Test("No two predicates have one name, sign or word") func names() {
    let all = PredicateKind.all
    for names in [all.map(\.name), all.flatMap(\.signs), all.flatMap(\.words)] {
      let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
      #expect(counts.filter { $0.value > 1 }.keys.sorted() == [], "the second one is never found")
    }
  }

  @Test(arguments: rows) func holdsAsWritten(_ row: MatrixRow) {
    for (cell, column) in zip(row.cells, Self.columns) {
      let failures = failures(of: [row.predicate], against: column.subject)
      let isDenied = Matching.failures(of: [.not([row.predicate])], against: column.subject).isEmpty
      let found: Character =
        switch (failures.isEmpty, isDenied) {
        case (true, false): "+"
        case (false, true): "-"
        case (false, false): column.name == "missing" ? "o" : "x"
        case (true, true): "!"
        }
      #expect(found == cell, "on \(column.name): \(failures.map(\.drawing).joined(separator: "\n"))")
    }
  }

  /// The words of which one names a type.
  static let typeWords = [
    "string", "number", "integer", "boolean", "array", "object", "null", "date", "data", "UUID", "list",
  ]

  @Test("What cannot be applied names both types", arguments: rows) func namesTypes(_ row: MatrixRow) throws {
    for (cell, column) in zip(row.cells, Self.columns) where cell == "x" && column.name != "values of a query" {
      let failure = try #require(failures(of: [row.predicate], against: column.subject).first)
      #expect(Self.typeWords.contains { failure.expected.string.contains($0) }, "\(column.name): \(failure.drawing)")
      #expect(Self.typeWords.contains { failure.actual.string.contains($0) }, "\(column.name): \(failure.drawing)")
    }
  }

  @Test("What cannot be applied to the values of a query says how", arguments: rows)
  func hintsAtQueries(_ row: MatrixRow) throws {
    for (cell, column) in zip(row.cells, Self.columns) where cell == "x" && column.name == "values of a query" {
      let failure = try #require(failures(of: [row.predicate], against: column.subject).first)
      // Where an item is to blame it is named.
      #expect(failure.hint != nil || failure.actual.string.hasPrefix("[0] is "), "\(failure.drawing)")
    }
  }
}
