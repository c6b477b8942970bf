import Diagnostics
import HTTPMessages
import HTTPSemantics
import RequestSpecs
import RunPlanning
import Templates
import Values

/// Runs one file once: resolve, exchange, capture, assert, request after request.
struct FileRun {
  let file: PlannedFile
  let context: RunContext
  let iteration: Int
  private let scope: FileScope
  private let jar = CookieJar()
  /// Why the rest of `requests` is skipped.
  private var skipReason: String?
  private var counts = OutcomeCounts()

  init(file: PlannedFile, context: RunContext, iteration: Int, position: Int) {
    self.file = file
    self.context = context
    self.iteration = iteration
    scope = FileScope(
      environment: context.environment, variables: file.variables, secrets: file.secrets, overrides: file.overrides,
      commandSecrets: file.commandSecrets, projectValues: context.environment.projectValues(of: file),
      source: file.source, randomSeed: context.environment.seed &+ UInt64(position) &* 0xD134_2543_DE82_EF95,
      captureNames: Set(file.requests.flatMap(\.captureNames)))
  }

  mutating func run(position: Int, into sink: any FileEventSink) async -> OutcomeCounts {
    let clock = ContinuousClock()
    let start = clock.now
    await sink.receive(
      .started(
        FileStart(
          position: position, path: file.path, name: file.name, iteration: iteration,
          requestCount: file.requests.count)))
    for request in file.requests {
      let report = await run(request)
      counts.add(report)
      await sink.receive(.requestFinished(report))
    }
    await sink.receive(
      .finished(
        FileReport(path: file.path, iteration: iteration, counts: counts, duration: start.duration(to: clock.now))))
    return counts
  }

  private mutating func run(_ request: PlannedRequest) async -> RequestReport {
    var report = RequestReport(range: request.spec.range, transport: request.transport)
    report.number = request.number
    report.stage = request.stage
    report.method = request.settings.method.value?.literal?.rawValue ?? "GET"
    report.name = provisionalName(request)
    if let reason = reasonToSkip(request) {
      report.outcome = .skipped(reason: reason)
      return report
    }
    do {
      if let reason = try conditionToSkip(request) {
        report.outcome = .skipped(reason: reason)
        return report
      }
      try await execute(request, &report)
    } catch {
      spec(error, request, &report)
    }
    if request.stage != .teardown { followUp(request, report) }
    return report
  }

  // MARK: before

  private func reasonToSkip(_ request: PlannedRequest) -> String? {
    let phase = context.control.phase
    if phase == .aborting { return "the run was aborted" }
    guard request.stage != .teardown else { return nil }
    if phase == .draining { return "the run was interrupted" }
    if phase == .stopping { return "--fail-fast" }
    return skipReason
  }

  private func conditionToSkip(_ request: PlannedRequest) throws(TemplateError) -> String? {
    if case .yes(let reason)? = try request.settings.skip.value?.resolve(in: scope) { return reason ?? "skip" }
    if let condition = request.settings.when.value, try !condition.resolve(in: scope) { return "`when` does not hold" }
    return nil
  }

  private func provisionalName(_ request: PlannedRequest) -> String {
    if let name = request.spec.name {
      if let literal = name.literal { return literal.masked }
      return (try? name.resolve(in: scope).masked) ?? name.range.text
    }
    let url = request.settings.url.value.map { $0.literal?.masked ?? $0.range.text } ?? ""
    let method =
      request.settings.method.value?.literal?.rawValue ?? (request.settings.body.value == nil ? "GET" : "POST")
    return "\(method) \(stripUserinfo(url))"
  }

  // MARK: the exchange

