import Testing
import Values
import YAMLNodes

/// Reading that goes on past syntax errors.
struct RecoveryTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let yaml: String
    /// `line:column message` of each.
    let errors: [String]
    /// The keys at the top that are read all the same.
    let keys: [String]

    init(_ name: String, _ yaml: String, _ errors: [String], keys: [String]) {
      self.name = name
      self.yaml = yaml
      self.errors = errors
      self.keys = keys
    }

    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      "under two keys", "a: {x: 1\nb:\n  c: d: e\nf: 1\n",
      ["1:4 this `{` is never closed", "3:7 `: ` inside text begins a mapping in YAML"], keys: ["a", "b", "f"]),
    Case(
      "in two items", "a:\n  - b: \"x\n    c: 1\n  - d: 2\n  - e: [1\n  - \"f\"\ng: 1\n",
      ["2:8 this double quote is not closed on its line", "5:8 this `[` is never closed"], keys: ["a", "g"]),
    Case(
      "in the only item", "a:\n- b: c: d\ne: 1\n", ["2:7 `: ` inside text begins a mapping in YAML"], keys: ["a", "e"]),
    Case(
      "and another error further down", "a: [1\nb:\nc: *x\n",
      ["1:4 this `[` is never closed", "2:1 `b` has no value", "3:4 the alias `*x` has no anchor"],
      keys: ["a", "b", "c"]),
    Case(
      "blanks of another kind", "a:\n\u{A0} b: 1\nc: 1\n",
      ["2:1 U+00A0 (no-break space) in the indentation: YAML takes it for text"], keys: ["a", "c"]),
    Case(
      "a dash without a space", "a:\n  - b: 1\n    c: 1\n  -d: 1\n    e: 1\nf: 1\n",
      ["4:3 a space is missing after `-`"],
      keys: ["a", "f"]),
  ]

  @Test("errors are told in one reading, and the rest is there", arguments: cases)
  func goesOn(_ test: Case) throws {
    var bag = DiagnosticBag()
    let (_, root, missing) = YAMLReader.readPieces(
      bytes: Array(test.yaml.utf8), name: "a.yaml", mayBeEmpty: false, into: &bag)
    #expect(bag.diagnostics.map { "\($0.place) \($0.message)" } == test.errors)
    #expect(!missing.isEmpty)
    #expect(try #require(root).members?.map(\.key) == test.keys)
  }

  @Test("there is an end", arguments: [20, 2000])
  func manyErrors(count: Int) {
    let yaml = String(repeating: "- a: b: c\n", count: count)
    var bag = DiagnosticBag()
    let (_, root, _) = YAMLReader.readPieces(
      bytes: Array("x:\n\(yaml)".utf8), name: "a.yaml", mayBeEmpty: false, into: &bag)
    #expect(root == nil)
    #expect(bag.errorCount == 11)
  }

  @Test func anEmptyFileMayBeNoError() {
    var bag = DiagnosticBag()
    let reading = YAMLReader.readPieces(bytes: Array("# a\n".utf8), name: "a.yaml", mayBeEmpty: true, into: &bag)
    #expect(reading.root == nil && reading.missing.isEmpty && bag.diagnostics.isEmpty)
  }
}
