import Diagnostics
import OperatingSystem
import ReportPage
import RunEvents
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
    HTMLSink(position: position, runStart: start.withLock { $0 }, spool: spool, failures: failures)
  }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    let leftOut = blocks.finish()
    let title = HTMLText.headline(summary)
    let isGood = summary.counts.isGood && summary.unreadableFiles == 0
    try file.replace { file throws(SystemProblem) in
      file.write(
        ReportPage.opening(title: title, isGood: isGood, plain: failures.markup(title: title, summary)))
      file.write(ReportPage.data("id=\"run\"", json: HTMLText.run(summary, leftOut).utf8))
      try body.drain(into: file)
      file.write(ReportPage.closing)
      if spool.isIncomplete { throw .diskIsFull }
    }
  }
}

/// One file's rows and details, one line for each.
private final class HTMLSink: FileEventSink {
  private struct State {
    var hops: [StepID: HTMLHops] = [:]
    /// The steps that contain others.
    var parents: Set<StepID> = []
    var groups = OpenGroups()
    /// The groups that are open, the innermost last.
    var open: [StepID] = []
    var path = ""
  }

  private let position: Int
  private let runStart: Timestamp?
  private let spool: OrderedSpool
  private let failures: PlainFailures
  private let state = Mutex(State())

  init(position: Int, runStart: Timestamp?, spool: OrderedSpool, failures: PlainFailures) {
    self.position = position
    self.runStart = runStart
    self.spool = spool
    self.failures = failures
  }

  func receive(_ event: FileEvent) {
    switch event {
    case .started(let start):
      state.withLock { $0.path = start.path }
      spool.write(HTMLText.row(of: start, runStart), at: position)
    case .groupStarted(let start):
      state.withLock { state in
        state.groups.open(start)
        state.open.append(start.id)
      }
      spool.write(HTMLText.row(of: start, runStart), at: position)
    case .groupFinished(let report):
      state.withLock { state in
        state.groups.close(report)
        state.open.removeLast()
      }
      spool.write(HTMLText.end(report.duration), at: position)
    case .hopFinished(let hop): state.withLock { $0.hops[hop.step, default: HTMLHops()].add(hop) }
    case .stepFinished(let report): finish(report)
    case .finished(let file):
      spool.write(HTMLText.end(file.duration), at: position)
      spool.finish(position)
    case .leftOut: spool.finish(position)
    case .stepStarted, .attemptStarted, .hopStarted, .attemptFinished: break
    }
  }

  private func finish(_ report: StepReport) {
    let (hops, parent, isParent, name, path) = state.withLock { state in
      // A group is the parent of its steps, too.
      let parent = report.parent == state.open.last ? nil : report.parent
      if let parent { state.parents.insert(parent) }
      return (
        state.hops.removeValue(forKey: report.id) ?? HTMLHops(), parent, state.parents.remove(report.id) != nil,
        report.outcome.isFailure ? state.groups.name(of: report) : "", report.path ?? state.path
      )
    }
    if report.outcome.isFailure {
      failures.add("\(path):\(report.line) \(name): \(report.message ?? "")", at: position)
    }
    let row = HTMLText.row(of: report, hops, runStart, parent: parent, isParent: isParent)
    spool.write("\(row)\t\(HTMLText.details(of: report, hops))\t\(hops.bodies)\n", at: position)
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
    result += "\(counts.failed + counts.transportErrors + counts.specErrors) failed, \(counts.skipped) skipped, "
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
