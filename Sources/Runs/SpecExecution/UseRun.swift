import RequestSpecs
import Templates
import Values

/// The run of a file that a step uses, whose teardown is still to come.
struct UsedRun: Sendable {
  let step: PlannedUseStep
  let name: String
  let steps: StepRun
  let group: StepGroup
}

/// Running the setup and the requests of another file where a step uses it, and its teardown later.
extension StepRun {
  func run(_ step: PlannedUseStep, in outer: StepGroup, reportingTo events: any FileEventSink) async {
    let stage = step.request.stage
    guard let rows = step.request.spec.rows, reasonToSkip(stage, in: outer) == nil else {
      return await run(once: step, in: outer, reportingTo: events)
    }
    if await RowsRun(.use(step), rows, self, in: outer, reportingTo: events).run() { return }
    skipRest(of: outer, after: step)
  }

  /// Runs a file for one row, or without any.
  func run(once step: PlannedUseStep, in outer: StepGroup, reportingTo events: any FileEventSink) async {
    var error: TemplateError?
    let reason = reasonToSkip(step.request.stage, in: outer) ?? conditionToSkip(step, outer.scope, &error)
    if let poll = step.poll, reason == nil, error == nil {
      return await run(step, polling: poll, in: outer, reportingTo: events)
    }
    await runFile(of: step, in: outer, skipping: reason, error, reportingTo: events)
  }

  /// Runs the setup and the requests of a file.
  ///
  /// - Parameters:
  ///   - outer: the group whose scope the file's values read, and which gets its captures and its teardown.
  ///   - reason: the reason to skip it; nil runs it.
  ///   - problem: an error of the step itself.
  func runFile(
    of step: PlannedUseStep, in outer: StepGroup, skipping reason: SkipReason? = nil, _ problem: TemplateError? = nil,
    reportingTo events: any FileEventSink
  ) async {
    guard let file = context.reused?.files[step.use.id] else { return }
    let stage = step.request.stage
    let start = ContinuousClock.now
    let id = newStep()
    var error = problem
    let arguments = reason == nil && error == nil ? arguments(of: step, in: outer.scope, &error) : Mapping()
    let scope = scope(of: step, file, arguments, in: outer)
    let session = step.use.sharesCookies ? outer.session : outer.session.session(for: .none)
    // Files that need what failed don't begin.
    if let needs = context.reused?.needs.needsOfUsed[step.use.id] {
      _ = context.reused?.needs.fulfil(needs, in: scope, session)
    }
    let group = StepGroup(
      parent: id, reported: id, scope: scope, session: session, supplier: file.supplier,
      isLive: reason == nil && error == nil
        && (context.control.phase == .running || outer.isLive && (stage == .teardown || outer.tearsDown)),
      tearsDown: stage == .teardown || outer.tearsDown)
    let name = name(of: step, in: outer)
    begin(step, id, name, in: outer, reportingTo: events)
    if let error { report(error, step, name, in: group, reportingTo: events) }
    group.begin(skipping: reason ?? error.map { _ in SkipReason("the use of its file has an error") })
    let inner = StepRun(inside: self, file: file, usedAt: step.use.range)
    await inner.run(file.steps, in: group, as: stage == .teardown ? .teardown : .request, reportingTo: events)
    if group.isLive {
      for output in step.use.outputs {
        if let value = scope.captured(output.capture) { outer.scope.capture(output.name, value, share: nil) }
      }
    }
    let used = UsedRun(step: step, name: name, steps: inner, group: group)
    if stage == .teardown {
      await inner.tearDown(file.teardown, in: group, reportingTo: events)
    } else if group.isLive, file.hasTeardown {
      outer.add(used)
    }
    let counts = group.counts
    events.receive(.groupFinished(GroupReport(id: id, parent: outer.parent, counts: counts, duration: .now - start)))
    outer.add(counts)
    if !counts.isGood { skipRest(of: outer, after: step) }
  }

  /// Skips the steps after one that failed.
  func skipRest(of group: StepGroup, after step: PlannedUseStep) {
    let request = step.request
    skipRest(
      of: group, after: name(of: step, in: group), request.stage, request.settings.continueOnFailure.value, group.scope)
  }

