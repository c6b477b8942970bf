import OperatingSystem
import RunEvents
import SpecExecution
import Synchronization

/// JUnit XML: a suite per file, a case per request; valid by Jenkins' xUnit schema (junit-10.xsd). For CI services that
/// read them, cases have files and lines, too, which that schema doesn't allow.
package final class JUnitReport: Reporter {
  private let file: ReportFile
  private let spool: OrderedSpool
  private let body = ReportBody()
  private let run = Mutex(JUnitText.RunPlace(RunOrigin()))
  private let repository: Workspace?

  /// - Parameter repository: the repository to which the paths of cases are relative; nil leaves them out.
  package init(path: String, repository: Workspace? = nil) {
    self.repository = repository
    file = ReportFile(path: path, kind: "JUnit")
    spool = OrderedSpool { [body] in body.append($0) }
  }

  package func prepare() throws(ReportProblem) { try file.prepare() }

  package func start(_ run: RunStart) { self.run.withLock { $0 = JUnitText.RunPlace(run.origin) } }

  package func sink(at position: Int) -> (any FileEventSink)? {
    JUnitSink(position: position, run: run.withLock { $0 }, repository: repository, spool: spool)
  }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    try file.replace { file throws(SystemProblem) in
      file.write(Array(JUnitText.opening(summary).utf8))
      try body.drain(into: file)
      for broken in summary.brokenFiles { file.write(Array(JUnitText.suite(of: broken, in: repository).utf8)) }
      file.write(Array(JUnitText.closing.utf8))
      if spool.isIncomplete { throw .diskIsFull }
    }
  }
}

/// One file's suite: its cases wait until its counts are known.
private final class JUnitSink: FileEventSink {
  private struct State {
    var path = ""
    var cases = SpillBuffer(memoryLimit: ReportBody.memoryLimit)
    var groups = OpenGroups()
    /// The attributes for the files that were seen.
    var files: [String: String] = [:]
  }

  private let position: Int
  private let run: JUnitText.RunPlace
  private let repository: Workspace?
  private let spool: OrderedSpool
  private let state = Mutex(State())

  init(position: Int, run: JUnitText.RunPlace, repository: Workspace?, spool: OrderedSpool) {
    self.position = position
    self.run = run
    self.repository = repository
    self.spool = spool
  }

  func receive(_ event: FileEvent) {
    switch event {
    case .started(let start):
      state.withLock { $0.path = start.path }
    case .groupStarted(let start): state.withLock { $0.groups.open(start) }
    case .groupFinished(let report): state.withLock { $0.groups.close(report) }
    case .stepFinished(let report):
      state.withLock { state in
        let name = state.groups.name(of: report)
        let file = file(report.path ?? state.path, &state)
        state.cases.append(Array(JUnitText.testCase(report, name, in: state.path, file: file).utf8))
      }
    case .finished(let file):
      state.withLock { state in
        spool.write(JUnitText.suiteOpening(file, in: run), at: position)
        while let piece = state.cases.next() { spool.write(piece, at: position) }
        spool.write(JUnitText.suiteClosing, at: position)
      }
      spool.finish(position)
    case .leftOut: spool.finish(position)
    case .stepStarted, .attemptStarted, .hopStarted, .hopFinished, .attemptFinished: break
    }
  }

  /// The attribute for a file; empty if cases have none.
  private func file(_ path: String, _ state: inout State) -> String {
    guard let repository else { return "" }
    if let known = state.files[path] { return known }
    let attribute = JUnitText.file(path, in: repository)
    state.files[path] = attribute
    return attribute
  }
}
