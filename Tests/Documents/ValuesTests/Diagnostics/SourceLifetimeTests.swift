import Testing
import Values

struct SourceLifetimeTests {
  @Test func aRangeWhoseSourceIsGoneIsThatOfAnEmptyText() {
    func place() -> SourceRange { SourceRange(SourceText(name: "a.yaml", text: "a: 1\nb: 2\n"), 5..<6) }
    for range in [place(), .none] {
      #expect(range.source.utf8.isEmpty)
      #expect(range.text == "")
      #expect(range.location == ":1:1")
      #expect(range.utf8.isEmpty)
      let drawn = DiagnosticRenderer(style: .plain).render(
        .error(.invalidValue, "wrong", at: range, notes: [.init("note", at: range)]))
      #expect(drawn == "error: wrong\nnote: note")
    }
  }

  @Test func diagnosticsKeepTheirSources() {
    func diagnostic() -> Diagnostic {
      let (one, two) = (SourceText(name: "a.yaml", text: "a: 1"), SourceText(name: "b.yaml", text: "b: 2"))
      return .error(.invalidValue, "x", at: SourceRange(one, 0..<1), notes: [.init("y", at: SourceRange(two, 0..<1))])
    }
    let kept = diagnostic()
    #expect(kept.range?.location == "a.yaml:1:1")
    #expect(kept.notes.first?.range?.location == "b.yaml:1:1")
  }
}
