import DocumentQueries
import Testing

struct JSONPathAbsenceTests {
  @Test(
    "a path that selects nothing is explained",
    arguments: [
      ("$.args.y", "`$.args` has no member `y`; it has `x`, `tags`"),
      ("$.Args", "`$` has no member `Args`; did you mean `$.args`?"),
      ("$.args.x.z", "`$.args.x` is a string, which has no member `z`"),
      ("$.args.x.length", "`$.args.x` is a string, which has no member `length`; write `$.args.x: {count: …}`"),
      ("$.rows.size", "`$.rows` is an array, which has no member `size`; write `$.rows: {count: …}`"),
      ("$.e.length", "`$.e` is a number, which has no member `length`"),
      ("$.args.tags[2]", "`$.args.tags` has 1 item; there is no `[2]`"),
      ("$.args.tags[-2]", "`$.args.tags` has 1 item; there is no `[-2]`"),
      ("$.q", "`$` has no member `q`; it has `b`, `c`, `d`, `e`, `f`, `a b` and 2 more"),
      ("$.args.tags[1]", "`$.args.tags` has 1 item; there is no `[1]`; the first is `[0]`"),
      ("$.x", "`$` has no member `x`; did you mean `$.args.x`?"),
      ("$.tags[0]", "`$` has no member `tags`; did you mean `$.args.tags[0]`?"),
      ("$.arg.x", "`$` has no member `arg`; did you mean `$.args.x`?"),
      ("$.arg.nothing", "`$` has no member `arg`; did you mean `$.args`?"),
      ("$.rows.id", "`$.rows` is an array, which has no member `id`; did you mean `$.rows[0].id` or `$.rows[*].id`?"),
      ("$.id", "`$` has no member `id`; did you mean `$.rows[0].id` or `$.rows[1].id`?"),
      ("$.row[*].id", "`$` has no member `row`; did you mean `$.rows[*].id`?"),
      ("$.rows[*].name", "`$.rows[0]` has no member `name`; it has `id`"),
      ("$.rows[?@.id > 2]", "`$.rows` has 2 items, none of which meets the filter"),
      ("$.rows[5:]", "`$.rows` has 2 items, none of which the slice takes"),
      ("$.b[*]", "`$.b` is empty"),
      ("$.e[*]", "`$.e` is a number, which has no items"),
      ("$..argz", "no member is called `argz`; did you mean `$..args`?"),
      ("$.b[0]", "`$.b` is empty"),
      ("$.c.z", "`$.c` has no member `z`; it is empty"),
      ("$.c[0]", "`$.c` is an object, which has no item `[0]`"),
      ("$['a b'].z.y", "`$['a b']` is a number, which has no member `z`"),
      ("$.d.z", "`$.d` is null, which has no member `z`"),
    ])
  func explained(_ path: String, _ absence: String) throws {
    let document = try JSONDocument(
      parsing:
        #"{"b": [], "c": {}, "d": null, "e": 1, "f": 2, "a b": 3, "args": {"x": "1", "tags": ["a"]}, "rows": [{"id": 1}, {"id": 2}]}"#
    )
    #expect(try JSONPath(path).nodes(in: document).isEmpty)
    #expect(try JSONPath(path).absence(in: document) == absence)
  }

  @Test(
    "what selects something is not", arguments: ["$", "$.a[0]", "$.a[-1]", "$..z", "$.*"])
  func unexplained(_ path: String) throws {
    #expect(try JSONPath(path).absence(in: JSONDocument(parsing: #"{"a": [1]}"#)) == nil)
  }
}

struct JSONPathAmbiguityTests {
  @Test(
    "names that stand twice are told where the query meets them",
    arguments: [
      ("$.a", "the object in line 1 of the body has the member `a` twice: the last one counts"),
      ("$", "the object in line 1 of the body has the member `a` twice: the last one counts"),
      ("$.b", "the object in line 2 of the body has the member `c` 3 times: the last one counts"),
      ("$.b.c", "the object in line 2 of the body has the member `c` 3 times: the last one counts"),
      ("$.b.d", nil), ("$.list[0]", nil), ("$.nope", nil), ("$.list.nope", nil),
      ("$..c", "the object in line 2 of the body has the member `c` 3 times: the last one counts"),
      ("$.*", "the object in line 2 of the body has the member `c` 3 times: the last one counts"),
    ] as [(String, String?)])
  func ambiguity(_ path: String, _ expected: String?) throws {
    let document = try JSONDocument(
      parsing: """
        {"a": 1, "b":
          {"c": [], "\\u0063": [], "d": {"c": 1}, "c": {}}, "list": [{"x": 1}], "a": 2}
        """)
    #expect(try JSONPath(path).ambiguity(in: document) == expected)
  }
}
