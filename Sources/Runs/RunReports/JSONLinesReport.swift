import Diagnostics
import HTTPMessages
import OperatingSystem
import RunEvents
import RunPlanning
import Synchronization
import Values

/// The events of a run for programs, as they happen: one JSON object a line.
package final class JSONLinesReport: Reporter {
  private struct State {
    var file: GrowingFile?
    /// The lines before the start, while another report may still prevent the run; nil from then on.
    var early: [String]? = []
  }

  private let path: String
  private let state = Mutex(State())
  private let bodies = BodyAllowance()

  package init(path: String) {
    self.path = path
  }

  package var needs: ReportNeeds {
    [.starts, .attempts, .hops, .bodyBeginnings, .captures, .curlCommands, .assertions]
  }

  package func prepare() throws(ReportProblem) { try ReportFile(path: path, kind: "JSON Lines").prepare() }

  package func open() throws(ReportProblem) {
    do throws(SystemProblem) {
      let opened = try GrowingFile(of: path)
      state.withLock { $0.file = opened }
    } catch {
      throw ReportProblem(error, "JSON Lines", path)
    }
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
    do throws(SystemProblem) {
      try state.withLock({ $0.file })?.finish()
    } catch {
      throw ReportProblem(error, "JSON Lines", path)
    }
  }

  private func writeEarlyLines() {
    let lines = state.withLock { state in
      defer { state.early = nil }
      return state.early ?? []
    }
    for line in lines { write(line) }
  }

  fileprivate func write(_ line: String) { state.withLock { $0.file }?.write(Array(line.utf8)) }

  fileprivate func reported(_ hop: HopReport) -> HopReport { bodies.takesBodies(of: hop) ? hop : hop.withoutBodies }
}

private final class JSONLinesSink: FileEventSink {
  private let position: Int
  private let report: JSONLinesReport

  init(position: Int, report: JSONLinesReport) {
    self.position = position
    self.report = report
  }

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
        end.transport = TransportDecision(kind: transport.kind, reason: "")
      }
      report.write(JSONEvents.stepFinished.line(end, file: position, id: end.id, parent: end.parent))
    case .finished(let end): report.write(JSONEvents.fileFinished.line(end, file: position))
    case .leftOut: report.write(JSONEvents.fileLeftOut.line((), file: position))
    }
  }
}

/// A kind of line: the members that all kinds have, and those of a record.
struct JSONEvent<Subject> {
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

  func line(_ subject: Subject, file: Int? = nil, id: StepID? = nil, parent: StepID? = nil) -> String {
    var line = "{\"event\":\"\(name)\""
    if let file { line += ",\"file\":\(file)" }
    if let id { line += ",\"step\":\(id.number)" }
    if let parent { line += ",\"parent\":\(parent.number)" }
    let members = record.text(of: subject).dropFirst()
    return line + (members == "}" ? "" : ",") + members + "\n"
  }

  var shape: ValueShape {
    var keys = [ValueShape.Key("event", documentation, .words([name]))]
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

extension ValueShape {
  fileprivate static let count = ValueShape.integer(0...Int.max)
}

/// All kinds of lines.
enum JSONEvents {
  static let runStarted = JSONEvent(
    "run_started", "The start of the run",
    ReportRecord<RunStart>(
      .required("version", "The version of the form of these events", .constants([.integer(JSONReport.version)])) {
        _ in .integer(JSONReport.version)
      },
      .text("reqrun", "The version of reqrun") { $0.origin.version },
      .optionalText("host", "The name of the machine") { $0.origin.host },
      .optionalText("shard", "The shard that runs, such as 2/4") { $0.origin.shard },
      .optionalText("environment", "The environment that the command line chose") { $0.origin.environment },
      .flag("dry_run", "true if nothing is sent") { $0.origin.isDryRun },
      .time("start", "The start of the run") { $0.time },
      .count("file_runs", "The number of runs of files that follow") { $0.fileRuns }), isOfFile: false)
  static let diagnostics = JSONEvent(
    "diagnostics", "Errors and warnings about files and options",
    ReportRecord<[Diagnostic]>(
      .list("diagnostics", "The errors and warnings", of: JSONResultRecords.diagnostic) { $0 }), isOfFile: false)
  static let fileStarted = JSONEvent("file_started", "The start of a file's run", JSONReportRecords.fileStart)
  static let groupStarted = JSONEvent(
    "group_started", "The start of a group of steps, such as a flow", JSONReportRecords.groupStart, isOfStep: true)
  static let stepStarted = JSONEvent(
    "step_started", "The start of a step",
    ReportRecord<StepStart>(
      .text("name", "The name, or method and URL") { $0.name },
      .required("stage", "The part of the file that the step is in", .words(["setup", "requests", "teardown"])) {
        .text(Text($0.stage.rawValue))
      },
      .count("line", "The line of the request in its file, counted from 1") { $0.line },
      .time("start", "The start of the step") { $0.time }), isOfStep: true)
  static let attemptStarted = JSONEvent(
    "attempt_started", "The start of an attempt",
    ReportRecord<AttemptStart>(
      .count("number", "The number, counted from 1") { $0.number },
      .time("start", "The start of the attempt") { $0.time }), isOfStep: true)
  static let hopStarted = JSONEvent(
    "hop_started", "A request is sent; not reported of transfers",
    ReportRecord<HopStart>(
      .count("attempt", "The number of the attempt, counted from 1") { $0.attempt },
      .count("number", "The number in its attempt, counted from 1") { $0.number },
      .time("start", "When it is sent") { $0.time }), isOfStep: true)
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
    "file_left_out", "A run of a file that was not started, since the run was asked to end", ReportRecord<Void>())
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
