/// A kind of report that a run can write to a file, by its name on the command line. `Report` in ReqrunKit has a public
/// function for each, or doesn't compile.
package enum ReportKind: String, Sendable, CaseIterable {
  case junit, json
  case jsonLines = "jsonl"
  case html, tap, har, markdown, coverage

  /// One line for help.
  package var summary: String {
    switch self {
    case .junit: "JUnit XML"
    case .json: "all results, for programs and --rerun-failed"
    case .jsonLines: "the events as they happen, one JSON object a line"
    case .html: "one page for a browser, with everything sent and received"
    case .tap: "the Test Anything Protocol, version 14"
    case .har: "an HTTP archive of everything that was sent and received, for browsers"
    case .markdown: "a summary with the failures, for comments of pull requests"
    case .coverage: "operations of OpenAPI documents: JSON, or text if PATH ends in .txt"
    }
  }

  /// Makes the reporter that writes to a path.
  ///
  /// - Parameter repository: the repository of a CI service that reads the file of each JUnit test case; nil for none.
  package func make(_ path: String, of repository: Workspace? = nil) -> any Reporter {
    switch self {
    case .junit: JUnitReport(path: path, repository: repository)
    case .json: JSONReport(path: path)
    case .jsonLines: JSONLinesReport(path: path)
    case .html: HTMLReport(path: path)
    case .tap: TAPReport(path: path)
    case .har: HARReport(path: path)
    case .markdown: MarkdownReport(path: path)
    case .coverage: CoverageReport(path: path)
    }
  }
}
