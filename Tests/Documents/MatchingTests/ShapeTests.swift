import Matching
import TestSupport
import Testing
import Values

/// Shapes as tables write them.
extension Shape: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .value(.text(value)) }
  package init(integerLiteral value: Int) { self = .value(.integer(value)) }
  package init(arrayLiteral elements: Shape...) { self = .joined(elements) }
  package init(dictionaryLiteral elements: (String, Shape)...) {
    self = .joined(
      elements.map {
        // `"name?"` is an optional member.
        Member(
          key: Text($0.0.hasSuffix("?") ? String($0.0.dropLast()) : $0.0), shape: $0.1, isOptional: $0.0.hasSuffix("?"))
      })
  }
}

func like(_ shape: Shape, unordered: Bool = false) -> Predicate {
  .shaped(ShapedPredicate(.equals, shape, isUnordered: unordered))
}

func including(_ shape: Shape) -> Predicate { .shaped(ShapedPredicate(.includes, shape)) }

@Suite("Kinds that stand for values") struct ShapeTests {
  static let user: Shape = [
    "id": .kind(.integer), "name": .kind(.string), "nick?": .kind(.string), "tags": .each(.kind(.string)),
  ]

  static let exact: [PredicateCase] = [
    .init(like(user), ["id": 1, "name": "Ann", "tags": ["a"]], true),
    .init(like(user), ["tags": ["a", "b"], "nick": "A", "name": "Ann", "id": decimal("1.0")], true),
    .init(like(user), ["id": "1", "name": "Ann", "tags": ["a"]], false),
    .init(like(user), ["id": 1, "name": "Ann"], false),
    .init(like(user), ["id": 1, "name": "Ann", "tags": []], false),
    .init(like(user), ["id": 1, "name": "Ann", "tags": ["a", 1]], false),
    .init(like(user), ["id": 1, "name": "Ann", "tags": ["a"], "more": 1], false),
    .init(like(user), ["id": 1, "name": "Ann", "tags": ["a"], "nick": .null], false),
    .init(like(user), ["id": 1, "name": "Ann", "tags": ["a"], "nick": 1], false),
    // A member that stands twice is one too many.
    .init(like(user), ["id": 1, "id": 1, "name": "Ann", "tags": ["a"]], false),
    .init(like(["a": .anything]), ["a": .null], true),
    .init(like(["a": .anything]), [:], false),
    .init(like(["a?": .anything]), [:], true),
    .init(like([.kind(.integer), .kind(.string)]), [1, "a"], true),
    .init(like([.kind(.integer), .kind(.string)]), ["a", 1], false),
    .init(like([.kind(.integer), .kind(.string)]), [1], false),
    .init(like([.kind(.integer), .kind(.string)]), [1, "a", 2], false),
    .init(like(.each(["id": .kind(.uuid)])), [["id": "123e4567-e89b-12d3-a456-426614174000"]], true),
    .init(like(.each(["id": .kind(.uuid)])), [["id": "x"]], false),
    .init(like(.each(.anything)), [:], false),
    .init(like(.each(.anything)), [], false),
    .init(like(["n": .predicates([.atLeast(1), .lessThan(3)])]), ["n": 2], true),
    .init(like(["n": .predicates([.atLeast(1), .lessThan(3)])]), ["n": 3], false),
    .init(like(["n": .predicates([.atLeast(1)])]), ["n": "2"], false),
    .init(like(["n": .predicates([.not([.atLeast(1)])])]), ["n": "2"], false),
    .init(like(["n": .predicates([.exists(false)])]), [:], true),
    .init(like(["n": .predicates([.exists(false)])]), ["n": .null], false),
    .init(like(["n": .predicates([.isNotKind(.null)])]), [:], false),
    .init(like(["a": .predicates([.includes(["x": 1])])]), ["a": ["x": 1, "y": 2]], true),
    .init(like(["c": .pattern(expression("^a"))]), ["c": "ab"], true),
    .init(like(["c": .pattern(expression("^a"))]), ["c": "ba"], false),
    .init(like(["c": .pattern(expression("1"))]), ["c": 1], false),
    .init(
      like(["at": .value(date("2024-05-01T10:00:00Z")), "id": .anything]),
      ["at": "2024-05-01T12:00:00+02:00", "id": 1], true),
    .init(like(["x": .value(decimal("0.10")), "y": .anything]), ["x": decimal("0.1"), "y": 1], true),
    .init(like([.kind(.integer), .anything]), found(1, "a"), true),
    .init(like(.each(.kind(.integer))), found(1, 2), true),
    .init(like(.each(.kind(.integer))), found(1, "a"), false),
    .init(like(.each(.kind(.integer))), found(), false),
    .init(like(.anything), found(), false),
    .init(like(.anything), .missing, false),
  ]

