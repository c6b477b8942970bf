import OperatingSystem
import RunReports

/// The last result of each file.
struct WatchedResults {
  private enum Outcome {
    case ran([RunEvent.Totals])
    /// The file did not run, since it has errors.
    case broken
  }

  private var files: [String: Outcome] = [:]
  /// The last run's problems beside its files.
  private var last = RunResult()

  /// The canonical paths of the files that have a result.
  var specs: Set<String> { Set(files.keys) }

  mutating func remove(_ spec: String) { files[spec] = nil }

  /// - Parameters:
  ///   - specs: the canonical paths of the files that should have run.
  ///   - results: the results of those that did, and of files that they need.
  mutating func update(_ specs: Set<String>, _ results: [String: [RunEvent.Totals]], _ run: RunResult) {
    let withErrors = Set(
      run.diagnostics.filter { $0.severity == .error }.compactMap { $0.location.flatMap { canonicalPath($0.path) } })
    for spec in specs {
      files[spec] = nil
      if let found = results[spec] {
        files[spec] = .ran(found)
      } else if withErrors.contains(spec) || specs.count == 1 && run.unreadableFiles > 0 {
        files[spec] = .broken
      }
    }
    // Files that others need.
    for (path, found) in results { files[path] = .ran(found) }
    last = run
  }

  /// The canonical paths of files that failed in any way.
  var failing: Set<String> {
    Set(
      files.filter {
        switch $0.value {
        case .ran(let results): results.contains { $0.failed + $0.transportErrors + $0.specErrors > 0 }
        case .broken: true
        }
      }.keys)
  }

  private var total: RunResult {
    var total = RunResult()
    for case .ran(let results) in files.values {
      for result in results {
        total.passed += result.passed
        total.failed += result.failed
        total.transportErrors += result.transportErrors
        total.specErrors += result.specErrors
        total.skipped += result.skipped
      }
    }
    total.unreadableFiles = max(
      last.unreadableFiles, files.values.count { if case .broken = $0 { true } else { false } })
    total.exceededTime = last.exceededTime
    total.unwrittenReports = last.unwrittenReports
    total.coverageIsTooLow = last.coverageIsTooLow
    total.selectedNothing = files.isEmpty
    return total
  }

  var exitCode: Int32 { total.exitCode }

  /// The results of all files in one line.
  func text(_ style: ConsoleStyle) -> String {
    let total = total
    var parts: [String] = []
    if total.passed > 0 { parts.append(style.green("\(total.passed) passed")) }
    let failed = total.failed + total.transportErrors + total.specErrors
    if failed > 0 { parts.append(style.red("\(failed) failed")) }
    if total.skipped > 0 { parts.append(style.yellow("\(total.skipped) skipped")) }
    if total.unreadableFiles > 0 {
      parts.append(style.red("\(total.unreadableFiles) \(total.unreadableFiles == 1 ? "file" : "files") with errors"))
    }
    let requests = total.passed + failed + total.skipped
    let files = self.files.count
    return "\(requests) \(requests == 1 ? "request" : "requests") in \(files) \(files == 1 ? "file" : "files"): "
      + parts.joined(separator: ", ")
  }
}