  private mutating func execute(_ request: PlannedRequest, _ report: inout RequestReport) async throws(TemplateError) {
    let settings = request.settings
    if let delay = try settings.delay.value?.resolve(in: scope), delay > .zero, !context.isDryRun {
      await context.control.supervise(isTeardown: request.stage == .teardown) { try? await Task.sleep(for: delay) }
      if let reason = reasonToSkip(request) {
        report.outcome = .skipped(reason: reason)
        return
      }
    }
    let resolved = try RequestResolver(settings: settings, scope: scope, defaults: context.defaults).resolve()
    registerSecrets(resolved)
    report.method = resolved.method.rawValue
    report.url = stripUserinfo(resolved.url.masked)
    if let problem = checkWire(resolved.outgoing).first {
      throw TemplateError(problem.message, at: settings.url.value?.range, help: problem.help)
    }
    let interest = settings.bodyInterest(context.trace)
    if context.isDryRun {
      report.outcome = .skipped(reason: "--dry-run")
      report.curlCommand = curlCommand(resolved, jarCookies: nil)
      return
    }
    let collector = ResponseCollector(interest)
    let jar = jar
    let client = HTTPClient(transport: context.transport(request.transport.kind), jar: jar)
    let jarCookies = resolved.outgoing.usesJar ? jar.cookieHeader(for: resolved.outgoing.url) : nil
    let result: Result<ExchangeResult, ExchangeFailure> = await context.control.supervise(
      isTeardown: request.stage == .teardown
    ) {
      do throws(ExchangeFailure) {
        return .success(try await client.perform(resolved.outgoing, into: collector))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let result):
      report.duration = result.total
      report.status = result.head.status
      let answer = Answer(result: result, collector: collector, registry: scope.registry)
      judge(request, answer, &report)
      if wantsTrace(report) { report.trace = trace(result.hops, collector, resolved) }
    case .failure(let failure):
      report.duration = failure.total
      judge(request, failure, &report)
      if wantsTrace(report) { report.trace = trace(failure.hops, collector, resolved) }
    }
    if context.trace.includesCurl || report.outcome != .passed {
      report.curlCommand = curlCommand(resolved, jarCookies: jarCookies)
    }
  }

  private func registerSecrets(_ request: ResolvedRequest) {
    scope.registry.add(request.url)
    for header in request.headers { scope.registry.add(header.value) }
    for cookie in request.cookies { scope.registry.add(cookie.value) }
    switch request.credentials {
    case .basic(_, let password): scope.registry.add(password)
    case .bearer(let token): scope.registry.add(token)
    case nil: break
    }
    if case .text(let text) = request.body { scope.registry.add(text) }
    if let userinfo = request.outgoing.url.userinfo, let colon = userinfo.firstIndex(of: ":") {
      scope.registry.add(String(userinfo[userinfo.index(after: colon)...]))
    }
  }

  // MARK: after

  /// Captures first, then validation and every assertion, whatever fails.
  private mutating func judge(_ request: PlannedRequest, _ answer: Answer, _ report: inout RequestReport) {
    let settings = request.settings
    if let expected = settings.expect.failure.value {
      report.assertionCount += 1
      let wanted = (try? expected.resolve(in: scope).rawValue) ?? expected.range.text
      report.failures.append(
        AssertionReport(
          subject: "error", range: expected.range, predicate: "equals \(wanted)", expected: wanted,
          actual: "an answer with status \(answer.head.status)", differences: [], moreDifferences: 0, hint: nil))
      report.outcome = .failed
      return
    }
    capture(settings, answer, &report)
    validate(settings, answer, &report)
    var evaluation = AssertionEvaluation(answer: answer, scope: scope)
    for assertion in settings.expect.assertions { evaluation.check(assertion) }
    report.assertionCount += evaluation.count
    report.failures += evaluation.failures
    if let problem = evaluation.problem, report.problem == nil { spec(problem, request, &report) }
    if report.outcome == .passed, !report.failures.isEmpty { report.outcome = .failed }
  }

  private func capture(_ settings: RequestSettings, _ answer: Answer, _ report: inout RequestReport) {
    for entry in settings.capture.entries {
      guard let capture = entry.value else { continue }
      do {
        let value = try Capturing(answer: answer, scope: scope).value(of: capture)
        scope.capture(entry.key.text, value)
        if context.trace.includesHeads { report.captures.append((entry.key.text, scope.registry.masked(value.asText.masked))) }
      } catch {
        switch error {
        case .missing(let expected, let actual):
          report.assertionCount += 1
          report.failures.append(
            AssertionReport(
              subject: "capture \(entry.key.text)", range: capture.range, predicate: "", expected: expected,
              actual: actual, differences: [], moreDifferences: 0,
              hint: "give it a `default` if the answer may lack it"))
        case .spec(let problem):
          report.outcome = .specError
          if report.problem == nil { report.problem = problem.diagnostic }
        }
      }
    }
  }

