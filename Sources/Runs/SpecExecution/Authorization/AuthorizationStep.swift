import HTTPSemantics
import Values

/// An exchange with an authorization server, which is a step within the request that needs the token.
struct AuthorizationStep {
  /// The maximum size of a response.
  private static let sizeLimit: Int64 = 1 << 20

  struct Message {
    var method = HTTPMethod.post
    var url: Text
    var form: Text?
    var credentials: ResolvedCredentials?
  }

  private struct Attempt {
    let start: AttemptStart?
    let message: Message
    let request: ResolvedRequest
    let collector: ResponseCollector
    let result: Result<ExchangeResult, ExchangeFailure>
  }

  private let execution: RequestExecution
  /// The request that needs the token.
  private let resolved: ResolvedRequest
  private var report: StepReport
  private var attempt: Attempt?

  private var context: RunContext { execution.context }
  private var registry: SecretRegistry { execution.scope.registry }

  /// - Parameters:
  ///   - purpose: a word for what is fetched.
  ///   - parent: the request's own step.
  init(
    _ purpose: String, at url: Text, for resolved: ResolvedRequest, in parent: StepID, by execution: RequestExecution
  ) {
    self.execution = execution
    self.resolved = resolved
    report = StepReport(of: execution.request, id: execution.steps.newStep(), parent: parent)
    let shown = concealingSecrets(in: withoutUserinfo(url).masked)
    report.group = execution.group.reported
    report.name = execution.scope.registry.masked("\(purpose): \(shown)")
    guard execution.context.needs.contains(.starts) else { return }
    let time = Timestamp.now
    report.start = time
    execution.events.receive(
      .stepStarted(
        StepStart(
          id: report.id, parent: parent, stage: report.stage, name: report.name, line: report.line, time: time)))
  }

  /// Sends a message, once more if one was sent before.
  mutating func send(_ message: Message) async throws(TokenProblem) -> (head: ResponseHead, body: [UInt8]) {
    finishAttempt(.failed)
    let request = try self.request(message)
    request.register(in: registry)
    if let problem = request.problems.first { throw TokenProblem(problem.message, help: problem.help, part: .client) }
    report.attemptCount += 1
    let needs = context.needs
    var start: AttemptStart?
    if needs.contains(.starts) || needs.contains(.attempts) || needs.contains(.hops) {
      start = AttemptStart(step: report.id, number: report.attemptCount, time: .now)
    }
    if let start, needs.contains(.starts) { execution.events.receive(.attemptStarted(start)) }
    var interest = BodyInterest()
    interest.keepsBytes = true
    interest.keepsPreview = needs.contains(.bodyBeginnings)
    let collector = ResponseCollector(interest, budget: context.storage)
    let number = context.control.underWay.begin(report.name)
    let client = HTTPClient(transport: context.transport(execution.request.transport.kind))
    let result = await client.result(of: request.outgoing, into: collector)
    context.control.underWay.end(number)
    attempt = Attempt(start: start, message: message, request: request, collector: collector, result: result)
    switch result {
    case .success(let response):
      report.duration += response.total
      report.status = response.head.status
      let body = collector.wholeBody() ?? []
      for secret in TokenResponse(response.head, body: body, from: "").secrets { registry.add(secret) }
      return (response.head, body)
    case .failure(let failure):
      report.duration += failure.total
      report.status = failure.head?.status
      if failure.error.kind == .tooLarge {
        throw TokenProblem("the response of an authorization server has more than \(Self.sizeLimit >> 20) MiB")
      }
      throw TokenProblem(
        failure.error.message, help: failure.error.help, isFinal: failure.error.isLasting, isTransportError: true)
    }
  }

  private func request(_ message: Message) throws(TokenProblem) -> ResolvedRequest {
    let url: HTTPURL
    do throws(URLProblem) {
      url = try HTTPURL(parsing: message.url.string)
    } catch {
      throw TokenProblem("\(error.message) in \(withoutUserinfo(message.url).masked)", help: error.help)
    }
    var headers: [(name: Text, value: Text)] = [
      ("User-Agent", Text(context.defaults.userAgent)), ("Accept", "application/json"),
    ]
    if message.form != nil { headers.append(("Content-Type", "application/x-www-form-urlencoded")) }
    let body = message.form.map { ResolvedBody.text($0) } ?? .none
    var redirects = RedirectPolicy()
    redirects.mode = .none
    var outgoing = OutgoingRequest(
      method: message.method, url: url, headers: HeaderFields(headers.map { ($0.name.string, $0.value.string) }),
      body: body.plain, credentials: message.credentials?.plain, redirects: redirects,
      timeouts: resolved.outgoing.timeouts, maxBodyBytes: AuthorizationStep.sizeLimit,
      options: resolved.outgoing.authorizationOptions)
    outgoing.proxies = resolved.outgoing.proxies
    outgoing.keepsSentHead = context.defaults.keepsSentHeads
    return ResolvedRequest(
      method: message.method, url: message.url, requestTarget: nil, headers: headers, body: body, cookies: [],
      credentials: message.credentials, session: ResolvedSession(), connection: resolved.connection,
      outgoing: outgoing)
  }

  private mutating func finishAttempt(_ outcome: RequestOutcome) {
    guard let attempt else { return }
    self.attempt = nil
    guard let start = attempt.start else { return }
    if context.needs.contains(.hops) {
      // Metadata are public; servers issue tokens in many forms.
      let tracer = ExchangeTracer(
        registry: registry, request: attempt.request, collector: attempt.collector, needs: context.needs,
        attempt: start, hidesResponses: attempt.message.form != nil)
      for hop in tracer.hops(of: attempt.result) { execution.events.receive(.hopFinished(hop)) }
    }
    guard context.needs.contains(.attempts) else { return }
    execution.events.receive(
      .attemptFinished(
        AttemptReport(
          step: start.step, number: start.number, start: start.time, duration: report.duration, outcome: outcome,
          status: report.status)))
  }

  /// Ends the step.
  ///
  /// - Parameter problem: the reason why it failed; nil if it didn't.
  mutating func finish(_ problem: TokenProblem?, of grant: TokenGrant) {
    if problem != nil, context.control.phase >= .draining {
      report.cutShort(context.control, at: execution.request.range)
    } else if let problem {
      report.outcome = problem.isTransportError ? .transportError : .failed
      report.isLasting = problem.isTransportError && problem.isFinal
      report.problem = grant.diagnostic(problem, in: execution.scope)
    }
    if let attempt, context.needs.wantCommand(of: report) {
      execution.reportCommand(attempt.request, jarCookies: [], &report)
    }
    finishAttempt(report.outcome)
    execution.group.count(report)
    execution.events.receive(.stepFinished(report))
  }

  /// Warns if credentials travel where others can read them.
  mutating func warnOfPlainHTTP(_ url: Text, of grant: TokenGrant) {
    guard let parsed = try? HTTPURL(parsing: url.string), !parsed.isSecure, !parsed.isLoopback else { return }
    report.warnings.append(
      AssertionReport(
        subject: "token_url", range: grant.place(of: .endpoint), expected: "https",
        actual: "http: credentials and token can be read on their way"))
  }
}

extension OutgoingRequest {
  /// The connection options that also apply to an authorization server.
  var authorizationOptions: ConnectionOptions {
    var options = options
    options.unixSocket = nil
    options.maxConnectionsPerHost = nil
    options.expectsLargeBody = false
    options.maxReceiveRate = nil
    options.maxSendRate = nil
    options.connectionAuthentication = nil
    options.wantsCertificates = false
    options.decompresses = true
    return options
  }
}
