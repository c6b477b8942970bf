import APIContracts
import DocumentQueries
import HTTPSemantics
import Matching
import RequestSpecs
import RunReports
import SpecExecution
import Testing
import Values

@Suite("A replay of a JSON report") struct ReportReplayTests {
  private static let time = Timestamp(seconds: 1_700_000_000, nanoseconds: 123_456_789)
  private static let source = SourceText(
    name: "a.yaml",
    text: "requests:\n  - url: x\n    expect: {status: 200}\n    password: tiger\n    json: {größe: 東京}\n")

  private static func range(_ text: String) -> SourceRange {
    let wanted = Array(text.utf8)
    let start = source.utf8.indices.first { source.utf8[$0...].starts(with: wanted) } ?? 0
    return SourceRange(source, start..<start + wanted.count)
  }

  private static func id(_ number: Int) -> StepID { StepID(file: 0, number: number) }

  private static func hop(_ number: Int, of step: Int) -> FileEvent {
    var request = SentRequest(
      method: "POST", scheme: "https", authority: "h:1", target: number == 1 ? "/a?b" : "*", httpVersion: "HTTP/1.1",
      proxy: "http://p", headers: [("A", "1"), ("A", "\u{1B}[2J")])
    request.body = BodyReference(
      size: 3, excerpt: { BodyExcerpt(.data([0, 255, 3]), contentType: "image/png") })
    request.headSize = 120
    request.cookies = [HopCookie(name: "a")]
    var timings = ExchangeTimings()
    timings.connect = .nanoseconds(1_234_567)
    timings.total = .seconds(2)
    var cookie = HopCookie(name: "b")
    (cookie.path, cookie.domain, cookie.expires) = ("/", "h", time)
    (cookie.isHTTPOnly, cookie.isSecure) = (true, true)
    var response = ReceivedResponse(
      status: 307, reason: "Moved", httpVersion: "2", headers: [],
      body: BodyReference(
        size: 99_999, wireSize: 4, excerpt: { BodyExcerpt(text: "{\"é\u{2028}\": 1}", isCut: true) }))
    (response.headSize, response.bodySize, response.cookies) = (64, 4, [cookie])
    var text = ReportedMessage(time: time, isSent: true, kind: .text, size: 20_000)
    (text.text, text.isCut) = ("{\"é\": 1", true)
    var closing = ReportedMessage(time: time, isSent: false, kind: .close, size: 0)
    (closing.text, closing.code) = ("", 1000)
    var binary = ReportedMessage(time: time, isSent: false, kind: .binary, size: 2)
    binary.bytes = [0, 255]
    (response.messages, response.moreMessages) = ([text, binary, closing], 3)
    var hop = HopReport(
      step: id(step), attempt: 1, number: number, start: time, request: request,
      response: number == 1 ? response : nil,
      timings: number == 1 ? timings : nil, remoteAddress: "127.0.0.1:80", localAddress: nil,
      cache: .miss(isStored: true), note: "no")
    if number == 3 { (hop.isPart, hop.problem, hop.leftOut) = (true, "closed", 7) }
    return .hopFinished(hop)
  }

  /// A step with everything that a report has.
  private static func fullStep(_ number: Int, parent: Int?) -> StepReport {
    var report = StepReport(
      id: id(number), parent: parent.map { id($0) }, name: "full", line: 2,
      transport: TransportDecision(kind: .urlsession, reason: "because", isUsual: false))
    report.stage = .teardown
    report.path = "used.yaml"
    report.outcome = .failed
    report.start = time
    report.duration = .nanoseconds(1_500_001)
    report.status = 500
    report.cache = .revalidated
    report.attemptCount = 2
    report.roundCount = 1
    report.add(
      AttemptReport(
        step: id(number), number: 1, start: time, duration: .milliseconds(2), outcome: .skipped(reason: "late"),
        status: 503, round: 1, reason: "status 503"))
    report.assertionCount = 3
    report.passedAssertions = [PassedAssertion(subject: "status", predicate: "equals 200", range: range("200"))]
    var difference = Mismatch<String>.Difference(path: "$.größe", kind: .changed, expected: "東京", actual: "京東")
    difference.mark = Mark(range: 3..<6, label: "here")
    difference.note = "only"
    difference.count = 3
    difference.lines = [Mismatch<String>.Line(.same, "a"), Mismatch<String>.Line(.actual, "b")]
    var failure = AssertionReport(
      subject: "json $.größe", range: range("{größe: 東京}"), predicate: "equals", expected: "東京", actual: "京東",
      mark: Mark(range: 3..<6), summary: "they differ", differences: [difference], moreDifferences: 2,
      place: "x.yaml:3 #/a", body: "oops", hint: "one\ntwo")
    failure.notes = [Diagnostic.Note("the alias", at: range("tiger")), Diagnostic.Note("plain")]
    failure.dependents = ["json $.b"]
    report.failures = [failure]
    report.warnings = [AssertionReport(subject: "openapi", range: nil, expected: "a", actual: "b")]
    report.problem = Diagnostic(.warning, .invalidValue, "broken", at: range("url: x\n    expect"), help: "mend it")
    report.captures = [CapturedValue(name: "a", value: "1"), CapturedValue(name: "b", value: "")]
    report.snapshotChange = SnapshotChange(kind: .updated, path: "s.json")
    report.transfer = TransferReport(summary: "→ x")
    report.transfer?.details = ["one", "two"]
    report.curlCommand = "curl 'x'"
    return report
  }

