import SpecExecution
import Values

/// Groups requests that are skipped after one failure.
struct FoldedSkips {
  struct Group {
    let first: StepReport
    var count = 1
  }

  private var group: Group?

  /// - Returns: the previous group, once another reason or none follows.
  mutating func add(_ report: StepReport) -> Group? {
    guard report.isSkippedWithRest else { return end() }
    if let first = group?.first, first.outcome == report.outcome, first.stage == report.stage {
      group?.count += 1
      return nil
    }
    defer { group = Group(first: report) }
    return group
  }

  mutating func end() -> Group? {
    defer { group = nil }
    return group
  }
}

/// Limits the failures of a file that are drawn completely: many of the same kind, or very many, would hide everything
/// else.
struct DrawnFailures {
  private static let limit = 100
  private static let limitOfKind = 3

  private var counts: [[SourcePosition?]: Int] = [:]
  private var drawn = 0

  /// Adds a request's failures; returns whether they should be drawn.
  mutating func add(_ report: StepReport) -> Bool {
    let places = report.failures.map(\.range) + [report.problem?.range]
    let kind = places.prefix(20).map { $0?.start }
    if drawn < DrawnFailures.limit, counts[kind, default: 0] < DrawnFailures.limitOfKind {
      counts[kind, default: 0] += 1
      drawn += 1
      return true
    }
    return false
  }
}
