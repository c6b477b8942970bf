import CurlCommands
import Diagnostics
import HTTPMessages
import HTTPSemantics
import RequestResolution
import RequestSpecs
import ResponseChecks
import Responses
import RunEvents
import RunScopes
import Templates
import Values

/// Sends one request and evaluates its response: resolve, exchange, capture, assert.
struct RequestExecution {
  let request: RequestStep
  let context: RunContext
  let group: StepGroup
  let steps: StepRun
  let session: FileSession
  let events: any FileEventSink
  /// Sends the requests of `during`; nil if there are none.
  let during: DuringRequests?

  var scope: FileScope { group.scope }

  /// The reason in the request itself to skip it.
  func conditionToSkip() throws(TemplateError) -> String? {
    let settings = request.settings
    guard settings.skip.value != nil || settings.when.value != nil else { return nil }
    return try context.control.evaluating(request.stage, at: request.range) { () throws(TemplateError) in
      try reasonToSkip()
    }
  }

  private func reasonToSkip() throws(TemplateError) -> String? {
    if case .yes(let reason)? = try request.settings.skip.value?.resolve(in: scope) {
      return scope.registry.masked(reason ?? "`skip: true`")
    }
    if let condition = request.settings.when.value, try !condition.resolve(in: scope) { return "`when` does not hold" }
    return nil
  }

  /// Waits for `delay`; false if the run ended meanwhile.
  func wait() async throws(TemplateError) -> Bool {
    guard let delay = try request.settings.delay.value?.resolve(in: scope), delay > .zero, !context.isDryRun else {
      return true
    }
    return await context.control.supervise(request.stage == .teardown ? .teardown : .delay) {
      (try? await Task.sleep(for: delay)) != nil
    }
  }

  /// The request, resolved before its turn; nil if earlier requests may change its values, and if it has an error,
  /// which is reported at its turn.
  func resolvedAhead() -> ResolvedRequest? {
    request.isLiteral ? try? resolved() : nil
  }

  private func resolved() throws(TemplateError) -> ResolvedRequest {
    try context.control.evaluating(request.stage, at: request.range) { () throws(TemplateError) in
      try RequestResolver(request: request, scope: scope, defaults: context.defaults).resolve()
    }
  }

  /// - Parameter ahead: the request as ``resolvedAhead()`` gave it.
  func run(_ ahead: ResolvedRequest?, _ report: inout StepReport) async throws(TemplateError) {
    var resolved = if let ahead { ahead } else { try resolved() }
    resolved.register(in: scope.registry)
    if let problem = resolved.problems.first {
      throw TemplateError(problem.message, at: place(of: problem, resolved), help: problem.help)
    }
    if request.name == nil {
      report.name = resolved.shownName
    }
    if context.isDryRun {
      report.outcome = .notSent
      context.onResolved?(request, report, resolved)
      tellCommand(resolved, jarCookies: [], &report)
      return
    }
    let grant = tokenGrant(resolved, report)
    if let grant {
      guard let authorized = await authorized(grant, &report) else { return }
      resolved = authorized
      resolved.register(in: scope.registry)
    }
    let jarCookies = session.jar(resolved.session)?.cookies(for: resolved.outgoing.url) ?? []
    var collector = ResponseCollector(request.interest, budget: context.storage)
    report.attemptCount += 1
    var attempt = beginAttempt(report)
    var outcome = await exchange(resolved, into: &collector, attempt, &report)
    if let grant, case .success(let refused) = outcome.result,
      let renewed = await renewed(grant, resolved, status: refused.head.status)
    {
      if let attempt { end(attempt, outcome.result, resolved, collector, report, outcome: .failed) }
      resolved = renewed
      collector = ResponseCollector(request.interest, budget: context.storage)
      report.attemptCount += 1
      attempt = beginAttempt(report)
      outcome = await exchange(resolved, into: &collector, attempt, &report)
    }
    let result = outcome.result
    let hops: [Hop]
    var inFlight: WireRequest?
    switch result {
    case .success(let result): hops = result.hops
    case .failure(let failure): (hops, inFlight) = (failure.hops, failure.request)
    }
    scope.registry.add(secretsOfRedirects: hops)
    if resolved.credentials?.areComputed ?? false {
      scope.registry.add(authorizationsOf: hops.map(\.request) + (inFlight.map { [$0] } ?? []))
    }
    let evaluation = ResponseEvaluation(
      request: request, scope: scope, needs: context.needs, snapshots: context.snapshots, control: context.control,
      commandTimeout: context.defaults.timeout)
    switch result {
    case .success(let result):
      report.duration = result.total
      report.status = result.head.status
      report.cache = result.summary.cache
      let response = Response(
        result: result, collector: collector, request: resolved, namespaces: request.namespaces,
        registry: scope.registry, storage: context.storage, events: outcome.events)
      evaluation.evaluate(response, &report)
    case .failure(let failure):
      report.duration = failure.total
      report.status = failure.head?.status ?? failure.hops.last?.head.status
      evaluation.evaluate(failure, of: resolved, &report)
    }
    if let attempt { end(attempt, result, resolved, collector, report) }
    if context.needs.contains(.curlCommands) || context.needs.contains(.openCurlCommands) || report.outcome.isFailure {
      tellCommand(resolved, jarCookies: jarCookies, &report)
    }
  }

