import DocumentQueries
import Testing
import Values
import YAMLNodes

@Suite("Foreign YAML as JSON")
struct JSONTranscodingTests {
  private func json(_ yaml: String) throws -> String {
    var bag = DiagnosticBag()
    let json = YAMLReader.json(bytes: Array(yaml.utf8), name: "a.yaml", into: &bag).json
    return String(decoding: try #require(json, "\(bag.diagnostics)"), as: UTF8.self).replacing("\n", with: "")
  }

  @Test(
    "Values and collections",
    arguments: [
      ("a: 1", #"{"a":1}"#), ("[1, two, 'three', \"4\", ~, null, true]", #"[1,"two","three","4",null,null,true]"#),
      ("- a\n- [b]\n- {c: d}", #"["a",["b"],{"c":"d"}]"#),
      ("a:\nb: ~\nc: Null", #"{"a":null,"b":null,"c":null}"#), ("[True, FALSE, yes]", #"[true,false,"yes"]"#),
      ("[007, +1, 0x1F, 0o17, .5, 1., -0012, 1e3]", #"[7,1,31,15,0.5,1.0,-12,1e3]"#),
      ("[.inf, 2020-01-01, 1.2.3, !!str 12, ! 3, '5']", #"[".inf","2020-01-01","1.2.3","12","3","5"]"#),
      ("200: ok\ntrue: t", #"{"200":"ok","true":"t"}"#),
      ("a: |\n  x\n  y\nb: >-\n  x\n  y", #"{"a":"x\ny\n","b":"x y"}"#),
      ("a: &x {b: 1}\nc: *x", #"{"a":{"b":1},"c":{"b":1}}"#), ("&k a: 1\nb: *k", #"{"a":1,"b":"a"}"#),
      ("a: &x {b: 1, c: 2}\nd: {c: 3, <<: *x}", #"{"a":{"b":1,"c":2},"d":{"c":3,"b":1}}"#),
      ("a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3", #"{"a":{"b":1,"c":2},"d":{"c":3,"b":1}}"#),
      ("a: &x {b: 1}\nb: &y {b: 2, c: 3}\nd: {<<: [*x, *y]}", #"{"a":{"b":1},"b":{"b":2,"c":3},"d":{"b":1,"c":3}}"#),
      ("d: {<<: {b: 1}, c: 2}", #"{"d":{"c":2,"b":1}}"#), ("d: {'<<': 1}", #"{"d":{"\u003c<":1}}"#),
      ("--- a", #""a""#), ("%YAML 1.2\n---\na: b\n...\n", #"{"a":"b"}"#), ("a: \"\\u263a \\\"\"", #"{"a":"☺ \""}"#),
      ("? a\n: b", #"{"a":"b"}"#),
    ])
  func values(yaml: String, expected: String) throws {
    #expect(try json(yaml) == expected)
    _ = try JSONDocument(parsing: expected)
  }

  @Test(
    "What is not a document",
    arguments: [
      ("", "the file is empty"), ("a: 1\n---\nb: 2", "a second document begins here; a file holds one"),
      ("a: *x", "there is no anchor `&x` before this"), ("? [a]\n: b", "a key is text here"),
      ("a: &x [*x]", "there is no anchor `&x` before this"),
      ("[a, , b]", "a value is missing before this `,`"),
      (String(repeating: "[", count: 300), "the file nests deeper than 256 levels"),
    ])
  func broken(yaml: String, message: String) {
    var bag = DiagnosticBag()
    _ = YAMLReader.json(bytes: Array(yaml.utf8), name: "a.yaml", into: &bag)
    #expect(bag.diagnostics.map(\.message) == [message])
  }

  @Test("Aliases of aliases end in an error, not in a full memory", .timeLimit(.minutes(10)))
  func bomb() {
    var yaml = "a0: &a0 [\(String(repeating: "x, ", count: 100))x]\n"
    for level in 1...10 {
      let items = (0..<10).map { _ in "*a\(level - 1)" }.joined(separator: ", ")
      yaml += "a\(level): &a\(level) [\(items)]\n"
    }
    var bag = DiagnosticBag()
    _ = YAMLReader.json(bytes: Array(yaml.utf8), name: "a.yaml", into: &bag)
    #expect(bag.diagnostics.map(\.message) == ["the aliases stand for more than 16 MiB"])
  }

  @Test("Each value begins in the line in which the YAML has it")
  func lines() throws {
    let yaml = """
      # a comment
      a: &x
        b: 1

        c: |
          text
          more
      d: [1,
        2]
      m:
        <<: *x
        e:
          - f
      g: *x
      h: end
      """
    var bag = DiagnosticBag()
    let json = try #require(YAMLReader.json(bytes: Array(yaml.utf8), name: "a.yaml", into: &bag).json)
    let root = try JSONDocument(parsing: json).root
    let lines =
      ["b", "c"].map { root[member: "a"]?[member: $0]?.line } + [
        root[member: "d"]?[0]?.line, root[member: "d"]?[1]?.line, root[member: "m"]?[member: "e"]?[0]?.line,
        root[member: "h"]?.line,
      ]
    #expect(lines == [3, 5, 8, 9, 13, 15])
  }
}
