import RequestSpecs
import RunReports
import SpecExecution
import Testing
import Values

@Suite("TAP")
struct TAPReportTests {
  private static let time = Timestamp(seconds: 0)

  private static func id(_ number: Int) -> StepID { StepID(file: 0, number: number) }

  private static func step(_ name: String, _ outcome: RequestOutcome = .passed) -> FileEvent {
    var report = StepReport(id: id(1), parent: nil, name: name, line: 7)
    report.outcome = outcome
    if outcome == .failed {
      report.status = 500
      report.failures = [
        AssertionReport(subject: "status", range: nil, predicate: "equals 200", expected: "200", actual: "500")
      ]
    }
    return .stepFinished(report)
  }

  private static func group(_ number: Int, _ name: String, _ events: [FileEvent], isGood: Bool = true) -> [FileEvent] {
    var counts = OutcomeCounts()
    counts.failed = isGood ? 0 : 1
    let start = GroupStart(
      id: id(number), parent: nil, kind: .flow, stage: .requests, name: name, line: 1, time: time)
    let end = GroupReport(id: id(number), parent: nil, counts: counts, duration: .milliseconds(5))
    return [.groupStarted(start)] + events + [.groupFinished(end)]
  }

  /// Writes the events of each file; nil for one that was not started.
  private static func lines(_ files: [[FileEvent]?], _ summary: RunSummary = RunSummary()) throws -> [String] {
    let path = temporaryPath("report.tap")
    defer { removeTemporary(path) }
    let report = TAPReport(path: path)
    report.start(RunStart(time: time, fileRuns: files.count))
    for position in files.indices {
      let sink = report.sink(at: position)
      guard let events = files[position] else {
        sink?.receive(.leftOut)
        continue
      }
      sink?.receive(.started(FileStart(position: position, path: "a.yaml", name: nil, iteration: 1, time: time)))
      for event in events { sink?.receive(event) }
      let counts = OutcomeCounts()
      sink?.receive(
        .finished(FileReport(path: "a.yaml", iteration: 1, counts: counts, start: time, duration: .seconds(2))))
    }
    try report.finish(summary)
    return try contents(of: path).split(separator: "\n").map(String.init)
  }

  @Test("groups are subtests, with a plan of their own")
  func subtests() throws {
    let inner = Self.group(3, "inner", [Self.step("deep", .failed)], isGood: false)
    let events = [Self.step("first")] + Self.group(2, "outer", inner + [Self.step("after")])
    #expect(
      try Self.lines([events, nil]) == [
        "TAP version 14",
        "# Subtest: a.yaml",
        "    ok 1 - first",
        "    # Subtest: outer",
        "        # Subtest: inner",
        "            not ok 1 - deep",
        "              ---",
        "              message: \"status: expected 200, actual 500\"",
        "              severity: fail",
        "              at:",
        "                file: \"a.yaml\"",
        "                line: 7",
        "              expected: \"200\"",
        "              actual: \"500\"",
        "              duration_ms: 0.000",
        "              status: 500",
        "              ...",
        "            1..1",
        "        not ok 1 - inner",
        "          ---",
        "          duration_ms: 5.000",
        "          ...",
        "        ok 2 - after",
        "        1..2",
        "    ok 2 - outer",
        "      ---",
        "      duration_ms: 5.000",
        "      ...",
        "    1..2",
        "ok 1 - a.yaml",
        "  ---",
        "  duration_ms: 2000.000",
        "  ...",
        "ok 2 # SKIP the run ended before it started",
        "1..2",
      ])
  }

  @Test(
    "a name or reason cannot begin a directive",
    arguments: [
      ("a # SKIP b", "a \\# SKIP b"), ("back\\slash", "back\\\\slash"), ("\\#", "\\\\\\#"), ("a\nok 2", "a␊ok 2"),
      ("plain – ü", "plain – ü"),
    ])
  func escapes(_ text: String, _ expected: String) throws {
    #expect(TAPText.escaped(text) == expected)
    let lines = try Self.lines([[Self.step(text), Self.step("b", .skipped(reason: text))]])
    #expect(lines[2...3] == ["    ok 1 - \(expected)", "    ok 2 - b # SKIP \(expected)"])
  }

  @Test("a file with errors is a failed point; an incomplete run bails out at the end")
  func ends() throws {
    var summary = RunSummary()
    summary.brokenFiles = [BrokenFile(path: "b.yaml", errors: [.error(.invalidValue, "unknown key", at: nil)])]
    summary.interruptedBy = 2
    #expect(
      try Self.lines([], summary) == [
        "TAP version 14", "not ok 1 - b.yaml", "  ---", "  message: \"unknown key\"", "  severity: fail", "  at:",
        "    file: \"b.yaml\"", "    line: 1", "  ...", "1..1", "Bail out! the run was interrupted by signal 2",
      ])
    summary.exceededTime = .seconds(10)
    #expect(try Self.lines([], summary).last == "Bail out! the run was ended after 10.00 s (--max-time)")
    #expect(try Self.lines([]) == ["TAP version 14", "1..0 # SKIP nothing ran"])
  }
}
