import OperatingSystem
import RunEvents
import RunPlanning
import SpecExecution
import Synchronization

/// The report for programs: one JSON document, with a line for each step. Steps contain their own steps.
package final class JSONReport: Reporter {
  /// The version of the form of the document; readers reject any other.
  package static let version = 2

  private let file: ReportFile
  private let spool: OrderedSpool
  private let body = ReportBody()
  private let bodies = BodyAllowance()

  package init(path: String) {
    file = ReportFile(path: path, kind: "JSON")
    spool = OrderedSpool { [body] in body.append($0) }
  }

  package var needs: ReportNeeds { [.starts, .hops, .bodyBeginnings, .captures, .curlCommands, .assertions] }

  package func prepare() throws(ReportProblem) { try file.prepare() }

  package func sink(at position: Int) -> (any FileEventSink)? {
    JSONSink(position: position, spool: spool, bodies: bodies)
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
    /// The hops of steps in progress.
    var hops: [StepID: HopTexts] = [:]
    /// The reasons for transports that were told last.
    var reasons: [TransportDecision: String] = [:]
  }

  private let position: Int
  private let spool: OrderedSpool
  private let bodies: BodyAllowance
  private let state = Mutex(State())

  init(position: Int, spool: OrderedSpool, bodies: BodyAllowance) {
    self.position = position
    self.spool = spool
    self.bodies = bodies
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
    case .hopFinished(let hop):
      let text = JSONHopRecords.hop.text(of: bodies.takesBodies(of: hop) ? hop : hop.withoutBodies)
      state.withLock { $0.hops[hop.step, default: HopTexts()].append(Array(text.utf8), hop) }
    case .stepFinished(let report): state.withLock { finish(report, &$0) }
    case .finished(let file):
      spool.write("],\n\(JSONReportRecords.fileEnd.text(of: file).dropFirst())", at: position)
      spool.finish(position)
    case .leftOut: spool.finish(position)
    case .stepStarted, .attemptStarted, .hopStarted, .attemptFinished: break
    }
  }

  /// The text between two steps of the file or a group.
  private func separator(_ state: inout State) -> String {
    let last = state.hasSteps.count - 1
    defer { state.hasSteps[last] = true }
    return state.hasSteps[last] ? ",\n" : "\n"
  }

  /// Writes a step with its hops and its own steps, into those of its parent if that is a step, too.
  private func finish(_ report: StepReport, _ state: inout State) {
    let inner = state.inner.removeValue(forKey: report.id)
    let hops = state.hops.removeValue(forKey: report.id)
    var report = report
    if let transport = report.transport {
      let bare = TransportDecision(kind: transport.kind, reason: "", isUsual: transport.isUsual)
      if state.reasons.updateValue(transport.reason, forKey: bare) == transport.reason { report.transport = bare }
    }
    let text = JSONReportRecords.step.text(of: report)
    guard let parent = report.parent, parent != state.groups.last else {
      spool.write(separator(&state), at: position)
      return write(text, hops, inner) { spool.write($0, at: position) }
    }
    let isFirst = state.inner[parent] == nil
    var steps = state.inner.removeValue(forKey: parent) ?? SpillBuffer(memoryLimit: ReportBody.memoryLimit)
    steps.append(Array((isFirst ? "\n" : ",\n").utf8))
    write(text, hops, inner) { steps.append($0) }
    state.inner[parent] = steps
  }

  private func write(_ text: String, _ hops: HopTexts?, _ inner: SpillBuffer?, to output: ([UInt8]) -> Void) {
    guard hops != nil || inner != nil else { return output(Array(text.utf8)) }
    output(Array(text.utf8.dropLast()))
    if var hops {
      output(Array(",\"hops\":[".utf8))
      while let piece = hops.next() { output(piece) }
      output(Array("]".utf8))
      if hops.omitted > 0 { output(Array(",\"more_hops\":\(hops.omitted)".utf8)) }
    }
    if var inner {
      output(Array(",\"steps\":[".utf8))
      while let piece = inner.next() { output(piece) }
      output(Array("]".utf8))
    }
    output(Array("}".utf8))
  }

  /// An object that continues with steps.
  private func opened(_ object: String) -> String { object.dropLast() + ",\"steps\":[" }
}

/// The hops of a step in progress as JSON: of very many the first and the last.
struct HopTexts {
  static let firstCount = 80
  private static let lastCount = 20

  private var first = SpillBuffer(memoryLimit: ReportBody.memoryLimit)
  private var last: [(text: [UInt8], isPart: Bool)] = []
  private var count = 0
  /// The number of hops between the first and the last.
  private(set) var omitted = 0

  mutating func append(_ text: [UInt8], _ hop: HopReport) {
    count += 1
    omitted += hop.leftOut
    guard count > HopTexts.firstCount else { return first.append(separator + text) }
    if last.count == HopTexts.lastCount {
      // The exchange with the response of the step stays.
      last.remove(at: last.firstIndex(where: \.isPart) ?? 0)
      omitted += 1
    }
    last.append((separator + text, hop.isPart))
  }

  private var separator: [UInt8] { Array((count == 1 ? "\n" : ",\n").utf8) }

  /// Removes and returns the next part; nil if there is none.
  mutating func next() -> [UInt8]? {
    first.next() ?? (last.isEmpty ? nil : last.removeFirst().text)
  }
}
