import TestSupport
import Testing
import Values
import YAMLNodes

struct WriterTests {
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  static func read(_ text: String) -> YAMLNode? {
    var bag = DiagnosticBag()
    let root = YAMLReader.read(bytes: Array(text.utf8), name: "a.yaml", into: &bag).root
    #expect(bag.diagnostics.map(\.message) == [], "\(text)")
    return root
  }

  @Test(arguments: [
    (
      YAMLNode.mapping([("url", .text("http://h/a?b=1")), ("no", .text("no"))]), "url: http://h/a?b=1\n\"no\": \"no\"\n"
    ),
    (
      .list([.number("1e3"), .text("1e3"), .text("2024-01-01"), .text("")]),
      "- 1e3\n- \"1e3\"\n- \"2024-01-01\"\n- \"\"\n"
    ),
    (.mapping([("a", .list([])), ("b", .mapping([]))]), "a: []\nb: {}\n"),
    (
      .mapping([("requests", .list([.mapping([("url", .text("${{ u }}")), ("tags", .list([.text("a: b")]))])]))]),
      "requests:\n  - url: ${{ u }}\n    tags:\n      - \"a: b\"\n"
    ),
    (.mapping([("a", .text("one\n  two\n")), ("b", .text("x\ny"))]), "a: |\n  one\n    two\nb: |-\n  x\n  y\n"),
    (.mapping([("a", .text("  x\n\n")), ("b", .text("x \ny"))]), "a: |2+\n    x\n\nb: |-\n  x \n  y\n"),
    // Blanks at the ends of lines stay, and don't put all lines into one.
    (.mapping([("a", .text(" \n\tx \n \ny\t\n "))]), "a: |2-\n   \n  \tx \n   \n  y\t\n   \n"),
    (.list([.list([.text(#"^\d"#), .text("'\"")]), .text("\u{7}")]), "- - '^\\d'\n  - \"'\\\"\"\n- \"\\x07\"\n"),
    (.text(" # x"), "\" # x\"\n"),
  ])
  func writes(node: YAMLNode, text: String) {
    #expect(YAMLWriter.text(of: node) == text)
    #expect(Self.read(text)?.isSame(as: node) == true)
  }

  @Test func whatIsWrittenReadsBackEqual() {
    var generator = Generator(state: 7)
    for _ in 0..<2000 {
      let node = Self.node(depth: 0, &generator)
      let text = YAMLWriter.text(of: node)
      #expect(Self.read(text)?.isSame(as: node) == true, "\(text)")
    }
  }

  private static let words = [
    "", "a", "no", "null", "~", "1", "-1", "0x1F", "1e3", ".inf", "2024-01-01", "12:30", "a: b", "a #b", " a", "a ",
    "a\nb",
    "a\n", "\n", "\n\n", "a\n\n\nb\n\n", "  a\nb", "\ta\nb", "${{ x }}", "${{ x }}: y", "- a", "-", "?", "? a", ":",
    "a:", "[a]",
    "{a", "#", "&a", "*a", "!a", "|", ">", "'", "\"", "it's", "say \"x\"", "\\n", "%", "@", "`", "---", "...", "<<",
    "=", "é", "“a”",
    "\u{FEFF}", "\u{85}", "\u{2028}", "👩‍👩‍👧", "\u{0}", "\r\n", "a\r\nb", "true", "True", "+1", "007", "a,b", "a\tb", "\t",
    String(repeating: "x", count: 1100), "a \nb", "x\n y\n", "# a\nb",
  ]

  private static func node(depth: Int, _ generator: inout Generator) -> YAMLNode {
    let text = { (generator: inout Generator) in words.randomElement(using: &generator) ?? "" }
    switch Int.random(in: depth > 4 ? 0...5 : 0...9, using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .number(["0", "-1", "1.50", "1e3", "12345678901234567890"].randomElement(using: &generator) ?? "0")
    case 3...5: return .text(text(&generator))
    case 6, 7:
      return .list((0..<Int.random(in: 0...4, using: &generator)).map { _ in node(depth: depth + 1, &generator) })
    default:
      var members: [(key: String, value: YAMLNode)] = []
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let key = text(&generator)
        // Keys are compared by their bytes.
        if members.contains(where: { $0.key.utf8.elementsEqual(key.utf8) }) { continue }
        members.append((key, node(depth: depth + 1, &generator)))
      }
      return .mapping(members)
    }
  }

  /// All YAML files of the examples and the cases: what was read, written and read again is the same.
  @Test func filesReadBackEqual() throws {
    var count = 0
    for (path, bytes) in Repository.yamlFiles() {
      var bag = DiagnosticBag()
      let (source, root) = YAMLReader.read(bytes: bytes, name: path, into: &bag)
      guard let root, !bag.hasErrors else { continue }
      count += 1
      let text = YAMLWriter.text(of: root)
      #expect(Self.read(text)?.isSame(as: root) == true, "\(path)")
      withExtendedLifetime(source) {}
    }
    #expect(count > 500)
  }
}
