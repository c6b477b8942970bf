import RequestSpecs
import Templates
import Values

extension StepRun {
  /// The reason to skip a step of that stage.
  func reasonToSkip(_ stage: RequestStage, in group: StepGroup) -> SkipReason? {
    let phase = context.control.phase
    if phase == .aborting { return SkipReason(context.control.reason) }
    if stage == .teardown, group.isLive { return nil }
    if group.tearsDown, group.isLive { return group.skipReason }
    switch phase {
    case .running: return group.skipReason
    case .stopping: return group.skipReason ?? SkipReason(context.control.reason)
    case .draining, .aborting: return SkipReason(context.control.reason)
    }
  }

  /// Skips the rest after a failure, unless the request continues on failure; a teardown's failure never does.
  func skipRest(of group: StepGroup, after step: RequestStep, _ name: String, _ scope: FileScope) {
    if failsFast, step.stage != .teardown { context.control.stop() }
    skipRest(of: group, after: name, step.stage, step.settings.continueOnFailure.value, scope)
  }

  /// - Parameter own: the step's `continue_on_failure`, read in its scope.
  func skipRest(
    of group: StepGroup, after name: String, _ stage: RequestStage, _ own: Field<Bool>?, _ scope: FileScope
  ) {
    guard stage != .teardown, group.skipReason == nil else { return }
    switch stage {
    case .setup: group.skipRest(after: name, "the setup failed: \(name)")
    case .requests, .teardown:
      if own == nil ? context.keepsGoing : (try? own?.resolve(in: scope)) == true { return }
      group.skipRest(after: name, "an earlier request failed: \(name)")
    }
  }
}