  // MARK: attempts

  /// Nil if no reporter needs attempts.
  private func beginAttempt(_ report: StepReport) -> AttemptStart? {
    let needs = context.needs
    guard needs.contains(.starts) || needs.contains(.attempts) || needs.contains(.hops) else { return nil }
    let attempt = AttemptStart(step: report.id, number: report.attemptCount, time: .now)
    if context.needs.contains(.starts) { events.receive(.attemptStarted(attempt)) }
    return attempt
  }

  private func end(
    _ attempt: AttemptStart, _ result: Result<ExchangeResult, ExchangeFailure>, _ resolved: ResolvedRequest,
    _ collector: ResponseCollector, _ report: StepReport, outcome: RequestOutcome? = nil
  ) {
    if context.needs.contains(.hops) {
      let tracer = ExchangeTracer(
        registry: scope.registry, request: resolved, collector: collector, needs: context.needs, attempt: attempt)
      for hop in tracer.hops(of: result) { events.receive(.hopFinished(hop)) }
    }
    guard context.needs.contains(.attempts) else { return }
    events.receive(
      .attemptFinished(
        AttemptReport(
          step: attempt.step, number: attempt.number, start: attempt.time, duration: report.duration,
          outcome: outcome ?? report.outcome, status: report.status)))
  }

  private func tellCommand(_ resolved: ResolvedRequest, jarCookies: [Cookie], _ report: inout StepReport) {
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

  private func exchange(
    _ resolved: ResolvedRequest, into collector: inout ResponseCollector, _ attempt: AttemptStart?,
    _ report: inout StepReport
  ) async -> TransferOutcome {
    let number = context.control.underWay.begin(report.name)
    defer { context.control.underWay.end(number) }
    let transport = session.transport(resolved.session, over: context.transport(request.transport.kind))
    var client = HTTPClient(
      transport: transport, jar: session.jar(resolved.session), authenticator: session.authenticator)
    guard let transfer = resolved.transfer else {
      if let attempt, context.needs.contains(.starts) {
        client.onSend = { [events] hop in
          events.receive(
            .hopStarted(HopStart(step: attempt.step, attempt: attempt.number, number: hop, time: .now)))
        }
      }
      guard let observer = context.onTransfer else {
        return TransferOutcome(await client.result(of: resolved.outgoing, into: collector))
      }
      let meters = RequestMeters(name: report.name, body: resolved.outgoing.body, observer: observer)
      defer { meters.finish() }
      return TransferOutcome(await client.result(of: resolved.outgoing, into: meters.sink(collector)))
    }
    let outcome = await transfer.implementation.run(
      TransferExchange(
        request: request, resolved: resolved, client: client, collector: collector, context: context, scope: scope,
        meter: TransferMeter(name: report.name, direction: transfer.direction, observer: context.onTransfer),
        during: during))
    report.transfer = outcome.report
    report.assertionCount += outcome.assertionCount
    report.failures += outcome.failures
    if let other = outcome.collector { collector = other }
    return outcome
  }
}

extension KeyedSettings<ValueTemplate> {
  /// The place of the entry with that name.
  fileprivate func range(of name: String) -> SourceRange? {
    entries.last { equalsIgnoringCase($0.key.text, name) }?.value?.range ?? whole?.range
  }
}
