import ReqrunKit
import Testing

@Suite("A run as a library makes it")
struct RunnerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Of a GET of a stub that has `{"id": 7, "token": …, "roles": ["admin"]}`.
    let spec: String
    var outcome = RequestResult.Outcome.passed
    /// Place and message of each failure.
    var failures: [String] = []
    var problem: String?
  }

  static let cases = [
    Case(testDescription: "all is met", spec: "url: http://stub/\nexpect: {json: {$.id: 7}}"),
    Case(
      testDescription: "a value differs", spec: "url: http://stub/\nexpect:\n  json:\n    $.id: 8", outcome: .failed,
      failures: ["memory.yaml:4:11 json $.id: expected 8, actual 7"]),
    Case(
      testDescription: "two assertions fail", spec: "url: http://stub/\nexpect: {status: 404, json: {$.roles: [user]}}",
      outcome: .failed,
      failures: [
        "memory.yaml:2:18 status: expected 404, actual 200",
        "memory.yaml:2:39 json $.roles: it differs at $.roles[0]: expected \"user\", actual \"admin\"",
      ]),
    Case(
      testDescription: "a capture finds nothing", spec: "url: http://stub/\ncapture: {x: {json: $.none}}",
      outcome: .failed,
      failures: ["memory.yaml:2:14 capture x: expected a value to capture from json $.none, actual nothing"]),
    Case(
      testDescription: "a template that only running finds wrong",
      spec: "url: http://stub/\nbody: {json: {a: \"${{ missing(1) }}\"}}", outcome: .specError),
  ]

  @Test(arguments: cases) func outcome(_ testCase: Case) async throws {
    let result = await runner(testCase.spec).run()
    guard let request = result.requests.first else {
      // What is wrong before the run has diagnostics.
      #expect(testCase.outcome == .specError)
      #expect(result.diagnostics.first?.location?.path == "memory.yaml")
      return
    }
    #expect(request.outcome == testCase.outcome)
    #expect(
      request.failures.map { "\($0.location.map(String.init(describing:)) ?? "") \($0.message)" } == testCase.failures)
    #expect(result.isSuccess == (testCase.outcome == .passed))
  }

  @Test("a result has each request with its assertions, in order") func results() async {
    var runner = runner(
      """
      requests:
        - name: first
          url: http://stub/one
          capture: {id: {json: $.id}}
          expect: {status: 200, json: {$.id: 7}}
        - name: second
          url: http://stub/${{ id }}
          expect: {status: 201}
        - url: http://stub/three
      """)
    runner.options.collectedDetails = [.assertions, .captures, .starts, .hops]
    let result = await runner.run()
    #expect(result.requests.map(\.name) == ["first", "second", "GET http://stub/three"])
    #expect(result.requests.map(\.outcome).prefix(2) == [.passed, .failed])
    #expect(result.requests[2].outcome == .skipped(reason: "an earlier request failed: second"))
    #expect(result.requests[0].assertions.map(\.subject) == ["status", "json $.id"])
    #expect(result.requests[0].assertions.map(\.isPassed) == [true, true])
    #expect(result.requests[0].captures == ["id": 7])
    #expect(result.requests[1].hops?.map(\.request.url) == ["http://stub/7"])
    #expect(result.requests[1].response?.status == 200)
    #expect(result.requests.map(\.line) == [2, 6, 9])
    #expect(result.requests.allSatisfy { ($0.start ?? .zero) > .seconds(1_700_000_000) })
    #expect((result.passed, result.failed, result.skipped) == (1, 1, 1))
    #expect(result.exitCode == 1)
  }

  @Test("variables and secrets: a secret is sent, and masked in all that is told") func secrets() async {
    let stub = StubTransport { request in
      TransportResponse(json: #"{"sent": "\#(request.headers["Authorization"] ?? "")"}"#)
    }
    var runner = Runner(
      specs: [
        .text(
          """
          variables: {user: nobody}
          secrets: [token]
          requests:
            - url: http://stub/${{ user }}
              headers: {Authorization: "Bearer ${{ token }}"}
              expect: {json: {$.sent: other}}
          """, name: "memory.yaml")
      ])
    runner.options.transport = .custom(stub)
    runner.options.variables = ["user": .text("ann")]
    runner.options.secrets = ["token": "t0p-s3cret-value"]
    runner.options.collectedDetails = [.hops, .bodies]
    let result = await runner.run()
    #expect(stub.sent.map(\.url) == ["http://stub/ann"])
    #expect(stub.sent.first?.headers["authorization"] == "Bearer t0p-s3cret-value")
    #expect(result.requests.first?.failures.first?.actual.contains("***") == true)
    #expect(result.requests.first?.response?.body?.text == #"{"sent": "Bearer ***"}"#)
    #expect(!"\(result)".contains("t0p-s3cret-value"))
  }

  @Test("a run that is cancelled ends at once, and tears down") func cancellation() async {
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let stub = StubTransport { request in
      if request.url.hasSuffix("/slow") {
        continuation.yield()
        try await Task.sleep(for: .seconds(600))
      }
      return TransportResponse()
    }
    var runner = Runner(
      specs: [
        .text(
          """
          requests:
            - url: http://stub/slow
            - url: http://stub/next
          teardown:
            - url: http://stub/teardown
          """, name: "memory.yaml")
      ])
    runner.options.transport = .custom(stub)
    let clock = ContinuousClock()
    let start = clock.now
    let task = Task { [runner] in await runner.run() }
    for await _ in started { break }
    task.cancel()
    let result = await task.value
    #expect(clock.now - start < .seconds(300))
    #expect(result.isCancelled)
    #expect(result.exitCode == 130)
    #expect(stub.sent.map(\.url) == ["http://stub/slow", "http://stub/teardown"])
    #expect(result.requests.map(\.outcome).last == .passed)
    #expect(result.requests.contains { $0.outcome == .skipped(reason: "the run was cancelled") })
  }

  @Test(
    "the kinds of failure of a transport",
    arguments: [
      ("dns", TransportFailure.Kind.dns), ("connection", .connection), ("tls", .tls), ("timeout", .timeout),
    ]) func transportFailures(_ word: String, _ kind: TransportFailure.Kind) async
  {
    let result = await runner("url: http://stub/\nexpect: {error: \(word)}") { _ in
      throw TransportFailure(kind, "nothing works")
    }.run()
    #expect(result.requests.map(\.outcome) == [.passed], "\(result.requests.first?.problem?.message ?? "")")
    let other = await runner("url: http://stub/") { _ in throw TransportFailure(kind, "nothing works") }.run()
    #expect(other.requests.map(\.outcome) == [.transportError])
    // That of a timeout tells which clock it was.
    if kind != .timeout { #expect(other.requests.first?.problem?.message.contains("nothing works") == true) }
  }

  @Test("a timeout ends a stub that does not respond") func timeout() async {
    let result = await runner("url: http://stub/\ntimeout: 50ms\nexpect: {error: timeout}") { _ in
      try await Task.sleep(for: .seconds(600))
      return TransportResponse()
    }.run()
    #expect(result.requests.map(\.outcome) == [.passed], "\(result.requests.first?.failures.first?.message ?? "")")
  }

  @Test("redirects and cookies are the runner's, whatever sends") func redirects() async {
    let result = await runner("url: http://stub/a\nexpect: {status: 200, json: {$.cookie: \"a=1\"}}") { request in
      if request.url.hasSuffix("/a") {
        return TransportResponse(status: 302, headers: ["Location": "/b", "Set-Cookie": "a=1"])
      }
      return TransportResponse(json: #"{"cookie": "\#(request.headers["Cookie"] ?? "")"}"#)
    }.run()
    #expect(result.isSuccess, "\(result.requests.first?.failures.map(\.message) ?? [])")
  }
}
