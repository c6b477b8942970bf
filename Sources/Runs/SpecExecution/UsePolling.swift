import RequestSpecs
import Synchronization
import Templates

/// `poll` beside `use`: rounds of a whole file, until its captures are as they should be.
extension StepRun {
  func run(
    _ step: PlannedUseStep, polling poll: PollSpec, in outer: StepGroup, reportingTo events: any FileEventSink
  ) async {
    let request = step.request
    let start = ContinuousClock.now
    let id = newStep()
    let name = name(of: step, in: outer)
    let rounds = StepGroup(
      parent: id, reported: id, scope: outer.scope, session: outer.session, supplier: outer.supplier,
      isLive: outer.isLive, tearsDown: outer.tearsDown, label: outer.label)
    events.receive(
      .groupStarted(
        GroupStart(
          id: id, parent: outer.parent, kind: .rounds, stage: request.stage, name: name, line: request.line,
          time: .now)))
    var report = StepReport(id: newStep(), parent: id, name: name, line: request.line)
    report.group = id
    report.stage = request.stage
    report.place = request.spec.range.firstLine
    var isReported = false
    do throws(TemplateError) {
      let polling = try Polling(poll, of: request.number, request.stage, in: context, outer.scope)
      let ending = try await polling.run(&report) { [self] scope, report in
        await round(step, poll, in: scope, rounds, report, reportingTo: events)
      }
      // The failures of its requests are reported with these.
      if case .round = ending { isReported = report.failures.isEmpty }
    } catch {
      report.fail(error, registry: outer.scope.registry)
    }
    if report.outcome != .passed, !isReported {
      report.duration = .now - start
      rounds.count(report)
      events.receive(.stepFinished(report))
      if failsFast, report.outcome.isFailure { context.control.stop() }
    } else if failsFast, !rounds.counts.isGood {
      context.control.stop()
    }
    let counts = rounds.counts
    events.receive(.groupFinished(GroupReport(id: id, parent: outer.parent, counts: counts, duration: .now - start)))
    outer.add(counts)
    for used in rounds.takeUsed() { outer.add(used) }
    if !counts.isGood { skipRest(of: outer, after: step) }
  }

  /// Runs one round.
  private func round(
    _ step: PlannedUseStep, _ poll: PollSpec, in scope: FileScope, _ rounds: StepGroup, _ report: StepReport,
    reportingTo events: any FileEventSink
  ) async -> Polling.Round {
    let number = report.roundCount
    let group = StepGroup(
      parent: rounds.parent, reported: rounds.reported, scope: scope, session: rounds.session,
      supplier: rounds.supplier, isLive: rounds.isLive, tearsDown: rounds.tearsDown,
      label: rounds.label.map { "\($0), round \(number)" } ?? "round \(number)")
    let output = RoundEvents()
    await StepRun(inRoundOf: self).runFile(of: step, in: group, reportingTo: output)
    var round = Polling.Round(report: report, state: .over)
    round.report.duration = .zero
    let counts = group.counts
    if counts.specErrors == 0, !context.isDryRun {
      let conditions = CaptureConditions(scope: scope, stage: step.request.stage, control: context.control)
      round.state = conditions.evaluate(poll, passed: counts.isGood, &round.report)
    }
    if let failed = output.firstFailure {
      if round.report.outcome == .passed { round.report.outcome = Task.isCancelled ? .transportError : .failed }
      round.isLasting = failed.isLasting
      if failed.isLasting { round.state = .over }
      if round.report.failures.isEmpty, round.report.problem == nil {
        round.report.problem = .error(
          .failedRequest, "\(failed.name): \(failed.message ?? "it failed")", at: failed.place)
      }
    }
    let warnings = round.report.warnings
    round.end = { [self] end in
      switch end {
      case .last(let hint):
        var counts = counts
        counts.warnings += output.release(into: events, hint: hint, warnings)
        rounds.add(counts)
        for used in group.takeUsed() { rounds.add(used) }
      case .followed, .cutOff:
        let reason = if case .cutOff = end { "cut off, since the poll's time was up" } else { "not yet" }
        output.release(into: events, failuresAs: reason)
        rounds.add(counts.withoutFailures)
        let teardown = StepGroup(tearingDown: group, as: rounds.parent)
        await tearDown([], in: teardown, reportingTo: events)
        rounds.add(teardown.counts)
      }
    }
    return round
  }
}

/// The events of a round, which wait until it is known whether another one follows.
private final class RoundEvents: FileEventSink {
  private let events = Mutex<[FileEvent]>([])

  func receive(_ event: FileEvent) { events.withLock { $0.append(event) } }

  var firstFailure: StepReport? {
    events.withLock { events in
      events.lazy.compactMap { event in
        if case .stepFinished(let report) = event, report.outcome.isFailure { report } else { nil }
      }.first
    }
  }

  /// Passes on the events of a round whose results stand.
  ///
  /// - Parameter warnings: those about its end, which its last step reports.
  /// - Returns: the number of these that were reported.
  func release(into sink: any FileEventSink, hint: String?, _ warnings: [AssertionReport]) -> Int {
    var hint = hint
    let events = take()
    let last = events.lastIndex { if case .stepFinished = $0 { true } else { false } }
    for (index, event) in events.enumerated() {
      guard case .stepFinished(var report) = event else {
        sink.receive(event)
        continue
      }
      if index == last { report.warnings += warnings }
      if let text = hint, report.outcome.isFailure {
        report.addHint(text)
        hint = nil
      }
      sink.receive(.stepFinished(report))
    }
    return last == nil ? 0 : warnings.count
  }

  /// Passes on the events of a round that another follows, or that was cut off: nothing in it has failed.
  func release(into sink: any FileEventSink, failuresAs reason: String) {
    for event in take() {
      switch event {
      case .stepFinished(var report) where report.outcome.isFailure:
        report.outcome = .skipped(reason: reason + (report.message.map { ": \($0)" } ?? ""))
        report.failures = []
        report.problem = nil
        report.curlCommand = nil
        report.openCurlCommand = nil
        sink.receive(.stepFinished(report))
      case .groupFinished(let report):
        sink.receive(
          .groupFinished(
            GroupReport(
              id: report.id, parent: report.parent, counts: report.counts.withoutFailures, duration: report.duration)))
      default: sink.receive(event)
      }
    }
  }

  private func take() -> [FileEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}

extension OutcomeCounts {
  /// The same with failures as skipped requests.
  fileprivate var withoutFailures: OutcomeCounts {
    var result = self
    result.skipped += failed + transportErrors + specErrors
    (result.failed, result.transportErrors, result.specErrors, result.failedAssertions) = (0, 0, 0, 0)
    return result
  }
}
