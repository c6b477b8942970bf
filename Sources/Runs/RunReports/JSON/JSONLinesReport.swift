import HTTPSemantics
import OperatingSystem
import RequestSpecs
import SpecExecution
import Synchronization
import Values

/// The events of a run for programs, as they happen: one JSON object a line.
package final class JSONLinesReport: Reporter {
  private struct State {
    var file: GrowingFile?
    /// The lines before the start, while another report may still prevent the run; nil from then on.
    var early: [[UInt8]]? = []
  }

  private let file: ReportFile
  private let state = Mutex(State())
  private let bodies = BodyAllowance()

  package init(path: String) {
    file = ReportFile(path: path, kind: "JSON Lines")
  }

  package var needs: ReportNeeds {
    [.starts, .attempts, .hops, .bodyBeginnings, .captures, .curlCommands, .assertions]
  }

  package func prepare() throws(ReportProblem) { try file.prepare() }

  package func open() throws(ReportProblem) {
    let opened = try file.reporting { () throws(SystemProblem) in try GrowingFile(of: file.path) }
    state.withLock { $0.file = opened }
  }

  package func receive(_ diagnostics: [Diagnostic]) {
    let line = JSONEvents.diagnostics.line(diagnostics)
    let isEarly = state.withLock { state in
      state.early?.append(line)
      return state.early != nil
    }
    if !isEarly { write(line) }
  }

  package func start(_ run: RunStart) {
    writeEarlyLines()
    write(JSONEvents.runStarted.line(run))
  }

  package func sink(at position: Int) -> (any FileEventSink)? { JSONLinesSink(position: position, report: self) }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    writeEarlyLines()
    write(JSONEvents.runFinished.line(summary))
    let opened = state.withLock { $0.file }
    try file.reporting { () throws(SystemProblem) -> Void in try opened?.finish() }
  }

  private func writeEarlyLines() {
    let lines = state.withLock { state in
      defer { state.early = nil }
      return state.early ?? []
    }
    for line in lines { write(line) }
  }

  fileprivate func write(_ line: [UInt8]) { state.withLock { $0.file }?.write(line) }

  fileprivate func reported(_ hop: HopReport) -> HopReport { bodies.takesBodies(of: hop) ? hop : hop.withoutBodies }
}

private struct JSONLinesSink: FileEventSink {
  let position: Int
  let report: JSONLinesReport

  func receive(_ event: FileEvent) {
    switch event {
    case .started(let start): report.write(JSONEvents.fileStarted.line(start, file: position))
    case .groupStarted(let start):
      report.write(JSONEvents.groupStarted.line(start, file: position, id: start.id, parent: start.parent))
    case .groupFinished(let end):
      report.write(JSONEvents.groupFinished.line(end, file: position, id: end.id, parent: end.parent))
    case .stepStarted(let start):
      report.write(JSONEvents.stepStarted.line(start, file: position, id: start.id, parent: start.parent))
    case .attemptStarted(let start):
      report.write(JSONEvents.attemptStarted.line(start, file: position, id: start.step))
    case .hopStarted(let start): report.write(JSONEvents.hopStarted.line(start, file: position, id: start.step))
    case .hopFinished(let hop):
      report.write(JSONEvents.hopFinished.line(report.reported(hop), file: position, id: hop.step))
    case .attemptFinished(let end):
      report.write(JSONEvents.attemptFinished.line(end, file: position, id: end.step))
    case .stepFinished(var end):
      // The usual transport needs no reason with each step.
      if let transport = end.transport, transport.isUsual {
        end.transport = transport.withoutReason
      }
      report.write(JSONEvents.stepFinished.line(end, file: position, id: end.id, parent: end.parent))
    case .finished(let end): report.write(JSONEvents.fileFinished.line(end, file: position))
    case .leftOut: report.write(JSONEvents.fileLeftOut.line((), file: position))
    }
  }
}

/// A kind of line: the members that all kinds have, and those of a record.
struct JSONEvent<Subject: Sendable> {
  let name: String
  let documentation: String
  let record: ReportRecord<Subject>
  /// Indicates whether it is about a file, and a step of it.
  let isOfFile: Bool
  let isOfStep: Bool

  init(
    _ name: String, _ documentation: String, _ record: ReportRecord<Subject>, isOfFile: Bool = true,
    isOfStep: Bool = false
  ) {
    (self.name, self.documentation, self.record) = (name, documentation, record)
    (self.isOfFile, self.isOfStep) = (isOfFile, isOfStep)
  }

  func line(_ subject: Subject, file: Int? = nil, id: StepID? = nil, parent: StepID? = nil) -> [UInt8] {
    var line = JSONLine()
    line.beginObject()
    line.next("event")
    line.text(name)
    for (name, number) in [("file", file), ("step", id?.number), ("parent", parent?.number)] {
      if let number { line.append(number, as: name) }
    }
    record.writeMembers(of: subject, to: &line)
    line.endObject()
    line.literal("\n")
    return line.bytes
  }

