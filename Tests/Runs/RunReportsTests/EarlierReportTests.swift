import Diagnostics
import RunPlanning
import RunReports
import Testing

@Suite("An earlier report") struct EarlierReportTests {
  private static func report(_ text: String) throws -> Result<EarlierReport, Diagnostic> {
    let path = temporaryPath("report.json")
    defer { removeTemporary(path) }
    try write(text, to: path)
    return Result { () throws(Diagnostic) in try EarlierReport(path: path) }
  }

  private static let failed = """
    {"version": 2, "broken_files": [{"path": "broken.yaml"}], "files": [
      {"path": "a.yaml", "duration": 1.5, "steps": [
        {"name": "one", "stage": "requests", "line": 3, "outcome": "passed"},
        {"name": "two", "stage": "requests", "line": 5, "outcome": "passed", "steps": [
          {"name": "inner", "stage": "requests", "line": 7, "outcome": "transport_error"}]},
        {"name": "three", "stage": "requests", "line": 9, "outcome": "skipped"}]},
      {"path": "a.yaml", "duration": 2.5, "steps": [
        {"name": "two", "stage": "requests", "line": 5, "outcome": "failed"}]},
      {"path": "b.yaml", "duration": 1, "steps": [
        {"name": "login", "stage": "setup", "line": 2, "outcome": "spec_error"}]},
      {"path": "c.yaml", "duration": 0, "steps": []},
      {"path": "d.yaml", "duration": 0, "steps": [
        {"group": "flow", "name": "an admin", "stage": "requests", "line": 2, "steps": [
          {"name": "one", "stage": "requests", "line": 4, "outcome": "passed"},
          {"name": "two", "stage": "requests", "line": 5, "outcome": "failed"}]}]}]}
    """

  @Test("has the failed requests of each file, and the average durations")
  func reads() throws {
    let files = try Self.report(Self.failed).get().files
    #expect(files.map(\.path) == ["a.yaml", "b.yaml", "c.yaml", "d.yaml", "broken.yaml"])
    #expect(files.map(\.duration) == [.seconds(2), .seconds(1), .zero, .zero, nil])
    #expect(files.map { $0.failed?.requests?.map(\.name) } == [["two"], nil, nil, ["two"], nil])
    #expect(files.map { $0.failed == nil } == [false, false, true, false, false])
  }

  private static let unreached = """
    {"version": 2, "unreadable_files": 1, "broken_files": [{"path": "broken.yaml"}], "files": [
      {"path": "a.yaml", "steps": [
        {"name": "one", "stage": "requests", "line": 3, "outcome": "skipped", "with_rest": true},
        {"name": "two", "stage": "requests", "line": 5, "outcome": "skipped", "unreached": true}]},
      {"path": "b.yaml", "steps": [
        {"name": "login", "stage": "setup", "line": 2, "outcome": "skipped", "unreached": true},
        {"name": "one", "stage": "requests", "line": 4, "outcome": "skipped", "unreached": true},
        {"name": "logout", "stage": "teardown", "line": 9, "outcome": "skipped", "unreached": true}]},
      {"path": "c.yaml", "steps": [
        {"name": "logout", "stage": "teardown", "line": 2, "outcome": "skipped", "unreached": true}]},
      {"path": "d.yaml", "steps": [{"name": "one", "stage": "requests", "line": 2, "outcome": "not_sent"}]},
      {"path": "e.yaml", "steps": [
        {"group": "rows", "name": "create", "stage": "requests", "line": 4, "steps": [
          {"name": "create [0]", "stage": "requests", "line": 4, "outcome": "passed"},
          {"name": "create [1]", "stage": "requests", "line": 4, "outcome": "failed"}]},
        {"group": "rows", "name": "an admin", "stage": "requests", "line": 6, "steps": [
          {"group": "flow", "name": "an admin [0]", "stage": "requests", "line": 6, "steps": [
            {"name": "read", "stage": "requests", "line": 8, "outcome": "failed"}]}]},
        {"group": "use", "name": "order", "stage": "requests", "line": 11, "steps": [
          {"name": "pay", "stage": "requests", "line": 2, "outcome": "skipped", "unreached": true}]}]}]}
    """

  @Test("has the requests that were not reached, and the rows of a request as one")
  func readsUnreached() throws {
    let report = try Self.report(Self.unreached).get()
    #expect(report.isComplete)
    #expect(
      report.files.map { $0.failed?.requests?.map(\.name) }
        == [["two"], ["one"], nil, ["one"], ["create", "read", "order"], nil])
    #expect(report.files.allSatisfy { $0.failed != nil })
    #expect(try !Self.report(#"{"version": 2, "unreadable_files": 1, "files": []}"#).get().isComplete)
  }

  private static let needs = """
    {"version": 2, "files": [
      {"path": "login.yaml", "variant": "user: ann", "steps": [
        {"name": "log in", "stage": "requests", "line": 2, "outcome": "failed"}]},
      {"path": "a.yaml", "steps": [
        {"name": "one", "stage": "requests", "line": 3, "outcome": "skipped", "unreached": true,
          "reason": "it needs login.yaml, which failed"}]},
      {"path": "other.yaml", "variant": "user: ann; teardown", "steps": [
        {"name": "log out", "stage": "teardown", "line": 4, "outcome": "failed"}]}]}
    """

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
      ("<testsuites/>", "is no JSON report: "), ("{}", "it has no `version` and `files`"),
      (#"{"version": 1, "files": []}"#, "is a report of version 1, and this reqrun reads version 2"),
      (#"{"version": 2, "files": {}}"#, "is no JSON report"),
    ])
  func refuses(_ text: String, _ message: String) throws {
    guard case .failure(let problem) = try Self.report(text) else {
      Issue.record("it is read")
      return
    }
    #expect(problem.message.contains(message), "\(problem.message)")
  }

  @Test("what can't be a duration counts for nothing", arguments: ["1e400", "-1", "1e300", "\"5\"", "[1]", "null"])
  func impossibleDurations(_ duration: String) throws {
    let text = #"{"version": 2, "files": [{"path": "a", "duration": \#(duration)}, {"path": "a", "duration": 3}]}"#
    #expect(try Self.report(text).get().files.map(\.duration) == [.seconds(1.5)])
  }

  @Test("nesting without end is no problem")
  func depth() throws {
    let open = String(repeating: #"{"outcome": "passed", "steps": ["#, count: 200)
    let text = #"{"version": 2, "files": [{"path": "a", "steps": [\#(open)\#(String(repeating: "]}", count: 200))]}]}"#
    #expect(try Self.report(text).get().files.first?.failed == nil)
    #expect(throws: Diagnostic.self) { try Self.report(String(repeating: "[", count: 100_000)).get() }
  }
}
