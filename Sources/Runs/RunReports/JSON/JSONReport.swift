import OperatingSystem
import RequestSpecs
import SpecExecution

/// The report for programs: one JSON document, with a line for each step. Steps contain their own steps.
package final class JSONReport: Reporter {
  /// The version of the form of the document; readers reject any other.
  package static let version = 2

  private let file: ReportFile
  private let files = ReportParts()
  private let bodies = BodyAllowance()

  package init(path: String) {
    file = ReportFile(path: path, kind: "JSON")
  }

  package var needs: ReportNeeds { [.starts, .hops, .bodyBeginnings, .captures, .curlCommands, .assertions] }

  package func prepare() throws(ReportProblem) { try file.prepare() }

  package func sink(at position: Int) -> (any FileEventSink)? {
    RecordingSink(JSONFileRun(position: position, files: files, bodies: bodies))
  }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    try file.replace { file throws(SystemProblem) in
      var line = JSONLine()
      line.beginObject()
      JSONReportRecords.run.writeMembers(of: summary, to: &line)
      line.breakLine()
      line.next("files")
      line.beginList()
      file.write(line.bytes)
      try files.drain(into: file)
      file.write("]}\n")
    }
  }
}

/// One file's object.
private struct JSONFileRun: FileRecorder {
  let position: Int
  let files: ReportParts
  let bodies: BodyAllowance
  /// Indicates whether the file has a step, and each group that is open.
  var hasSteps = [false]
  /// The finished steps of steps in progress.
  var inner: [StepID: SpillBuffer] = [:]
  /// The hops of steps in progress.
  var hops: [StepID: HopTexts] = [:]
  /// The reasons for transports that were reported last.
  var reasons: [TransportDecision: String] = [:]

  mutating func receive(_ event: FileEvent, in groups: OpenGroups) {
    switch event {
    case .started(let start):
      // The first run of a file is never left out.
      files.write(position == 0 ? "\n" : ",\n", at: position)
      open(JSONReportRecords.fileStart, start)
    case .groupStarted(let start):
      separate()
      open(JSONReportRecords.groupStart, start)
      hasSteps.append(false)
    case .groupFinished(let report):
      hasSteps.removeLast()
      close(JSONReportRecords.groupEnd, report)
    case .hopFinished(let hop):
      let json = JSONHopRecords.hop.json(of: bodies.takesBodies(of: hop) ? hop : hop.withoutBodies)
      hops[hop.step, default: HopTexts()].append(json, hop)
    case .stepFinished(let report): finish(report, in: groups.step(around: report))
    case .finished(let report):
      close(JSONReportRecords.fileEnd, report, inLineOfItsOwn: true)
      files.finish(position)
    case .leftOut: files.finish(position)
    case .stepStarted, .attemptStarted, .hopStarted, .attemptFinished: break
    }
  }

  /// Begins an object whose steps follow.
  private func open<Subject>(_ record: ReportRecord<Subject>, _ subject: Subject) {
    var line = JSONLine()
    line.beginObject()
    record.writeMembers(of: subject, to: &line)
    line.next("steps")
    line.beginList()
    files.write(line.bytes, at: position)
  }

  /// Ends the steps of an object, and the object.
  private func close<Subject>(_ record: ReportRecord<Subject>, _ subject: Subject, inLineOfItsOwn: Bool = false) {
    var line = JSONLine()
    line.endList()
    if inLineOfItsOwn { line.breakLine() }
    record.writeMembers(of: subject, to: &line)
    line.endObject()
    files.write(line.bytes, at: position)
  }

  /// Separates two steps of the file or a group.
  private mutating func separate() {
    files.write(hasSteps[hasSteps.count - 1] ? ",\n" : "\n", at: position)
    hasSteps[hasSteps.count - 1] = true
  }

  /// Writes a step with its hops and its own steps, into those of its parent if that is a step, too.
  private mutating func finish(_ report: StepReport, in parent: StepID?) {
    var report = report
    if let transport = report.transport {
      let bare = transport.withoutReason
      if reasons.updateValue(transport.reason, forKey: bare) == transport.reason { report.transport = bare }
    }
    guard let parent else {
      separate()
      return write(report) { [files, position] in files.write($0, at: position) }
    }
    let isFirst = inner[parent] == nil
    var steps = inner.removeValue(forKey: parent) ?? SpillBuffer(memoryLimit: ReportBody.memoryLimit)
    steps.append(Array((isFirst ? "\n" : ",\n").utf8))
    write(report) { steps.append($0) }
    inner[parent] = steps
  }

  private mutating func write(_ report: StepReport, to output: ([UInt8]) -> Void) {
    var line = JSONLine()
    line.beginObject()
    JSONReportRecords.step.writeMembers(of: report, to: &line)
    if var hops = hops.removeValue(forKey: report.id) {
      line.next("hops")
      line.beginList()
      output(line.take())
      while let piece = hops.next() { output(piece) }
      line.endList()
      if hops.omitted > 0 { line.append(hops.omitted, as: "more_hops") }
    }
    if var steps = inner.removeValue(forKey: report.id) {
      line.next("steps")
      line.beginList()
      output(line.take())
      while let piece = steps.next() { output(piece) }
      line.endList()
    }
    line.endObject()
    output(line.bytes)
  }
}

extension TransportDecision {
  /// The transport alone: with the same reason as that of the step before.
  var withoutReason: TransportDecision { TransportDecision(kind: kind, reason: "", isUsual: isUsual) }
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
