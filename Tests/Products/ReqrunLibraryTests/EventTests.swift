import ReqrunKit
import Synchronization
import Testing

@Suite("The events of a run")
struct EventTests {
  private static let spec = """
    name: two requests
    requests:
      - name: one
        url: http://stub/one
      - name: two
        url: http://stub/two
        expect: {status: 500}
    """

  private static func word(_ event: RunEvent) -> String {
    switch event {
    case .diagnostics(let all): "diagnostics \(all.count)"
    case .runStarted(let files, _): "run of \(files)"
    case .fileStarted(let file): "file \(file.path) \(file.name ?? "")"
    case .requestStarted(let request): "request \(request.name)"
    case .attemptStarted(_, let number, _): "attempt \(number)"
    case .hopStarted(_, let attempt, let number, _): "hop \(attempt).\(number)"
    case .hopFinished(let hop): "hop over \(hop.request.target) \(hop.response?.status ?? 0)"
    case .attemptFinished(let attempt): "attempt over \(attempt.outcome)"
    case .requestFinished(let request): "request over \(request.name) \(request.outcome)"
    case .groupStarted(let group): "group \(group.name)"
    case .groupFinished(_, let result): "group over \(result.passed)/\(result.failed)"
    case .fileFinished(_, let result): "file over \(result.passed)/\(result.failed)"
    case .runFinished(let result): "run over \(result.exitCode)"
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let needs: RunEvent.Needs
    let events: [String]
  }

  static let cases = [
    Case(
      testDescription: "the ends alone", needs: [],
      events: [
        "run of 1", "file memory.yaml two requests", "request over one passed", "request over two failed",
        "file over 1/1", "run over 1",
      ]),
    Case(
      testDescription: "all", needs: [.starts, .attempts, .hops],
      events: [
        "run of 1", "file memory.yaml two requests", "request one", "attempt 1", "hop 1.1", "hop over /one 200",
        "attempt over passed", "request over one passed", "request two", "attempt 1", "hop 1.1", "hop over /two 200",
        "attempt over failed", "request over two failed", "file over 1/1", "run over 1",
      ]),
    Case(
      testDescription: "hops without starts", needs: .hops,
      events: [
        "run of 1", "file memory.yaml two requests", "hop over /one 200", "request over one passed",
        "hop over /two 200", "request over two failed", "file over 1/1", "run over 1",
      ]),
  ]

  @Test(arguments: cases) func sequence(_ testCase: Case) async {
    var events: [String] = []
    for await event in runner(Self.spec).events(needs: testCase.needs) { events.append(Self.word(event)) }
    #expect(events == testCase.events)
  }

  @Test("flows are groups, the parents of their requests") func flows() async {
    let spec = """
      setup: [{name: first, url: "http://stub/first"}]
      flows:
        - name: one
          requests: [{name: a, url: "http://stub/a", expect: {status: 500}}, {name: b, url: "http://stub/b"}]
        - name: two
          requests: [{name: c, url: "http://stub/c"}]
      """
    var events: [String] = []
    var parents: [String: RequestResult.ID] = [:]
    var groups: [String: RequestResult.ID] = [:]
    for await event in runner(spec).events() {
      events.append(Self.word(event))
      if case .groupStarted(let group) = event { groups[group.name] = group.id }
      if case .requestFinished(let request) = event { parents[request.name] = request.parent }
    }
    #expect(
      events == [
        "run of 1", "file memory.yaml ", "request over first passed", "group one", "request over a failed",
        "request over b skipped(reason: \"an earlier request failed: a\")", "group over 0/1", "group two",
        "request over c passed", "group over 1/0", "file over 2/1", "run over 1",
      ])
    #expect(groups.count == 2 && parents["a"] == groups["one"] && parents["b"] == groups["one"])
    #expect(parents["c"] == groups["two"] && parents["first"] == nil)
  }

  @Test("a reporter of one's own takes the same events") func reporter() async {
    final class Recorder: Reporter {
      let events = Mutex<[String]>([])
      var needs: RunEvent.Needs { .hops }
      func receive(_ event: RunEvent) { events.withLock { $0.append(EventTests.word(event)) } }
    }
    let recorder = Recorder()
    var runner = runner(Self.spec)
    runner.options.reports = [.custom(recorder)]
    _ = await runner.run()
    #expect(recorder.events.withLock { $0 } == Self.cases[2].events)
  }

  @Test("what is wrong with a spec is told by events, too") func diagnostics() async {
    var events: [String] = []
    for await event in runner("url: http://stub/\nexpcet: {}").events() { events.append(Self.word(event)) }
    #expect(events == ["diagnostics 1", "run over 2"])
  }

  @Test("a run whose events nobody takes any more is cancelled") func abandoned() async throws {
    let stub = StubTransport { request in
      if request.url.hasSuffix("/two") { try await Task.sleep(for: .seconds(600)) }
      return TransportResponse()
    }
    var runner = Runner(specs: [.text(Self.spec + "\nteardown: [{url: http://stub/end}]", name: "memory.yaml")])
    runner.options.transport = .custom(stub)
    for await event in runner.events() {
      if case .requestFinished = event { break }
    }
    let clock = ContinuousClock()
    let start = clock.now
    while !stub.sent.contains(where: { $0.url == "http://stub/end" }), clock.now - start < .seconds(300) {
      try await Task.sleep(for: .milliseconds(10))
    }
    let urls = stub.sent.map(\.url)
    #expect(urls.contains("http://stub/end"))
  }

  @Test("bodies: whole, by reference, with their sizes") func bodies() async throws {
    let text = String(repeating: "0123456789", count: 20_000)
    var runner = runner("method: POST\nurl: http://stub/\nbody: hello") { _ in
      TransportResponse(headers: ["Content-Type": "text/plain"], body: Array(text.utf8))
    }
    runner.options.collectedDetails = .bodies
    let result = await runner.run()
    let hop = try #require(result.requests.first?.hops?.first)
    #expect(hop.request.body?.text == "hello")
    #expect(hop.response?.body?.size == 200_000)
    #expect(hop.response?.body?.bytes()?.count == 200_000)
    runner.options.collectedDetails = .hops
    let plain = await runner.run()
    #expect(plain.requests.first?.response?.body?.size == 200_000)
    #expect(plain.requests.first?.response?.body?.bytes() == nil)
  }
}
