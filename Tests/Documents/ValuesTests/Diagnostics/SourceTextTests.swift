import Testing
import Values

struct SourceTextTests {
  @Test(arguments: [
    ("LF", "a\nbc\n", ["a", "bc", ""]),
    ("CRLF", "a\r\nbc\r\n", ["a", "bc", ""]),
    ("CR", "a\rbc\r", ["a", "bc", ""]),
    ("mixed", "a\r\n\rb\n\nc", ["a", "", "b", "", "c"]),
    ("no last line break", "a\nbc", ["a", "bc"]),
    ("empty", "", [""]),
  ])
  func lines(name: String, text: String, lines: [String]) {
    let source = SourceText(name: "a", text: text)
    #expect((0...source.lineIndex(at: source.utf8.count)).map { source.text(in: source.lineBytes($0)) } == lines)
  }

  @Test(arguments: [
    (0, 1, 1), (1, 1, 2), (2, 1, 3), (3, 2, 1), (5, 2, 2), (9, 2, 3), (12, 2, 4), (13, 3, 1), (14, 3, 2), (99, 3, 2),
  ])
  func positionsCountCharacters(offset: Int, line: Int, column: Int) {
    // Bytes 0 a, 1 CR, 2 LF, 3 é (two), 5 😀 (four), 9 e and a combining acute (three), 12 LF, 13 b.
    let source = SourceText(name: "a", text: "a\r\né😀e\u{301}\nb")
    #expect(source.position(at: offset) == SourcePosition(line: line, column: column))
  }

  @Test func rangesKnowTheirPlace() {
    let source = SourceText(name: "x/a.yaml", text: "a: 1\nb: 2\n")
    let first = SourceRange(source, 0..<1)
    let last = SourceRange(source, 8..<9)
    #expect(last.location == "x/a.yaml:2:4")
    #expect(last.text == "2")
    #expect(first.through(last).text == "a: 1\nb: 2")
    #expect(last.through(first) == first.through(last))
    #expect(first != SourceRange(SourceText(name: "x/a.yaml", text: "a: 1\nb: 2\n"), 0..<1))
  }
}

struct DiagnosticBagTests {
  @Test func theSameDiagnosticIsKeptOnce() {
    var bag = DiagnosticBag()
    bag.warning(.invalidValue, "a", at: nil)
    bag.warning(.invalidValue, "a", at: nil)
    #expect(bag.diagnostics.count == 1)
    #expect(!bag.hasErrors)
    bag.error(.invalidValue, "a", at: nil)
    #expect(bag.diagnostics.count == 2)
    #expect(bag.hasErrors)
  }
}
