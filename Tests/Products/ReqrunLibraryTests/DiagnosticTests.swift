import ReqrunKit
import Testing

@Suite("Diagnostics as values")
struct DiagnosticTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let spec: String
    let severity: Diagnostic.Severity
    let message: String
    let place: String?
    var fix: String?
    var isValid = false
  }

  static let cases = [
    Case(
      testDescription: "a mistyped key", spec: "requests:\n  - url: http://stub/\n    expcet: {status: 200}",
      severity: .error, message: "unknown key `expcet` in a request", place: "memory.yaml:3:5",
      fix: "did you mean `expect`?"),
    Case(
      testDescription: "YAML that is none", spec: "requests: [", severity: .error,
      message: "", place: "memory.yaml"),
    Case(
      testDescription: "a name that nobody declares", spec: "url: http://stub/${{ nobody }}", severity: .error,
      message: "", place: "memory.yaml:1"),
  ]

  @Test(arguments: cases) func diagnostics(_ testCase: Case) async throws {
    let listing = await runner(testCase.spec).check()
    let diagnostic = try #require(listing.diagnostics.first)
    #expect(diagnostic.severity == testCase.severity)
    if !testCase.message.isEmpty { #expect(diagnostic.message == testCase.message) }
    if let place = testCase.place {
      #expect(diagnostic.location.map { "\($0)".hasPrefix(place) } == true, "\(diagnostic)")
    }
    if let fix = testCase.fix { #expect(diagnostic.fix == fix) }
    #expect(listing.exitCode == 2)
    #expect(listing.diagnostics.drawn().contains(diagnostic.message))
  }

  @Test("a check lists the requests of a spec that is right") func listing() async {
    let listing = await runner(
      "tags: [smoke]\nsetup: [{name: log in, url: http://stub/login}]\nrequests:\n  - url: http://stub/a"
    ).check()
    #expect(listing.exitCode == 0)
    #expect(listing.diagnostics.isEmpty)
    #expect(listing.fileCount == 1)
    #expect(listing.requests.map(\.name) == ["log in", "GET http://stub/a"])
    #expect(listing.requests.map(\.stage) == [.setup, .requests])
    #expect(listing.requests.map(\.line) == [2, 4])
  }

  @Test("a selection that selects nothing") func nothing() async {
    var runner = runner("url: http://stub/")
    runner.options.tags = ["smoke"]
    let listing = await runner.list()
    #expect(listing.exitCode == 4)
    #expect(listing.diagnostics.first?.message.hasPrefix("nothing to run") == true)
  }

  @Test("two specs in memory with one name") func sameName() async {
    let runner = Runner(specs: [.text("url: http://a/", name: "a.yaml"), .text("url: http://b/", name: "a.yaml")])
    #expect(await runner.check().exitCode == 2)
  }
}
