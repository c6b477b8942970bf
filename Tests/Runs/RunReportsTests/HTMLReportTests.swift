import HTTPSemantics
import Matching
import RequestSpecs
import RunReports
import SpecExecution
import Synchronization
import TestSupport
import Testing
import Values

@Suite("The HTML report") struct HTMLReportTests {
  private static let start = Timestamp(seconds: 1_000_000)

  private static func step(
    _ number: Int, in parent: Int? = nil, _ outcome: RequestOutcome = .passed,
    change: (inout StepReport) -> Void = { _ in }
  ) -> FileEvent {
    var report = StepReport(
      id: StepID(file: 0, number: number), parent: parent.map { StepID(file: 0, number: $0) }, name: "step \(number)",
      line: number, transport: TransportDecision(kind: .curl, reason: ""))
    report.outcome = outcome
    report.start = start.advanced(by: .milliseconds(number))
    report.duration = .microseconds(1500)
    report.status = 200
    change(&report)
    return .stepFinished(report)
  }

  private static func hop(_ number: Int, body: String) -> FileEvent {
    var timings = ExchangeTimings()
    timings.connect = .microseconds(250)
    timings.total = .milliseconds(1)
    return .hopFinished(
      HopReport(
        step: StepID(file: 0, number: number), attempt: 1, number: 1, start: start,
        request: SentRequest(
          method: "GET", scheme: "http", authority: "a.test", target: "/<b>", httpVersion: "HTTP/1.1", proxy: nil,
          headers: [("Accept", "*/*")]),
        response: ReceivedResponse(
          status: 200, reason: "OK", httpVersion: "1.1", headers: [],
          body: BodyReference(size: Int64(body.utf8.count), excerpt: { BodyExcerpt(text: body) })),
        timings: timings, remoteAddress: nil, localAddress: nil, cache: nil, note: nil))
  }

  /// The blocks of rows, and of details, of a report on one file.
  private static func blocks(_ events: [FileEvent]) throws -> (rows: [String], details: [String], page: String) {
    let path = temporaryPath("report.html")
    defer { removeTemporary(path) }
    let report = HTMLReport(path: path)
    report.start(RunStart(time: start, fileRuns: 1))
    let sink = report.sink(at: 0)
    sink?.receive(.started(FileStart(position: 0, path: "a.yaml", name: "A", iteration: 1, time: start)))
    for event in events { sink?.receive(event) }
    sink?.receive(
      .finished(
        FileReport(path: "a.yaml", iteration: 1, counts: OutcomeCounts(), start: start, duration: .seconds(2))))
    var summary = RunSummary()
    summary.start = start
    try report.finish(summary)
    let page = try contents(of: path)
    func blocks(_ name: String) -> [String] {
      page.split(separator: "\n").filter { $0.hasPrefix("<script ") && $0.contains(" class=\"\(name)\">") }
        .map { String($0.drop { $0 != ">" }.dropFirst().dropLast("</script>".count)) }
    }
    let details = try blocks("details").map(inflatedText)
    return (blocks("rows"), details, page)
  }

  private static func inflatedText(_ base64: String) throws -> String {
    let packed = try #require(base64Decoded(base64))
    return String(decoding: try #require(inflated(packed)).bytes, as: UTF8.self)
  }

  @Test("rows and details of a small run")
  func smallRun() throws {
    let flow = StepID(file: 0, number: 9)
    let (rows, details, page) = try Self.blocks([
      Self.hop(1, body: "{}\u{2028}</script>"),
      Self.step(1) { $0.tags = ["smoke"] },
      .groupStarted(
        GroupStart(id: flow, parent: nil, kind: .flow, stage: .requests, name: "</script>", line: 7, time: Self.start)),
      Self.step(3, in: 2) { $0.stage = .setup },
      Self.step(2, in: 9, .skipped(reason: "no\nreason")) { $0.start = nil },
      .groupFinished(GroupReport(id: flow, parent: nil, counts: OutcomeCounts(), duration: .milliseconds(12))),
      Self.step(4, .failed) { report in
        report.failures = [AssertionReport(subject: "status", range: nil, expected: "200", actual: "404")]
      },
    ])
    #expect(
      rows == [
        #"""
        [["f","a.yaml","A",1],\#
        [0,"step 1",1,200,1,1.50,0,0,0,"GET http://a.test/\u003cb\u003e","",["smoke"],"",0,0,[null,0.25,null,null,1]],\#
        ["g","flow","\u003c/script\u003e",7],\#
        [0,"step 3",3,200,3,1.50,0,0,1,"","",0,"",0,2],\#
        [4,"step 2",2,200,-1,1.50,0,0,0,"","no\nreason",0,"",2],\#
        ["/",12],\#
        [1,"step 4",4,200,4,1.50,0,0,0,"","status: expected 200, actual 404"],\#
        ["/",2000]]
        """#
      ])
    let all = try #require(details.first)
    #expect(details.count == 1)
    #expect(all.contains(#""url":"http://a.test/<b>""#))
    #expect(all.contains(##"[null,{"size":14,"text":"{}\u2028</script>"}]]"##))
    #expect(all.contains(#""message":"status: expected 200, actual 404""#))
    // Only the page's own blocks, and the script at its end, end.
    #expect(page.matches(of: /<\/script/).count == 4)
    #expect(page.contains("<li>a.yaml:4 step 4: status: expected 200, actual 404</li>"))
  }

  @Test("a large page leaves out bodies of passed requests, then their details, then those of failed ones")
  func limits() throws {
    var limits = HTMLBlocks.Limits()
    (limits.bodies, limits.details, limits.failures) = (20, 40, 60)
    let output = Mutex<[UInt8]>([])
    let blocks = HTMLBlocks(limits: limits) { bytes in output.withLock { $0 += bytes } }
    let all = [0, 1, 0, 1, 0, 1, 1].flatMap { code in
      var entry = HTMLEntry(row: Array("[\(code),\"abcdef\"]".utf8))
      entry.isFailure = code == 1
      (entry.details, entry.bodies) = (Array("{\"a\":\(code)}".utf8), Array("[[1,2]]".utf8))
      return entry.frame
    }
    // Pieces may end anywhere.
    for start in stride(from: 0, to: all.count, by: 7) { blocks.take(Array(all[start..<min(start + 7, all.count)])) }
    let leftOut = blocks.finish()
    #expect([leftOut.bodies, leftOut.details] == [2, 3])
    let page = String(decoding: output.withLock { $0 }, as: UTF8.self)
    let text = try #require(page.firstMatch(of: /class="details">([^<]*)</)).1
    #expect(
      try Self.inflatedText(String(text))
        == #"[[{"a":0},[[1,2]]],[{"a":1},[[1,2]]],[{"a":0},0],[{"a":1},0],[0,0],[0,0],[0,0]]"#)
  }
}
