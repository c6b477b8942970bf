import RequestSpecs
import Templates
import Values

/// Running a group: its steps in a scope and a session of their own.
extension StepRun {
  func run(_ step: GroupStep, in outer: StepGroup, reportingTo events: any FileEventSink) async {
    guard let rows = step.planned.rows, reasonToSkip(step.planned.stage, in: outer) == nil else {
      return await run(once: step, in: outer, reportingTo: events)
    }
    _ = await RowsRun(.group(step), rows, self, in: outer, reportingTo: events).run()
  }

  /// Runs a group for one row, or without any.
  func run(once step: GroupStep, in outer: StepGroup, reportingTo events: any FileEventSink) async {
    let planned = step.planned
    let start = ContinuousClock.now
    let id = newStep()
    let scope = FileScope(
      inside: outer.scope, names: step.names,
      seed: outer.scope.seed.part(.group, planned.number))
    var error: TemplateError?
    let reason = reasonToSkip(planned.stage, in: outer) ?? conditionToSkip(planned, scope, &error)
    let group = StepGroup(
      parent: id, reported: id, scope: scope, session: outer.session.session(for: planned.cookies),
      supplier: step.supplier, isLive: reason == nil && context.control.phase == .running)
    let name = outer.labelled(name(of: planned, scope))
    events.receive(
      .groupStarted(
        GroupStart(
          id: id, parent: outer.parent, kind: planned.kind, stage: planned.stage, name: name, line: planned.line,
          time: .now)))
    if let error { report(error, planned, in: group, reportingTo: events) }
    group.begin(skipping: reason)
    await run(step.steps, in: group, as: planned.stage == .teardown ? .teardown : .request, reportingTo: events)
    await tearDown(step.teardown, in: group, reportingTo: events)
    let counts = group.counts
    events.receive(.groupFinished(GroupReport(id: id, parent: outer.parent, counts: counts, duration: .now - start)))
    outer.add(counts)
  }

  /// The reason in the group itself to skip it.
  private func conditionToSkip(
    _ planned: PlannedGroup, _ scope: FileScope, _ problem: inout TemplateError?
  ) -> SkipReason? {
    do throws(TemplateError) {
      return try context.conditionToSkip(
        planned.skip, planned.when, of: planned.stage, at: planned.range.firstLine, in: scope
      ).map { SkipReason($0, isWanted: true) }
    } catch {
      problem = error
      return SkipReason("its condition has an error")
    }
  }

  /// Reports an error of the group itself, as that of a step in it.
  private func report(
    _ error: TemplateError, _ planned: PlannedGroup, in group: StepGroup, reportingTo events: any FileEventSink
  ) {
    var report = StepReport(id: newStep(), parent: group.parent, name: "condition", line: planned.line)
    report.group = group.reported
    report.stage = planned.stage
    report.place = planned.range.firstLine
    report.fail(error, registry: group.scope.registry)
    if failsFast { context.control.stop() }
    group.count(report)
    events.receive(.stepFinished(report))
  }

  /// The group's own name with its templates evaluated.
  private func name(of planned: PlannedGroup, _ scope: FileScope) -> String {
    context.name(planned.name, or: planned.staticName, of: planned.stage, in: scope)
  }
}
