import OperatingSystem
import RunReports
import Values

extension RunOptions {
  /// Prepares and opens all reports. No earlier report is lost unless all of them can be written.
  ///
  /// - Parameter report: takes the reasons why reports can't be written.
  /// - Returns: the number of those reports.
  func prepare(_ reporters: [any RunReports.Reporter], _ report: (Values.Diagnostic) -> Void) -> Int {
    var problems = reporters.count(failing: { reporter throws(ReportProblem) in try reporter.prepare() }, report)
    if problems > 0 { return problems }
    for path in sharedPaths {
      problems += 1
      report(
        .error("two reports would be written to \(path)", at: nil, help: "give each report a path of its own"))
    }
    if problems > 0 { return problems }
    return reporters.count(failing: { reporter throws(ReportProblem) in try reporter.open() }, report)
  }

  /// The paths of reports that lead to the file of an earlier one.
  private var sharedPaths: [String] {
    var places: Set<String> = []
    let paths = reports.compactMap(\.path) + (cookieJar.map { [$0] } ?? [])
    return paths.filter { path in pathBehindLinks(path).map { !places.insert($0).inserted } ?? false }
  }
}

extension [any RunReports.Reporter] {
  /// Returns the number of reporters for which a step fails.
  func count(
    failing step: (any RunReports.Reporter) throws(ReportProblem) -> Void,
    _ report: (Values.Diagnostic) -> Void
  ) -> Int {
    var problems = 0
    for reporter in self {
      do throws(ReportProblem) {
        try step(reporter)
      } catch {
        problems += 1
        report(.error(error.message, at: nil))
      }
    }
    return problems
  }
}
