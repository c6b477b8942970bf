import RunReports
import SpecExecution

/// The run of a file, or a flow of it.
struct FileKey: Hashable {
  let position: Int
  let flow: StepID?
}

/// The groups around the steps of a run.
struct StepGroups {
  private var groups: [StepID: GroupStart] = [:]

  mutating func add(_ group: GroupStart) { groups[group.id] = group }

  /// The groups around a step, the innermost first.
  func around(_ report: StepReport) -> [(id: StepID, group: GroupStart)] {
    var result: [(id: StepID, group: GroupStart)] = []
    var next = report.group
    while let id = next, let group = groups[id] {
      result.append((id, group))
      next = group.parent
    }
    return result
  }
}

extension StepReport {
  /// The reason why a dry run could not resolve the request; nil if it did.
  var unresolved: String? {
    if case .skipped(let reason) = outcome { return reason }
    return outcome.isFailure ? problem?.message ?? "it can't be resolved" : nil
  }
}

/// Passes the events of a file on.
struct EventSink: FileEventSink {
  let take: @Sendable (FileEvent) -> Void

  func receive(_ event: FileEvent) { take(event) }
}
