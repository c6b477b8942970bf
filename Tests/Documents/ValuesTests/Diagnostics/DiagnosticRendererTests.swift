import TestSupport
import Testing
import Values

struct DiagnosticRendererTests {
  static let file = SourceText(
    name: "examples/a.yaml",
    text: """
      name: Users
      request:
      \tmetod: GET
      größe: 東京 👩‍👩‍👧 e\u{301}x # ok
      list:
        - one
        - two
      esc: \u{1B}[31mred\u{202E}
      """)

  /// The range of the first occurrence of a text.
  static func range(_ text: String, in source: SourceText = file) -> SourceRange {
    let wanted = Array(text.utf8)
    let start = source.utf8.indices.first { source.utf8[$0...].starts(with: wanted) } ?? 0
    return SourceRange(source, start..<start + wanted.count)
  }

  struct Drawing: Sendable, CustomTestStringConvertible {
    let name: String
    let diagnostic: Diagnostic
    let drawn: String

    init(_ name: String, _ diagnostic: Diagnostic, _ drawn: String) {
      self.name = name
      self.diagnostic = diagnostic
      self.drawn = drawn
    }

    var testDescription: String { name }
  }

  static let drawings: [Drawing] = [
    Drawing(
      "a key, with help",
      .error(.invalidValue, "unknown key `metod`", at: range("metod"), help: "did you mean `method`?"),
      """
      error: unknown key `metod`
        --> examples/a.yaml:3:2
         |
       3 |     metod: GET
         |     ^^^^^
         |
         = help: did you mean `method`?
      """),
    Drawing(
      "a warning with notes, one of them elsewhere",
      .warning(
        .invalidValue, "twice", at: range("one"),
        notes: [Diagnostic.Note("first here", at: range("name")), Diagnostic.Note("this is about lists")],
        help: "keep one\nor none"),
      """
      warning: twice
        --> examples/a.yaml:6:5
         |
       6 |   - one
         |     ^^^
         |
         = note: this is about lists
         = help: keep one␊or none
      note: first here
        --> examples/a.yaml:1:1
         |
       1 | name: Users
         | ----
      """),
    Drawing(
      "wide characters before the mark",
      .error(.invalidValue, "x", at: range("# ok")),
      """
      error: x
        --> examples/a.yaml:4:16
         |
       4 | größe: 東京 👩‍👩‍👧 e\u{301}x # ok
         |                   ^^^^
      """),
    Drawing(
      "wide characters under the mark",
      .error(.invalidValue, "x", at: range("東京 👩‍👩‍👧")),
      """
      error: x
        --> examples/a.yaml:4:8
         |
       4 | größe: 東京 👩‍👩‍👧 e\u{301}x # ok
         |        ^^^^^^^
      """),
    Drawing(
      "several lines",
      .error(.invalidValue, "x", at: range("- one\n  - two")),
      """
      error: x
        --> examples/a.yaml:6:3
         |
       6 |   - one
         |   ^^^^^ to line 7
      """),
    Drawing(
      "control characters are shown, not obeyed",
      .error(.invalidValue, "a \u{1B}[2Jb", at: range("red")),
      """
      error: a ␛[2Jb
        --> examples/a.yaml:8:11
         |
       8 | esc: ␛[31mred<U+202E>
         |           ^^^
      """),
    Drawing(
      "the end of a file without a last line break",
      .error(.invalidValue, "x", at: SourceRange(file, file.utf8.count..<file.utf8.count)),
      """
      error: x
        --> examples/a.yaml:8:15
         |
       8 | esc: ␛[31mred<U+202E>
         |                      ^
      """),
    Drawing(
      "the end of a file with a last line break",
      .error(.invalidValue, "x", at: SourceRange(sources[0], 6..<6)),
      """
      error: x
        --> b.yaml:2:1
         |
       2 |
         | ^
      """),
    Drawing(
      "beyond the end of a file",
      .error(.invalidValue, "x", at: SourceRange(sources[1], 90..<99)),
      """
      error: x
        --> b.yaml:1:5
         |
       1 | a: 1
         |     ^
      """),
    Drawing(
      "a file without text",
      .error(.invalidValue, "the file is empty", at: SourceRange(sources[2], 0..<0), help: "fill it"),
      """
      error: the file is empty
        --> b.yaml:1:1
         = help: fill it
      """),
    Drawing(
      "no place",
      .error(.invalidValue, "no file", at: nil, notes: [Diagnostic.Note("searched here")], help: "name one"),
      """
      error: no file
        = note: searched here
        = help: name one
      """),
    Drawing(
      "line numbers of different lengths",
      .error(
        .invalidValue, "x", at: range("b", in: long), notes: [Diagnostic.Note("y", at: SourceRange(long, 0..<1))]),
      """
      error: x
          --> c.yaml:100:1
           |
       100 | b
           | ^
      note: y
          --> c.yaml:1:1
           |
         1 | a
           | -
      """),
  ]

