import HTTPMessages
import RequestResolution
import RunEvents
import RunScopes
import Values

/// Runs one file once: setup and requests, then the teardown.
struct FileRun {
  private let file: PreparedFile
  private let context: RunContext
  private let iteration: Int
  private let position: Int
  private let steps: StepRun
  private let group: StepGroup
  private let events: any FileEventSink

  init(
    file: PreparedFile, context: RunContext, iteration: Int, position: Int, into events: any FileEventSink
  ) {
    self.file = file
    self.context = context
    self.iteration = iteration
    self.position = position
    self.events = events
    steps = StepRun(file: file, context: context, position: position)
    let scope = FileScope(
      environment: context.environment, outer: file.outerScope, names: file.names,
      secrets: SecretRegistry(copying: file.secrets),
      randomSeed: context.environment.seed &+ UInt64(position) &* 0xD134_2543_DE82_EF95,
      standsIn: context.isDryRun)
    for cookie in context.importedCookies { scope.registry.add(cookie.value) }
    group = StepGroup(scope: scope)
  }

  func run() async -> OutcomeCounts {
    let start = ContinuousClock.now
    let time = Timestamp.now
    events.receive(
      .started(FileStart(position: position, path: file.path, name: file.name, iteration: iteration, time: time)))
    await run(file.steps, as: .request)
    await run(file.teardown, as: .teardown)
    let counts = group.counts
    events.receive(
      .finished(
        FileReport(path: file.path, iteration: iteration, counts: counts, start: time, duration: .now - start)))
    return counts
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
