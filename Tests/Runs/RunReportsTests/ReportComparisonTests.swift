import HTTPSemantics
import RunReports
import SpecExecution
import Testing
import Values

@Suite("Two reports that are compared") struct ReportComparisonTests {
  struct Step: Sendable {
    var name: String
    var outcome = RequestOutcome.passed
    var milliseconds = 10
    var status = 200
    var type = "application/json; charset=utf-8"
    var body = "{}"
    var line = 3
    var flow: String?
    var isCut = false

    init(
      _ name: String, _ outcome: RequestOutcome = .passed, milliseconds: Int = 10, status: Int = 200,
      type: String = "application/json; charset=utf-8", body: String = "{}", line: Int = 3, flow: String? = nil,
      isCut: Bool = false
    ) {
      (self.name, self.outcome, self.milliseconds, self.status) = (name, outcome, milliseconds, status)
      (self.type, self.body, self.line, self.flow, self.isCut) = (type, body, line, flow, isCut)
    }
  }

  private static func report(_ steps: [Step]) throws -> String {
    let path = temporaryPath("report.json")
    let report = JSONReport(path: path)
    let time = Timestamp(seconds: 0)
    let sink = report.sink(at: 0)
    sink?.receive(.started(FileStart(position: 0, path: "a.yaml", name: nil, iteration: 1, time: time)))
    var number = 0
    func nextID() -> StepID {
      number += 1
      return StepID(file: 0, number: number)
    }
    for step in steps {
      var group: StepID?
      if let flow = step.flow {
        let id = nextID()
        group = id
        sink?.receive(
          .groupStarted(
            GroupStart(id: id, parent: nil, kind: .flow, stage: .requests, name: flow, line: 1, time: time)))
      }
      var result = StepReport(id: nextID(), parent: group, name: step.name, line: step.line)
      result.group = group
      result.outcome = step.outcome
      result.duration = .milliseconds(step.milliseconds)
      if step.outcome == .failed {
        result.failures = [AssertionReport(subject: "status", range: nil, expected: "200", actual: "500")]
      }
      let body = BodyExcerpt(text: step.body, isCut: step.isCut)
      sink?.receive(
        .hopFinished(
          HopReport(
            step: result.id, attempt: 1, number: 1, start: time,
            request: SentRequest(
              method: "GET", scheme: "http", authority: "h", target: "/", httpVersion: nil, proxy: nil, headers: []),
            response: ReceivedResponse(
              status: step.status, reason: "", httpVersion: "", headers: [("content-type", step.type)],
              body: BodyReference(size: 1, excerpt: { body })),
            timings: nil, remoteAddress: nil, localAddress: nil, cache: nil, note: nil)))
      sink?.receive(.stepFinished(result))
      if let group {
        sink?.receive(
          .groupFinished(GroupReport(id: group, parent: nil, counts: OutcomeCounts(), duration: .zero)))
      }
    }
    sink?.receive(
      .finished(FileReport(path: "a.yaml", iteration: 1, counts: OutcomeCounts(), start: time, duration: .zero)))
    try report.finish(RunSummary())
    return path
  }

  struct Comparison: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: [Step]
    let new: [Step]
    /// Lines of the text, without the blanks before them.
    let lines: [String]