  static let partial: [PredicateCase] = [
    .init(including(["id": .kind(.integer)]), ["id": 1, "name": "Ann"], true),
    .init(including(["id": .kind(.integer)]), ["id": "1", "name": "Ann"], false),
    .init(including(["id": .kind(.integer)]), ["name": "Ann"], false),
    .init(including(["id?": .kind(.integer)]), ["name": "Ann"], true),
    .init(including(["id?": .kind(.integer)]), ["id": "x"], false),
    .init(including(["user": ["id": .anything]]), ["user": ["id": 1, "b": 2]], true),
    // Of a name that stands twice the last one counts.
    .init(including(["id": .kind(.integer)]), ["id": "a", "id": 1], true),
    .init(including(["id": .kind(.integer)]), ["id": 1, "id": "a"], false),
    .init(including([.kind(.integer)]), ["a", 1], true),
    .init(including([.kind(.integer), 1]), ["a", 1], false),
    .init(including([.kind(.integer), 1]), [1, 2], true),
    .init(including([.kind(.integer), .kind(.number)]), [decimal("1.5"), 1], true),
    .init(including([.kind(.number), .kind(.integer)]), [1, decimal("1.5")], true),
    .init(including([.kind(.integer), .kind(.integer)]), [1, decimal("1.5")], false),
    .init(including(.each(["id": .anything])), [["id": 1, "x": 2], ["id": 3]], true),
    .init(including(.each(["id": .anything])), [["id": 1], ["x": 2]], false),
    .init(including(["a": .predicates([.equals(["x": 1])])]), ["a": ["x": 1, "y": 2]], false),
    .init(including(["gone": .predicates([.exists(false)])]), ["a": 1], true),
    .init(including(["gone": .predicates([.exists(false)])]), ["gone": 1], false),
    .init(
      including([["id": .kind(.integer), "k": "a"]]), [["id": "1", "k": "a"], ["id": 1, "k": "a", "z": 0]], true),
  ]

  static let unordered: [PredicateCase] = [
    .init(like(.value([1, 2, 3]), unordered: true), [3, 1, 2], true),
    .init(like(.value([1, 2, 2]), unordered: true), [2, 1, 1], false),
    .init(like(.value([1, 2]), unordered: true), [1, 2, 3], false),
    .init(like(.value([]), unordered: true), [], true),
    .init(like(.value([1, decimal("1.0"), "1"]), unordered: true), ["1", decimal("1e0"), 1], true),
    // At every level.
    .init(like(.value([[1, 2], ["a": [3, 4]]]), unordered: true), [["a": [4, 3]], [2, 1]], true),
    .init(like(.value(["a": [1, [2, 3]]]), unordered: true), ["a": [[3, 2], 1]], true),
    .init(like(.value(["a": [1, 2], "b": 1]), unordered: true), ["b": 1, "a": [2, 1]], true),
    .init(like(.value(["a": [1, 2], "b": 1]), unordered: true), ["a": [2, 1]], false),
    .init(like(.value([["a": 1], ["a": 1, "b": 2]]), unordered: true), [["a": 1, "b": 2], ["a": 1]], true),
    .init(like(.value([["a": 1], ["a": 1]]), unordered: true), [["a": 1, "b": 2], ["a": 1]], false),
    .init(like(.value("a"), unordered: true), "a", true),
    .init(
      like(.value([date("2024-05-01T10:00:00Z"), "x"]), unordered: true), ["x", "2024-05-01T12:00:00+02:00"], true),
    .init(
      like(.value([date("2024-05-01T10:00:00Z"), "2024-05-01T10:00:00Z"]), unordered: true),
      ["2024-05-01T10:00:00Z", "2024-05-01T12:00:00+02:00"], true),
    .init(like([.kind(.number), .kind(.integer), "a"], unordered: true), ["a", 1, decimal("0.5")], true),
    .init(
      like([.kind(.number), .kind(.integer), "a"], unordered: true), ["a", decimal("1.5"), decimal("0.5")], false),
    .init(like(["l": [.kind(.string), 1]], unordered: true), ["l": [1, "a"]], true),
    .init(like([["id": .kind(.integer), "k": [1, 2]]], unordered: true), [["k": [2, 1], "id": 3]], true),
    .init(like(.each(.value([1, 2])), unordered: true), [[1, 2], [2, 1]], true),
    .init(like(.value([1, 2]), unordered: true), found(2, 1), true),
    .init(like(.value(["b", "a"]), unordered: true), header("a", "b"), true),
  ]