  /// Runs the teardowns of the files that a group used, the last one first, and then its own.
  func tearDown(_ sections: [StepSection], in group: StepGroup, reportingTo events: any FileEventSink) async {
    for used in group.takeUsed().reversed() {
      let start = ContinuousClock.now
      let id = newStep()
      let inner = StepGroup(tearingDown: used.group, as: id)
      begin(used.step, id, used.name, as: .teardown, in: group, reportingTo: events)
      await used.steps.tearDown(used.steps.file.teardown, in: inner, reportingTo: events)
      let counts = inner.counts
      events.receive(.groupFinished(GroupReport(id: id, parent: group.parent, counts: counts, duration: .now - start)))
      group.add(counts)
    }
    await run(sections, in: group, as: .teardown, reportingTo: events)
  }

  private func begin(
    _ step: PlannedUseStep, _ id: StepID, _ name: String, as stage: RequestStage? = nil, in outer: StepGroup,
    reportingTo events: any FileEventSink
  ) {
    events.receive(
      .groupStarted(
        GroupStart(
          id: id, parent: outer.parent, kind: .use, stage: stage ?? step.request.stage, name: name,
          line: step.request.line, time: .now)))
  }

  /// The scope of the used file: its own variables, those of its project, and the given values, nothing of the caller.
  private func scope(
    of step: PlannedUseStep, _ file: PreparedFile, _ arguments: Mapping, in outer: StepGroup
  ) -> FileScope {
    outer.scope.registry.add(file.secrets)
    let scope = FileScope(
      environment: context.environment, outer: file.outerScope, names: file.names, secrets: outer.scope.registry,
      seed: outer.scope.seed.part(.step, step.request.number), standsIn: context.isDryRun, rowName: outer.scope.rowName)
    file.give(arguments, to: scope)
    return scope
  }

  private func arguments(
    of step: PlannedUseStep, in scope: FileScope, _ problem: inout TemplateError?
  ) -> Mapping {
    if step.use.arguments.isEmpty { return Mapping() }
    do throws(TemplateError) {
      return try context.control.evaluating(step.request.stage, at: step.use.range) { () throws(TemplateError) in
        try step.use.arguments.resolve(in: scope)
      }
    } catch {
      problem = error
      return Mapping()
    }
  }

  /// The reason in the step itself to skip it.
  private func conditionToSkip(
    _ step: PlannedUseStep, _ scope: FileScope, _ problem: inout TemplateError?
  ) -> SkipReason? {
    do throws(TemplateError) {
      let settings = step.request.settings
      return try context.conditionToSkip(
        settings.skip.value, settings.when.value, of: step.request.stage, at: step.use.range, in: scope
      ).map { SkipReason($0, isWanted: true) }
    } catch {
      problem = error
      return nil
    }
  }

  /// Reports an error of the step itself, as that of a request in it.
  private func report(
    _ error: TemplateError, _ step: PlannedUseStep, _ name: String, in group: StepGroup,
    reportingTo events: any FileEventSink
  ) {
    var report = StepReport(id: newStep(), parent: group.parent, name: "values and conditions", line: step.request.line)
    report.group = group.reported
    report.stage = step.request.stage
    report.place = step.request.spec.range.firstLine
    report.fail(error, registry: group.scope.registry)
    if let unset = error.unsetName {
      report.outcome = .failed
      report.problem = .error(.failedRequest, "`\(unset)` was never captured", at: error.range ?? report.place)
    }
    if failsFast { context.control.stop() }
    group.count(report)
    events.receive(.stepFinished(report))
  }

  func name(of step: PlannedUseStep, in group: StepGroup) -> String {
    let request = step.request
    return group.labelled(
      context.name(request.spec.name, or: request.staticName, of: request.stage, in: group.scope))
  }
}

extension StepReport {
  /// Shows where the file of a failed step is used, the innermost place first.
  mutating func noteUses(_ places: [SourceRange]) {
    let notes = places.reversed().map { Diagnostic.Note("the file is used here", at: $0) }
    if problem != nil {
      problem?.notes += notes
    } else if !failures.isEmpty {
      failures[failures.count - 1].notes += notes
    }
  }
}
