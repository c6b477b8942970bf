import HTTPSemantics
import RequestSpecs
import Templates
import Values

/// `poll`: rounds that follow one another until one is over.
struct Polling {
  /// The result of one round.
  struct Round: Sendable {
    /// The report on the step, as if no other round followed.
    var report: StepReport
    var state: PollState
    var error: TemplateError?
    /// Indicates whether another round would fail in the same way.
    var isLasting = false
    /// Ends the round, once it is known what follows it.
    var end: (@Sendable (RoundEnd) async -> Void)?
  }

  /// The end of a round.
  enum RoundEnd: Sendable {
    /// Its results stand; with a hint on the end of the poll, if that was not what ended it.
    case last(hint: String?)
    /// Another round follows.
    case followed
    /// The poll's time was up.
    case cutOff
  }

  /// The cause of the end of a poll.
  enum Ending: Sendable {
    /// The last round, whose results stand.
    case round
    /// The poll's time was up in a round.
    case cutOff
    /// The run ended in a pause.
    case interrupted
  }

  private let limits: PollLimits
  private let place: SourceRange
  private let stage: RequestStage
  private let context: RunContext
  private let scope: FileScope
  /// The number of the step.
  private let step: Int
  /// The request's own variables.
  private let names: DeclaredNames?

  /// - Parameters:
  ///   - names: the variables of a request.
  ///   - scope: the scope around those of the rounds, which gets the captures of the last.
  init(
    _ spec: PollSpec, of step: Int, _ stage: RequestStage, _ names: DeclaredNames? = nil, in context: RunContext,
    _ scope: FileScope
  ) throws(TemplateError) {
    limits = try spec.limits(in: scope, atMost: context.defaults.timeout)
    place = spec.range
    self.step = step
    self.stage = stage
    self.names = names
    self.context = context
    self.scope = scope
  }

  /// - Parameter run: runs one round in its scope, with the report so far.
  func run(
    _ report: inout StepReport, round run: @escaping @Sendable (FileScope, StepReport) async -> Round
  ) async throws(TemplateError) -> Ending {
    let start = ContinuousClock.now
    let deadline = limits.timeout.map { start + $0 }
    let first = report
    let number = context.control.underWay.begin(report.name)
    defer {
      context.control.underWay.end(number)
      if report.attemptCount > 0 { report.duration = .now - start }
    }
    var last: Round?
    while true {
      var next = first
      if let last { next.takeAttempts(of: last.report) }
      next.roundCount += 1
      context.control.underWay.begin(round: next.roundCount, of: number, report.name)
      let scope = scope.round(next.roundCount, of: step, names)
      let (round, isCut) = await ended(by: deadline) { [next] in await run(scope, next) }
      if isCut, round.state == .pending, round.report.outcome == .transportError {
        report = last?.report ?? round.report
        report.takeAttempts(of: round.report)
        await round.end?(.cutOff)
        cut(&report, isFirst: last == nil)
        return .cutOff
      }
      report = round.report
      if let error = round.error {
        await round.end?(.last(hint: nil))
        throw error
      }
      last = round
      let pause = round.state == .over ? nil : limits.policy.delay(after: report.roundCount)
      guard let pause else {
        scope.keepCaptures()
        let hint =
          round.state != .over
          ? "the poll ended with its `attempts`, after \(rounds(report))"
          : round.isLasting ? "the poll ended after \(rounds(report)): another one would fail in the same way" : nil
        if let hint { report.addHint(hint) }
        await round.end?(.last(hint: hint))
        return .round
      }
      let left = deadline.map { max(.zero, $0 - .now) }
      let isLast = left.map { $0 <= pause } ?? false
      if !isLast { await round.end?(.followed) }
      if await !context.control.pause(min(pause, left ?? pause), in: stage) {
        if isLast { await round.end?(.followed) }
        report.failures = []
        report.captures = []
        report.cutShort(
          context.control, at: place,
          help: "round \(report.roundCount) of the poll ended with: \(round.report.message ?? "nothing")")
        return .interrupted
      }
      if isLast {
        scope.keepCaptures()
        let hint = "the poll's time of \(timeText) was up after \(rounds(report))"
        report.addHint(hint)
        await round.end?(.last(hint: hint))
        return .round
      }
    }
  }

  /// Ends a poll whose time was up during a round.
  private func cut(_ report: inout StepReport, isFirst: Bool) {
    guard isFirst else {
      return report.addHint(
        "the poll's time of \(timeText) was up in round \(report.roundCount), which was cut off")
    }
    report.failures = []
    report.outcome = .transportError
    report.problem = .error(
      .failedRequest, "the poll's time of \(timeText) was up before its first round was over", at: place,
      help: "give it a longer \(limits.timeout == context.defaults.timeout ? "--timeout" : "`timeout`")")
  }

  private var timeText: String {
    let isCommanded = limits.timeout == context.defaults.timeout
    return (limits.timeout.map(durationText) ?? "") + (isCommanded ? " (--timeout)" : "")
  }

  private func rounds(_ report: StepReport) -> String { counted(report.roundCount, "round") }

  /// Runs a round, which is cancelled at the deadline.
  private func ended(
    by deadline: ContinuousClock.Instant?, _ run: @escaping @Sendable () async -> Round
  ) async -> (Round, isCut: Bool) {
    guard let deadline else { return (await run(), false) }
    let task = Task(executorPreference: context.executor, operation: run)
    let timer = Task {
      if (try? await Task.sleep(until: deadline, clock: .continuous)) != nil { task.cancel() }
    }
    let round = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    timer.cancel()
    return (round, task.isCancelled && context.control.phase <= .stopping)
  }
}

extension RequestExecution {
  /// Runs the rounds of its poll.
  func poll(_ poll: PollSpec, _ report: inout StepReport) async throws(TemplateError) {
    _ = try await Polling(poll, of: request.number, request.stage, request.names, in: context, scope).run(&report) {
      round, report in
      await inside(round).round(report)
    }
  }

  /// The same in a scope inside its own.
  private func inside(_ scope: FileScope) -> RequestExecution {
    RequestExecution(
      request: request, group: group, scope: scope, steps: steps, session: session, events: events,
      during: during)
  }

  /// Runs one round of a poll.
  private func round(_ report: StepReport) async -> Polling.Round {
    var report = report
    do throws(TemplateError) {
      let state = try await run(nil, &report)
      return Polling.Round(report: report, state: state, isLasting: report.isLasting)
    } catch {
      return Polling.Round(report: report, state: .over, error: error)
    }
  }
}
