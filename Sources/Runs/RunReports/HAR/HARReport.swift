import OperatingSystem
import SpecExecution

/// An HTTP archive (HAR 1.2): an entry for each hop, a page for each run of a file.
package final class HARReport: Reporter {
  private let file: ReportFile
  private let pages = ReportParts()
  private let entries = ReportParts()

  package init(path: String) {
    file = ReportFile(path: path, kind: "HAR")
  }

  package var needs: ReportNeeds { [.starts, .attempts, .hops, .bodyBeginnings] }

  package func prepare() throws(ReportProblem) { try file.prepare() }

  package func sink(at position: Int) -> (any FileEventSink)? {
    RecordingSink(HARPage(position: position, pages: pages, entries: entries))
  }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    let creator = reportText(HARText.creator(version: summary.origin.version))
    try file.replace { file throws(SystemProblem) in
      file.write("{\"log\":{\"version\":\"1.2\",\"creator\":\(creator),\n\"pages\":[")
      try pages.drain(into: file, from: 1)
      file.write("],\n\"entries\":[")
      try entries.drain(into: file, from: 1)
      file.write("]}}\n")
    }
  }
}

/// One file's page and entries.
private struct HARPage: FileRecorder {
  let position: Int
  let pages: ReportParts
  let entries: ReportParts
  var hasEntries = false
  /// The names of the steps in progress.
  var names: [StepID: String] = [:]
  /// The last hops of steps in progress that have no response: the reason follows.
  var failed: [StepID: HopReport] = [:]

  mutating func receive(_ event: FileEvent, in groups: OpenGroups) {
    switch event {
    case .stepStarted(let start): names[start.id] = start.name
    case .hopFinished(let hop):
      writeFailed(hop.step, nil)
      if hop.response == nil, hop.problem == nil { failed[hop.step] = hop } else { write(hop, nil) }
    case .attemptFinished(let attempt): if let reason = attempt.reason { writeFailed(attempt.step, reason) }
    case .stepFinished(let report):
      writeFailed(report.id, report.message)
      names[report.id] = nil
    case .finished(let report):
      if let start = groups.file, hasEntries {
        pages.write(",\n\(reportText(HARText.page(pageID, start, report)))", at: position)
      }
      finish()
    case .leftOut: finish()
    default: break
    }
  }

  private func finish() {
    pages.finish(position)
    entries.finish(position)
  }

  private var pageID: String { "page_\(position + 1)" }

  private mutating func writeFailed(_ step: StepID, _ problem: String?) {
    if let hop = failed.removeValue(forKey: step) { write(hop, problem) }
  }

  /// - Parameter problem: the reason why there is no response.
  private mutating func write(_ hop: HopReport, _ problem: String?) {
    hasEntries = true
    let entry = HAREntry(hop: hop, name: names[hop.step], problem: problem)
    entries.write(",\n\(reportText(entry.value(page: pageID)))", at: position)
  }
}
