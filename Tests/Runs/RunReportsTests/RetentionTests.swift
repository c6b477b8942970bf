import RunReports
import SpecExecution
import Testing
import Values

/// Bodies are large: no reporter keeps a hop after the end of its step, whether or not it asked for hops.
@Suite("Hops are released")
struct RetentionTests {
  private final class Body: Sendable {}

  private static let step = StepID(file: 0, number: 1)

  /// Reports a hop and its step; returns whether the body of the hop is still referenced.
  private static func isKept(by reporter: any Reporter) -> Bool {
    weak var kept: Body?
    let time = Timestamp(seconds: 0)
    let sink = reporter.sink(at: 0)
    sink?.receive(.started(FileStart(position: 0, path: "a.yaml", name: nil, iteration: 1, time: time)))
    do {
      let body = Body()
      kept = body
      let reference = BodyReference(size: 1, bytes: { [UInt8](repeating: body === body ? 1 : 0, count: 1) })
      let request = SentRequest(
        method: "GET", scheme: "http", authority: "h", target: "/", httpVersion: nil, proxy: nil, headers: [],
        body: reference)
      sink?.receive(
        .hopFinished(
          HopReport(
            step: step, attempt: 1, number: 1, start: time, request: request, response: nil, timings: nil,
            remoteAddress: nil, localAddress: nil, cache: nil, note: nil)))
    }
    sink?.receive(.stepFinished(StepReport(id: step, parent: nil, name: "one", line: 1)))
    return kept != nil
  }

  @Test("by files of reports", arguments: ReportKind.allCases.map(\.rawValue))
  func files(_ name: String) throws {
    let path = temporaryPath(name)
    defer { removeTemporary(path) }
    let kind = try #require(ReportKind(rawValue: name))
    #expect(!Self.isKept(by: kind.make(path)))
  }

  @Test("by the console", arguments: [ConsoleOptions.Detail.quiet, .normal, .heads, .bodies])
  func console(_ detail: ConsoleOptions.Detail) {
    var options = ConsoleOptions()
    options.detail = detail
    #expect(!Self.isKept(by: ConsoleReport(options: options, output: { _ in }, errorOutput: { _ in })))
  }
}
