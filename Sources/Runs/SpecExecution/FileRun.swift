import HTTPMessages
import RequestResolution
import RunEvents
import RunScopes
import Templates
import Values

/// Runs one file once: setup and requests, then the teardown.
struct FileRun: Sendable {
  private let file: PreparedFile
  private let context: RunContext
  private let iteration: Int
  private let position: Int
  private let variant: String?
  private let steps: StepRun
  private let group: StepGroup
  private let events: any FileEventSink
  /// The reason why the values for the variables of its needs are unknown.
  private var problem: TemplateError?

  init(
    file: PreparedFile, context: RunContext, iteration: Int, position: Int, needs: FileNeeds? = nil,
    of runs: NeedRuns? = nil, arguments: Mapping = Mapping(), variant: String? = nil, into events: any FileEventSink
  ) {
    self.file = file
    self.context = context
    self.iteration = iteration
    self.position = position
    self.events = events
    let scope = file.makeScope(context, position: position, arguments: arguments)
    for cookie in context.importedCookies { scope.registry.add(cookie.value) }
    self.variant = variant.map { scope.registry.masked($0) }
    let session = FileSession(context: context)
    group = StepGroup(scope: scope)
    var isBlocked = false
    if let runs {
      scope.registry.add(context.secretsOfNeeds)
      if let needs, let reason = runs.fulfil(needs, in: scope, session) {
        isBlocked = true
        group.begin(skipping: reason)
      }
      problem = needs?.problem
    }
    steps = StepRun(
      file: file, context: context, position: position, session: session,
      hasBegun: !isBlocked && problem == nil && context.control.phase == .running)
  }

  /// Prepares the teardown of a run that has ended.
  init(teardownOf run: FileRun, at position: Int, _ context: RunContext, into events: any FileEventSink) {
    file = run.file
    self.context = context
    iteration = run.iteration
    self.position = position
    variant = [run.variant, "teardown"].compactMap(\.self).joined(separator: "; ")
    self.events = events
    group = StepGroup(scope: run.group.scope)
    steps = StepRun(
      file: file, context: context, position: position, session: run.steps.session, hasBegun: run.steps.hasBegun)
  }

  func run() async -> OutcomeCounts {
    await report {
      await runRequests()
      await run(file.teardown, as: .teardown)
    }
  }

  /// Runs setup and requests; after a failure the teardown, too.
  func runForOthers() async -> OutcomeCounts {
    let counts = await report {
      await runRequests()
      if result.failure != nil { await run(file.teardown, as: .teardown) }
    }
    context.secretsOfNeeds.add(group.scope.registry)
    return counts
  }

  /// Runs the teardown alone.
  func tearDown() async -> OutcomeCounts {
    await report { await run(file.teardown, as: .teardown) }
  }

  /// The result for files that need this one.
  var result: NeedResult {
    let failure =
      !group.counts.isGood
      ? "it needs \(file.path), which failed" : steps.hasBegun ? nil : "it needs \(file.path), which did not run"
    return NeedResult(failure: failure, scope: group.scope, session: steps.session)
  }

  private func report(_ body: () async -> Void) async -> OutcomeCounts {
    let start = ContinuousClock.now
    let time = Timestamp.now
    events.receive(
      .started(
        FileStart(
          position: position, path: file.path, name: file.name, iteration: iteration, variant: variant, time: time)))
    await body()
    let counts = group.counts
    events.receive(
      .finished(
        FileReport(
          path: file.path, iteration: iteration, variant: variant, counts: counts, start: time,
          duration: .now - start)))
    return counts
  }

  private func runRequests() async {
    guard let problem, let first = file.steps.first else { return await run(file.steps, as: .request) }
    steps.fail(first, in: group, with: problem, telling: events)
    await run(Array(file.steps.dropFirst()), as: .request)
  }

  private func run(_ steps: [Step], as flight: RunControl.Flight) async {
    guard !steps.isEmpty else { return }
    await context.control.supervise(flight, on: context.executor) { [self] in
      let ahead = Lookahead(steps, on: context.executor, telling: events) { [self] step in
        self.steps.execution(of: step, in: group, telling: events).resolvedAhead()
      }
      for (index, step) in steps.enumerated() {
        await self.steps.run(step, in: group, ahead.take(index), telling: ahead)
      }
      ahead.flush()
    }
  }
}
