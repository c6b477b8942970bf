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

  @Test("nesting without end is no problem")
  func depth() throws {
    let open = String(repeating: #"{"outcome": "passed", "steps": ["#, count: 200)
    let text = #"{"version": 2, "files": [{"path": "a", "steps": [\#(open)\#(String(repeating: "]}", count: 200))]}]}"#
    #expect(try Self.report(text).get().files.first?.failed == nil)
    #expect(throws: Diagnostic.self) { try Self.report(String(repeating: "[", count: 100_000)).get() }
  }
}
