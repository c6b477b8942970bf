import OperatingSystem
import SpecExecution
import Synchronization
import Values

/// The Test Anything Protocol, version 14: a test point for each request, a subtest for each file and group.
package final class TAPReport: Reporter {
  private let file: ReportFile
  private let subtests = ReportParts()
  private let fileRuns = Mutex(0)

  package init(path: String) {
    file = ReportFile(path: path, kind: "TAP")
  }

  package func prepare() throws(ReportProblem) { try file.prepare() }

  package func start(_ run: RunStart) { fileRuns.withLock { $0 = run.fileRuns } }

  package func sink(at position: Int) -> (any FileEventSink)? {
    RecordingSink(TAPSubtest(position: position, subtests: subtests))
  }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    let fileRuns = fileRuns.withLock { $0 }
    try file.replace { file throws(SystemProblem) in
      file.write("TAP version 14\n")
      try subtests.drain(into: file)
      for (index, broken) in summary.brokenFiles.enumerated() {
        file.write(TAPText.point(of: broken, number: fileRuns + index + 1))
      }
      file.write(TAPText.end(summary, points: fileRuns + summary.brokenFiles.count))
    }
  }
}

/// One file's subtest.
private struct TAPSubtest: FileRecorder {
  let position: Int
  let subtests: ReportParts
  /// The numbers of points in the subtests that are open: of the file, and of each group.
  var points: [Int] = []

  mutating func receive(_ event: FileEvent, in groups: OpenGroups) {
    switch event {
    case .started(let start): open(TAPText.name(of: start))
    case .groupStarted(let start): open(start.name)
    case .stepFinished(let report):
      let depth = points.count
      write(TAPText.point(of: report, number: nextPoint(), in: groups.path), at: depth)
    case .groupFinished(let report):
      guard let name = groups.groups.last?.start.name else { return }
      close(name, isGood: report.counts.isGood, report.duration)
    case .finished(let report):
      guard let file = groups.file else { return }
      close(TAPText.name(of: file), isGood: report.counts.isGood, report.duration)
      subtests.finish(position)
    case .leftOut:
      write("ok \(position + 1) # SKIP the run ended before it started\n", at: 0)
      subtests.finish(position)
    default: break
    }
  }

  /// The number of the next point in the innermost subtest; that of a file is its position.
  private mutating func nextPoint() -> Int {
    guard !points.isEmpty else { return position + 1 }
    points[points.count - 1] += 1
    return points[points.count - 1]
  }

  private mutating func open(_ name: String) {
    write("# Subtest: \(TAPText.escaped(name))\n", at: points.count)
    points.append(0)
  }

  private mutating func close(_ name: String, isGood: Bool, _ duration: Duration) {
    write("1..\(points.removeLast())\n", at: points.count + 1)
    let depth = points.count
    write(TAPText.point(ofSubtest: name, number: nextPoint(), isGood: isGood, duration), at: depth)
  }

  private func write(_ lines: String, at depth: Int) {
    subtests.write(withoutWorkflowCommands(TAPText.indented(lines, by: 4 * depth)), at: position)
  }
}
