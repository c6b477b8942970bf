import OperatingSystem
import RequestSpecs
import RunReports
import Values

extension RunOptions {
  /// Prepares and opens all reports. No earlier report is lost unless all of them can be written.
  ///
  /// - Parameter report: takes the reasons why reports can't be written.
  /// - Returns: the number of those reports.
  func prepare(_ reporters: [any RunReports.Reporter], _ report: (Values.Diagnostic) -> Void) -> Int {
    let problems = reporters.count(failing: { reporter throws(ReportProblem) in try reporter.prepare() }, report)
    if problems > 0 { return problems }
    let mistaken = misleadingPaths
    for problem in mistaken {
      report(.error(.invalidOption, problem, at: nil, help: "give each report a path of its own"))
    }
    if !mistaken.isEmpty { return mistaken.count }
    return reporters.count(failing: { reporter throws(ReportProblem) in try reporter.open() }, report)
  }

  /// The messages about paths that lead to the file of an earlier report, or to a spec.
  private var misleadingPaths: [String] {
    var places: Set<String> = []
    return (reports.compactMap(\.path) + (cookieJar.map { [$0] } ?? [])).compactMap { path in
      guard let place = pathBehindLinks(path) else { return nil }
      if SnapshotFolder.isOfSpec(place), isRegularFile(place) {
        return "\(path) is a YAML file, and would be overwritten"
      }
      if specs.contains(where: { $0.isFile(at: place) }) { return "the spec \(path) would be overwritten" }
      return places.insert(place).inserted ? nil : "two reports would be written to \(path)"
    }
  }
}

extension SpecSource {
  /// Returns whether it is the file at a path without links, as a spec in JSON may be.
  fileprivate func isFile(at place: String) -> Bool {
    if case .path(let path) = self, !SnapshotFolder.isOfSpec(path) { pathBehindLinks(path) == place } else { false }
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
        report(.error(.unwritableFile, error.message, at: nil))
      }
    }
    return problems
  }
}
