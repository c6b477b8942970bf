import TestSupport
import Testing
import Values
import YAMLNodes

struct FormatterTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let formatted: String

    init(_ name: String, _ text: String, _ formatted: String) {
      (self.name, self.text, self.formatted) = (name, text, formatted)
    }

    var testDescription: String { name }
  }

  static func format(_ text: String) -> String? {
    var bag = DiagnosticBag()
    let result = YAMLReader.formatted(bytes: Array(text.utf8), name: "a.yaml", into: &bag)
    #expect(bag.diagnostics.map(\.message) == [])
    return result.map { String(decoding: $0, as: UTF8.self) }
  }

  static let examples = [
    Example("two blanks for a level", "a:\n    b:\n        c: 1\n", "a:\n  b:\n    c: 1\n"),
    Example("lists are indented", "a:\n- b\n- c: 1\n  d: 2\ne: 3\n", "a:\n  - b\n  - c: 1\n    d: 2\ne: 3\n"),
    Example("lists in lists", "-   - a\n    - b\n-   c: 1\n    d: 2\n", "- - a\n  - b\n- c: 1\n  d: 2\n"),
    Example("one blank behind colons", "a:   1\nb :  2\n", "a: 1\nb: 2\n"),
    Example("brackets", "a: { b: 1 , c: [ 1,2 ] }\n", "a: {b: 1, c: [1, 2]}\n"),
    Example(
      "tags before brackets", "a: [!uuid , !string?]\nb: {c: !uuid}\n", "a: [!uuid , !string? ]\nb: {c: !uuid }\n"),
    Example(
      "brackets on several lines", "a: {\n      b: 1,\n   c: [\n 2\n ]\n}\n", "a: {\n  b: 1,\n  c: [\n    2\n  ]\n}\n"),
    Example(
      "a bracket that is further right stays so", "a:\n    b: [\n        1,\n      ]\n", "a:\n  b: [\n    1,\n    ]\n"),
    Example("needless quotes", "a: \"b c\"\n'd': 'it''s'\ne: [\"f\", 'g h']\n", "a: b c\nd: it's\ne: [f, g h]\n"),
    Example(
      "needed quotes",
      "a: \"no\"\nb: '1e3'\nc: \"2024-01-01\"\nd: \" x\"\ne: 'a: b'\nf: \"a #b\"\ng: \"\"\nh: {i: \"${{ j }}\"}\nk: \"12:30\"\nl: \"1_000\"\nm: '*'\nn: \"a:\"\no: \"+02:00\"\np: '\\d'\n",
      "a: \"no\"\nb: '1e3'\nc: \"2024-01-01\"\nd: \" x\"\ne: 'a: b'\nf: \"a #b\"\ng: \"\"\nh: {i: \"${{ j }}\"}\nk: \"12:30\"\nl: \"1_000\"\nm: '*'\nn: \"a:\"\no: \"+02:00\"\np: '\\d'\n"
    ),
    Example("templates need none", "a: \"${{ b }}\"\n", "a: ${{ b }}\n"),
    Example(
      "comments", "#a\na:   # b\n    # c\n    b: 1    # d\n# e\nc: 2\n",
      "#a\na:   # b\n  # c\n  b: 1    # d\n# e\nc: 2\n"),
    Example("aligned comments", "a: \"b\"     # b\nlong: \"z\"  # c\n", "a: b       # b\nlong: z    # c\n"),
    Example("aligned comments without room", "a:  1 # b\nb:  2 # c\n", "a: 1  # b\nb: 2  # c\n"),
    Example(
      "comments between lists", "a:\n- b\n# of a\n- c\n# of d\nd: 1\n", "a:\n  - b\n  # of a\n  - c\n# of d\nd: 1\n"),
    Example("blank lines", "\n\na: 1\n\n\n\nb:\n\n  c: 1\n\n\n", "a: 1\n\nb:\n  c: 1\n"),
    Example("no line break at the end", "a: 1", "a: 1\n"),
    Example("CRLF", "a: 1\r\nb: |\r\n  x\r\n", "a: 1\nb: |\n  x\n"),
    Example("blanks at ends of lines", "a: 1  \nb:\t2\n  \nc: 3 # x  \n", "a: 1\nb: 2\n\nc: 3 # x\n"),
    Example(
      "literal texts", "a:\n    b: |\n          x\n            y\n\n          z\n\n\nc: 1\n",
      "a:\n  b: |\n    x\n      y\n\n    z\n\nc: 1\n"),
    Example("a literal text with an indicator", "a: |4-\n      x\n    y\n", "a: |2-\n    x\n  y\n"),
    Example("a literal text that keeps its breaks", "a: |+\n    x\n\n\nb: 1\n", "a: |+\n  x\n\n\nb: 1\n"),
    Example("a literal text without a line break", "a: |\n    x", "a: |-\n  x\n"),
    Example("a literal text of nothing but blanks", "- |+\n   \n", "- |+\n\n"),
    Example("a literal text that ends in blanks", "a: |\n    x\n     ", "a: |-\n  x\n   \n"),
    Example("tags and anchors keep quotes", "a: !!str &b \"c\"\n", "a: !!str &b \"c\"\n"),
    Example("folded texts", "a: >-\n     x\n     y\n", "a: >-\n  x\n  y\n"),
    Example("texts on several lines", "a: x\n     y\nb: \"x\n y\"\n", "a: x\n  y\nb: \"x\n  y\"\n"),
    Example("anchors and aliases", "a:  &x  {b: 1}\nc:  *x\nd:\n    <<:  *x\n", "a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n"),
    Example(
      "tags", "a:  !each  [!string]\nb:   !is\n      {one_of: [1]}\n", "a: !each [!string ]\nb: !is\n  {one_of: [1]}\n"),
    Example(
      "blank lines between requests",
      "requests:\n\n- url: a\n  name: b\n# c\n- url: d\n- url: e\n\n\n- url: f\n",
      "requests:\n  - url: a\n    name: b\n\n  # c\n  - url: d\n  - url: e\n\n  - url: f\n"),
    Example("other lists keep theirs", "a:\n  - b: 1\n    c: 2\n  - b: 1\n", "a:\n  - b: 1\n    c: 2\n  - b: 1\n"),
    Example("a document marker", "---\n\na: 1\n", "---\n\na: 1\n"),
    Example("keys with question marks", "?   a\n:   b\n", "? a\n: b\n"),
    Example("a text alone", "  x\n", "x\n"),
    Example("a list alone", "[ a,b ]", "[a, b]\n"),
  ]

  @Test(arguments: examples)
  func formats(example: Example) {
    #expect(Self.format(example.text) == example.formatted)
    #expect(Self.format(example.formatted) == example.formatted)
  }

  @Test func whatIsBrokenIsReported() {
    var bag = DiagnosticBag()
    #expect(YAMLReader.formatted(bytes: Array("a: [".utf8), name: "a.yaml", into: &bag) == nil)
    #expect(bag.errorCount == 1)
  }

  /// All YAML files of the examples and the cases: what can be read means the same, formatted, and again formatted it
  /// is the same text. The formatter itself compares the nodes and the comments.
  @Test func formattedFilesStayFormatted() throws {
    var count = 0
    for (path, bytes) in Repository.yamlFiles() {
      var bag = DiagnosticBag()
      guard let once = YAMLReader.formatted(bytes: bytes, name: path, into: &bag) else {
        #expect(!bag.diagnostics.contains { $0.message.contains("is left as it is") }, "\(path)")
        continue
      }
      count += 1
      #expect(YAMLReader.formatted(bytes: once, name: path, into: &bag) == once, "\(path)")
    }
    #expect(count > 500)
  }
}
