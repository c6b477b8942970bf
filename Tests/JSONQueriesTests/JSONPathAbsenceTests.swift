import JSONQueries
import Testing

struct JSONPathAbsenceTests {
  @Test(
    "a singular path that selects nothing is explained",
    arguments: [
      ("$.args.y", "`$.args` has no member `y`; it has `x`, `tags`"),
      ("$.Args", "`$` has no member `Args`; it has `args`, `b`, `c`, `d`, `e`, `f` and 1 more"),
      ("$.args.x.z", "`$.args.x` is a string, which has no member `z`"),
      ("$.args.tags[2]", "`$.args.tags` has 1 item; there is no `[2]`"),
      ("$.args.tags[-2]", "`$.args.tags` has 1 item; there is no `[-2]`"),
      ("$.b[0]", "`$.b` is empty"),
      ("$.c.z", "`$.c` has no member `z`; it is empty"),
      ("$.c[0]", "`$.c` is an object, which has no item `[0]`"),
      ("$['a b'].z.y", "`$['a b']` is a number, which has no member `z`"),
      ("$.d.z", "`$.d` is null, which has no member `z`"),
    ])
  func explained(_ path: String, _ absence: String) throws {
    let document = try JSONDocument(
      parsing: #"{"b": [], "c": {}, "d": null, "e": 1, "f": 2, "a b": 3, "args": {"x": "1", "tags": ["a"]}}"#)
    #expect(try JSONPath(path).nodes(in: document).isEmpty)
    #expect(try JSONPath(path).absence(in: document) == absence)
  }

  @Test(
    "what selects something, or could select several, is not", arguments: ["$", "$.a[0]", "$.a[-1]", "$..z", "$.*"])
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
      ("$..c", nil), ("$.*", "the object in line 2 of the body has the member `c` 3 times: the last one counts"),
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
