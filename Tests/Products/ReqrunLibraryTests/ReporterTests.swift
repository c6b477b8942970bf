import ReqrunKit
import Synchronization
import Testing

/// A reporter as a user writes one, and its test without a run.
@Suite("A reporter is tested with values made by hand")
struct ReporterTests {
  final class Slow: Reporter {
    private let lines = Mutex<[String]>([])
    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    func receive(_ event: RunEvent) {
      switch event {
      case .fileStarted(let file): lines.withLock { $0.append("file \(file.path)") }
      case .groupStarted(let group): lines.withLock { $0.append("group \(group.name)") }
      case .requestStarted(let request): lines.withLock { $0.append("→ \(request.name)") }
      case .attemptFinished(let attempt): lines.withLock { $0.append("attempt \(attempt.number)") }
      case .hopFinished(let hop):
        lines.withLock { $0.append("\(hop.request.method) \(hop.request.url) \(hop.response?.body?.text ?? "")") }
      case .requestFinished(let request):
        lines.withLock { $0.append("\(request.name) \(request.outcome) \(request.duration)") }
        for failure in request.failures { lines.withLock { $0.append(failure.message) } }
      case .diagnostics(let all): lines.withLock { $0 += all.map(\.description) }
      case .fileFinished(_, let totals): lines.withLock { $0.append("\(totals.failed) failed") }
      case .runFinished(let result): lines.withLock { $0.append("exit code \(result.exitCode)") }
      default: break
      }
    }
  }

  @Test func events() {
    let id = RequestResult.ID(number: 1)
    var request = RequestResult("log in", .failed, id: id, path: "a.yaml", line: 3)
    request.duration = .seconds(2)
    request.assertions = [
      AssertionResult(passed: "status"),
      AssertionResult(failed: "json $.id", expected: "7", actual: "8", at: SpecLocation(path: "a.yaml", line: 5)),
    ]
    var totals = RunEvent.Totals()
    totals.failed = 1
    var result = RunResult()
    (result.failed, result.requests) = (1, [request])
    let hop = Hop(
      of: id, Hop.Request(url: "http://h/"), Hop.Response(status: 200, headers: ["A": "b"], body: Hop.Body([0x78])))
    let reporter = Slow()
    let events: [RunEvent] = [
      .diagnostics([Diagnostic(.warning, "old key", at: SpecLocation(path: "a.yaml", line: 1), fix: "use `b`")]),
      .fileStarted(RunEvent.File(path: "a.yaml")),
      .groupStarted(RunEvent.Group("flow", id: RequestResult.ID(number: 2))),
      .requestStarted(RunEvent.Request("log in", id: id)), .hopFinished(hop),
      .attemptFinished(RunEvent.Attempt(1, of: id, .failed)), .requestFinished(request),
      .fileFinished(RunEvent.File(path: "a.yaml"), totals), .runFinished(result),
    ]
    for event in events { reporter.receive(event) }
    #expect(
      reporter.text == """
        a.yaml:1:1: warning: old key (use `b`)
        file a.yaml
        group flow
        → log in
        GET http://h/ x
        attempt 1
        log in failed 2.0 seconds
        json $.id: expected 7, actual 8
        1 failed
        exit code 1
        """)
    #expect(result.problems.map(\.description) == ["a.yaml:5:1: log in: json $.id: expected 7, actual 8"])
    #expect(events[6] == .requestFinished(request))
    let wrong = Diagnostic(.error, "wrong", at: SpecLocation(path: "a.yaml", line: 2))
    #expect([wrong].drawn().contains("a.yaml:2:1: wrong"))
  }
}
