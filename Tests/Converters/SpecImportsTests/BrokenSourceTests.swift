import SpecImports
import Testing
import Values

/// Sources with errors beside sources without.
struct BrokenSourceTests {
  private static let cases: [(kind: String, good: (String, String), broken: (String, String), message: String)] = [
    (
      "curl", ("a.sh", "curl http://a.example"), ("b.sh", "echo"),
      "b.sh has no command line of curl with a URL"
    ),
    (
      "har", ("a.har", #"{"log": {"entries": [{"request": {"method": "GET", "url": "http://a.example/"}}]}}"#),
      ("b.har", #"{"log": "#), "this is not JSON: expected a value, found the end of the text"
    ),
    (
      "postman",
      ("a.json", #"{"info": {"name": "A"}, "item": [{"name": "a", "request": "http://a.example"}]}"#),
      ("b.json", #"{"info": 1}"#), "b.json is not a collection, environment or globals of Postman"
    ),
    (
      "insomnia",
      (
        "a.yaml",
        "type: collection.insomnia.rest/5.0\nname: A\ncollection:\n  - name: a\n    url: http://a.example\n    method: GET"
      ),
      ("b.yaml", "type: none"), "b.yaml is not an export of Insomnia of version 4 or 5"
    ),
    (
      "openapi",
      ("a.yaml", "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {/a: {get: {responses: {}}}}"),
      ("b.yaml", "openapi: 3.1.0\npaths: ["), "this `[` is never closed"
    ),
    (
      "http", ("a.http", "GET http://a.example"), ("b.http", "\0"),
      "b.http is not a file of requests: it has zero bytes"
    ),
    (
      "hurl", ("a.hurl", "GET http://a.example"), ("b.hurl", "GET http://b.example\nHTTP 200\nHTTP 200"),
      "expected a request before another response"
    ),
    ("bruno", ("a.bru", "get {\n  url: http://a.example\n}"), ("b.bru", "hello"), "expected a block such as `get {`"),
  ]

  /// All errors of all sources are reported, and the other sources are imported.
  @Test(arguments: cases.indices) func isLeftOut(_ index: Int) throws {
    let (name, good, broken, message) = Self.cases[index]
    let result = try ImportedSources(name, [good, broken])
    let collection = try #require(result.collection)
    #expect(result.problems == [message])
    #expect(collection.leftOut == [broken.0])
    #expect(result.requests == 1)
  }
}
