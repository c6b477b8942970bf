import OperatingSystem
import RunEvents
import SpecExecution
import Synchronization

/// The report for programs: one JSON document, with a line for each step. Steps contain their own steps.
package final class JSONReport: Reporter {
  /// The version of the form of the document; readers reject any other.
  package static let version = 1

  private let file: ReportFile
  private let spool: OrderedSpool
  private let body = ReportBody()

  package init(path: String) {
    file = ReportFile(path: path, kind: "JSON")
    spool = OrderedSpool { [body] in body.append($0) }
  }

  package var needs: ReportNeeds { .starts }

  package func prepare() throws(ReportProblem) { try file.prepare() }

  package func sink(at position: Int) -> (any FileEventSink)? {
    JSONSink(position: position, spool: spool)
  }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    try file.replace { file throws(SystemProblem) in
      file.write(Array(JSONReportRecords.run.text(of: summary).dropLast().utf8))
      file.write(Array(",\n\"files\":[".utf8))
      try body.drain(into: file)
      file.write(Array("]}\n".utf8))
      if spool.isIncomplete { throw .diskIsFull }
    }
  }
}

/// One file's object.
private final class JSONSink: FileEventSink {
  private struct State {
    /// Indicates whether the file has a step, and each group that is open.
    var hasSteps = [false]
    /// The groups that are open, the innermost last.
    var groups: [StepID] = []
    /// The finished steps of steps in progress.
    var inner: [StepID: SpillBuffer] = [:]
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
      // The first run of a file is never left out.
      let separator = position == 0 ? "\n" : ",\n"
      spool.write("\(separator)\(opened(JSONReportRecords.fileStart.text(of: start)))", at: position)
    case .groupStarted(let group):
      state.withLock { state in
        spool.write(separator(&state) + opened(JSONReportRecords.groupStart.text(of: group)), at: position)
        state.groups.append(group.id)
        state.hasSteps.append(false)
      }
    case .groupFinished(let report):
      state.withLock { state in
        state.groups.removeLast()
        state.hasSteps.removeLast()
        spool.write("],\(JSONReportRecords.groupEnd.text(of: report).dropFirst())", at: position)
      }
    case .stepFinished(let report): state.withLock { finish(report, &$0) }
    case .finished(let file):
      spool.write("],\n\(JSONReportRecords.fileEnd.text(of: file).dropFirst())", at: position)
      spool.finish(position)
    case .leftOut: spool.finish(position)
    case .stepStarted, .attemptStarted, .hopStarted, .hopFinished, .attemptFinished: break
    }
  }

  /// The text between two steps of the file or a group.
  private func separator(_ state: inout State) -> String {
    let last = state.hasSteps.count - 1
    defer { state.hasSteps[last] = true }
    return state.hasSteps[last] ? ",\n" : "\n"
  }

  /// Writes a step with its own steps, into those of its parent if that is a step, too.
  private func finish(_ report: StepReport, _ state: inout State) {
    let text = JSONReportRecords.step.text(of: report)
    var inner = state.inner.removeValue(forKey: report.id)
    guard let parent = report.parent, parent != state.groups.last else {
      spool.write(separator(&state) + (inner == nil ? text : opened(text)), at: position)
      while let piece = inner?.next() { spool.write(piece, at: position) }
      if inner != nil { spool.write("]}", at: position) }
      return
    }
    let isFirst = state.inner[parent] == nil
    var steps = state.inner.removeValue(forKey: parent) ?? SpillBuffer(memoryLimit: ReportBody.memoryLimit)
    steps.append(Array(((isFirst ? "\n" : ",\n") + (inner == nil ? text : opened(text))).utf8))
    while let piece = inner?.next() { steps.append(piece) }
    if inner != nil { steps.append(Array("]}".utf8)) }
    state.inner[parent] = steps
  }

  /// An object that continues with steps.
  private func opened(_ object: String) -> String { object.dropLast() + ",\"steps\":[" }
}
