import Synchronization
import Values

/// The reason to skip steps.
struct SkipReason: Sendable {
  let text: String
  /// Indicates whether the spec itself says so, by `when` or `skip`; otherwise they are missing in the result.
  let isWanted: Bool

  init(_ text: String, isWanted: Bool = false) {
    self.text = text
    self.isWanted = isWanted
  }
}

/// Steps that run one after another: a failure skips those that follow it.
///
/// A file is a group, and so are a flow, and the steps that run during another step.
final class StepGroup: Sendable {
  private struct State {
    var hasBegun = false
    var skipReason: SkipReason?
    var failedName: String?
    var counts = OutcomeCounts()
    /// The files that its steps used, whose teardowns are still to come.
    var used: [UsedRun] = []
  }

  typealias Supplier = @Sendable (String) -> (step: RequestStep, capture: SourceRange?)?

  /// The step that the group is part of; nil for that of a file.
  let parent: StepID?
  /// The group in the reports that it is part of; nil for a file.
  let reported: StepID?
  /// The names that its steps read and capture.
  let scope: FileScope
  let session: FileSession
  /// The step of the group that captures a name.
  let supplier: Supplier
  /// Indicates whether the run was going on at its start; otherwise there is nothing to tear down.
  let isLive: Bool
  /// The name of the row whose step it runs; it is shown behind the step's name.
  let label: String?
  private let state = Mutex(State())

  /// Indicates whether a teardown uses its steps: then they run whatever happened before.
  let tearsDown: Bool

  init(
    parent: StepID? = nil, reported: StepID? = nil, scope: FileScope, session: FileSession,
    supplier: @escaping Supplier, isLive: Bool, tearsDown: Bool = false, label: String? = nil
  ) {
    self.label = label
    self.tearsDown = tearsDown
    self.parent = parent
    self.reported = reported
    self.scope = scope
    self.session = session
    self.supplier = supplier
    self.isLive = isLive
  }

  /// Creates the group of the steps that run during one of another group.
  convenience init(during parent: StepID, in outer: StepGroup) {
    self.init(
      parent: parent, reported: outer.reported, scope: outer.scope, session: outer.session, supplier: outer.supplier,
      isLive: outer.isLive, tearsDown: outer.tearsDown)
  }

  /// Creates the group for the teardown of another one.
  convenience init(tearingDown group: StepGroup, as id: StepID? = nil) {
    self.init(
      parent: id, reported: id, scope: group.scope, session: group.session, supplier: group.supplier,
      isLive: group.isLive)
    let used = group.takeUsed()
    state.withLock { $0.used = used }
  }

  /// A step's name with that of its row.
  func labelled(_ name: String) -> String {
    label.map { name.isEmpty ? "row \($0)" : "\(name) [\($0)]" } ?? name
  }

  var hasBegun: Bool { state.withLock { $0.hasBegun } }
  var counts: OutcomeCounts { state.withLock { $0.counts } }
  /// The reason to skip the remaining steps.
  var skipReason: SkipReason? { state.withLock { $0.skipReason } }
  /// The step whose failure skips the remaining ones.
  var failedName: String? { state.withLock { $0.failedName } }

  /// - Parameter reason: the reason to skip its steps; nil runs them.
  func begin(skipping reason: SkipReason? = nil) {
    state.withLock { state in
      state.hasBegun = true
      state.skipReason = reason
    }
  }

  func count(_ report: StepReport) { state.withLock { $0.counts.add(report) } }

  func skipRest(after failedName: String, _ reason: String) {
    state.withLock { state in
      state.failedName = failedName
      state.skipReason = SkipReason(reason)
    }
  }

  func add(_ used: UsedRun) { state.withLock { $0.used.append(used) } }

  /// The files that its steps used, in order; afterwards there are none.
  func takeUsed() -> [UsedRun] {
    state.withLock { state in
      defer { state.used = [] }
      return state.used
    }
  }

  /// Adds the counts of a group within this one.
  func add(_ counts: OutcomeCounts) { state.withLock { $0.counts.add(counts) } }

  /// Adds the results of the steps during one of this group.
  func add(_ inner: StepGroup) {
    let inner = inner.state.withLock { $0 }
    state.withLock { state in
      state.counts.add(inner.counts)
      if state.skipReason == nil, let failedName = inner.failedName {
        state.failedName = failedName
        state.skipReason = inner.skipReason
      }
    }
  }
}
