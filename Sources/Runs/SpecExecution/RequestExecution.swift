import HTTPSemantics
import RequestSpecs
import Templates
import Values

/// Sends one request and evaluates its response: resolve, exchange, capture, assert.
///
/// An asynchronous function keeps room for all that is inlined into it, for each request in flight: what needs much is
/// in synchronous functions that aren't.
struct RequestExecution {
  let request: RequestStep
  let group: StepGroup
  /// The group's scope, or one inside it.
  let scope: FileScope
  let steps: StepRun
  let session: FileSession
  let events: any FileEventSink
  /// Sends the requests of `during`; nil if there are none.
  let during: DuringRequests?

  var context: RunContext { steps.context }

  /// The reason in the request itself to skip it.
  func conditionToSkip() throws(TemplateError) -> String? {
    try context.conditionToSkip(
      request.settings.skip.value, request.settings.when.value, of: request.stage, at: request.range, in: scope)
  }

  /// Waits for `delay`; false if the run ended meanwhile.
  func wait() async throws(TemplateError) -> Bool {
    guard let delay = try request.settings.delay.value?.resolve(in: scope), delay > .zero, !context.isDryRun else {
      return true
    }
    return await context.control.pause(delay, in: request.stage)
  }

  /// The request, resolved before its turn; nil if earlier requests may change its values, and if it has an error,
  /// which is reported at its turn.
  func resolvedAhead() -> ResolvedRequest? {
    request.isLiteral ? try? resolved() : nil
  }

  private func resolved() throws(TemplateError) -> ResolvedRequest {
    try context.control.evaluating(request.stage, at: request.range) { () throws(TemplateError) in
      if request.names != nil { scope.evaluateOwn() }
      return try RequestResolver(request: request, scope: scope, defaults: context.defaults).resolve()
    }
  }

  /// - Parameter ahead: the request as ``resolvedAhead()`` gave it.
  /// - Returns: the state of its poll; over without one.
  @discardableResult
  func run(_ ahead: ResolvedRequest?, _ report: inout StepReport) async throws(TemplateError) -> PollState {
    var resolved = try prepared(ahead, &report)
    if context.isDryRun {
      await pretend(resolved, &report)
      return .over
    }
    let policy = try request.retry?.policy(in: scope)
    let start = policy.map { _ in ContinuousClock.now }
    let grant = tokenGrant(resolved, report)
    if let grant {
      guard let authorized = await authorized(grant, &report) else {
        return report.outcome == .transportError && !report.isLasting ? .pending : .over
      }
      resolved = authorized
      resolved.register(in: scope.registry)
    }
    let evaluation = ResponseEvaluation(
      request: request, scope: scope, needs: context.needs, snapshots: context.snapshots, control: context.control,
      commandTimeout: context.defaults.timeout, onCapture: context.onCapture)
    if let observe = context.onExchange { await announce(resolved, report, to: observe) }
    var attempt = await attempt(resolved, &report)
    if let grant, let status = attempt.status, let renewed = await renewed(grant, resolved, status: status) {
      end(attempt, resolved, .failed, reason: "status \(status)", &report)
      resolved = renewed
      attempt = await self.attempt(resolved, &report)
    }
    if let policy, await !sendAgain(resolved, by: policy, after: &attempt, evaluation, &report) {
      if let start { report.duration = .now - start }
      return .over
    }
    defer { if let start, report.attemptCount > 1 { report.duration = .now - start } }
    return conclude(attempt, resolved, policy, evaluation, &report)
  }

  /// The request before it is sent, with its name in the report.
  @inline(never)
  private func prepared(
    _ ahead: ResolvedRequest?, _ report: inout StepReport
  ) throws(TemplateError) -> ResolvedRequest {
    let resolved = if let ahead { ahead } else { try resolved() }
    resolved.register(in: scope.registry)
    if let problem = resolved.problems.first {
      throw TemplateError(problem.message, at: place(of: problem, resolved), help: problem.help)
    }
    if request.name == nil {
      report.name = group.labelled(resolved.shownName)
    }
    return resolved
  }

  /// Reports a request that a dry run doesn't send.
  private func pretend(_ resolved: ResolvedRequest, _ report: inout StepReport) async {
    report.outcome = .notSent
    report.transfer = unsentMessages(of: resolved)
    if context.needs.contains(.unsentHops), let hop = await unsentHop(resolved, report) {
      events.receive(.hopFinished(hop))
    }
    if let observe = context.onResolved {
      observe(request, report, resolved, scope)
    } else {
      reportCommand(resolved, jarCookies: [], &report)
    }
  }