  static let several: [PredicateCase] = [
    .init(.shaped(ShapedPredicate(.oneOf, [.value(.null), .kind(.datetime)])), .null, true),
    .init(.shaped(ShapedPredicate(.oneOf, [.value(.null), .kind(.datetime)])), "2024-05-01T10:00:00Z", true),
    .init(.shaped(ShapedPredicate(.oneOf, [.value(.null), .kind(.datetime)])), "soon", false),
    .init(.shaped(ShapedPredicate(.oneOf, [.value([]), .each(.kind(.string))])), [], true),
    .init(.shaped(ShapedPredicate(.oneOf, [.value([]), .each(.kind(.string))])), found(), true),
    .init(.shaped(ShapedPredicate(.oneOf, [.predicates([.count([.equals(2)])])])), found(1, 2), true),
    .init(.shaped(ShapedPredicate(.oneOf, [.predicates([.count([.equals(2)])])])), found(1), false),
    .init(.shaped(ShapedPredicate(.oneOf, [.value(.null), .predicates([.every([.lessThan(3)])])])), found(1, 2), true),
    .init(.shaped(ShapedPredicate(.oneOf, [.value(.null), .anything])), found(1), true),
    .init(.not([.shaped(ShapedPredicate(.oneOf, [.predicates([.lessThan(3)])]))]), "x", false),
    .init(.shaped(ShapedPredicate(.contains, ["id": .kind(.integer)])), [["id": "a"], ["id": 1]], true),
    .init(.shaped(ShapedPredicate(.contains, ["id": .kind(.integer)])), [["id": 1, "b": 1]], false),
    .init(.shaped(ShapedPredicate(.contains, .kind(.uuid), isNegated: true)), ["a"], true),
    .init(.shaped(ShapedPredicate(.contains, .kind(.uuid), isNegated: true)), found(), false),
    .init(.shaped(ShapedPredicate(.equals, ["id": .kind(.integer)], isNegated: true)), ["id": "a"], true),
    .init(.shaped(ShapedPredicate(.equals, ["id": .kind(.integer)], isNegated: true)), ["id": 1], false),
    .init(.shaped(ShapedPredicate(.equals, ["id": .kind(.integer)], isNegated: true)), .missing, false),
  ]

  @Test(arguments: exact + partial + unordered + several) func holds(_ row: PredicateCase) { row.check() }

