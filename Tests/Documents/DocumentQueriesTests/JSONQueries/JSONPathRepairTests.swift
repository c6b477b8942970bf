import DocumentQueries
import Testing

@Suite("Invalid JSONPaths as they were meant")
struct JSONPathRepairTests {
  @Test(arguments: [
    ("$['a'", "$['a']"), ("$.a b", "$['a b']"), ("$.a-b.c", "$['a-b'].c"), ("$.items.length()", "$.items"),
    ("$.a.", "$.a"), ("$.a..", "$.a"), ("items[0]", "$.items[0]"), (".a", "$.a"), ("$.[0]", "$[0]"),
    ("$.items[*.id]", "$.items[*].id"), ("$.items[first]", "$.items['first']"), ("$.items[0", "$.items[0]"),
    ("$.items[?(@.id=1)]", "$.items[?(@.id==1)]"), ("$.items[?@.id == '1]", "$.items[?@.id == '1']"),
    ("$[?@.name =~ /x/]", "$[?search(@.name, 'x')]"), ("$[?@.name contains 'x']", "$[?search(@.name, 'x')]"),
    ("$['a\"]", "$['a']"), ("$.a['b]", "$.a['b']"), ("$.a[?(@.b)", "$.a[?(@.b)]"),
  ])
  func path(_ text: String, repaired: String) { #expect(JSONPath.repaired(text) == repaired) }

  @Test(arguments: ["", "$.a[", "$$", "'", "$[?", String(repeating: "$.a-", count: 200)])
  func others(_ text: String) { #expect(JSONPath.repaired(text) == nil) }
}
