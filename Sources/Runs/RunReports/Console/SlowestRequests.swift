import HTTPSemantics
import SpecExecution
import Synchronization
import Values

/// The slowest requests of a run, up to a number.
final class SlowestRequests: Sendable {
  struct Entry: Sendable {
    let duration: Duration
    /// File and line.
    let place: String
    /// The name after those of the groups around it.
    let name: String
  }

  private let limit: Int
  /// The slowest first.
  private let entries = Mutex<[Entry]>([])

  init(limit: Int) {
    self.limit = limit
  }

  var all: [Entry] { entries.withLock { $0 } }

  /// Returns a sink for the events of one file's run.
  func sink() -> any FileEventSink { RecordingSink(Recorder(slowest: self)) }

  private func add(_ report: StepReport, _ name: @autoclosure () -> String, of path: String) {
    guard report.duration > .zero else { return }
    entries.withLock { entries in
      if entries.count == limit {
        guard let last = entries.last, last.duration < report.duration else { return }
        entries.removeLast()
      }
      let index = entries.firstIndex { $0.duration < report.duration } ?? entries.count
      entries.insert(
        Entry(duration: report.duration, place: "\(report.path ?? path):\(report.line)", name: name()), at: index)
    }
  }

  private struct Recorder: FileRecorder {
    let slowest: SlowestRequests

    func receive(_ event: FileEvent, in groups: OpenGroups) {
      if case .stepFinished(let report) = event { slowest.add(report, groups.name(of: report), of: groups.path) }
    }
  }
}

extension SlowestRequests {
  /// A line for each, below a heading; empty if nothing was sent.
  func text(_ style: ConsoleStyle) -> String {
    let all = all.map { (time: roundedDurationText($0.duration), entry: $0) }
    guard let timeColumns = all.map(\.time.utf8.count).max() else { return "" }
    var text = "slowest requests:\n"
    for (time, entry) in all {
      let padding = String(repeating: " ", count: 2 + timeColumns - time.utf8.count)
      let line = elided("\(sanitizedForTerminal(entry.place))  \(sanitizedForTerminal(entry.name))", to: 300)
      text += "\(padding)\(style.bold(time))  \(line)\n"
    }
    return text
  }
}
