import SpecExecution
import Synchronization

/// A file's run as far as it has come: its start, and the groups in progress.
final class OpenGroups {
  struct Group {
    let start: GroupStart
    /// Its name after those of the groups around it; empty if none is shown.
    let name: String
    let depth: Int
  }

  /// The text between the names of groups and steps.
  private static let separator = " › "

  private(set) var file: FileStart?
  /// The innermost group is the last.
  private(set) var groups: [Group] = []

  var path: String { file?.path ?? "" }

  fileprivate func begin(_ event: FileEvent) {
    switch event {
    case .started(let start): file = start
    case .groupStarted(let start):
      let outer = index(of: start.parent).map { groups[$0] }
      // Rows and rounds are named after what they run.
      let isNamed = start.kind != .rows && start.kind != .rounds
      groups.append(
        Group(
          start: start, name: isNamed ? joined(outer, start.name) : outer?.name ?? "",
          depth: (outer?.depth ?? 0) + (isNamed ? 1 : 0)))
    default: break
    }
  }

  fileprivate func end(_ event: FileEvent) {
    if case .groupFinished(let report) = event, let index = index(of: report.id) { groups.remove(at: index) }
  }

  /// The number of groups around a step.
  func depth(of group: StepID?) -> Int { index(of: group).map { groups[$0].depth } ?? 0 }

  /// The name of a step after those of the groups around it.
  func name(of report: StepReport) -> String { joined(index(of: report.group).map { groups[$0] }, report.name) }

  /// The names of the groups around a step, also of those that aren't shown.
  func names(around report: StepReport) -> [String] {
    index(of: report.group).map { groups[...$0].map(\.start.name) } ?? []
  }

  /// The step that contains a step; nil for one of the file or of a group.
  func step(around report: StepReport) -> StepID? { index(of: report.parent) == nil ? report.parent : nil }

  private func index(of group: StepID?) -> Int? {
    group.flatMap { id in groups.lastIndex { $0.start.id == id } }
  }

  private func joined(_ outer: Group?, _ name: String) -> String {
    guard let outer, !outer.name.isEmpty else { return name }
    return outer.name + Self.separator + name
  }
}

/// A part of a report for a file's run: it receives one event after another.
protocol FileRecorder {
  /// - Parameter run: the run with the groups in progress, also one that starts or ends.
  mutating func receive(_ event: FileEvent, in run: OpenGroups)
}

/// Passes the events of a file's run to a recorder, those of concurrent steps one after another.
final class RecordingSink<Recorder: FileRecorder>: FileEventSink {
  private let state: Mutex<(recorder: Recorder, run: OpenGroups)>

  init(_ recorder: sending Recorder) { state = Mutex((recorder, OpenGroups())) }

  func receive(_ event: FileEvent) {
    state.withLock { state in
      state.run.begin(event)
      state.recorder.receive(event, in: state.run)
      state.run.end(event)
    }
  }
}

extension RecordingSink where Recorder: Sendable {
  var recorder: Recorder { state.withLock { $0.recorder } }
}
