import Diagnostics
import HTTPMessages
import HTTPSemantics
import RequestSpecs
import Synchronization
import Templates
import Values

/// Runs one file once, its requests in order.
struct FileRun {
  private let file: PreparedFile
  private let context: RunContext
  private let iteration: Int
  private let position: Int
  private let scope: FileScope
  private let session: FileSession
  /// A file that never began has nothing to tear down.
  private let hasBegun: Bool
  private var counts = OutcomeCounts()
  private var events: any FileEventSink
  private let stepNumbers = StepNumbers()
  /// Why the rest of `requests` is skipped.
  private var skipReason: String?

  init(
    file: PreparedFile, context: RunContext, iteration: Int, position: Int, into events: any FileEventSink
  ) {
    self.events = events
    self.file = file
    self.context = context
    self.iteration = iteration
    self.position = position
    session = FileSession(context: context)
    hasBegun = context.control.phase == .running
    scope = FileScope(
      environment: context.environment, outer: file.outerScope, names: file.names,
      secrets: SecretRegistry(copying: file.secrets),
      randomSeed: context.environment.seed &+ UInt64(position) &* 0xD134_2543_DE82_EF95,
      standsIn: context.isDryRun)
    for cookie in context.importedCookies { scope.registry.add(cookie.value) }
  }

  mutating func run() async -> OutcomeCounts {
    let start = ContinuousClock.now
    let time = Timestamp.now
    events.receive(
      .started(FileStart(position: position, path: file.path, name: file.name, iteration: iteration, time: time)))
    await run(file.requests.filter { $0.stage != .teardown }, as: .request)
    await run(file.requests.filter { $0.stage == .teardown }, as: .teardown)
    events.receive(
      .finished(
        FileReport(path: file.path, iteration: iteration, counts: counts, start: time, duration: .now - start)))
    return counts
  }

  private mutating func run(_ requests: [PreparedRequest], as flight: RunControl.Flight) async {
    guard !requests.isEmpty else { return }
    self = await context.control.supervise(flight, on: context.executor) { [self] in
      var run = self
      if let executor = context.executor {
        await run.runAhead(requests, on: executor)
      } else {
        for request in requests { await run.run(request, nil) }
      }
      return run
    }
  }

  /// For a file that has the thread of libcurl to itself: while one request waits for its response, the next ones are
  /// made ready, and the last one is told.
  private mutating func runAhead(_ requests: [PreparedRequest], on executor: any ExchangeExecutor) async {
    let sink = events
    let outbox = EventOutbox(sink, executor)
    events = outbox
    let reserve = RequestLookahead(requests) { [context, scope, session] request in
      RequestExecution(
        request: request, context: context, scope: scope, session: session, events: outbox, during: nil
      ).resolvedAhead()
    }
    for (index, request) in requests.enumerated() {
      let resolved = reserve.take(index)
      executor.whenIdle { reserve.fill() }
      await run(request, resolved)
    }
    outbox.flush()
    events = sink
  }

  private func execution(of request: PreparedRequest, _ id: StepID) -> RequestExecution {
    var during: DuringRequests?
    if !request.during.isEmpty {
      during = { [self] reason in
        var run = self
        return await run.results(of: request.during, in: id, skipReason: reason)
      }
    }
    return RequestExecution(
      request: request, context: context, scope: scope, session: session, events: events, during: during)
  }

  private mutating func run(_ request: PreparedRequest, _ ahead: ResolvedRequest?) async {
    var (report, children) = await result(of: request, in: nil, ahead)
    if !request.during.isEmpty {
      children = await during(request, report, children)
      for child in children { counts.add(child) }
    }
    counts.add(report)
    events.receive(.stepFinished(report))
  }

  /// The reports of the requests that belong to a stream; they are told before its own, for they are done before it is.
  private mutating func during(
    _ request: PreparedRequest, _ report: StepReport, _ reports: [StepReport]
  ) async -> [StepReport] {
    var reports = reports
    if reports.isEmpty {
      // A dry run shows what would be sent.
      let reason: String? =
        switch report.outcome {
        case .notSent: nil
        case .skipped(let reason): reason
        default: "the stream was not open"
        }
      var run = self
      reports = await run.results(of: request.during, in: report.id, skipReason: reason).reports
    }
    for (request, report) in zip(request.during, reports) { followUp(request, report) }
    return reports
  }

  private mutating func results(
    of requests: [PreparedRequest], in parent: StepID, skipReason reason: String?
  ) async -> (reports: [StepReport], failed: String?) {
    skipReason = reason
    var reports: [StepReport] = []
    var failed: String?
    for request in requests {
      let report = await result(of: request, in: parent, nil).report
      events.receive(.stepFinished(report))
      reports.append(report)
      if report.outcome.isFailure, skipReason != reason, failed == nil { failed = report.name }
    }
    return (reports, failed)
  }