  var shape: SchemaShape {
    var keys = [SchemaShape.Key("event", documentation, .words([name]))]
    if isOfFile { keys.append(.init("file", "The position of the file's run in the order of the output", .count)) }
    if isOfStep {
      keys.append(.init("step", "The number of the step or group in the file's run", .integer(1...Int.max)))
      keys.append(.init("parent", "The number of the step or group that contains it", .integer(1...Int.max)))
    }
    guard case .keys(let members, let needed) = record.shape else { return record.shape }
    return .keys(
      keys + members, needed: ["event"] + (isOfFile ? ["file"] : []) + (isOfStep ? ["step"] : []) + needed)
  }
}

extension SchemaShape {
  fileprivate static let count = SchemaShape.integer(0...Int.max)
}

/// All kinds of lines.
enum JSONEvents {
  static let runStarted = JSONEvent(
    "run_started", "The start of the run",
    ReportRecord<RunStart>(
      RunStart(time: .epoch, fileRuns: 0),
      .derived("version", "The version of the form of these events", .version) { _ in JSONReport.version },
      .required("reqrun", "The version of reqrun", \.origin.version, .text),
      .optional("host", "The name of the machine", \.origin.host, .text),
      .optional("shard", "The shard that runs, such as 2/4", \.origin.shard, .text),
      .optional("environment", "The environment that the command line chose", \.origin.environment, .text),
      .flag("dry_run", "true if nothing is sent", \.origin.isDryRun),
      .required("start", "The start of the run", \.time, .time),
      .required("file_runs", "The number of runs of files that follow", \.fileRuns, .count)), isOfFile: false)
  static let diagnostics = JSONEvent(
    "diagnostics", "Errors and warnings about files and options",
    ReportRecord<[Diagnostic]>(
      [], .list("diagnostics", "The errors and warnings", \.self, JSONResultRecords.diagnostic.form)), isOfFile: false)
  static let fileStarted = JSONEvent("file_started", "The start of a file's run", JSONReportRecords.fileStart)
  static let groupStarted = JSONEvent(
    "group_started", "The start of a group of steps, such as a flow", JSONReportRecords.groupStart, isOfStep: true)
  static let stepStarted = JSONEvent(
    "step_started", "The start of a step",
    ReportRecord<StepStart>(
      StepStart(id: .none, parent: nil, stage: .requests, name: "", line: 0, time: .epoch),
      .required("name", "The name, or method and URL", \.name, .text),
      .required("stage", "The part of the file that the step is in", \.stage, .word),
      .required("line", "The line of the request in its file, counted from 1", \.line, .count),
      .required("start", "The start of the step", \.time, .time)), isOfStep: true)
  static let attemptStarted = JSONEvent(
    "attempt_started", "The start of an attempt",
    ReportRecord<AttemptStart>(
      AttemptStart(step: .none, number: 1, time: .epoch),
      .required("number", "The number, counted from 1", \.number, .count),
      .required("start", "The start of the attempt", \.time, .time)), isOfStep: true)
  static let hopStarted = JSONEvent(
    "hop_started", "A request is sent; not reported of transfers",
    ReportRecord<HopStart>(
      HopStart(step: .none, attempt: 1, number: 1, time: .epoch),
      .required("attempt", "The number of the attempt, counted from 1", \.attempt, .count),
      .required("number", "The number in its attempt, counted from 1", \.number, .count),
      .required("start", "When it is sent", \.time, .time)), isOfStep: true)
  static let hopFinished = JSONEvent(
    "hop_finished", "A request that was sent, and its response; reported at the end of its attempt",
    JSONHopRecords.hop, isOfStep: true)
  static let attemptFinished = JSONEvent(
    "attempt_finished", "The end of an attempt", JSONReportRecords.attempt, isOfStep: true)
  static let stepFinished = JSONEvent("step_finished", "The end of a step", JSONReportRecords.step, isOfStep: true)
  static let groupFinished = JSONEvent(
    "group_finished", "The end of a group", JSONReportRecords.groupEnd, isOfStep: true)
  static let fileFinished = JSONEvent("file_finished", "The end of a file's run", JSONReportRecords.fileEnd)
  static let fileLeftOut = JSONEvent(
    "file_left_out", "A run of a file that was not started, since the run was asked to end", ReportRecord<Void>(()))
  static let runFinished = JSONEvent(
    "run_finished", "The end of the run; without it the run was killed", JSONReportRecords.run, isOfFile: false)

  /// The JSON Schema (draft-07) of a line.
  static let schema: String = {
    var writer = SchemaWriter()
    return writer.document(
      of: .any([
        runStarted.shape, diagnostics.shape, fileStarted.shape, groupStarted.shape, stepStarted.shape,
        attemptStarted.shape, hopStarted.shape, hopFinished.shape, attemptFinished.shape, stepFinished.shape,
        groupFinished.shape, fileFinished.shape, fileLeftOut.shape, runFinished.shape,
      ]), title: "A line of the JSON Lines report of reqrun")
  }()
}

extension JSONLinesReport {
  /// The JSON Schema (draft-07) of a line.
  package static var schema: String { JSONEvents.schema }
}
