import RunReports
import Testing

@Suite("Workflow commands")
struct WorkflowCommandTests {
  typealias Place = WorkflowCommand.Place

  struct Example: Sendable, CustomTestStringConvertible {
    var place: Place?
    var title = "create"
    var message = "failed"
    let line: String

    var testDescription: String { line }
  }

  @Test(
    "a place, a title and a message make one line",
    arguments: [
      Example(line: "::error title=create::failed\n"),
      Example(
        place: Place(path: "a.yaml", line: 3, column: 7),
        line: "::error file=a.yaml,line=3,col=7,title=create::failed\n"),
      Example(place: Place(path: "a.yaml", line: 3), line: "::error file=a.yaml,line=3,title=create::failed\n"),
      Example(
        place: Place(path: "a,b:c%.yaml", line: 1), line: "::error file=a%2Cb%3Ac%25.yaml,line=1,title=create::failed\n"
      ),
      Example(title: "a, b: 100%", line: "::error title=a%2C b%3A 100%25::failed\n"),
      Example(title: "a\nb", line: "::error title=a␊b::failed\n"),
      Example(message: "a, b: 100%", line: "::error title=create::a, b: 100%25\n"),
      Example(message: "one\ntwo", line: "::error title=create::one%0Atwo\n"),
      Example(message: "one\r\n::warning::two", line: "::error title=create::one%0A::warning::two\n"),
      Example(message: "\u{1B}[31mred\u{1B}[0m", line: "::error title=create::␛[31mred␛[0m\n"),
      Example(message: "##[group]x", line: "::error title=create::<U+0023>#[group]x\n"),
    ]) func lines(_ example: Example)
  {
    #expect(
      WorkflowCommand(.error, at: example.place, title: example.title, message: example.message).line == example.line)
  }

  @Test(
    "what ends a property or a message is escaped",
    arguments: [
      ("plain", "plain", "plain"), ("%0A", "%250A", "%250A"), ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
      ("a:b", "a%3Ab", "a:b"),
      ("a,b", "a%2Cb", "a,b"), ("日本 ✓", "日本 ✓", "日本 ✓"), ("", "", ""),
    ]) func escapes(_ text: String, _ property: String, _ message: String)
  {
    #expect(WorkflowCommand.escaped(text, isProperty: true) == property)
    #expect(WorkflowCommand.escaped(text) == message)
  }

  @Test("paths are relative to the workspace; those outside of it are not places in it") func workspace() throws {
    let here = Workspace(".")
    #expect(here.place(Place(path: "Package.swift", line: 2, column: 5))?.path == "Package.swift")
    #expect(here.place(Place(path: "./Sources/../Package.swift", line: 2))?.path == "Package.swift")
    #expect(here.place(Place(path: "/", line: 2)) == nil)
    #expect(here.place(Place(path: "no such file", line: 2)) == nil)
    #expect(Workspace("..").place(Place(path: "Package.swift", line: 2))?.path.hasSuffix("/Package.swift") == true)
    #expect(Workspace(nil).place(Place(path: "/anywhere.yaml", line: 2))?.path == "/anywhere.yaml")
  }
}
