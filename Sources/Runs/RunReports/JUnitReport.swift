import OperatingSystem
import RunEvents
import SpecExecution
import Synchronization
import Values

/// JUnit XML: a suite per file, a case per request; valid by Jenkins' xUnit schema (junit-10.xsd).
package final class JUnitReport: Reporter {
  private let path: String
  private let spool: OrderedSpool
  private let body: JUnitBody

  package init(path: String) {
    self.path = path
    let body = JUnitBody()
    self.body = body
    spool = OrderedSpool { body.append($0) }
  }

  package func prepare() throws(ReportProblem) {
    do throws(SystemProblem) {
      try ReplacementFile.prepare(path)
    } catch {
      throw ReportProblem(error, "JUnit", path)
    }
  }

  package func sink(at position: Int) -> (any FileEventSink)? {
    JUnitSink(position: position, spool: spool)
  }

  /// Writes a temporary file, then renames it: a report is complete or doesn't exist.
  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    do throws(SystemProblem) {
      let file = try ReplacementFile(of: path, isNamedByUser: true)
      file.write(Array(JUnitText.opening(summary).utf8))
      while let piece = body.next() { file.write(piece) }
      for broken in summary.brokenFiles { file.write(Array(JUnitText.suite(of: broken).utf8)) }
      file.write(Array(JUnitText.closing.utf8))
      if body.isIncomplete || spool.isIncomplete { throw SystemProblem("the disk takes no more") }
      try file.commit()
    } catch {
      throw ReportProblem(error, "JUnit", path)
    }
  }
}

/// The memory for suites or cases that wait.
private let waitingLimit = 256 << 10

/// The suites written so far.
private final class JUnitBody: Sendable {
  private let buffer = Mutex(SpillBuffer(memoryLimit: waitingLimit))

  func append(_ bytes: [UInt8]) { buffer.withLock { $0.append(bytes) } }
  func next() -> [UInt8]? { buffer.withLock { $0.next() } }
  var isIncomplete: Bool { buffer.withLock { $0.isIncomplete } }
}

/// One file's suite: its cases wait until its counts are known.
private final class JUnitSink: FileEventSink {
  private struct State {
    var place = JUnitText.CasePlace(path: "")
    var cases = SpillBuffer(memoryLimit: waitingLimit)
  }

  private let position: Int
  private let spool: OrderedSpool
  private let state = Mutex(State())

  init(position: Int, spool: OrderedSpool) {
    self.position = position
    self.spool = spool
  }

  func receive(_ event: FileEvent) {
    switch event {
    case .started(let start):
      state.withLock { $0.place = JUnitText.CasePlace(path: start.path) }
    case .stepFinished(let report):
      state.withLock { state in
        state.cases.append(Array(JUnitText.testCase(report, in: state.place).utf8))
      }
    case .finished(let file):
      state.withLock { state in
        spool.write(JUnitText.suiteOpening(file), at: position)
        while let piece = state.cases.next() { spool.write(piece, at: position) }
        spool.write(JUnitText.suiteClosing, at: position)
      }
      spool.finish(position)
    case .leftOut: spool.finish(position)
    case .stepStarted, .attemptStarted, .hopStarted, .hopFinished, .attemptFinished: break
    }
  }
}
