import ReqrunKit
import ReqrunTesting
import Testing

@Suite("The problems of a run")
struct ProblemTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let spec: String
    /// Places and the beginnings of messages.
    let problems: [String]
  }

  static let cases = [
    Case(testDescription: "none", spec: "url: http://stub/\nexpect: {json: {$.id: 7}}", problems: []),
    Case(
      testDescription: "a failed assertion", spec: "name: a\nurl: http://stub/\nexpect: {status: 404}",
      problems: ["memory.yaml:3:18: a: status: expected 404, actual 200"]),
    Case(
      testDescription: "a mistyped key", spec: "url: http://stub/\nexpct: {status: 200}",
      problems: ["memory.yaml:2:1: unknown key `expct`"]),
    Case(
      testDescription: "an undefined variable", spec: "url: http://stub/${{ nobody }}",
      problems: ["memory.yaml:1:22: there is no variable `nobody`"]),
    Case(
      testDescription: "a server that is down", spec: "name: a\nurl: http://stub/down",
      problems: ["memory.yaml:2:6: a: "]),
    Case(testDescription: "nothing to run", spec: "requests: []", problems: [""]),
  ]

  private func runner(_ spec: String) -> Runner {
    ReqrunLibraryTests.runner(spec) { request in
      if request.url.hasSuffix("/down") { throw TransportFailure(.connection, "nobody listens") }
      if request.url.hasSuffix("/slow") { try await Task.sleep(for: .seconds(5)) }
      return TransportResponse(json: #"{"id": 7}"#)
    }
  }

  @Test("have their places, and are all recorded as issues", arguments: cases) func problems(_ testCase: Case) async {
    let result = await runner(testCase.spec).run()
    #expect(result.isSuccess == testCase.problems.isEmpty)
    #expect(result.problems.count == testCase.problems.count)
    for (problem, beginning) in zip(result.problems, testCase.problems) {
      #expect(problem.description.hasPrefix(beginning), "\(problem)")
    }
    if result.isSuccess { return result.recordIssues() }
    withKnownIssue {
      result.recordIssues()
    } matching: { issue in
      result.problems.contains { problem in
        problem.location.map { issue.sourceLocation?.line == $0.line && issue.sourceLocation?.column == $0.column }
          ?? (issue.sourceLocation?.fileName == "ProblemTests.swift")
      }
    }
  }

  @Test("have places where warnings and skipped requests are forbidden") func forbidden() async {
    var strict = runner(
      "requests: [{url: http://stub/, skip: later}, {url: http://stub/, expect: {body: {matches: \"a*\"}}}]")
    strict.options.failOn = [.skipped, .warnings]
    let problems = await strict.run().problems
    #expect(problems.contains { $0.description.hasPrefix("memory.yaml:1:1: GET http://stub/: skipped: later") })
    #expect(problems.contains { $0.message.contains("any text matches this pattern") && $0.location?.line == 1 })
    #expect(problems.map(\.message).suffix(2) == ["requests were skipped", "there were warnings"])
  }

  @Test("speak of Swift's options") func names() async {
    var runner = runner("requests: [{url: http://stub/slow}, {url: http://stub/}]")
    runner.options.maxTime = .milliseconds(300)
    let outcome = await runner.run().requests.last?.outcome
    #expect(outcome == .skipped(reason: "the run's time (options.maxTime) was up"))
    runner = self.runner("url: http://stub/${{ server }}")
    runner.options.variables = ["sever": .text("a")]
    #expect(await runner.run().problems.contains { $0.message.hasPrefix("options.variables[\"sever\"]: no file") })
    runner.options.connection.proxy = "::"
    #expect(await runner.run().problems.contains { $0.message.hasPrefix("options.connection.proxy: ") })
  }

  @Test("name what ended a run, even without its requests") func ends() async {
    var cut = runner("url: http://stub/slow")
    cut.options.maxTime = .milliseconds(1)
    #expect(await cut.run().problems.contains { $0.message == "the run exceeded its time limit" })
    var blind = runner("url: http://stub/\nexpect: {status: 404}")
    blind.options.collectsRequests = false
    #expect(await blind.run().problems.map(\.message) == ["the run failed with exit code 1"])
  }
}
