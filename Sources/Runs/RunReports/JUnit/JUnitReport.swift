import OperatingSystem
import SpecExecution
import Synchronization

/// JUnit XML: a suite per file, a case per request; valid by Jenkins' xUnit schema (junit-10.xsd). For CI services that
/// read them, cases have files and lines, too, which that schema doesn't allow.
package final class JUnitReport: Reporter {
  private let file: ReportFile
  private let suites = ReportParts()
  private let run = Mutex(JUnitText.RunPlace(RunOrigin()))
  private let repository: Workspace?

  /// - Parameter repository: the repository to which the paths of cases are relative; nil leaves them out.
  package init(path: String, repository: Workspace? = nil) {
    self.repository = repository
    file = ReportFile(path: path, kind: "JUnit")
  }

  package func prepare() throws(ReportProblem) { try file.prepare() }

  package func start(_ run: RunStart) { self.run.withLock { $0 = JUnitText.RunPlace(run.origin) } }

  package func sink(at position: Int) -> (any FileEventSink)? {
    RecordingSink(
      JUnitSuite(position: position, run: run.withLock { $0 }, repository: repository, suites: suites))
  }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    try file.replace { file throws(SystemProblem) in
      file.write(JUnitText.opening(summary))
      try suites.drain(into: file)
      for broken in summary.brokenFiles { file.write(JUnitText.suite(of: broken, in: repository)) }
      file.write(JUnitText.closing(summary))
    }
  }
}

/// One file's suite: its cases wait until its counts are known.
private struct JUnitSuite: FileRecorder {
  let position: Int
  let run: JUnitText.RunPlace
  let repository: Workspace?
  let suites: ReportParts
  var cases = SpillBuffer(memoryLimit: ReportBody.memoryLimit)
  /// The attributes for the files that were seen.
  var files: [String: String] = [:]

  mutating func receive(_ event: FileEvent, in groups: OpenGroups) {
    switch event {
    case .stepFinished(let report):
      let file = file(report.path ?? groups.path)
      cases.append(Array(JUnitText.testCase(report, groups.name(of: report), in: groups.path, file: file).utf8))
    case .finished(let file):
      suites.write(JUnitText.suiteOpening(file, in: run), at: position)
      while let piece = cases.next() { suites.write(piece, at: position) }
      suites.write(JUnitText.suiteClosing, at: position)
      suites.finish(position)
    case .leftOut: suites.finish(position)
    default: break
    }
  }

  /// The attribute for a file; empty if cases have none.
  private mutating func file(_ path: String) -> String {
    guard let repository else { return "" }
    if let known = files[path] { return known }
    let attribute = JUnitText.file(path, in: repository)
    files[path] = attribute
    return attribute
  }
}
