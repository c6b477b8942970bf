import RequestSpecs
import RunReports
import Testing
import Values

@Suite("An earlier report") struct EarlierReportTests {
  private static func report(_ text: String) throws -> Result<EarlierReport, Diagnostic> {
    let path = temporaryPath("report.json")
    defer { removeTemporary(path) }
    try write(text, to: path)
    return Result { () throws(Diagnostic) in try EarlierReport(path: path) }
  }

  private static let counts = [
    "passed", "failed", "transport_errors", "spec_errors", "skipped", "not_sent", "assertions", "failed_assertions",
    "warnings", "snapshots_written", "snapshots_updated",
  ].map { "\"\($0)\": 0" }.joined(separator: ", ")

  private static func document(_ files: [String], unreadable: Int = 0, broken: [String] = []) -> String {
    let list = broken.map { "{\"path\": \"\($0)\"}" }.joined(separator: ", ")
    return """
      {"version": 2, "reqrun": "1", "duration": 1, "exit_code": 1, "file_count": 1, "counts": {\(counts)},
        "unreadable_files": \(unreadable), "broken_files": [\(list)], "files": [\(files.joined(separator: ",\n"))]}
      """
  }

  private static func file(
    _ path: String, variant: String? = nil, duration: String = "0", _ steps: [String] = []
  ) -> String {
    """
    {"path": "\(path)", "iteration": 1, \(variant.map { "\"variant\": \"\($0)\"," } ?? "")
      "start": "2024-01-01T00:00:00Z", "duration": \(duration), "counts": {\(counts)},
      "steps": [\(steps.joined(separator: ",\n"))]}
    """
  }

  private static func step(
    _ name: String, _ outcome: String, line: Int = 3, stage: String = "requests", isUnreached: Bool = false,
    reason: String = "", _ steps: [String] = []
  ) -> String {
    """
    {"name": "\(name)", "stage": "\(stage)", "line": \(line), "outcome": "\(outcome)", "reason": "\(reason)",
      "unreached": \(isUnreached), "duration": 0, "attempt_count": 1, "assertions": 0,
      "steps": [\(steps.joined(separator: ",\n"))]}
    """
  }

  private static func group(_ kind: String, _ name: String, line: Int = 2, _ steps: [String]) -> String {
    """
    {"group": "\(kind)", "name": "\(name)", "stage": "requests", "line": \(line), "start": "2024-01-01T00:00:00Z",
      "duration": 0, "counts": {\(counts)}, "steps": [\(steps.joined(separator: ",\n"))]}
    """
  }

  private static let failed = document(
    [
      file(
        "a.yaml", duration: "1.5",
        [
          step("one", "passed"), step("two", "passed", line: 5, [step("inner", "transport_error", line: 7)]),
          step("three", "skipped", line: 9),
        ]),
      file("a.yaml", duration: "2.5", [step("two", "failed", line: 5)]),
      file("b.yaml", duration: "1", [step("login", "spec_error", stage: "setup")]), file("c.yaml"),
      file("d.yaml", [group("flow", "an admin", [step("one", "passed"), step("two", "failed", line: 5)])]),
    ], broken: ["broken.yaml"])

  @Test("has the failed requests of each file, and the average durations")
  func reads() throws {
    let files = try Self.report(Self.failed).get().files
    #expect(files.map(\.path) == ["a.yaml", "b.yaml", "c.yaml", "d.yaml", "broken.yaml"])
    #expect(files.map(\.duration) == [.seconds(2), .seconds(1), .zero, .zero, nil])
    #expect(files.map { $0.failed?.requests?.map(\.name) } == [["two"], nil, nil, ["two"], nil])
    #expect(files.map { $0.failed == nil } == [false, false, true, false, false])
  }

  private static let unreached = document(
    [
      file("a.yaml", [step("one", "skipped"), step("two", "skipped", line: 5, isUnreached: true)]),
      file(
        "b.yaml",
        [
          step("login", "skipped", line: 2, stage: "setup", isUnreached: true),
          step("one", "skipped", line: 4, isUnreached: true),
          step("logout", "skipped", line: 9, stage: "teardown", isUnreached: true),
        ]),
      file("c.yaml", [step("logout", "skipped", line: 2, stage: "teardown", isUnreached: true)]),
      file("d.yaml", [step("one", "not_sent")]),
      file(
        "e.yaml",
        [
          group("rows", "create", [step("create [0]", "passed"), step("create [1]", "failed")]),
          group("rows", "an admin", [group("flow", "an admin [0]", [step("read", "failed", line: 8)])]),
          group(
            "use", "order", line: 11,
            [group("flow", "inner", [step("pay", "passed", [step("token", "skipped", isUnreached: true)])])]),
          group("rows", "none", []), group("use", "all good", [step("fine", "passed")]),
        ]),
    ], unreadable: 1, broken: ["broken.yaml"])

  @Test("has the requests that were not reached, and the rows of a request as one")
  func readsUnreached() throws {
    let report = try Self.report(Self.unreached).get()
    #expect(report.isComplete)
    #expect(
      report.files.map { $0.failed?.requests?.map(\.name) }
        == [["two"], ["one"], nil, ["one"], ["create", "read", "order"], nil])
    #expect(report.files.allSatisfy { $0.failed != nil })
    #expect(try !Self.report(Self.document([], unreadable: 1)).get().isComplete)
  }

  private static let needs = document([
    file("login.yaml", variant: "user: ann", [step("log in", "failed")]),
    file("a.yaml", [step("one", "skipped", isUnreached: true, reason: "it needs login.yaml, which failed")]),
    file(
      "other.yaml", variant: "user: ann; teardown",
      [step("log out", "failed", stage: "teardown"), step("last", "skipped", isUnreached: true)]),
  ])

  @Test("a file with values runs with those that need it, unless its teardown failed")
  func readsNeeds() throws {
    let files = try Self.report(Self.needs).get().files
    #expect(files.map(\.path) == ["a.yaml", "other.yaml"])
    #expect(files.map { $0.failed?.requests?.map(\.name) } == [["one"], nil])
    #expect(files.allSatisfy { $0.failed != nil })
  }

  @Test(
    "another document is told",
    arguments: [
      ("<testsuites/>", "is not a JSON report: "), ("{}", "it has no `version` and `files`"),
      (#"{"version": 1, "files": []}"#, "it has version 1, and this reqrun reads version 2"),
      (#"{"version": 2, "files": {}}"#, "is not a JSON report"),
    ])
  func refuses(_ text: String, _ message: String) throws {
    guard case .failure(let problem) = try Self.report(text) else {
      Issue.record("it is read")
      return
    }
    #expect(problem.message.contains(message), "\(problem.message)")
  }

  @Test("what can't be a duration is told", arguments: ["1e400", "-1", "1e300", "\"5\"", "[1]", "null"])
  func impossibleDurations(_ duration: String) throws {
    guard case .failure(let problem) = try Self.report(Self.document([Self.file("a", duration: duration)])) else {
      Issue.record("it is read")
      return
    }
    #expect(problem.message.contains("`duration` is not a number of seconds"), "\(problem.message)")
  }
}
