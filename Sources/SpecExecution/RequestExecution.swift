import Diagnostics
import HTTPMessages
import HTTPSemantics
import RequestSpecs
import Templates
import Values

/// Sends one request and judges its answer: resolve, exchange, capture, assert.
struct RequestExecution {
  let request: PreparedRequest
  let context: RunContext
  let scope: FileScope
  let session: FileSession
  /// Sends the requests of `during`; nil where there are none.
  let during: DuringRequests?

  /// The reason that the request itself gives to leave it out.
  func conditionToSkip() throws(TemplateError) -> String? {
    let settings = request.settings
    guard settings.skip.value != nil || settings.when.value != nil else { return nil }
    return try context.control.evaluating(request) { () throws(TemplateError) in try reasonToSkip() }
  }

  private func reasonToSkip() throws(TemplateError) -> String? {
    if case .yes(let reason)? = try request.settings.skip.value?.resolve(in: scope) {
      return scope.registry.masked(reason ?? "`skip: true`")
    }
    if let condition = request.settings.when.value, try !condition.resolve(in: scope) { return "`when` does not hold" }
    return nil
  }

  /// Waits for as long as `delay` says; false if the run ended meanwhile.
  func wait() async throws(TemplateError) -> Bool {
    guard let delay = try request.settings.delay.value?.resolve(in: scope), delay > .zero, !context.isDryRun else {
      return true
    }
    return await context.control.supervise(request.stage == .teardown ? .teardown : .delay) {
      (try? await Task.sleep(for: delay)) != nil
    }
  }

  /// The request with its values before it is its turn; nil where what comes before it may change them, and where
  /// something is wrong with it, which is told when it is its turn.
  func resolvedAhead() -> ResolvedRequest? {
    request.isLiteral ? try? resolved() : nil
  }

  private func resolved() throws(TemplateError) -> ResolvedRequest {
    try context.control.evaluating(request) { () throws(TemplateError) in
      try RequestResolver(request: request, scope: scope, defaults: context.defaults).resolve()
    }
  }

  /// - Parameter ahead: the request as ``resolvedAhead()`` gave it.
  func run(_ ahead: ResolvedRequest?, _ report: inout RequestReport) async throws(TemplateError) {
    let resolved = if let ahead { ahead } else { try resolved() }
    resolved.register(in: scope.registry)
    if let problem = resolved.problems.first {
      throw TemplateError(problem.message, at: place(of: problem, resolved), help: problem.help)
    }
    if request.name == nil {
      report.name = resolved.shownName
    }
    if context.isDryRun {
      report.outcome = .notSent
      tellCommand(resolved, jarCookies: [], &report)
      return
    }
    let jarCookies = session.jar(resolved.session)?.cookies(for: resolved.outgoing.url) ?? []
    var collector = ResponseCollector(request.interest, budget: context.storage)
    let outcome = await exchange(resolved, into: &collector, &report)
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
    let judgement = Judgement(
      request: request, scope: scope, trace: context.trace, snapshots: context.snapshots, control: context.control,
      commandTimeout: context.defaults.timeout)
    switch result {
    case .success(let result):
      report.duration = result.total
      report.status = result.head.status
      report.cache = result.summary.cache
      let answer = Answer(
        result: result, collector: collector, request: resolved, namespaces: request.namespaces,
        registry: scope.registry, storage: context.storage, events: outcome.events)
      judgement.judge(answer, &report)
    case .failure(let failure):
      report.duration = failure.total
      report.status = failure.head?.status ?? failure.hops.last?.head.status
      judgement.judge(failure, of: resolved, &report)
    }
    if context.trace.includesHeads {
      let tracer = ExchangeTracer(
        registry: scope.registry, request: resolved, collector: collector, tellsBodies: context.trace.includesBodies)
      report.trace =
        switch result {
        case .success(let result): tracer.trace(result)
        case .failure(let failure): tracer.trace(failure)
        }
    }
    if context.trace.includesCurl || report.outcome.isFailure {
      tellCommand(resolved, jarCookies: jarCookies, &report)
    }
  }

  private func tellCommand(_ resolved: ResolvedRequest, jarCookies: [Cookie], _ report: inout RequestReport) {
    var command = CurlCommand(
      request: resolved, jarCookies: jarCookies, masked: CommandMasking(registry: scope.registry))
    report.curlCommand = command.text
    guard context.trace.includesSecrets else { return }
    command.masked.isOpen = true
    report.openCurlCommand = command.text
  }

  /// Where the spec says what cannot be sent.
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
    _ resolved: ResolvedRequest, into collector: inout ResponseCollector, _ report: inout RequestReport
  ) async -> TransferOutcome {
    let number = context.control.underWay.begin(report.name)
    defer { context.control.underWay.end(number) }
    let transport = session.transport(resolved.session, over: context.transport(request.transport.kind))
    let client = HTTPClient(
      transport: transport, jar: session.jar(resolved.session), authenticator: session.authenticator)
    guard let transfer = resolved.transfer else {
      guard let observer = context.onTransfer else {
        return TransferOutcome(await client.result(of: resolved.outgoing, into: collector))
      }
      let meters = RequestMeters(name: report.name, body: resolved.outgoing.body, observer: observer)
      defer { meters.finish() }
      return TransferOutcome(await client.result(of: resolved.outgoing, into: meters.sink(collector)))
    }
    let outcome = await transfer.step.run(
      TransferExchange(
        request: request, resolved: resolved, client: client, collector: collector, context: context, scope: scope,
        meter: TransferMeter(name: report.name, direction: transfer.direction, observer: context.onTransfer),
        during: during))
    report.transfer = outcome.report
    report.assertionCount += outcome.assertionCount
    report.failures += outcome.failures
    report.during = outcome.during
    if let other = outcome.collector { collector = other }
    return outcome
  }
}

extension KeyedSettings<ValueTemplate> {
  /// Where the entry of that name stands.
  fileprivate func range(of name: String) -> SourceRange? {
    entries.last { equalsIgnoringCase($0.key.text, name) }?.value?.range ?? whole?.range
  }
}
