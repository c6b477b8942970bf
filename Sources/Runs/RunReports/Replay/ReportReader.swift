import OperatingSystem
import RequestSpecs
import SpecExecution
import Values

/// A JSON report of a run that is over, and the events of that run.
final class ReportReader {
  struct FileRun {
    fileprivate(set) var start: FileStart
    fileprivate(set) var end: FileReport
    /// The place of its steps; nil if it has none.
    fileprivate let steps: Int?
  }

  private static let depthLimit = 64

  let path: String
  private(set) var summary = RunSummary()
  /// The runs of files, in the order of the output.
  private(set) var files: [FileRun] = []
  private let outline: JSONOutline

  /// - Parameter reading: one for all reports that are read together.
  init(path: String, _ reading: ReportReading = ReportReading()) throws(Diagnostic) {
    self.path = path
    do throws(SystemProblem) {
      outline = try JSONOutline(path: path, reading)
    } catch {
      throw .error(.unreadableFile, "the report \(path) cannot be read: \(error.reason)", at: nil)
    }
    do throws(ReportFault) {
      try readRun()
    } catch {
      throw problem(error)
    }
  }

  private func readRun() throws(ReportFault) {
    let members = try outline.rootMembers()
    let header = members.filter { $0.name != "files" }
    guard let version = header.last(where: { $0.name == "version" }),
      let files = members.last(where: { $0.name == "files" })
    else { throw ReportFault("it has no `version` and `files`") }
    let number = try outline.beginning(of: version.value, 20)
    guard number == String(JSONReport.version) else {
      throw ReportFault("it has version \(number), and this reqrun reads version \(JSONReport.version)")
    }
    summary = try JSONReportRecords.run.read(try outline.record(of: header, at: 0))
    try outline.items(at: files.value.lowerBound) { start throws(ReportFault) in
      let (members, end) = try outline.members(at: start)
      let record = try outline.record(of: members.filter { $0.name != "steps" }, at: start)
      var run = FileRun(
        start: try JSONReportRecords.fileStart.read(record), end: try JSONReportRecords.fileEnd.read(record),
        steps: members.place(of: "steps"))
      (run.end.path, run.end.iteration, run.end.variant) = (run.start.path, run.start.iteration, run.start.variant)
      run.end.start = run.start.time
      self.files.append(run)
      return end
    }
  }

  private func problem(_ fault: ReportFault) -> Diagnostic {
    let line = fault.offset.map { "line \(outline.line(at: $0)): " } ?? ""
    let kinds: [(ending: String, kind: ReportKind)] = [
      (".xml", .junit), (".jsonl", .jsonLines), (".har", .har), (".html", .html), (".tap", .tap), (".md", .markdown),
    ]
    let kind = kinds.first { path.lowercased().hasSuffix($0.ending) }?.kind
    return .error(
      .invalidFile, "\(path) is not a JSON report: \(line)\(fault.message)", at: nil,
      help: (kind.map { "it looks like a report of the kind `\($0.rawValue)`: " } ?? "")
        + "`--report json=report.json` writes one")
  }

  // MARK: Events

  /// Sends the events of a file's run to a sink.
  ///
  /// - Parameters:
  ///   - position: its position in the order of the output.
  ///   - needs: the needs of the sink; members for others are not read.
  func replay(
    _ file: FileRun, at position: Int, needs: ReportNeeds, into sink: any FileEventSink
  ) throws(Diagnostic) {
    do throws(ReportFault) {
      var replay = Replay(outline, position, needs, sink)
      var start = file.start
      start.position = position
      sink.receive(.started(start))
      if let steps = file.steps { try replay.steps(at: steps, Surroundings()) }
      sink.receive(.finished(file.end))
    } catch {
      throw problem(error)
    }
  }

  /// The step and the group that contain others.
  private struct Surroundings {
    var parent: StepID?
    var group: StepID?
    var depth = 0
  }

  private struct Replay {
    let outline: JSONOutline
    let position: Int
    let sink: any FileEventSink
    /// The members of a step that are read as they are needed, or not at all.
    private let separate: Set<String>
    private let withHops: Bool
    private var count = 0
    /// The reasons for transports, which only the first of several steps with the same one has.
    private var reasons: [TransportDecision: String] = [:]