    init(_ name: String, _ old: [Step], _ new: [Step], _ lines: [String]) {
      (testDescription, self.old, self.new, self.lines) = (name, old, new, lines)
    }
  }

  static let comparisons: [Comparison] = [
    Comparison("the same", [Step("a"), Step("b")], [Step("a"), Step("b")], ["2 requests compared: no differences"]),
    Comparison(
      "newly failing, fixed and still failing",
      [Step("a"), Step("b", .failed), Step("c", .failed)], [Step("a", .failed), Step("b"), Step("c", .failed)],
      [
        "1 newly failing request:", "a.yaml:3  a: status: expected 200, actual 500", "1 fixed request:", "a.yaml:3  b",
        "3 requests compared: 1 newly failing, 1 fixed · 1 still failing",
      ]),
    Comparison(
      "new and gone, skipped ones among them",
      [Step("a", line: 1), Step("b", line: 2), Step("c", .skipped(reason: "no"), line: 3)],
      [Step("b", .skipped(reason: "later"), line: 2), Step("c", line: 3), Step("d", .failed, line: 4)],
      [
        "1 newly failing request:", "a.yaml:4  d: status: expected 200, actual 500",
        "2 requests that did not run again:", "a.yaml:1  a", "a.yaml:2  b: skipped: later", "2 new requests:",
        "a.yaml:3  c", "a.yaml:4  d: it fails: status: expected 200, actual 500",
        "0 requests compared: 1 newly failing, 2 new, 2 gone",
      ]),
    Comparison(
      "slower, but not by chance", [Step("a"), Step("b", milliseconds: 100), Step("c", milliseconds: 1000)],
      [Step("a", milliseconds: 105), Step("b", milliseconds: 230), Step("c", milliseconds: 1900)],
      ["1 slower request:", "a.yaml:3  b: 100 ms → 230 ms (2.3x)", "3 requests compared: 1 slower"]),
    Comparison(
      "other structures",
      [Step("a", body: #"{"id": 1, "old": {}, "tags": [{"a": 1}, {"b": null}], "empty": []}"#)],
      [Step("a", body: #"{"id": "x", "new key": true, "tags": [{"a": 1.5}, {"b": "t"}], "empty": [1]}"#)],
      [
        "1 changed response:",
        "a.yaml:3  a: $.id: number → text, $.old is gone (object), $.tags[*].b: null → text, $['new key'] is new (boolean)",
        "1 request compared: 1 changed",
      ]),
    Comparison(
      "other statuses and types", [Step("a", status: 200), Step("b")],
      [Step("a", status: 201), Step("b", type: "text/plain", body: "x")],
      [
        "2 changed responses:", "a.yaml:3  a: status 200 → 201",
        "a.yaml:3  b: content type application/json → text/plain", "2 requests compared: 2 changed",
      ]),
    Comparison(
      "items of several types are one shape", [Step("a", body: #"[1, "x", [1], null]"#)],
      [Step("a", body: #"[null, [2], "y", "z", 3]"#)], ["1 request compared: no differences"]),
    Comparison(
      "responses that are cut", [Step("a", body: "[", isCut: true)], [Step("a", body: "{}")],
      ["1 request compared: no differences · 1 response too long to compare"]),
    Comparison(
      "names that several have, by their order and their flow",
      [Step("a"), Step("a", .failed), Step("a", flow: "f")], [Step("a"), Step("a"), Step("a", .failed, flow: "f")],
      [
        "1 newly failing request:", "a.yaml:3  f › a: status: expected 200, actual 500", "1 fixed request:",
        "a.yaml:3  a", "3 requests compared: 1 newly failing, 1 fixed",
      ]),
    Comparison(
      "names with another server or identifier",
      [Step("GET http://old:1/a"), Step("delete 17", line: 9)],
      [Step("GET https://new/a"), Step("delete 18", .failed, line: 9)],
      [
        "1 newly failing request:", "a.yaml:9  delete 18: status: expected 200, actual 500",
        "2 requests compared: 1 newly failing",
      ]),
  ]

  @Test("differ in what their requests and responses do", arguments: comparisons)
  func differences(_ comparison: Comparison) throws {
    let (old, new) = (try Self.report(comparison.old), try Self.report(comparison.new))
    defer { removeTemporary(old) }
    defer { removeTemporary(new) }
    let text = try ReportComparison(of: old, with: new, ratio: 2).text(isColored: false)
    #expect(
      text.split(separator: "\n").map { String($0.drop { $0 == " " }) } == comparison.lines, "\(text)")
  }

  static let ignored: [(parts: [String], shown: Set<String>, unused: [String])] = [
    ([], ["status", "content type", "$.id", "$.debug", "$.tags[*].at"], []),
    (["$.debug", "$..at"], ["status", "content type", "$.id"], []),
    (["status", "Content-Type", "$.id"], ["$.debug", "$.tags[*].at"], []),
    (["$.tags[0]", "$.debgu"], ["status", "content type", "$.id", "$.debug"], ["$.debgu"]),
    (["$", "status", "content_type"], [], []),
  ]

  @Test("leave out what is ignored", arguments: ignored)
  func ignoring(_ parts: [String], _ shown: Set<String>, _ unused: [String]) throws {
    let old = try Self.report([Step("a", body: #"{"id": 1, "debug": {"x": 1}, "tags": [{"at": 1}]}"#)])
    let new = try Self.report(
      [Step("a", status: 201, type: "application/x+json", body: #"{"id": "1", "debug": 2, "tags": [{"at": "1"}]}"#)])
    defer { removeTemporary(old) }
    defer { removeTemporary(new) }
    let comparison = try ReportComparison(of: old, with: new, ratio: 2, ignoring: try IgnoredParts(parts))
    let text = comparison.text(isColored: false)
    for place in ["status", "content type", "$.id", "$.debug", "$.tags[*].at"] {
      #expect(text.contains(place) == shown.contains(place), "\(place) in \(text)")
    }
    #expect(comparison.has([.shape]) == !shown.isEmpty)
    #expect(comparison.warnings.count == unused.count)
  }

  @Test("ignore only what is compared", arguments: ["id", "date", "$.[", "$x", ""])
  func invalid(_ part: String) { #expect(throws: Diagnostic.self) { try IgnoredParts([part]) } }

  @Test("have the kinds of differences that were found")
  func kinds() throws {
    let (old, new) = (try Self.report([Step("a"), Step("b", line: 4)]), try Self.report([Step("a", .failed)]))
    defer { removeTemporary(old) }
    defer { removeTemporary(new) }
    let comparison = try ReportComparison(of: old, with: new, ratio: 2)
    #expect(comparison.has([.failing]))
    #expect(comparison.has([.slower, .gone]))
    #expect(!comparison.has([.slower, .shape, .new, .fixed]))
    #expect(!comparison.has([]))
  }
}
