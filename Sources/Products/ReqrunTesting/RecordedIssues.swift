public import ReqrunKit
public import Testing

extension RunResult {
  /// Records each of the ``problems`` as an issue of the current test, at its place in the YAML: nothing if everything
  /// that was selected ran and passed.
  ///
  /// - Parameter sourceLocation: the place of problems that no file is the cause of.
  public func recordIssues(sourceLocation: SourceLocation = #_sourceLocation) {
    for problem in problems {
      guard let place = problem.location, place.line > 0, place.column > 0 else {
        Issue.record("\(problem.message)", sourceLocation: sourceLocation)
        continue
      }
      let name = place.path.split(separator: "/").last ?? "spec"
      Issue.record(
        "\(problem.message)",
        sourceLocation: SourceLocation(
          fileID: "Specs/\(name)", filePath: place.path, line: place.line, column: place.column))
    }
  }
}
