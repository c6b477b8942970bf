import ReqrunKit
import Testing

extension RunResult {
  /// Records what failed as issues of the current test, each at its place in the YAML.
  func recordIssues() {
    for diagnostic in diagnostics where diagnostic.severity == .error {
      record("\(diagnostic.message)\(diagnostic.fix.map { "; \($0)" } ?? "")", at: diagnostic.location)
    }
    for request in requests where request.isFailure {
      for failure in request.failures { record("\(request.name): \(failure.message)", at: failure.location) }
      if let problem = request.problem { record("\(request.name): \(problem.message)", at: problem.location) }
    }
  }

  private func record(_ message: String, at place: SpecLocation?) {
    guard let place else {
      Issue.record("\(message)")
      return
    }
    let name = place.path.split(separator: "/").last ?? "spec"
    Issue.record(
      "\(message)",
      sourceLocation: SourceLocation(
        fileID: "Specs/\(name)", filePath: place.path, line: place.line, column: place.column))
  }
}
