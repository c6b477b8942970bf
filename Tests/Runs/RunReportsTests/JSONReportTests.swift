import DocumentQueries
import Matching
import RequestSpecs
import RunReports
import SpecExecution
import TestSupport
import Testing
import Values

/// The reasons why a text isn't a valid JSON report.
func reportProblems(in text: String) throws -> [String] { try schemaProblems(of: text, JSONReport.schema) }

/// The reasons why the lines of a text aren't valid events.
func eventProblems(in text: String) throws -> [String] {
  try schemaProblems(ofLines: text.split(separator: "\n").map(String.init), JSONLinesReport.schema)
}

@Suite("The JSON report") struct JSONReportTests {
  private static func step(
    _ number: Int, in parent: Int? = nil, _ outcome: RequestOutcome = .passed, attempts: Int = 0
  ) -> FileEvent {
    var report = StepReport(
      id: StepID(file: 0, number: number), parent: parent.map { StepID(file: 0, number: $0) }, name: "step \(number)",
      line: number, transport: TransportDecision(kind: .curl, reason: ""))
    report.outcome = outcome
    report.attemptCount = attempts
    for number in 0..<attempts {
      report.add(
        AttemptReport(
          step: report.id, number: number + 1, start: Timestamp(seconds: 0), duration: .milliseconds(5),
          outcome: .failed, status: 503, reason: "status 503"))
    }
    return .stepFinished(report)
  }

  /// Writes the events of each file, those of the last file first.
  private static func report(_ files: [[FileEvent]]) throws -> JSONDocument {
    let path = temporaryPath("report.json")
    defer { removeTemporary(path) }
    let report = JSONReport(path: path)
    let time = Timestamp(seconds: 0)
    for position in files.indices.reversed() {
      let sink = report.sink(at: position)
      sink?.receive(
        .started(FileStart(position: position, path: "\(position).yaml", name: nil, iteration: 1, time: time)))
      for event in files[position] { sink?.receive(event) }
      sink?.receive(
        .finished(
          FileReport(
            path: "\(position).yaml", iteration: 1, counts: OutcomeCounts(), start: time, duration: .seconds(2))))
    }
    try report.finish(RunSummary())
    let text = try contents(of: path)
    #expect(try reportProblems(in: text) == [])
    return try JSONDocument(parsing: text)
  }

  private static func values(_ path: String, in document: JSONDocument) throws -> [String] {
    try JSONPath(path).nodes(in: document).map { $0.value.asText.string }
  }

  @Test("steps contain their own steps, though these end first")
  func nesting() throws {
    let document = try Self.report([
      [Self.step(2, in: 1), Self.step(4, in: 3), Self.step(3, in: 1), Self.step(1), Self.step(5)]
    ])
    #expect(try Self.values("$.files[0].steps[*].name", in: document) == ["step 1", "step 5"])
    #expect(try Self.values("$.files[0].steps[0].steps[*].name", in: document) == ["step 2", "step 3"])
    #expect(try Self.values("$.files[0].steps[0].steps[1].steps[*].name", in: document) == ["step 4"])
  }

  @Test("files are in the order of the output; a file may have no steps")
  func order() throws {
    let document = try Self.report([[Self.step(1)], [], [Self.step(1)]])
    #expect(try Self.values("$.files[*].path", in: document) == ["0.yaml", "1.yaml", "2.yaml"])
    #expect(try Self.values("$.files[*].steps[*].name", in: document).count == 2)
    #expect(try Self.values("$.files[*].duration", in: document) == ["2.000000", "2.000000", "2.000000"])
  }

  @Test("a step has its attempts")
  func attempts() throws {
    let document = try Self.report([[Self.step(1, attempts: 2), Self.step(2, attempts: 1)]])
    #expect(try Self.values("$.files[0].steps[0].attempts[*].number", in: document) == ["1", "2"])
    #expect(
      try Self.values("$.files[0].steps[0].attempts[*].reason", in: document) == ["status 503", "status 503"])
    #expect(try Self.values("$.files[0].steps[*].attempt_count", in: document) == ["2", "1"])
  }

  @Test("an empty run is a report, too")
  func empty() throws {
    let document = try Self.report([])
    #expect(try Self.values("$.version", in: document) == ["2"])
    #expect(try Self.values("$.files[*]", in: document) == [])
  }

  @Test("a report that isn't one is invalid by the schema")
  func invalid() throws {
    #expect(try reportProblems(in: #"{"version": 1}"#) != [])
  }
}
