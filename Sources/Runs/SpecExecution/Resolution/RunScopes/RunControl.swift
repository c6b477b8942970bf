import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Synchronization
import Templates
import Values

/// The state of a run that may be interrupted: running, draining after the first signal or when its time is up,
/// aborting after another signal.
///
/// Tasks are not cancelled at once, since cancellation sticks and would end the teardown too; only requests in flight
/// are cut off, when their time is up.
package final class RunControl: Sendable {
  package enum Phase: Int, Sendable, Comparable {
    case running
    /// Starts nothing new (`--fail-fast`).
    case stopping
    case draining, aborting

    package static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
  }

  /// The kinds of operations, which a signal ends at different times.
  package enum Flight: Sendable, Hashable {
    /// A delay before a request: ended immediately.
    case delay
    /// Setup and requests of a file.
    case request
    /// The teardown of a file.
    case teardown
  }

  private struct Entry {
    let kind: Flight
    let cancel: @Sendable () -> Void
  }

  private struct State {
    var phase = Phase.running
    var signal: Int32?
    var exceededTime: Duration?
    var isCancelled = false
    var flights: [Int: Entry] = [:]
    var nextFlight = 0
    var cut: Set<Flight> = []
    var isFinished = false
  }

  /// The requests that an interrupted run waits for.
  package let underWay = InFlightRequests()
  private let state = Mutex(State())
  private let grace: (requests: Duration, teardown: Duration)
  // A cancelled task that is evaluating something never checks for cancellation.
  private let evaluation = (requests: EvaluationStop(), teardown: EvaluationStop())

  /// - Parameter grace: the time for requests in flight after the first signal, and then for teardowns.
  package init(grace: (requests: Duration, teardown: Duration) = (.seconds(5), .seconds(10))) {
    self.grace = grace
  }

  package var phase: Phase { state.withLock { $0.phase } }
  /// The signal that ended the run, if one did.
  package var signal: Int32? { state.withLock { $0.signal } }

  /// Indicates whether ``cancel()`` ended the run.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// The time limit of the run, if it was exceeded.
  package var exceededTime: Duration? { state.withLock { $0.exceededTime } }

  /// The reason why nothing new is started.
  package var reason: String {
    if exceededTime != nil { return "the run's time (--max-time) was up" }
    if isCancelled { return "the run was cancelled" }
    return switch phase {
    case .running, .stopping: "--fail-fast"
    case .draining: "the run was interrupted"
    case .aborting: "the run was aborted"
    }
  }

  /// Starts nothing new (`--fail-fast`); requests in flight are finished.
  package func stop() {
    state.withLock { if $0.phase == .running { $0.phase = .stopping } }
    cut([.delay])
  }

  /// The first signal drains, the second aborts.
  package func interrupt(signal: Int32) {
    let phase = state.withLock { state in
      state.phase = state.phase < .draining ? .draining : .aborting
      if state.signal == nil { state.signal = signal }
      return state.phase
    }
    if phase == .aborting {
      cut([.delay, .request, .teardown])
      return
    }
    cut([.delay])
    later(after: grace.requests) { [self] in
      cut([.request])
      endTeardowns()
    }
  }

  /// Drains when the time limit of a run is exceeded: requests in flight are cut off immediately, teardowns get their
  /// grace.
  package func expire(_ longest: Duration) {
    drainAtOnce { $0.exceededTime = longest }
  }

  private func drainAtOnce(_ note: (inout State) -> Void) {
    let isFirst = state.withLock { state in
      guard state.phase < .draining, !state.isFinished else { return false }
      state.phase = .draining
      note(&state)
      return true
    }
    guard isFirst else { return }
    cut([.delay, .request])
    endTeardowns()
  }

  /// Drains because nobody waits for the run any more: requests in flight are cut off immediately, teardowns get their
  /// grace.
  package func cancel() {
    drainAtOnce { $0.isCancelled = true }
  }

  /// Ends the run with ``expire(_:)`` after that time.
  package func expire(after longest: Duration, from start: ContinuousClock.Instant) {
    later(after: longest - (.now - start)) { [self] in expire(longest) }
  }

  /// Notes that all requests are done: no time limit applies from now on.
  package func finish() { state.withLock { $0.isFinished = true } }

  private func endTeardowns() {
    later(after: grace.teardown) { [self] in cut([.teardown]) }
  }

  /// Swift's own threads may all be busy evaluating.
  private func later(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    if callLater(after: delay, work) { return }
    Task.detached {
      try? await Task.sleep(for: delay)
      work()
    }
  }

  private func cut(_ kinds: Set<Flight>) {
    let entries = state.withLock { state in
      state.cut.formUnion(kinds)
      return state.flights.values.filter { kinds.contains($0.kind) }
    }
    if kinds.contains(.request) { evaluation.requests.set() }
    if kinds.contains(.teardown) { evaluation.teardown.set() }
    for entry in entries { entry.cancel() }
  }

  /// The default time limit for evaluating a response, or a request's templates.
  package static let evaluationLimit = Duration.seconds(30)

  /// Evaluates templates of a request.
  package func evaluating<Value>(
    _ stage: RequestStage, at range: SourceRange, _ body: () throws(TemplateError) -> Value
  ) throws(TemplateError) -> Value {
    let budget = evaluationBudget(stage)
    do throws(TemplateError) {
      let value = try budget.limit(body)
      if !budget.isExhausted { return value }
    } catch {
      if !budget.isExhausted { throw error }
    }
    throw .outOfTime("the templates of the request", at: range)
  }

  /// Returns whether an evaluation for a request must end.
  package func endsEvaluation(_ stage: RequestStage) -> Bool {
    stage == .teardown ? evaluation.teardown.isSet : evaluation.requests.isSet
  }

  package func evaluationBudget(_ stage: RequestStage, limit: Duration = evaluationLimit) -> EvaluationBudget {
    EvaluationBudget(limit: limit, stop: stage == .teardown ? evaluation.teardown : evaluation.requests)
  }

  /// Pauses before a request or between its attempts.
  ///
  /// - Returns: false if the run, or the task, ended meanwhile.
  package func pause(_ delay: Duration, in stage: RequestStage) async -> Bool {
    await supervise(stage == .teardown ? .teardown : .delay) { (try? await Task.sleep(for: delay)) != nil }
  }

  /// The result of an operation before the first request; nil if the run ends first, which nobody then waits for.
  package func unlessEnded<Output: Sendable>(_ operation: @escaping @Sendable () async -> Output) async -> Output? {
    let (results, continuation) = AsyncStream.makeStream(of: Output.self)
    Task.detached { continuation.yield(await operation()) }
    return await supervise(.delay) { await results.first { _ in true } }
  }

  /// Runs an operation that a signal may end, in a task of its own.
  package func supervise<Output: Sendable>(
    _ kind: Flight, on executor: (any TaskExecutor)? = nil, _ operation: @escaping @Sendable () async -> Output
  ) async -> Output {
    let task = Task(executorPreference: executor) { await operation() }
    let (number, isLate) = state.withLock { state in
      state.nextFlight += 1
      state.flights[state.nextFlight] = Entry(kind: kind, cancel: { task.cancel() })
      return (state.nextFlight, state.cut.contains(kind))
    }
    if isLate { task.cancel() }
    defer { state.withLock { _ = $0.flights.removeValue(forKey: number) } }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }
}

extension TemplateError {
  package static func outOfTime(_ subject: String, at range: SourceRange?) -> TemplateError {
    TemplateError(
      "evaluating \(subject) took longer than \(durationText(RunControl.evaluationLimit))", at: range,
      help: "use smaller texts")
  }
}