  private static func plainStep(_ number: Int, _ reason: String) -> StepReport {
    StepReport(
      id: id(number), parent: nil, name: "plain", line: 2,
      transport: TransportDecision(kind: .urlsession, reason: reason, isUsual: false))
  }

  private static let events: [FileEvent] = {
    let group = GroupStart(id: id(1), parent: nil, kind: .flow, stage: .requests, name: "flow", line: 4, time: time)
    var inner = StepReport(id: id(4), parent: id(3), name: "inner", line: 5)
    inner.group = id(2)
    inner.outcome = .skipped(reason: "why")
    inner.isSkippedWithRest = true
    var outer = fullStep(3, parent: 2)
    outer.group = id(2)
    return [
      .groupStarted(group),
      .groupStarted(
        GroupStart(id: id(2), parent: id(1), kind: .rows, stage: .setup, name: "", line: 5, time: time)),
      .stepStarted(
        StepStart(id: id(3), parent: id(2), stage: .teardown, name: "full", line: 2, time: time)),
      hop(1, of: 3), hop(2, of: 3), hop(3, of: 3), .attemptFinished(outer.attempts[0]), .stepFinished(inner),
      .stepFinished(outer),
      .groupFinished(GroupReport(id: id(2), parent: id(1), counts: OutcomeCounts(), duration: .seconds(1))),
      .groupFinished(GroupReport(id: id(1), parent: nil, counts: OutcomeCounts(), duration: .zero)),
      .stepFinished(fullStep(5, parent: nil)), .stepFinished(plainStep(6, "another")),
      .stepFinished(plainStep(7, "because")),
    ]
  }()

  private static var summary: RunSummary {
    var summary = RunSummary()
    summary.origin.seed = 18_446_744_073_709_551_615
    summary.origin.version = "1.2"
    summary.origin.host = "machine"
    summary.origin.shard = "1/2"
    summary.origin.environment = "staging"
    summary.origin.isDryRun = true
    summary.counts.failed = 2
    summary.counts.snapshotsUpdated = 1
    summary.files = 1
    summary.unreadableFiles = 1
    summary.start = time
    summary.duration = .milliseconds(1)
    summary.interruptedBy = 15
    summary.exceededTime = .seconds(3)
    summary.minCoverage = 50
    summary.unusedSnapshots = ["old.json"]
    summary.prunesSnapshots = true
    summary.exitCode = 143
    let error = Diagnostic(
      .error, .invalidValue, "wrong", at: range("status: 200"), notes: [Diagnostic.Note("so")], help: "right")
    summary.brokenFiles = [BrokenFile(path: "b.yaml", errors: [error])]
    summary.diagnostics = [[error, Diagnostic(.warning, .invalidValue, "hm", at: nil)], [error]]
    summary.contracts = [
      ContractCoverage(
        document: "api.yaml", title: "API", apiVersion: nil,
        operations: [
          ContractCoverage.OperationCoverage(
            operation: ContractCoverage.OperationName(
              method: "GET", path: "/a", operationID: "a", isDeprecated: true), requests: 3,
            statuses: [("2XX", 2), ("default", 0)], undeclared: [(418, 1)],
            fields: [ContractCoverage.FieldCoverage(name: "query q", requests: 1, values: [("a", 1), ("b", 0)])])
        ], unmatchedRequests: 2)
    ]
    return summary
  }

  private static func text(of kind: ReportKind = .json) throws -> String {
    let path = temporaryPath("report")
    defer { removeTemporary(path) }
    let report = kind.make(path)
    try report.prepare()
    try report.open()
    report.start(RunStart(time: time, fileRuns: 1, origin: summary.origin))
    let sink = report.sink(at: 0)
    sink?.receive(
      .started(FileStart(position: 0, path: "a.yaml", name: "A", iteration: 2, variant: "a: 1", time: time)))
    for event in events { sink?.receive(event) }
    sink?.receive(
      .finished(
        FileReport(
          path: "a.yaml", iteration: 2, variant: "a: 1", counts: summary.counts, start: time, duration: .seconds(2))))
    try report.finish(summary)
    return try contents(of: path)
  }

  /// The report of a replay of a report, or the reason why it can't be read.
  private static func replayed(_ text: String, as kind: ReportKind = .json) throws -> Result<String, Diagnostic> {
    let (old, new) = (temporaryPath("old.json"), temporaryPath("new"))
    defer { removeTemporary(old) }
    defer { removeTemporary(new) }
    try write(text, to: old)
    let report = kind.make(new)
    try report.prepare()
    try report.open()
    do throws(Diagnostic) {
      let summary = try RunReplay(of: old).run(into: [report])
      try? report.finish(summary)
    } catch {
      return .failure(error)
    }
    return .success(try contents(of: new))
  }

