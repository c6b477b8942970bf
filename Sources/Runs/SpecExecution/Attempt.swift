import HTTPSemantics
import Values

/// One attempt at the exchanges of a request.
struct Attempt {
  /// Nil if nothing reports attempts.
  fileprivate let start: AttemptStart?
  /// The cookies that the jar had for it.
  let jarCookies: [Cookie]
  let collector: ResponseCollector
  let outcome: TransferOutcome
  /// The requests of a transfer; nil unless a reporter needs them.
  fileprivate let log: TransferLog?
  /// Indicates whether its end was reported.
  var isReported = false

  /// Indicates whether something reports attempts, and its end was not reported yet.
  var wantsReport: Bool { start != nil && !isReported }

  var duration: Duration {
    switch outcome.result {
    case .success(let result): result.total
    case .failure(let failure): failure.total
    }
  }

  /// The status of the last response; nil without one.
  var status: Int? {
    switch outcome.result {
    case .success(let result): result.head.status
    case .failure(let failure): failure.head?.status ?? failure.hops.last?.head.status
    }
  }
}

extension RequestExecution {
  /// Sends the request once.
  func attempt(_ resolved: ResolvedRequest, _ report: inout StepReport) async -> Attempt {
    let jarCookies = session.jar(resolved.session)?.cookies(for: resolved.outgoing.url) ?? []
    let collector = ResponseCollector(request.interest, budget: context.storage)
    report.attemptCount += 1
    let start = beginAttempt(report)
    let log = resolved.transfer != nil && context.needs.contains(.hops) ? TransferLog() : nil
    let outcome = await exchange(resolved, into: collector, start, log, report.name)
    register(outcome, of: resolved, log)
    return Attempt(
      start: start, jarCookies: jarCookies, collector: outcome.collector ?? collector, outcome: outcome, log: log)
  }

  /// Registers the secrets that redirects and computed credentials add.
  @inline(never)
  private func register(_ outcome: TransferOutcome, of resolved: ResolvedRequest, _ log: TransferLog?) {
    let hops: [ExchangeHop]
    var inFlight: WireRequest?
    switch outcome.result {
    case .success(let result): hops = result.hops
    case .failure(let failure): (hops, inFlight) = (failure.hops, failure.request)
    }
    scope.registry.add(secretsOfRedirects: hops)
    if let log { scope.registry.add(secretsOfRedirects: log.hops) }
    if resolved.credentials?.areComputed ?? false {
      scope.registry.add(
        authorizationsOf: hops.map(\.request) + (inFlight.map { [$0] } ?? []) + (log?.requests ?? []))
    }
  }

  /// Returns whether the time of the poll around it was up.
  func isCutOff(_ attempt: Attempt) -> Bool {
    guard request.poll != nil, case .failure(let failure) = attempt.outcome.result,
      case .cancelled = failure.error.kind
    else { return false }
    return context.control.phase <= .stopping
  }

  /// Nil if no reporter needs attempts.
  @inline(never)
  private func beginAttempt(_ report: StepReport) -> AttemptStart? {
    let needs = context.needs
    guard needs.contains(.starts) || needs.contains(.attempts) || needs.contains(.hops) || request.isRepeated
    else {
      return nil
    }
    let attempt = AttemptStart(step: report.id, number: report.attemptCount, time: .now)
    if needs.contains(.starts) { events.receive(.attemptStarted(attempt)) }
    return attempt
  }

  /// Reports the end of an attempt.
  ///
  /// - Parameter reason: the reason why it isn't the one that was wanted; nil if it is.
  @inline(never)
  func end(
    _ attempt: Attempt, _ resolved: ResolvedRequest, _ outcome: RequestOutcome, reason: String?,
    _ report: inout StepReport
  ) {
    guard attempt.wantsReport, let start = attempt.start else { return }
    if context.needs.contains(.hops) {
      let tracer = ExchangeTracer(
        registry: scope.registry, request: resolved, collector: attempt.collector, needs: context.needs,
        attempt: start)
      for hop in tracer.hops(of: attempt.outcome.result, attempt.log) { events.receive(.hopFinished(hop)) }
    }
    let ended = AttemptReport(
      step: start.step, number: start.number, start: start.time, duration: attempt.duration, outcome: outcome,
      status: attempt.status, round: request.poll.map { _ in report.roundCount }, reason: reason)
    if request.isRepeated { report.add(ended) }
    if context.needs.contains(.attempts) { events.receive(.attemptFinished(ended)) }
  }

  private func exchange(
    _ resolved: ResolvedRequest, into collector: ResponseCollector, _ attempt: AttemptStart?, _ log: TransferLog?,
    _ name: String
  ) async -> TransferOutcome {
    // A poll is under way in all its rounds.
    let number = request.poll == nil ? context.control.underWay.begin(name) : nil
    defer { if let number { context.control.underWay.end(number) } }
    let transport = session.transport(resolved.session, over: context.transport(request.transport.kind))
    var client = HTTPClient(
      transport: transport, jar: session.jar(resolved.session), authenticator: session.authenticator)
    if let transfer = resolved.transfer {
      return await run(transfer, resolved, by: client, into: collector, log, name)
    }
    if let attempt, context.needs.contains(.starts) {
      client.onSend = { [events] hop in
        events.receive(
          .hopStarted(HopStart(step: attempt.step, attempt: attempt.number, number: hop, time: .now)))
      }
    }
    let sink: any ResponseSink =
      context.onExchange.map { ObservedSink(collector, scope.registry, $0) } ?? collector
    let meters = context.onTransfer.map { RequestMeters(name: name, body: resolved.outgoing.body, observer: $0) }
    defer { meters?.finish() }
    return TransferOutcome(await client.result(of: resolved.outgoing, into: meters?.sink(sink) ?? sink))
  }

  private func run(
    _ transfer: ResolvedTransfer, _ resolved: ResolvedRequest, by client: HTTPClient, into collector: ResponseCollector,
    _ log: TransferLog?, _ name: String
  ) async -> TransferOutcome {
    var client = client
    if let log { client.onHop = { log.add($0) } }
    return await transfer.implementation.run(
      TransferExchange(
        request: request, resolved: resolved, client: client, collector: collector, context: context, scope: scope,
        meter: TransferMeter(name: name, direction: transfer.direction, observer: context.onTransfer),
        during: during))
  }
}
