/// A kind of report that a run can write to a file.
package struct ReportKind: Sendable {
  /// The name by which the command line asks for it.
  package let name: String
  /// One line for help.
  package let summary: String
  private let makeReporter: @Sendable (_ path: String, _ repository: Workspace?) -> any Reporter

  private init(
    name: String, summary: String, makeReporter: @escaping @Sendable (String, Workspace?) -> any Reporter
  ) {
    (self.name, self.summary, self.makeReporter) = (name, summary, makeReporter)
  }

  private init(name: String, summary: String, make: @escaping @Sendable (String) -> any Reporter) {
    self.init(name: name, summary: summary) { path, _ in make(path) }
  }

  /// Makes the reporter that writes to a path.
  ///
  /// - Parameter repository: the repository of a CI service that reads the file of each JUnit test case; nil for none.
  package func make(_ path: String, of repository: Workspace? = nil) -> any Reporter {
    makeReporter(path, repository)
  }

  package static let junit = ReportKind(name: "junit", summary: "JUnit XML") { path, repository in
    JUnitReport(path: path, repository: repository)
  }
  package static let json = ReportKind(
    name: "json", summary: "all results, for programs and --rerun-failed"
  ) { JSONReport(path: $0) }
  package static let tap = ReportKind(name: "tap", summary: "the Test Anything Protocol, version 14") {
    TAPReport(path: $0)
  }
  package static let har = ReportKind(
    name: "har", summary: "an HTTP archive of everything that was sent and received, for browsers"
  ) { HARReport(path: $0) }
  package static let jsonLines = ReportKind(
    name: "jsonl", summary: "the events as they happen, one JSON object a line"
  ) { JSONLinesReport(path: $0) }
  package static let coverage = ReportKind(
    name: "coverage", summary: "operations of OpenAPI documents: JSON, or text if PATH ends in .txt"
  ) { CoverageReport(path: $0) }
  package static let html = ReportKind(
    name: "html", summary: "one page for a browser, with everything sent and received"
  ) { HTMLReport(path: $0) }

  package static let markdown = ReportKind(
    name: "markdown", summary: "a summary with the failures, for comments of pull requests"
  ) { MarkdownReport(path: $0) }

  /// All kinds: a new one is an entry here.
  package static let all = [junit, json, jsonLines, html, tap, har, markdown, coverage]
}
