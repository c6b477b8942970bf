import SpecImports
import Testing
import Values

/// Sources that want too much, or to be where they should not.
struct HostileImportTests {
  struct Case: CustomTestStringConvertible {
    let kind: String
    let testDescription: String
    let source: String
    /// The error; without one, the source becomes requests.
    var error: String?

    init(_ kind: String, _ name: String, _ source: String, error: String? = nil) {
      self.kind = kind
      testDescription = "\(kind): \(name)"
      self.source = source
      self.error = error
    }
  }

  @Test(arguments: cases) func ends(_ testCase: Case) throws {
    let kind = try reader(testCase.kind)
    var bag = DiagnosticBag()
    let ending = testCase.source.hasPrefix("{") ? "json" : testCase.kind == "bruno" ? "bru" : "yaml"
    let source = ImportSource(path: "../../a.\(ending)", bytes: Array(testCase.source.utf8))
    let collection = kind.read([source], ImportSelection(), &bag)
    let composed = collection.map { composedImport($0) }
    if let error = testCase.error {
      #expect(bag.diagnostics.map(\.message).joined().contains(error))
    } else {
      #expect(bag.diagnostics.map(\.message) == [])
      #expect(composed?.requests ?? 0 > 0)
    }
    // Names of files come from names in the source.
    for path in composed?.files.map(\.path) ?? [] {
      #expect(!path.hasPrefix("/") && !path.split(separator: "/").contains(".."), "\(path)")
    }
  }

  /// Schemas of which values cannot be made soon cost the time of one import, whatever the number of operations.
  @Test func namesOperationsWithoutTimeForExamples() throws {
    func reference(_ number: Int) -> String { "{$ref: '#/components/schemas/s\(number)'}" }
    let choices = (0..<30).map { number in
      "s\(number): {anyOf: [\(Array(repeating: reference(number + 1), count: 4).joined(separator: ", "))]}"
    }
    let body = "{content: {application/json: {schema: \(reference(0))}}}"
    let paths = (0..<60).map { "/a\($0): {post: {requestBody: \(body), responses: {}}}" }
    let document =
      "\(Self.openapi)paths: {\(paths.joined(separator: ", "))}\n"
      + "components: {schemas: {\(choices.joined(separator: ", ")), s30: {type: integer, not: {}}}}\n"
    var selection = ImportSelection()
    selection.exampleTime = .zero
    var bag = DiagnosticBag()
    let source = ImportSource(path: "a.yaml", bytes: Array(document.utf8))
    let collection = try #require(try reader("openapi").read([source], selection, &bag))
    let composed = composedImport(collection)
    #expect(composed.requests == 60)
    let cut = composed.untranslated.filter { $0.reason == "examples that take too long" }
    #expect(cut.count > 50 && cut.last?.source == "POST /a59", "\(cut.count)")
  }

  private static func repeated(_ text: String, _ count: Int = 600) -> String {
    String(repeating: text, count: count)
  }

  /// A document of YAML in which ten aliases stand for ten aliases each, and so on.
  private static let laughs =
    "a0: &a0 [x, x]\n" + (1...30).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()

  private static let aliases = "the aliases stand for more than"
  private static let deepJSON = "arrays and objects nest deeper than 512 levels"
  private static let version5 = "type: collection.insomnia.rest/5.0\nname: ../../x\n"
  private static let openapi = "openapi: 3.0.3\ninfo: {title: ../../x, version: '1'}\n"
  private static let evil = "../../../tmp/evil"

  static let cases = [
    Case("insomnia", "aliases of aliases", version5 + laughs + "collection: *a30\n", error: aliases),
    Case(
      "insomnia", "deep JSON", #"{"_type": "export", "__export_format": 4, "resources": "# + repeated("["),
      error: deepJSON),
    Case("insomnia", "deep YAML", version5 + "collection: " + repeated("["), error: "nests deeper than 256 levels"),
    Case(
      "insomnia", "names of files upwards",
      version5 + "collection: [{name: \(evil), children: [{name: a, url: http://a.example, method: GET}]}]\n"),
    Case(
      "insomnia", "tags and variables without ends",
      version5 + "collection: [{name: a, url: \"http://a.example/\(repeated("{% x {{ _.y "))\", method: GET}]\n"),
    Case("openapi", "aliases of aliases", openapi + laughs + "paths: *a30\n", error: aliases),
    Case("openapi", "deep JSON", #"{"openapi": "3.0.3", "paths": "# + repeated(#"{"a":"#), error: deepJSON),
    Case(
      "openapi", "names of files upwards",
      openapi + "paths: {/x: {get: {tags: [\(evil)], responses: {default: {description: ok}}}}}\n"),
    Case("postman", "deep JSON", #"{"info": {"name": "a"}, "item": "# + repeated("["), error: deepJSON),
    Case(
      "postman", "names of files upwards",
      #"{"info": {"name": "a"}, "item": [{"name": "\#(evil)", "item": [{"name": "a", "request": "http://a.example"}]}]}"#
    ),
    Case("har", "deep JSON", #"{"log": "# + repeated("["), error: deepJSON),
    Case("curl", "substitutions without ends", "curl http://a.example/" + repeated("$(")),
    Case("curl", "ranges of many URLs", "curl 'http://a.example/[1-99999999999]{\(repeated("a,"))}'"),
    Case(
      "curl", "values of values", "A=" + repeated("${A:-") + "\ncurl http://a.example/$A",
      error: "no command line of curl"),
    Case("hurl", "a file upwards", "POST http://a.example\nfile,../../../../etc/passwd;\n"),
    Case(
      "http", "a file upwards, and variables in a circle",
      "@a={{b}}\n@b={{a}}\nPOST http://a.example/{{a}}\n\n< ../../../etc/passwd\n"),
    Case(
      "bruno", "deep JSON", "get {\n  url: http://a.example\n  body: json\n}\n\nbody:json {\n" + repeated("{") + "\n}\n"
    ),
  ]
}