  /// Alamofire's validation; an `expect.status` replaces the automatic one.
  private func validate(_ settings: RequestSettings, _ answer: Answer, _ report: inout RequestReport) {
    let rules: ValidationRulesSource
    do {
      rules = try ValidationRulesSource(settings, scope: scope)
    } catch {
      report.outcome = .specError
      if report.problem == nil { report.problem = error.diagnostic }
      return
    }
    let failures = rules.rules.failures(
      status: answer.head.status, contentType: answer.head.headers.first("Content-Type"),
      bodyIsEmpty: answer.bodyCount == 0)
    report.assertionCount += rules.checks
    for failure in failures {
      var assertion = AssertionReport(
        subject: "validate", range: rules.range ?? settings.url.value?.range, failure: failure.matchFailure,
        masking: { scope.registry.masked($0) })
      if rules.range == nil { assertion = assertion.hinted("by default an answer must have a status of 200..<300; say otherwise with `expect.status` or `validate`") }
      report.failures.append(assertion)
    }
  }

  private mutating func judge(_ request: PlannedRequest, _ failure: ExchangeFailure, _ report: inout RequestReport) {
    let error = failure.error
    report.status = failure.hops.last?.head.status
    if let expected = request.settings.expect.failure.value, let wanted = try? expected.resolve(in: scope) {
      report.assertionCount += 1
      if error.failure == wanted { return }
      if let found = error.failure {
        report.failures.append(
          AssertionReport(
            subject: "error", range: expected.range, predicate: "equals \(wanted.rawValue)",
            expected: wanted.rawValue, actual: "\(found.rawValue): \(scope.registry.masked(error.message))",
            differences: [], moreDifferences: 0, hint: error.help))
        report.outcome = .failed
        return
      }
    }
    let place = request.settings.url.value?.range ?? request.spec.range.firstLine
    report.problem = .error(scope.registry.masked(error.message), at: place, help: error.help)
    switch error.kind {
    case .invalidRequest, .unsupported, .body: report.outcome = .specError
    case .cancelled where context.control.phase >= .draining:
      report.outcome = .skipped(reason: "cut short: the run was interrupted")
      report.problem = nil
    default: report.outcome = .transportError
    }
  }

  /// What is wrong with the spec, as only running could tell; a teardown whose capture never came is skipped.
  private func spec(_ error: TemplateError, _ request: PlannedRequest, _ report: inout RequestReport) {
    if let name = error.unsetName {
      let supplier = file.requests.first { $0.captureNames.contains(name) }
      let place = supplier.map { "request \(provisionalName($0)) in line \($0.line) should have captured it" }
      if request.stage == .teardown {
        report.outcome = .skipped(reason: "`\(name)` was never captured")
        return
      }
      report.outcome = .failed
      report.problem = .error("`\(name)` has no value", at: error.range, help: place)
      return
    }
    report.outcome = .specError
    report.problem = .error(
      scope.registry.masked(error.message), at: error.range ?? request.spec.range.firstLine, notes: error.notes,
      help: error.help)
  }

  /// A failure skips the rest, unless the request says to go on.
  private mutating func followUp(_ request: PlannedRequest, _ report: RequestReport) {
    switch report.outcome {
    case .passed, .skipped: return
    case .failed, .transportError, .specError: break
    }
    if context.failFast { context.control.stop() }
    guard skipReason == nil else { return }
    if request.stage == .requests, (try? request.settings.continueOnFailure.value?.resolve(in: scope)) == true { return }
    skipReason =
      request.stage == .setup
      ? "the setup failed: \(report.name)" : "an earlier request failed: \(report.name)"
  }

  private func wantsTrace(_ report: RequestReport) -> Bool { context.trace.includesHeads }

  private func trace(_ hops: [Hop], _ collector: ResponseCollector, _ request: ResolvedRequest) -> [HopTrace] {
    let tracer = ExchangeTracer(registry: scope.registry, includesBodies: context.trace.includesBodies)
    return tracer.trace(hops, request: request, preview: collector.preview, total: collector.count)
  }
}