  @Test("has all that the report has")
  func roundTrip() throws {
    let text = try Self.text()
    #expect(try reportProblems(in: text) == [])
    #expect(try Self.replayed(text).get() == text)
  }

  /// Events come in another order.
  private static let replayedKinds = ReportKind.allCases.filter { $0 != .jsonLines }

  @Test("makes the same reports of other kinds as the run", arguments: replayedKinds)
  func kinds(_ kind: ReportKind) throws {
    #expect(try Self.replayed(try Self.text(), as: kind).get() == Self.text(of: kind))
  }

  @Test("reads a report whose members another program has sorted")
  func otherLayout() throws {
    let text = try Self.text()
    var style = JSONStyle(.pretty)
    style.sortsMembers = true
    let sorted = try JSONDocument(parsing: text).root.value.jsonText(style).string
    #expect(try Self.replayed(sorted).get() == text)
  }

  @Test("reads numbers as other programs write them", arguments: ["1.500001e-3", "0.0015000010", "0.00150000101"])
  func otherNumbers(_ number: String) throws {
    let text = try Self.text()
    #expect(text.contains("0.001500001"))
    #expect(try Self.replayed(text.replacing("0.001500001", with: number)).get() == text)
  }

  @Test("shows no secret of the lines that it quotes")
  func secrets() throws {
    #expect(try !Self.text().contains("tiger"))
  }

  @Test(
    "refuses broken, cut and hostile reports",
    arguments: [
      ("", "", "it ends in the middle"),
      (#""version":2"#, #""version":3"#, "it has version 3, and this reqrun reads version 2"),
      (#""version":2,"#, "", "it has no `version` and `files`"),
      (#""failed":2"#, #""failed":-1"#, "`failed` is not an integer from 0 to 1000000000"),
      (#""failed":2"#, #""failed":99999999999999999999"#, "`failed` is not an integer"),
      (#""failed":2"#, #""failed":2.5"#, "`failed` is not an integer"),
      (#""status":500"#, #""status":1000"#, "line 6: `status` is not an integer from 0 to 999"),
      (#""outcome":"failed""#, #""outcome":"great""#, "`outcome` is none of the known words"),
      (#""stage":"teardown""#, #""stage":5"#, "`stage` is not text"),
      (#""name":"full","#, "", "`name` is missing"),
      (#""duration":0.001500001"#, #""duration":1e99"#, "`duration` is not a number of seconds"),
      (#""duration":0.001500001"#, #""duration":-1"#, "`duration` is not a number of seconds"),
      (#""start":"2023"#, #""start":"20x3"#, "`start` is not a date and time"),
      (#""mark":{"start":1,"end":2}"#, #""mark":{"start":2,"end":1}"#, "`mark` is not part of the text"),
      (#""mark":{"start":1,"end":2}"#, #""mark":{"start":1,"end":900}"#, "`mark` is not part of the text"),
      (#""line":3,"#, #""line":0,"#, "`line` is not an integer from 1 to 2147483647"),
      (#""target":"/a?b""#, #""target":"/c""#, "`url` is not a URL of its target"),
      (#""base64":"AP8D""#, #""base64":"?""#, "`base64` is not base64"),
      (#""captures":["#, #""captures":[7,"#, "`captures` is not a list of objects"),
      (#""steps":["#, #""steps":[,"#, "line 3: expected an object"),
      ("]}", "]", "it ends in the middle"),
    ])
  func refused(_ part: String, _ other: String, _ message: String) throws {
    let text = try Self.text()
    guard case .failure(let problem) = try Self.replayed(part.isEmpty ? "" : text.replacing(part, with: other)) else {
      Issue.record("it is read")
      return
    }
    #expect(problem.message.contains(message), "\(problem.message)")
  }

  @Test("refuses a report that is cut at any place")
  func truncated() throws {
    let bytes = Array(try Self.text().utf8)
    for length in stride(from: 0, to: bytes.count - 2, by: 97) {
      guard case .failure = try Self.replayed(String(decoding: bytes[..<length], as: UTF8.self)) else {
        Issue.record("\(length) bytes are read")
        continue
      }
    }
  }

  @Test("nesting without end is refused")
  func depth() throws {
    let step = #"{"name":"a","stage":"setup","line":1,"outcome":"passed","duration":0,"attempt_count":0,"assertions":0"#
    let open = String(repeating: "\(step),\"steps\":[", count: 100)
    let steps = #""steps":[\#(open)\#(String(repeating: "]}", count: 100))"#
    let text = try Self.text().replacing("\"steps\":[\n", with: "\(steps),", maxReplacements: 1)
    guard case .failure(let problem) = try Self.replayed(text) else {
      Issue.record("it is read")
      return
    }
    #expect(problem.message.contains("steps are nested more than 64 times"), "\(problem.message)")
  }
}
