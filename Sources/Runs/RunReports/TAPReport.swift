import Diagnostics
import OperatingSystem
import RunEvents
import SpecExecution
import Synchronization

/// The Test Anything Protocol, version 14: a test point for each request, a subtest for each file and group.
package final class TAPReport: Reporter {
  private let file: ReportFile
  private let spool: OrderedSpool
  private let body = ReportBody()
  private let fileRuns = Mutex(0)

  package init(path: String) {
    file = ReportFile(path: path, kind: "TAP")
    spool = OrderedSpool { [body] in body.append($0) }
  }

  package func prepare() throws(ReportProblem) { try file.prepare() }

  package func start(_ run: RunStart) { fileRuns.withLock { $0 = run.fileRuns } }

  package func sink(at position: Int) -> (any FileEventSink)? {
    TAPSink(position: position, spool: spool)
  }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    let fileRuns = fileRuns.withLock { $0 }
    try file.replace { file throws(SystemProblem) in
      file.write(Array("TAP version 14\n".utf8))
      try body.drain(into: file)
      for (index, broken) in summary.brokenFiles.enumerated() {
        file.write(Array(TAPText.point(of: broken, number: fileRuns + index + 1).utf8))
      }
      file.write(Array(TAPText.end(summary, points: fileRuns + summary.brokenFiles.count).utf8))
      if spool.isIncomplete { throw .diskIsFull }
    }
  }
}

/// One file's subtest.
private final class TAPSink: FileEventSink {
  private let position: Int
  private let spool: OrderedSpool
  /// The path of the file, and the names and numbers of points of the subtests that are open.
  private let state = Mutex((path: "", levels: [(name: String, points: Int)]()))

  init(position: Int, spool: OrderedSpool) {
    self.position = position
    self.spool = spool
  }

  func receive(_ event: FileEvent) {
    state.withLock { state in
      let depth = state.levels.count
      switch event {
      case .started(let start):
        state.path = start.path
        open(TAPText.name(of: start), &state.levels)
      case .groupStarted(let start): open(start.name, &state.levels)
      case .stepFinished(let report):
        guard depth > 0 else { return }
        state.levels[depth - 1].points += 1
        let point = TAPText.point(of: report, number: state.levels[depth - 1].points, in: state.path)
        write(point, at: depth)
      case .groupFinished(let report):
        guard let level = state.levels.popLast(), depth > 1 else { return }
        state.levels[depth - 2].points += 1
        let number = state.levels[depth - 2].points
        close(level, number, isGood: report.counts.isGood, report.duration, at: depth)
      case .finished(let report):
        guard let level = state.levels.popLast() else { return }
        close(level, position + 1, isGood: report.counts.isGood, report.duration, at: depth)
        spool.finish(position)
      case .leftOut:
        write("ok \(position + 1) # SKIP the run ended before it started\n", at: 0)
        spool.finish(position)
      case .stepStarted, .attemptStarted, .hopStarted, .hopFinished, .attemptFinished: break
      }
    }
  }

  private func open(_ name: String, _ levels: inout [(name: String, points: Int)]) {
    write("# Subtest: \(TAPText.escaped(name))\n", at: levels.count)
    levels.append((name, 0))
  }

  private func close(
    _ level: (name: String, points: Int), _ number: Int, isGood: Bool, _ duration: Duration, at depth: Int
  ) {
    write("1..\(level.points)\n", at: depth)
    write(TAPText.point(ofSubtest: level.name, number: number, isGood: isGood, duration), at: depth - 1)
  }

  private func write(_ lines: String, at depth: Int) {
    spool.write(withoutWorkflowCommands(TAPText.indented(lines, by: 4 * depth)), at: position)
  }
}