  static let sources = ["a: 1\r\n", "a: 1", ""].map { SourceText(name: "b.yaml", text: $0) }
  static let long = SourceText(name: "c.yaml", text: "a" + String(repeating: "\n", count: 99) + "b\n")

  @Test(arguments: drawings)
  func draws(drawing: Drawing) {
    #expect(DiagnosticRenderer(style: .plain).render(drawing.diagnostic) == drawing.drawn)
  }

  @Test func severalAreSetApart() {
    let diagnostics = [Diagnostic.error(.invalidValue, "a", at: nil), Diagnostic.warning(.invalidValue, "b", at: nil)]
    #expect(DiagnosticRenderer(style: .plain).render(diagnostics) == "error: a\n\nwarning: b")
  }

  @Test func colorsAreUsedOnlyWhenAskedFor() {
    let diagnostic = Diagnostic.error(.invalidValue, "x", at: Self.range("one"), help: "y")
    let plain = DiagnosticRenderer(style: .plain).render(diagnostic)
    let colored = DiagnosticRenderer(style: .colored).render(diagnostic)
    #expect(!plain.contains("\u{1B}"))
    #expect(colored.contains("\u{1B}[1;31m^^^\u{1B}[0m"))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
  }

  // MARK: Long lines

  static let wide = SourceText(
    name: "w.yaml", text: "key: " + String(repeating: "a", count: 200) + "HERE" + String(repeating: "b", count: 200))

