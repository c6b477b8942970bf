import OperatingSystem
import RunEvents
import SpecExecution
import Synchronization

/// An HTTP archive (HAR 1.2): an entry for each hop, a page for each run of a file.
package final class HARReport: Reporter {
  private let file: ReportFile
  private let pages = ReportBody()
  private let entries = ReportBody()
  private let spools: HARSpools

  package init(path: String) {
    file = ReportFile(path: path, kind: "HAR")
    spools = HARSpools(
      pages: OrderedSpool { [pages] in pages.append($0) }, entries: OrderedSpool { [entries] in entries.append($0) })
  }

  package var needs: ReportNeeds { [.starts, .attempts, .hops, .bodyBeginnings] }

  package func prepare() throws(ReportProblem) { try file.prepare() }

  package func sink(at position: Int) -> (any FileEventSink)? {
    HARSink(position: position, spools: spools)
  }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    let creator = reportText(HARText.creator(version: summary.origin.version))
    try file.replace { file throws(SystemProblem) in
      file.write(Array("{\"log\":{\"version\":\"1.2\",\"creator\":\(creator),\n\"pages\":[".utf8))
      try pages.drain(into: file, from: 1)
      file.write(Array("],\n\"entries\":[".utf8))
      try entries.drain(into: file, from: 1)
      file.write(Array("]}}\n".utf8))
      if spools.pages.isIncomplete || spools.entries.isIncomplete { throw .diskIsFull }
    }
  }
}

/// The pages and the entries of files, until their turn.
private struct HARSpools {
  let pages: OrderedSpool
  let entries: OrderedSpool

  func finish(_ position: Int) {
    pages.finish(position)
    entries.finish(position)
  }
}

/// One file's page and entries.
private final class HARSink: FileEventSink {
  private struct State {
    var start: FileStart?
    var hasEntries = false
    /// The names of the steps in progress.
    var names: [StepID: String] = [:]
    /// The last hops of steps in progress that have no response: the reason follows.
    var failed: [StepID: HopReport] = [:]
  }

  private let position: Int
  private let spools: HARSpools
  private let state = Mutex(State())

  init(position: Int, spools: HARSpools) {
    self.position = position
    self.spools = spools
  }

  func receive(_ event: FileEvent) {
    switch event {
    case .started(let start): state.withLock { $0.start = start }
    case .stepStarted(let start): state.withLock { $0.names[start.id] = start.name }
    case .hopFinished(let hop):
      state.withLock { state in
        if let earlier = state.failed.removeValue(forKey: hop.step) { write(earlier, nil, &state) }
        if hop.response == nil, hop.problem == nil { state.failed[hop.step] = hop } else { write(hop, nil, &state) }
      }
    case .attemptFinished(let attempt):
      guard let reason = attempt.reason else { return }
      state.withLock { state in
        if let hop = state.failed.removeValue(forKey: attempt.step) { write(hop, reason, &state) }
      }
    case .stepFinished(let report):
      state.withLock { state in
        if let hop = state.failed.removeValue(forKey: report.id) { write(hop, report.message, &state) }
        state.names[report.id] = nil
      }
    case .finished(let report):
      state.withLock { state in
        guard let start = state.start, state.hasEntries else { return }
        spools.pages.write(",\n\(reportText(HARText.page(pageID, start, report)))", at: position)
      }
      spools.finish(position)
    case .leftOut: spools.finish(position)
    case .groupStarted, .groupFinished, .attemptStarted, .hopStarted: break
    }
  }

  private var pageID: String { "page_\(position + 1)" }

  /// - Parameter problem: the reason why there is no response.
  private func write(_ hop: HopReport, _ problem: String?, _ state: inout State) {
    state.hasEntries = true
    let entry = HAREntry(hop: hop, name: state.names[hop.step], problem: problem)
    spools.entries.write(",\n\(reportText(entry.value(page: pageID)))", at: position)
  }
}