  @Test func saysWhatIsWrongWhere() {
    let drawing = drawings(
      [like(Self.user)], .value(["id": "7", "nick": .null, "tags": ["a", 1], "more": true]), path: "$.user")
    #expect(
      drawing == """
        equals {"id": !integer, "name": !string, "nick": !string?, "tags": !each [!string]}
          expected: {"id": !integer, "name": !string, "nick": !string?, "tags": !each [!string]}
          actual:   {"id": "7", "nick": null, "tags": ["a", 1], "more": true}
          ~ $.user.id: an integer → "7" (a string)
          - $.user.name: a string
          ~ $.user.nick: a string → null
          ~ $.user.tags[1]: a string → 1 (an integer)
          + $.user.more: true
        """)
  }

  @Test func saysWhatIsMissingAndWhatIsTooMuch() {
    let drawing = drawings(
      [like(.value([["id": 1, "n": "a"], ["id": 2, "n": "b"], ["id": 3, "n": "c"]]), unordered: true)],
      .value([["id": 3, "n": "c"], ["id": 2, "n": "x"], ["id": 1, "n": "a"], 4]))
    #expect(
      drawing == """
        equals [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}, {"id": 3, "n": "c"}], in any order
          expected: [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}, {"id": 3, "n": "c"}] in any order
          actual:   [{"id": 3, "n": "c"}, {"id": 2, "n": "x"}, {"id": 1, "n": "a"}, 4]
          - $[*]: {"id": 2, "n": "b"}
          + $[1]: {"id": 2, "n": "x"}
          + $[3]: 4
          hint: $[1] comes nearest, but $[1].n is "x", not "b"
        """)
  }

  @Test func namesTypesWhereTheWholeIsAnother() {
    #expect(
      drawings([like(["id": .kind(.integer)])], .value([1])) == """
        equals {"id": !integer}
          expected: {"id": !integer} (an object)
          actual:   [1] (an array)
        """)
  }

  @Test func secretsStayMarked() {
    let shape: Shape = ["token": .value(.text(Text(secret: "swordfish"))), "id": .kind(.integer)]
    let drawing = drawings([like(shape)], .value(["token": .text(Text(secret: "catfish")), "id": "a"]))
    #expect(!drawing.contains("fish"))
    #expect(drawing.contains("***"))
  }

  @Test func manyItemsInAnyOrder() {
    let growth = growth(to: 10_000) { count in
      let ids = Array(0..<count)
      func object(_ id: Int) -> Value { ["id": .integer(id), "tags": ["a", .integer(id % 7)], "kind": "user"] }
      let whole = Value.list(ids.map(object))
      let reversed = Value.list(ids.reversed().map(object))
      #expect(failures(of: [like(.value(reversed), unordered: true)], against: .value(whole)).isEmpty)
      let shapes = Shape.list(
        ids.reversed().map { ["id": .value(.integer($0)), "tags": .each(.anything), "kind": .kind(.string)] })
      #expect(failures(of: [like(shapes, unordered: true), including(shapes)], against: .value(whole)).isEmpty)
      let nested = Shape.list(ids.reversed().map { ["of": ["id": .value(.integer($0))], "n": .kind(.integer)] })
      let owners = Value.list(ids.map { ["of": ["id": .integer($0), "x": 1], "n": 1] })
      #expect(failures(of: [including(nested)], against: .value(owners)).isEmpty)
      // No member tells these apart.
      let alike = Shape.list(ids.map { _ in ["id": .kind(.integer), "tags": .anything, "kind": "user"] })
      #expect(failures(of: [like(alike, unordered: true), including(alike)], against: .value(whole)).isEmpty)
      let others = Value.list(ids.reversed().map { object($0 + count / 2) })
      let off = failures(of: [like(.value(others), unordered: true)], against: .value(whole))
      #expect(off.first?.moreDifferences == count - DifferenceList.limit)
    }
    #expect(growth < 1.5)
  }

  @Test("What was not found out fails, also in the negative", .timeLimit(.minutes(10)))
  func givesUp() {
    // Half of the parts have an item; to know that no other has one takes too many looks.
    let parts = Shape.list((0..<2000).map { _ in .kind(.string) })
    let whole = Value.list((0..<2000).map { $0 < 1000 ? "a" : .integer($0) })
    for predicate in [including(parts), .not([including(parts)])] {
      #expect(failures(of: [predicate], against: .value(whole)).first?.hint?.contains("too long") == true)
    }
  }
}
