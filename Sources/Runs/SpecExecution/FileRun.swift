import HTTPSemantics
import Templates
import Values

/// Runs one file once: setup and requests, then the teardown.
///
/// A class: what waits for it would make room for a copy each time.
final class FileRun: Sendable {
  private let file: PreparedFile
  private let context: RunContext
  private let iteration: Int
  private let position: Int
  private let variant: String?
  /// The part that runs for other files; nil for a run of its own.
  private let part: FilePart?
  private let steps: StepRun
  private let group: StepGroup
  private let events: any FileEventSink
  /// The reason why the values for the variables of its needs are unknown.
  private let problem: TemplateError?

  @inline(never)
  init(
    file: PreparedFile, context: RunContext, iteration: Int, position: Int, needs: FileNeeds? = nil,
    arguments: Mapping = Mapping(), variant: String? = nil, part: FilePart? = nil, into events: any FileEventSink
  ) {
    self.part = part
    self.file = file
    self.context = context
    self.iteration = iteration
    self.position = position
    self.events = events
    let scope = file.makeScope(
      context.environment, iteration: iteration, arguments: arguments, standsIn: context.isDryRun)
    for cookie in context.importedCookies { scope.registry.add(cookie.value) }
    self.variant = variant.map { scope.registry.masked($0) }
    let session = FileSession(context: context)
    var blocking: String?
    if let reused = context.reused {
      scope.registry.add(reused.secrets)
      if let needs { blocking = reused.needs.fulfil(needs, in: scope, session) }
      problem = needs?.problem
    } else {
      problem = nil
    }
    steps = StepRun(file: file, context: context, position: position)
    group = StepGroup(
      scope: scope, session: session, supplier: file.supplier,
      isLive: blocking == nil && problem == nil && context.control.phase == .running)
    if let blocking { group.begin(skipping: SkipReason(blocking)) }
  }

  /// Prepares the teardown of a run that has ended.
  init(teardownOf run: FileRun, at position: Int, _ context: RunContext, into events: any FileEventSink) {
    file = run.file
    self.context = context
    iteration = run.iteration
    part = .teardown
    self.position = position
    problem = nil
    variant = [run.variant, FilePart.teardown.rawValue].compactMap(\.self).joined(separator: "; ")
    self.events = events
    group = StepGroup(tearingDown: run.group)
    steps = StepRun(file: file, context: context, position: position)
  }

  func run() async -> OutcomeCounts {
    await report {
      await runRequests()
      await runTeardown()
    }
  }

  /// Runs setup and requests; after a failure the teardown, too.
  func runForOthers() async -> OutcomeCounts {
    let counts = await report {
      await runRequests()
      if result.failure != nil { await runTeardown() }
    }
    context.reused?.secrets.add(group.scope.registry)
    return counts
  }

  /// Runs the teardown alone.
  func tearDown() async -> OutcomeCounts {
    await report { await runTeardown() }
  }

  /// The result for files that need this one.
  var result: NeedResult {
    let need: UnmetNeed? = !group.counts.isGood ? .failed : group.isLive ? nil : .notRun
    return NeedResult(failure: need?.reason(path: file.path), scope: group.scope, session: group.session)
  }

  private func report(_ body: () async -> Void) async -> OutcomeCounts {
    let start = ContinuousClock.now
    let time = Timestamp.now
    events.receive(
      .started(
        FileStart(
          position: position, path: file.path, name: file.name, iteration: iteration, variant: variant, part: part,
          time: time)))
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
    var sections = file.steps
    if let problem {
      let first: RequestStep? = if case .requests(let steps)? = sections.first { steps.first } else { nil }
      steps.fail(first, in: group, with: problem, reportingTo: events)
      if case .requests(let steps)? = sections.first { sections[0] = .requests(Array(steps.dropFirst())) }
    }
    await steps.run(sections, in: group, as: .request, reportingTo: events)
  }

  private func runTeardown() async {
    await steps.tearDown(file.teardown, in: group, reportingTo: events)
  }
}