  private mutating func result(
    of request: PreparedRequest, in parent: StepID?, _ ahead: ResolvedRequest?
  ) async -> (report: StepReport, children: [StepReport]) {
    var report = StepReport(of: request, id: StepID(file: position, number: stepNumbers.next()), parent: parent)
    var children: [StepReport] = []
    report.name = name(of: request)
    if context.needs.contains(.starts) {
      let time = Timestamp.now
      report.start = time
      events.receive(
        .stepStarted(
          StepStart(
            id: report.id, parent: parent, stage: report.stage, name: report.name, line: report.line, time: time)))
    }
    if let reason = reasonToSkip(request.stage) {
      report.name = nameUnsent(request)
      report.outcome = .skipped(reason: reason)
      report.isSkippedWithRest = true
      return (report, children)
    }
    _ = scope.takeStandIn()
    let execution = execution(of: request, report.id)
    do throws(TemplateError) {
      if let reason = try execution.conditionToSkip() {
        report.outcome = .skipped(reason: reason)
      } else if try await execution.wait() {
        try await execution.run(ahead, &report, &children)
      } else {
        report.outcome = .skipped(reason: reasonToSkip(request.stage) ?? context.control.reason)
      }
    } catch  where context.control.endsEvaluation(request.stage) {
      report.cutShort(context.control, at: request.settings.url.value?.range)
    } catch {
      report.fail(error, registry: scope.registry)
      // What is no value of the right kind now may be one in a real run.
      if context.isDryRun, let name = scope.takeStandIn() { report.unsetName = name }
    }
    if let error = report.unsetName { explain(error, request, &report) }
    if case .skipped = report.outcome { report.name = nameUnsent(request) }
    followUp(request, report)
    return (report, children)
  }

  private func reasonToSkip(_ stage: RequestStage) -> String? {
    let phase = context.control.phase
    if phase == .aborting { return context.control.reason }
    if stage == .teardown, hasBegun { return nil }
    switch phase {
    case .running: return skipReason
    case .stopping: return skipReason ?? "--fail-fast"
    case .draining, .aborting: return context.control.reason
    }
  }

  /// The request's own name with its templates filled in, else method and URL as written.
  private func name(of request: PreparedRequest) -> String {
    guard let name = request.name, name.literal == nil else { return request.staticName }
    let resolved = try? context.control.evaluating(request) { () throws(TemplateError) in try name.resolve(in: scope) }
    return resolved?.masked ?? request.staticName
  }

  /// The name of a request whose URL was not made: its templates are filled in as far as that goes.
  private func nameUnsent(_ request: PreparedRequest) -> String {
    guard request.name == nil, let url = request.settings.url.value, url.literal == nil,
      let resolved = try? url.resolve(in: scope)
    else { return name(of: request) }
    return "\(request.staticName.prefix { $0 != " " }) \(concealingSecrets(in: withoutUserinfo(resolved).masked))"
  }

  /// A name without a value: an earlier request should have captured it.
  private func explain(_ name: String, _ request: PreparedRequest, _ report: inout StepReport) {
    let supplier = file.supplier(of: name)
    let origin = supplier.map { "\"\(self.name(of: $0.request))\" in line \($0.request.line)" }
    if let unselected = file.unselectedSuppliers[name] {
      let line = unselected.spec.range.start.line
      let reason = "`\(name)` is captured by request \(unselected.label) in line \(line), which is not selected"
      report.outcome = .skipped(reason: scope.registry.masked(reason))
      report.problem = nil
    } else if context.isDryRun {
      report.outcome = .skipped(
        reason: "it needs `\(name)`, which only a response to \(origin ?? "another request") gives")
      report.problem = nil
    } else if request.stage == .teardown {
      report.outcome = .skipped(reason: "`\(name)` was never captured" + (origin.map { " by \($0)" } ?? ""))
      report.problem = nil
    } else {
      report.outcome = .failed
      report.problem = .error(
        "`\(name)` was never captured", at: report.problem?.range,
        notes: supplier.map { [Diagnostic.Note("request \(origin ?? "") should have captured it", at: $0.capture)] }
          ?? [])
    }
  }

  /// A failure skips the rest, unless the request says to go on; a teardown's stops nothing.
  private mutating func followUp(_ request: PreparedRequest, _ report: StepReport) {
    guard report.outcome.isFailure, request.stage != .teardown else { return }
    if context.failFast { context.control.stop() }
    guard skipReason == nil else { return }
    switch request.stage {
    case .setup: skipReason = "the setup failed: \(report.name)"
    case .requests, .teardown:
      let own = request.settings.continueOnFailure.value
      if own == nil ? context.keepsGoing : (try? own?.resolve(in: scope)) == true { return }
      skipReason = "an earlier request failed: \(report.name)"
    }
  }
}

/// The numbers of a file's steps in the order of their starts.
private final class StepNumbers: Sendable {
  private let last = Atomic(0)

  func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
