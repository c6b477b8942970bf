import OperatingSystem
import SpecExecution
import Synchronization
import Values

/// The report for people with a browser: one page that loads nothing. It has a compact row for each request, and the
/// details in compressed blocks that the page reads when a request is opened.
package final class HTMLReport: Reporter {
  private let file: ReportFile
  private let spool: OrderedSpool
  private let body = ReportBody()
  private let blocks: HTMLBlocks
  private let failures = PlainFailures()
  private let start = Mutex<Timestamp?>(nil)

  package init(path: String) {
    file = ReportFile(path: path, kind: "HTML")
    blocks = HTMLBlocks { [body] in body.append($0) }
    spool = OrderedSpool { [blocks] in blocks.take($0) }
  }

  package var needs: ReportNeeds { [.starts, .hops, .bodyBeginnings, .captures, .curlCommands, .assertions] }

  package func prepare() throws(ReportProblem) { try file.prepare() }

  package func start(_ run: RunStart) { start.withLock { $0 = run.time } }

  package func sink(at position: Int) -> (any FileEventSink)? {
    RecordingSink(
      HTMLFileRun(position: position, runStart: start.withLock { $0 }, spool: spool, failures: failures))
  }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    let leftOut = blocks.finish()
    let title = HTMLText.headline(summary)
    let isGood = summary.counts.isGood && summary.unreadableFiles == 0
    try file.replace { file throws(SystemProblem) in
      file.write(
        ReportPage.opening(title: title, isGood: isGood, plain: failures.markup(title: title, summary)))
      file.write(ReportPage.data("id=\"run\"", json: HTMLText.run(summary, leftOut)))
      try body.drain(into: file)
      file.write(ReportPage.closing)
      if spool.isIncomplete { throw .diskIsFull }
    }
  }
}

/// One file's rows and details.
private struct HTMLFileRun: FileRecorder {
  let position: Int
  let runStart: Timestamp?
  let spool: OrderedSpool
  let failures: PlainFailures
  var hops: [StepID: HTMLHops] = [:]
  /// The steps that contain others.
  var parents: Set<StepID> = []

  mutating func receive(_ event: FileEvent, in groups: OpenGroups) {
    switch event {
    case .started(let start): write(HTMLEntry(row: HTMLText.row(of: start, runStart)))
    case .groupStarted(let start): write(HTMLEntry(row: HTMLText.row(of: start, runStart)))
    case .groupFinished(let report): write(HTMLEntry(row: HTMLText.end(report.duration)))
    case .hopFinished(let hop): hops[hop.step, default: HTMLHops()].add(hop)
    case .stepFinished(let report): finish(report, in: groups)
    case .finished(let report):
      write(HTMLEntry(row: HTMLText.end(report.duration)))
      spool.finish(position)
    case .leftOut: spool.finish(position)
    case .stepStarted, .attemptStarted, .hopStarted, .attemptFinished: break
    }
  }

  private func write(_ entry: HTMLEntry) { spool.write(entry.frame, at: position) }

  private mutating func finish(_ report: StepReport, in groups: OpenGroups) {
    let parent = groups.step(around: report)
    if let parent { parents.insert(parent) }
    let isFailure = report.outcome.isFailure
    if isFailure {
      let place = "\(report.path ?? groups.path):\(report.line)"
      failures.add("\(place) \(groups.name(of: report)): \(report.message ?? "")", at: position)
    }
    let hops = hops.removeValue(forKey: report.id) ?? HTMLHops()
    let isParent = parents.remove(report.id) != nil
    var entry = HTMLEntry(row: HTMLText.row(of: report, hops, runStart, parent: parent, isParent: isParent))
    (entry.isFailure, entry.details, entry.bodies) = (isFailure, HTMLText.details(of: report, hops), hops.bodies)
    write(entry)
  }
}

/// The first failures of a run, for browsers that run no script.
private final class PlainFailures: Sendable {
  private static let limit = 200

  private let lines = Mutex<[(position: Int, text: String)]>([])

  func add(_ text: String, at position: Int) {
    lines.withLock { lines in
      if lines.count < PlainFailures.limit { lines.append((position, elided(text, to: 300))) }
    }
  }

  /// The page as markup: the counts, and the failures.
  func markup(title: String, _ summary: RunSummary) -> String {
    func text(_ text: String) -> String { ReportPage.markup(sanitizedForTerminal(text)) }
    let counts = summary.counts
    var result = "<h1>\(text(title))</h1>\n<p>\(counted(counts.requests, "request")): \(counts.passed) passed, "
    result += "\(counts.allFailed) failed, \(counts.skipped) skipped, "
    result += "\(counts.notSent) not sent. \(counted(counts.assertions, "assertion")). "
    result += "The requests are shown by a script, which this browser does not run.</p>\n<ul>\n"
    let lines = lines.withLock { $0 }
    // The failures of a file are in its own order.
    for index in lines.indices.sorted(by: { (lines[$0].position, $0) < (lines[$1].position, $1) }) {
      result += "<li>\(text(lines[index].text))</li>\n"
    }
    for file in summary.brokenFiles {
      for error in file.errors { result += "<li>\(text("\(file.path): \(error.message)"))</li>\n" }
    }
    return result + "</ul>\n"
  }
}
