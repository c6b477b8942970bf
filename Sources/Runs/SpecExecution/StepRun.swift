import RequestSpecs
import Synchronization
import Templates
import Values

/// Runs the steps of one run of a file, and those within them.
///
/// A class, since otherwise every step would copy the data of the file's run.
final class StepRun: Sendable {
  let file: PreparedFile
  let context: RunContext
  /// The position of the file's run in the order of the output.
  let position: Int
  private let numbers: StepNumbers
  /// The places at which other files use this one, the outermost first.
  private let usedAt: [SourceRange]
  /// Indicates whether a failure ends the run.
  let failsFast: Bool

  init(file: PreparedFile, context: RunContext, position: Int) {
    self.file = file
    self.context = context
    self.position = position
    numbers = StepNumbers()
    usedAt = []
    failsFast = context.failFast
  }

  /// Creates the run of the steps of a file that is used.
  init(inside outer: StepRun, file: PreparedFile, usedAt range: SourceRange) {
    self.file = file
    context = outer.context
    position = outer.position
    numbers = outer.numbers
    usedAt = outer.usedAt + [range]
    failsFast = outer.failsFast
  }

  /// Creates the run of steps whose failures another round may follow.
  init(inRoundOf outer: StepRun) {
    file = outer.file
    context = outer.context
    position = outer.position
    numbers = outer.numbers
    usedAt = outer.usedAt
    failsFast = false
  }

  /// The number of files around this one, each of which uses the next.
  var depth: Int { usedAt.count }

  /// Runs the steps of a file or a group, one after another.
  func run(
    _ sections: [StepSection], in group: StepGroup, as flight: RunControl.Flight, reportingTo events: any FileEventSink
  ) async {
    for section in sections {
      switch section {
      case .group(let step): await run(step, in: group, reportingTo: events)
      case .use(let step): await run(step, in: group, reportingTo: events)
      case .requests(let steps):
        await context.control.supervise(flight, on: context.executor) { [self] in
          let ahead = Lookahead(steps, on: context.executor, reportingTo: events) { [self] step in
            execution(of: step, in: group, group.scope, reportingTo: events).resolvedAhead()
          }
          for (index, step) in steps.enumerated() {
            await run(step, in: group, ahead.take(index), reportingTo: ahead)
          }
          ahead.flush()
        }
      }
    }
  }

  /// Runs requests within a request.
  ///
  /// - Parameters:
  ///   - reason: the reason to skip them; nil runs them.
  ///   - conversation: the WebSocket for the messages of those that pass.
  private func run(
    _ steps: [RequestStep], in group: StepGroup, skipping reason: SkipReason?, _ conversation: Conversation? = nil,
    reportingTo events: any FileEventSink
  ) async {
    group.begin(skipping: reason)
    for step in steps {
      let passed = group.counts.passed
      await run(step, in: group, nil, reportingTo: events)
      if let conversation, group.counts.passed > passed, group.skipReason == nil,
        let messages = step.settings.transferBox?.content.messages.value
      {
        await conversation.say(messages, in: group.scope)
      }
    }
  }

  /// - Parameter ahead: its request, if it was resolved before its turn.
  func run(
    _ step: RequestStep, in group: StepGroup, _ ahead: ResolvedRequest?, reportingTo events: any FileEventSink
  ) async {
    guard let rows = step.rows, reasonToSkip(step.stage, in: group) == nil else {
      return await run(once: step, in: group, ahead, reportingTo: events)
    }
    let isGood = await RowsRun(.request(step), rows, self, in: group, reportingTo: events).run()
    if !isGood {
      let scope = scope(of: step, in: group)
      skipRest(of: group, after: step, group.labelled(name(of: step, scope)), scope)
    }
  }

  /// Runs a request for one row, or without any.
  func run(
    once step: RequestStep, in group: StepGroup, _ ahead: ResolvedRequest?, reportingTo events: any FileEventSink
  ) async {
    if !step.isLiteral { group.scope.beginRandom(ofStep: step.number) }
    let scope = scope(of: step, in: group)
    var report = begun(step, in: group, scope, reportingTo: events)
    let inner = step.children.isEmpty ? nil : StepGroup(during: report.id, in: group)
    if let reason = reasonToSkip(step.stage, in: group) {
      report.name = group.labelled(nameUnsent(step, scope))
      report.outcome = .skipped(reason: reason.text)
      report.isSkippedWithRest = true
      report.isUnreached = !reason.isWanted
    } else {
      await run(step, in: group, scope, holding: inner, ahead, reportingTo: events, &report)
      if report.outcome.isFailure { skipRest(of: group, after: step, report.name, scope) }
      if step.names != nil { scope.keepCaptures() }
    }
    if let inner {
      if !inner.hasBegun {
        // A dry run shows what would be sent.
        let reason: SkipReason? =
          switch report.outcome {
          case .notSent: nil
          case .skipped(let reason): SkipReason(reason, isWanted: !report.isUnreached)
          default: SkipReason("the stream was not open")
          }
        await run(step.children, in: inner, skipping: reason, reportingTo: events)
      }
      group.add(inner)
    }
    finish(report, in: group, reportingTo: events)
  }

  @inline(never)
  private func finish(_ finished: StepReport, in group: StepGroup, reportingTo events: any FileEventSink) {
    var report = finished
    group.count(report)
    if !usedAt.isEmpty {
      report.path = file.path
      if report.outcome.isFailure { report.noteUses(usedAt) }
    }
    events.receive(.stepFinished(report))
  }

