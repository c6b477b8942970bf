import Diagnostics
import OperatingSystem
import RunEvents
import RunPlanning
import Values

/// A JSON report of a run that is over, and the events of that run.
final class ReportReader {
  /// The run of a file.
  struct FileRun {
    let start: FileStart
    let end: FileReport
    /// Its members besides `steps`.
    fileprivate let members: [(name: String, value: Range<Int>)]
    fileprivate let range: Range<Int>
  }

  /// The maximum size of a report in bytes.
  private static let sizeLimit = 4 << 30
  private static let depthLimit = 64

  let path: String
  private(set) var summary = RunSummary()
  /// The runs of files, in the order of the output.
  private(set) var files: [FileRun] = []
  private let outline: JSONOutline
  private let decoding: ReportDecoding

  /// - Parameter decoding: one for all reports that are read together.
  init(path: String, decoding: ReportDecoding = ReportDecoding()) throws(Diagnostic) {
    self.path = path
    self.decoding = decoding
    switch readFile(path, limit: ReportReader.sizeLimit) {
    case .failure(let problem): throw .error("the report \(path) cannot be read: \(problem.reason)", at: nil)
    case .success(let bytes): outline = JSONOutline(bytes: bytes)
    }
    do throws(ReportFault) {
      try readRun()
    } catch {
      throw problem(error)
    }
  }

  private func readRun() throws(ReportFault) {
    let root = try outline.root()
    let members = try outline.members(of: root)
    let header = members.filter { $0.name != "files" }
    guard let version = header.last(where: { $0.name == "version" }),
      let files = members.last(where: { $0.name == "files" })
    else { throw ReportFault("it has no `version` and `files`") }
    let number = String(decoding: outline.bytes[version.value].prefix(20), as: UTF8.self)
    guard number == String(JSONReport.version) else {
      throw ReportFault("it has version \(number), and this reqrun reads version \(JSONReport.version)")
    }
    summary = try decoding.run(try outline.record(of: header, at: root.lowerBound))
    for range in try outline.items(of: files.value) {
      let members = try outline.members(of: range)
      let record = try outline.record(of: members.filter { $0.name != "steps" }, at: range.lowerBound)
      let start = try decoding.fileStart(record, at: self.files.count)
      let end = try decoding.fileEnd(record, of: start)
      self.files.append(FileRun(start: start, end: end, members: members, range: range))
    }
  }

  private func problem(_ fault: ReportFault) -> Diagnostic {
    let line = fault.offset.map { "line \(outline.line(at: $0)): " } ?? ""
    return .error(
      "\(path) is no JSON report: \(line)\(fault.message)", at: nil, help: "`--report json=\(path)` writes one")
  }

  // MARK: Events

  /// Sends the events of a file's run to a sink.
  ///
  /// - Parameter position: its position in the order of the output.
  func replay(_ file: FileRun, at position: Int, into sink: any FileEventSink) throws(Diagnostic) {
    do throws(ReportFault) {
      var replay = Replay(outline: outline, decoding: decoding, position: position, sink: sink)
      sink.receive(.started(file.start.moved(to: position)))
      try replay.steps(of: file.members, at: file.range.lowerBound, Surroundings())
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
    let decoding: ReportDecoding
    let position: Int
    let sink: any FileEventSink
    private var count = 0
    /// The reasons for transports, which only the first step with one has.
    private var reasons: [TransportDecision: String] = [:]

    init(outline: JSONOutline, decoding: ReportDecoding, position: Int, sink: any FileEventSink) {
      (self.outline, self.decoding, self.position, self.sink) = (outline, decoding, position, sink)
    }

    private mutating func withReason(_ transport: TransportDecision) -> TransportDecision {
      let bare = TransportDecision(kind: transport.kind, reason: "", isUsual: transport.isUsual)
      if transport != bare { reasons[bare] = transport.reason }
      return TransportDecision(kind: bare.kind, reason: reasons[bare] ?? "", isUsual: bare.isUsual)
    }

    private mutating func nextID() -> StepID {
      count += 1
      return StepID(file: position, number: count)
    }

    mutating func steps(
      of members: [(name: String, value: Range<Int>)], at offset: Int, _ around: Surroundings
    ) throws(ReportFault) {
      guard let steps = members.last(where: { $0.name == "steps" }) else { return }
      guard around.depth < ReportReader.depthLimit else {
        throw outline.fault("steps are nested more than \(ReportReader.depthLimit) times", at: offset)
      }
      for range in try outline.items(of: steps.value) { try step(at: range, around) }
    }

    private mutating func step(at range: Range<Int>, _ around: Surroundings) throws(ReportFault) {
      let members = try outline.members(of: range)
      let record = try outline.record(of: members.filter { $0.name != "steps" }, at: range.lowerBound)
      let id = nextID()
      var inside = Surroundings(parent: id, group: around.group, depth: around.depth + 1)
      if members.contains(where: { $0.name == "group" }) {
        inside.group = id
        sink.receive(.groupStarted(try decoding.groupStart(record, id, in: around.parent)))
        try steps(of: members, at: range.lowerBound, inside)
        sink.receive(.groupFinished(try decoding.groupEnd(record, id, in: around.parent)))
        return
      }
      var report = try decoding.step(record, id, in: around.parent)
      report.group = around.group
      if let start = report.start {
        sink.receive(
          .stepStarted(
            StepStart(
              id: id, parent: report.parent, stage: report.stage, name: report.name, line: report.line, time: start)))
      }
      var attempts = report.attempts[...]
      var hops = try record.list("hops") { hop throws(ReportFault) in try decoding.hop(hop, of: id) }
      if !hops.isEmpty {
        hops[min(HopTexts.firstCount, hops.count - 1)].leftOut =
          try record.optionalInteger("more_hops", in: RecordNode.counts) ?? 0
      }
      for hop in hops {
        while let number = attempts.first?.number, number < hop.attempt {
          sink.receive(.attemptFinished(attempts.removeFirst()))
        }
        sink.receive(.hopFinished(hop))
      }
      for attempt in attempts { sink.receive(.attemptFinished(attempt)) }
      try steps(of: members, at: range.lowerBound, inside)
      if let transport = report.transport { report.transport = withReason(transport) }
      sink.receive(.stepFinished(report))
    }
  }
}

extension FileStart {
  /// The same at another position in the order of the output.
  fileprivate func moved(to position: Int) -> FileStart {
    FileStart(
      position: position, path: path, name: name, iteration: iteration, variant: variant, part: part, time: time)
  }
}