  private func unsentMessages(of resolved: ResolvedRequest) -> TransferReport? {
    var messages = UnsentMessages(scope)
    if case .stream(let stream)? = resolved.transfer { messages.add(stream) }
    messages.add(request.settings.transferBox?.content.messages.value ?? [])
    return messages.report
  }

  private func announce(
    _ resolved: ResolvedRequest, _ report: StepReport, to observe: RunContext.ExchangeObserver
  ) async {
    guard let hop = await unsentHop(resolved, report) else { return }
    observe(.request(hop), scope.registry)
  }

  /// Evaluates and reports the last attempt.
  @inline(never)
  private func conclude(
    _ attempt: Attempt, _ resolved: ResolvedRequest, _ policy: RetryPolicy?, _ evaluation: ResponseEvaluation,
    _ report: inout StepReport
  ) -> PollState {
    let outcome = attempt.outcome
    report.transfer = outcome.report
    report.assertionCount += outcome.assertionCount
    report.failures += outcome.failures
    report.duration = attempt.duration
    report.status = attempt.status
    let state: PollState
    switch outcome.result {
    case .success(let result):
      report.cache = result.summary.cache
      state = evaluation.evaluate(response(result, attempt, resolved), &report)
    case .failure(let failure):
      evaluation.evaluate(failure, of: resolved, &report)
      report.isLasting = failure.error.isLasting && report.outcome == .transportError
      state = report.outcome == .transportError && !report.isLasting ? .pending : .over
    }
    if let policy { noteLongPause(attempt, by: policy, &report) }
    if attempt.wantsReport {
      end(attempt, resolved, report.outcome, reason: isCutOff(attempt) ? "cut off" : report.message, &report)
    }
    if context.needs.wantCommand(of: report) {
      reportCommand(resolved, jarCookies: attempt.jarCookies, &report)
    }
    return state
  }

  /// The request as it will be sent, or would be; nil if it can't be made.
  private func unsentHop(_ resolved: ResolvedRequest, _ report: StepReport) async -> HopReport? {
    let client = HTTPClient(
      transport: context.transport(request.transport.kind), jar: session.jar(resolved.session),
      authenticator: session.authenticator)
    guard let wire = await client.firstRequest(of: resolved.outgoing) else { return nil }
    let tracer = ExchangeTracer(
      registry: scope.registry, request: resolved,
      collector: ResponseCollector(BodyInterest(), budget: context.storage), needs: context.needs,
      attempt: AttemptStart(step: report.id, number: 1, time: .now))
    return tracer.unsentHop(wire)
  }

  func response(_ result: ExchangeResult, _ attempt: Attempt, _ resolved: ResolvedRequest) -> Response {
    Response(
      result: result, collector: attempt.collector, request: resolved, namespaces: request.namespaces,
      registry: scope.registry, storage: context.storage, events: attempt.outcome.events)
  }

  func reportCommand(_ resolved: ResolvedRequest, jarCookies: [Cookie], _ report: inout StepReport) {
    var command = CurlCommand(request: resolved, jarCookies: jarCookies, registry: scope.registry)
    report.curlCommand = command.text
    guard context.needs.contains(.openCurlCommands) else { return }
    command.isOpen = true
    report.openCurlCommand = command.text
  }

  /// The place in the spec of a part that cannot be sent.
  private func place(of problem: WireProblem, _ resolved: ResolvedRequest) -> SourceRange? {
    let settings = request.settings
    let place: SourceRange? =
      switch problem.subject {
      case .method: settings.method.value?.range
      case .requestTarget: settings.requestTarget.value?.range
      case .body: settings.body.value?.range
      case .header(let index): settings.headers.range(of: resolved.outgoing.headers.fields[index].name)
      case .cookie(let index): settings.cookies.range(of: resolved.outgoing.cookies[index].name)
      case .credentials: settings.auth.value?.range
      }
    return place ?? settings.url.value?.range
  }
}

extension ReportNeeds {
  /// Returns whether the request of a step is reported as a curl command.
  func wantCommand(of report: StepReport) -> Bool {
    contains(.curlCommands) || contains(.openCurlCommands) || report.outcome.isFailure
  }
}

extension KeyedSettings<ValueTemplate> {
  /// The place of the entry with that name.
  fileprivate func range(of name: String) -> SourceRange? {
    entries.last { equalsIgnoringCase($0.key.text, name) }?.value?.range ?? whole?.range
  }
}
