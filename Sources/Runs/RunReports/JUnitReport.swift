import OperatingSystem
import RunEvents
import SpecExecution
import Synchronization

/// JUnit XML: a suite per file, a case per request; valid by Jenkins' xUnit schema (junit-10.xsd).
package final class JUnitReport: Reporter {
  private let file: ReportFile
  private let spool: OrderedSpool
  private let body = ReportBody()
  private let run = Mutex(JUnitText.RunPlace(RunOrigin()))

  package init(path: String) {
    file = ReportFile(path: path, kind: "JUnit")
    spool = OrderedSpool { [body] in body.append($0) }
  }

  package func prepare() throws(ReportProblem) { try file.prepare() }

  package func start(_ run: RunStart) { self.run.withLock { $0 = JUnitText.RunPlace(run.origin) } }

  package func sink(at position: Int) -> (any FileEventSink)? {
    JUnitSink(position: position, run: run.withLock { $0 }, spool: spool)
  }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    try file.replace { file throws(SystemProblem) in
      file.write(Array(JUnitText.opening(summary).utf8))
      try body.drain(into: file)
      for broken in summary.brokenFiles { file.write(Array(JUnitText.suite(of: broken).utf8)) }
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
  }

  private let position: Int
  private let run: JUnitText.RunPlace
  private let spool: OrderedSpool
  private let state = Mutex(State())

  init(position: Int, run: JUnitText.RunPlace, spool: OrderedSpool) {
    self.position = position
    self.run = run
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
        state.cases.append(Array(JUnitText.testCase(report, name, in: state.path).utf8))
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
}