  @Test(arguments: [
    ("in the middle", "HERE", "…" + String(repeating: "a", count: 19) + "HERE" + "bbbbbbbbbb…", "HERE"),
    ("at the beginning", "key", "key: " + String(repeating: "a", count: 28) + "…", "key"),
  ])
  func aLongLineIsCutAroundTheMark(name: String, marked: String, line: String, underlined: String) {
    let drawn = DiagnosticRenderer(style: .plain, width: 40).render(
      .error(.invalidValue, "x", at: Self.range(marked, in: Self.wide)))
    let lines = drawn.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { displayWidth(of: $0) <= 40 })
    #expect(lines[3] == " 1 | " + line)
    let offset = lines[4].prefix { $0 != "^" }.count
    #expect(lines[3].dropFirst(offset).prefix(lines[4].filter { $0 == "^" }.count) == underlined)
  }

  @Test(
    "a mark stands under the whole of each character that it touches",
    arguments: [
      // Within the family of three, its first member, its joiner and last one, and from the joiner on.
      ("# ok", 0..<4, 16, 18, 4), ("👩‍👩‍👧", 0..<4, 11, 12, 2), ("👩‍👩‍👧", 4..<18, 11, 12, 2), ("👩‍👩‍👧", 4..<22, 11, 12, 4),
      // The mark on a letter.
      ("e\u{301}x", 1..<3, 13, 15, 1), ("e\u{301}x", 3..<4, 14, 16, 1),
    ])
  func partsOfCharacters(_ text: String, _ part: Range<Int>, _ column: Int, _ indent: Int, _ width: Int) {
    let start = Self.range(text).bytes.lowerBound
    let range = SourceRange(Self.file, start + part.lowerBound..<start + part.upperBound)
    let lines = DiagnosticRenderer(style: .plain).render(.error(.invalidValue, "x", at: range)).split(separator: "\n")
    #expect(lines[1] == "  --> examples/a.yaml:4:\(column)")
    #expect(lines[3].hasSuffix("größe: 東京 👩‍👩‍👧 e\u{301}x # ok"))
    #expect(lines[4] == "   | " + String(repeating: " ", count: indent) + String(repeating: "^", count: width))
  }

  @Test("a mark in a line that is not UTF-8 stays within the line, wherever it begins and ends")
  func noUTF8() {
    for hex in ["FFFF", "61FFFF62", "E282", "61E2820A", "F09F980A62", "C3A9FF", "80BF80", "F09F91A9E2808DFF0A"] {
      let bytes = stride(from: 0, to: hex.count, by: 2).map { UInt8(hex.dropFirst($0).prefix(2), radix: 16) ?? 0 }
      let source = SourceText(name: "x.yaml", utf8: bytes)
      for start in 0...bytes.count {
        for end in start...bytes.count {
          let drawn = DiagnosticRenderer(style: .plain, width: 40).render(
            .error(.invalidValue, "x", at: SourceRange(source, start..<end)))
          #expect(drawn.contains("^"))
        }
      }
    }
  }

  @Test("messages go on in further lines where the width is known, and nowhere else")
  func wrapping() {
    let text = "aaaa bbbb 日本語 cccc dddd eeee `ffff  gggg` https://example.test/a/very/long/address/of/something h"
    let diagnostic = Diagnostic.error(.invalidValue, text, at: Self.range("one"), help: text)
    #expect(
      DiagnosticRenderer(style: .plain, width: 44).render(diagnostic) == """
        error: aaaa bbbb 日本語 cccc dddd eeee `ffff
               gggg`
               https://example.test/a/very/long/addr
               ess/of/something h
          --> examples/a.yaml:6:5
           |
         6 |   - one
           |     ^^^
           |
           = help: aaaa bbbb 日本語 cccc dddd eeee
                   `ffff  gggg`
                   https://example.test/a/very/long/
                   address/of/something h
        """)
    let unbound = DiagnosticRenderer(style: .plain).render(diagnostic)
    #expect(unbound.hasPrefix("error: \(text)\n") && unbound.hasSuffix("= help: \(text)"))
  }

  @Test func aMarkLongerThanTheWidthShowsItsBeginning() {
    let bytes = 5..<Self.wide.utf8.count
    let drawn = DiagnosticRenderer(style: .plain, width: 40).render(
      .error(.invalidValue, "x", at: SourceRange(Self.wide, bytes)))
    let lines = drawn.split(separator: "\n").map(String.init)
    #expect(lines[3].hasPrefix(" 1 | key: aaaa"))
    #expect(lines[3].hasSuffix("a…"))
    #expect(lines[4].hasPrefix("   |      ^^^^"))
    #expect(lines.allSatisfy { displayWidth(of: $0) <= 40 })
  }

  @Test func aLineOfManyMegabytesIsDrawnAtOnce() {
    let growth = growth(to: 8 << 20) { count in
      let source = SourceText(name: "m.json", utf8: [UInt8](repeating: 0x61, count: count))
      let drawn = DiagnosticRenderer(style: .plain).render(
        .error(.invalidValue, "x", at: SourceRange(source, count / 2..<count / 2 + 2)))
      #expect(drawn.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }
    #expect(growth < 1.5)
  }

  @Test func aRangeThatBeginsWithinACharacterIsDrawn() {
    let source = SourceText(name: "l.yaml", utf8: [0x80, 0x61, 0x80])
    for start in 0...3 {
      for end in start...3 {
        let drawn = DiagnosticRenderer(style: .plain).render(
          .error(.invalidValue, "x", at: SourceRange(source, start..<end)))
        #expect(drawn.contains(" 1 | \u{FFFD}a\u{FFFD}\n"))
      }
    }
  }

  @Test func bytesThatAreNotUTF8AreDrawnAsReplacements() {
    let source = SourceText(name: "l.yaml", utf8: Array("a: ".utf8) + [0xE9, 0x0A])
    let drawn = DiagnosticRenderer(style: .plain).render(.error(.invalidValue, "x", at: SourceRange(source, 3..<4)))
    #expect(drawn.hasSuffix(" 1 | a: \u{FFFD}\n   |    ^"))
  }
}
