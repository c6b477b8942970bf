import Diagnostics
import RunEvents

/// The groups of a file that are in progress, for the names of the steps in them.
struct OpenGroups {
  private struct Group {
    /// Its name after those of the groups around it; empty if none is shown.
    let name: String
    let depth: Int
  }

  /// The text between the names of groups and steps.
  private static let separator = " › "
  private var groups: [StepID: Group] = [:]

  mutating func open(_ start: GroupStart) {
    let outer = start.parent.flatMap { groups[$0] }
    // Rows and rounds are named after what they run.
    groups[start.id] =
      start.kind == .rows || start.kind == .rounds
      ? Group(name: outer?.name ?? "", depth: outer?.depth ?? 0)
      : Group(name: joined(outer, start.name), depth: (outer?.depth ?? 0) + 1)
  }

  mutating func close(_ report: GroupReport) { groups[report.id] = nil }

  /// The number of groups around a step.
  func depth(of group: StepID?) -> Int { group.flatMap { groups[$0]?.depth } ?? 0 }

  /// The name of a step after those of the groups around it.
  func name(of report: StepReport) -> String {
    guard let group = report.group else { return report.name }
    return joined(groups[group], report.name)
  }

  private func joined(_ outer: Group?, _ name: String) -> String {
    guard let outer, !outer.name.isEmpty else { return name }
    return outer.name + Self.separator + name
  }
}
