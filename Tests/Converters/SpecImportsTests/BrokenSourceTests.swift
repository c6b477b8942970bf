import SpecImports
import TestSupport
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

  /// Mistakes in files of text: what is said, and where.
  private static let mistakes: [(kind: String, text: String, message: String)] = [
    ("curl", "curl «--hedder» 'A: b' http://a.example", "curl has no option `--hedder` | did you mean `--header`?"),
    (
      "hurl", "GET http://a.example\nHTTP 200\n«[Assert]»\njsonpath \"$.id\" == 1\n",
      "there is no section `[Assert]` | did you mean `[Asserts]`?"
    ),
    (
      "hurl", "GET http://a.example\nHTTP 200\n[Asserts]\njsonpath \"$.id\" «equal 1»\n",
      "there is no predicate `equal` | write `==`"
    ),
    (
      "hurl", "PUT http://a.example\n«{\"a\": 1»\nHTTP 200\n",
      "expected the end of the JSON that begins here | add a closing `}`"
    ),
    (
      "http", "GET http://a.example\n«Accept application/json»\n",
      "this header has no colon | write `Accept: application/json`"
    ),
    (
      "http", "POST http://a.example\nA: b\n\n«{\"a\": [1»\n",
      "warning: the JSON that begins here is never closed | add a closing `}`"
    ),
    ("bruno", "«gett {»\n  url: http://a.example\n}\n", "expected `get {`, not `gett {`"),
    (
      "har", "{\"log\": {\"entries\": «[]»}}",
      "the archive has no entries | record requests, and save it again, as HAR with content"
    ),
    (
      "har", "{\"log\": {\"entries\": [«»",
      "this is not JSON: expected a value, found the end of the text | the file is cut off: export or copy it once more"
    ),
  ]

  @Test(arguments: mistakes.indices) func isReportedAtItsPlace(_ index: Int) throws {
    let (kind, text, message) = Self.mistakes[index]
    let marked = MarkedText(text)
    let source = ImportSource(path: kind == "bruno" ? "a.bru" : "a", bytes: Array(marked.text.utf8))
    var bag = DiagnosticBag()
    _ = try reader(kind).read([source], ImportSelection(), &bag)
    let shown = bag.diagnostics.map { diagnostic in
      (diagnostic.severity == .warning ? "warning: " : "") + diagnostic.message
        + (diagnostic.help.map { " | \($0)" } ?? "")
    }
    #expect(shown == [message])
    #expect(bag.diagnostics.compactMap { $0.range?.bytes } == marked.spans)
  }

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