    init(_ outline: JSONOutline, _ position: Int, _ needs: ReportNeeds, _ sink: any FileEventSink) {
      (self.outline, self.position, self.sink) = (outline, position, sink)
      withHops = needs.contains(.hops)
      var separate: Set<String> = ["steps", "hops"]
      if !needs.contains(.assertions) { separate.insert("passed") }
      if !needs.contains(.captures) { separate.insert("captures") }
      self.separate = separate
    }

    private mutating func withReason(_ transport: TransportDecision) -> TransportDecision {
      var transport = transport
      let bare = transport.withoutReason
      if transport != bare { reasons[bare] = transport.reason }
      transport.reason = reasons[bare] ?? ""
      return transport
    }

    private mutating func nextID() -> StepID {
      count += 1
      return StepID(file: position, number: count)
    }

    mutating func steps(at place: Int, _ around: Surroundings) throws(ReportFault) {
      guard around.depth < ReportReader.depthLimit else {
        throw outline.fault("steps are nested more than \(ReportReader.depthLimit) times", at: place)
      }
      try outline.items(at: place) { start throws(ReportFault) in try step(at: start, around) }
    }

    /// Returns the end of the step.
    private mutating func step(at start: Int, _ around: Surroundings) throws(ReportFault) -> Int {
      let (members, end) = try outline.members(at: start)
      let record = try outline.record(of: members.filter { !separate.contains($0.name) }, at: start)
      let id = nextID()
      var inside = Surroundings(parent: id, group: around.group, depth: around.depth + 1)
      if members.contains(where: { $0.name == "group" }) {
        inside.group = id
        var start = try JSONReportRecords.groupStart.read(record)
        (start.id, start.parent) = (id, around.parent)
        sink.receive(.groupStarted(start))
        if let steps = members.place(of: "steps") { try self.steps(at: steps, inside) }
        var report = try JSONReportRecords.groupEnd.read(record)
        (report.id, report.parent) = (id, around.parent)
        sink.receive(.groupFinished(report))
        return end
      }
      var report = try JSONReportRecords.step.read(
        record, into: StepReport(id: id, parent: around.parent, name: "", line: 0))
      report.group = around.group
      for index in report.attempts.indices { report.attempts[index].step = id }
      if let start = report.start {
        sink.receive(
          .stepStarted(
            StepStart(
              id: id, parent: report.parent, stage: report.stage, name: report.name, line: report.line, time: start)))
      }
      var attempts = report.attempts[...]
      if withHops, let hops = members.place(of: "hops") {
        let leftOut = try record.value("more_hops", .count) ?? 0
        try self.hops(at: hops, of: id, leftOut: leftOut, before: &attempts)
      }
      for attempt in attempts { sink.receive(.attemptFinished(attempt)) }
      if let steps = members.place(of: "steps") { try self.steps(at: steps, inside) }
      if let transport = report.transport { report.transport = withReason(transport) }
      sink.receive(.stepFinished(report))
      return end
    }

    /// - Parameters:
    ///   - leftOut: the number of hops that the report has left out.
    ///   - attempts: those that are not ended; the ends of those before the last hop are sent.
    private func hops(
      at place: Int, of id: StepID, leftOut: Int, before attempts: inout ArraySlice<AttemptReport>
    ) throws(ReportFault) {
      var count = 0
      var previous: HopReport?
      func send(_ hop: HopReport) {
        while let number = attempts.first?.number, number < hop.attempt {
          sink.receive(.attemptFinished(attempts.removeFirst()))
        }
        sink.receive(.hopFinished(hop))
      }
      try outline.items(at: place) { start throws(ReportFault) in
        if let previous { send(previous) }
        let (record, end) = try outline.record(at: start)
        previous = try JSONHopRecords.hop.read(record)
        previous?.step = id
        if count == HopTexts.firstCount { previous?.leftOut = leftOut }
        count += 1
        return end
      }
      guard var last = previous else { return }
      if count <= HopTexts.firstCount { last.leftOut = leftOut }
      send(last)
    }
  }
}

extension [JSONOutline.Member] {
  /// The place of the value of the last member of that name; nil if there is none.
  fileprivate func place(of name: String) -> Int? { last { $0.name == name }?.value.lowerBound }
}