  /// Reports a step that can't run, and skips those that follow.
  ///
  /// - Parameter step: nil for the group itself.
  func fail(
    _ step: RequestStep?, in group: StepGroup, with error: TemplateError, reportingTo events: any FileEventSink
  ) {
    var report =
      step.map { begun($0, in: group, scope(of: $0, in: group), reportingTo: events) }
      ?? StepReport(id: newStep(), parent: group.parent, name: "needs", line: error.range?.start.line ?? 1)
    report.fail(error, registry: group.scope.registry)
    group.skipRest(after: report.name, "the values for what it needs are unknown")
    group.count(report)
    events.receive(.stepFinished(report))
  }

  /// The identifier of another step of the file.
  func newStep() -> StepID { StepID(file: position, number: numbers.next()) }

  /// The scope of a request: that of its group, or one inside it with its own variables.
  func scope(of step: RequestStep, in group: StepGroup) -> FileScope {
    guard let names = step.names else { return group.scope }
    return FileScope(inside: group.scope, names: names, seed: group.scope.seed.part(.step, step.number))
  }

  @inline(never)
  private func begun(
    _ step: RequestStep, in group: StepGroup, _ scope: FileScope, reportingTo events: any FileEventSink
  ) -> StepReport {
    var report = StepReport(of: step, id: newStep(), parent: group.parent)
    report.group = group.reported
    report.name = group.labelled(name(of: step, scope))
    guard context.needs.contains(.starts) else { return report }
    let time = Timestamp.now
    report.start = time
    report.tags = step.tags
    events.receive(
      .stepStarted(
        StepStart(
          id: report.id, parent: group.parent, stage: report.stage, name: report.name, line: report.line, time: time)))
    return report
  }

  /// - Parameter inner: the group of the steps within it.
  func execution(
    of step: RequestStep, in group: StepGroup, _ scope: FileScope, holding inner: StepGroup? = nil,
    reportingTo events: any FileEventSink
  ) -> RequestExecution {
    var during: DuringRequests?
    if let inner {
      during = { [self] reason, conversation in
        await run(
          step.children, in: inner, skipping: reason.map { SkipReason($0) }, conversation, reportingTo: events)
        return inner.failedName
      }
    }
    return RequestExecution(
      request: step, group: group, scope: scope, steps: self, session: group.session,
      events: events, during: during)
  }

  private func run(
    _ step: RequestStep, in group: StepGroup, _ scope: FileScope, holding inner: StepGroup?, _ ahead: ResolvedRequest?,
    reportingTo events: any FileEventSink, _ report: inout StepReport
  ) async {
    _ = scope.takeStandIn()
    let execution = execution(of: step, in: group, scope, holding: inner, reportingTo: events)
    do throws(TemplateError) {
      if let reason = try execution.conditionToSkip() {
        report.outcome = .skipped(reason: reason)
        if let when = step.settings.when.value { report.warnings += when.warnings(in: scope, at: when.range) }
      } else if try await execution.wait() {
        if let poll = step.poll {
          try await execution.poll(poll, &report)
        } else {
          try await execution.run(ahead, &report)
        }
      } else {
        report.outcome = .skipped(reason: reasonToSkip(step.stage, in: group)?.text ?? context.control.reason)
        report.isUnreached = true
      }
    } catch  where context.control.endsEvaluation(step.stage) {
      report.cutShort(context.control, at: step.settings.url.value?.range)
    } catch {
      report.fail(error, registry: scope.registry)
      // A value of the wrong type now may have the right one in a real run.
      if context.isDryRun, let name = scope.takeStandIn() { report.unsetName = name }
    }
    if let name = report.unsetName { explain(name, step, group, &report) }
    report.warnings += scope.takeWarnings(in: step.extent)
    if case .skipped = report.outcome { report.name = group.labelled(nameUnsent(step, scope)) }
  }

  // MARK: names

  /// The request's own name with its templates evaluated, else method and URL as written.
  func name(of step: RequestStep, _ scope: FileScope) -> String {
    context.name(step.name, or: step.staticName, of: step.stage, in: scope)
  }

  /// The name of a request whose URL could not be resolved: its templates are evaluated as far as possible.
  private func nameUnsent(_ step: RequestStep, _ scope: FileScope) -> String {
    guard step.name == nil, let url = step.settings.url.value, url.literal == nil,
      let resolved = try? url.resolve(in: scope)
    else { return name(of: step, scope) }
    return "\(step.staticName.prefix { $0 != " " }) \(concealingSecrets(in: withoutUserinfo(resolved).masked))"
  }

  /// Explains a name without a value: an earlier request should have captured it.
  @inline(never)
  private func explain(_ name: String, _ step: RequestStep, _ group: StepGroup, _ report: inout StepReport) {
    let scope = group.scope
    let supplier = group.supplier(name) ?? file.supplier(of: name)
    let origin = supplier.map { "\"\(self.name(of: $0.step, group.scope))\" in line \($0.step.line)" }
    if let unselected = file.unselectedSuppliers[name] {
      let line = unselected.line
      let reason = "`\(name)` is captured by request \(unselected.label) in line \(line), which is not selected"
      report.outcome = .skipped(reason: scope.registry.masked(reason))
      report.problem = nil
    } else if context.isDryRun {
      report.outcome = .skipped(
        reason: "it needs `\(name)`, which only a response to \(origin ?? "another request") gives")
      report.problem = nil
    } else if step.stage == .teardown {
      report.outcome = .skipped(reason: "`\(name)` was never captured" + (origin.map { " by \($0)" } ?? ""))
      report.problem = nil
    } else {
      report.outcome = .failed
      report.problem = .error(
        .failedRequest, "`\(name)` was never captured", at: report.problem?.range,
        notes: supplier.map { [Diagnostic.Note("request \(origin ?? "") should have captured it", at: $0.capture)] }
          ?? [])
    }
  }
}

/// The numbers of a file's steps in the order of their starts.
private final class StepNumbers: Sendable {
  private let last = Atomic(0)

  func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
