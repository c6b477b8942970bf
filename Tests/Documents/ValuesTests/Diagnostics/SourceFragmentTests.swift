import Testing
import Values

@Suite("A fragment of a source") struct SourceFragmentTests {
  private static let sources = [
    "", "\n", "requests:\n  - url: x\n\n    expect: {status: 200}\n", "a:\r\n\tb: 東京 👩‍👩‍👧 e\u{301}x # ok\r\n",
    "auth:\n  password: \"tiger and lion\" # no\n  token: |\n    abc\n    def\nx: 1\n",
    "esc: \u{1B}[31mred\u{202E}\nlast line", String(repeating: "long ", count: 3000) + "\nb",
    String(repeating: "é", count: 9000),
  ]

  @Test("is drawn as the source is, at each place and width", arguments: sources)
  func drawing(_ text: String) throws {
    let source = SourceText(name: "specs/a.yaml", text: text)
    let step = max(1, source.utf8.count / 60)
    for start in stride(from: 0, through: source.utf8.count, by: step) {
      for length in [0, 1, 5, 40, 5000] {
        let range = SourceRange(source, start..<min(source.utf8.count, start + length))
        let fragment = try #require(range.fragment)
        let other = SourceText(fragment)
        let place = SourceRange(in: other, of: fragment)
        #expect(place.location == range.location)
        for width in [40, 80, 200] {
          let renderer = DiagnosticRenderer(style: .plain, width: width)
          #expect(
            renderer.render(Diagnostic(.error, .invalidValue, "it", at: place))
              == renderer.render(Diagnostic(.error, .invalidValue, "it", at: range)),
            "bytes \(range.bytes) of \(text.prefix(40))")
        }
      }
    }
  }

  @Test("has no secret, and no source that is gone")
  func secrets() throws {
    let source = SourceText(name: "a.yaml", text: "password: tiger\n")
    let fragment = try #require(SourceRange(source, 10..<15).fragment)
    #expect(fragment.text == "password: ***")
    #expect(fragment.mark == 10..<13)
    #expect(SourceRange.none.fragment == nil)
  }
}
