import RunEvents
import RunScopes
import Synchronization

/// Steps that run one after another: a failure skips those that follow it.
///
/// A file is a group, and so are the steps that run during another step.
final class StepGroup: Sendable {
  private struct State {
    var hasBegun = false
    var skipReason: String?
    var failedName: String?
    var counts = OutcomeCounts()
  }

  /// The step that the group is part of; nil for that of a file.
  let parent: StepID?
  /// The names that its steps read and capture.
  let scope: FileScope
  private let state = Mutex(State())

  init(parent: StepID? = nil, scope: FileScope) {
    self.parent = parent
    self.scope = scope
  }

  var hasBegun: Bool { state.withLock { $0.hasBegun } }
  var counts: OutcomeCounts { state.withLock { $0.counts } }
  /// The reason to skip the remaining steps.
  var skipReason: String? { state.withLock { $0.skipReason } }
  /// The step whose failure skips the remaining ones.
  var failedName: String? { state.withLock { $0.failedName } }

  /// - Parameter reason: the reason to skip its steps; nil runs them.
  func begin(skipping reason: String? = nil) {
    state.withLock { state in
      state.hasBegun = true
      state.skipReason = reason
    }
  }

  func count(_ report: StepReport) { state.withLock { $0.counts.add(report) } }

  func skipRest(after failedName: String, _ reason: String) {
    state.withLock { state in
      state.failedName = failedName
      state.skipReason = reason
    }
  }

  /// Adds the results of a group within this one.
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
