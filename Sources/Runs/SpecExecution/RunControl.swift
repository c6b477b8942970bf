import Diagnostics
import EvaluationBudgets
import HTTPMessages
import OperatingSystem
import RequestSpecs
import Synchronization
import Templates

/// Where a run stands when it is asked to end: running, draining after the first signal or when its time is up,
/// aborting after one more signal.
///
/// Tasks are not cancelled at once, since cancellation sticks and would end the teardown too; only what
/// is in flight is cut, when its time is up.
package final class RunControl: Sendable {
  package enum Phase: Int, Sendable, Comparable {
    case running
    /// Nothing new begins (`--fail-fast`).
    case stopping
    case draining, aborting

    package static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
  }

  /// What runs, by when a signal cuts it short.
  package enum Flight: Sendable, Hashable {
    /// A delay before a request: at once.
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
    var flights: [Int: Entry] = [:]
    var nextFlight = 0
    var cut: Set<Flight> = []
    var isFinished = false
  }

  /// What an interrupted run waits for.
  package let underWay = RequestsUnderWay()
  private let state = Mutex(State())
  private let grace: (requests: Duration, teardown: Duration)
  // A cancelled task that evaluates something comes to no point where it could see that it is.
  private let evaluation = (requests: EvaluationStop(), teardown: EvaluationStop())

  /// - Parameter grace: what is in flight may take so long after the first signal, and then the teardowns.
  package init(grace: (requests: Duration, teardown: Duration) = (.seconds(5), .seconds(10))) {
    self.grace = grace
  }

  package var phase: Phase { state.withLock { $0.phase } }
  /// The signal that ended the run, if one did.
  package var signal: Int32? { state.withLock { $0.signal } }

  /// The longest time for the run, if that ended it.
  package var exceededTime: Duration? { state.withLock { $0.exceededTime } }

  /// Why nothing new begins, once the run drains.
  var reason: String {
    guard exceededTime != nil else { return phase == .aborting ? "the run was aborted" : "the run was interrupted" }
    return "the run's time (--max-time) was up"
  }

  /// Begins nothing new (`--fail-fast`); what is in flight is finished.
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

  /// Drains when the longest time for a run is over: what is in flight is cut at once, teardowns have their grace.
  package func expire(_ longest: Duration) {
    let isFirst = state.withLock { state in
      guard state.phase < .draining, !state.isFinished else { return false }
      state.phase = .draining
      state.exceededTime = longest
      return true
    }
    guard isFirst else { return }
    cut([.delay, .request])
    endTeardowns()
  }

  /// Ends the run by ``expire(_:)`` once it has taken so long.
  package func expire(after longest: Duration, from start: ContinuousClock.Instant) {
    later(after: longest - (.now - start)) { [self] in expire(longest) }
  }

  /// Notes that all requests are done: no time is over from now on.
  package func finish() { state.withLock { $0.isFinished = true } }

  private func endTeardowns() {
    later(after: grace.teardown) { [self] in cut([.teardown]) }
  }

  /// Swift's own threads may all be evaluating something.
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

  /// How long evaluating a response, or a request's templates, may take where nothing else is said.
  static let evaluationLimit = Duration.seconds(30)

  /// Evaluates templates of a request.
  func evaluating<Value>(
    _ request: Step, _ body: () throws(TemplateError) -> Value
  ) throws(TemplateError) -> Value {
    let budget = evaluationBudget(request.stage)
    do throws(TemplateError) {
      let value = try budget.limit(body)
      if !budget.isExhausted { return value }
    } catch {
      if !budget.isExhausted { throw error }
    }
    throw .outOfTime("the templates of the request", at: request.range)
  }

  /// Whether what is evaluated for a request is to end.
  func endsEvaluation(_ stage: RequestStage) -> Bool {
    stage == .teardown ? evaluation.teardown.isSet : evaluation.requests.isSet
  }

  /// The budget for evaluating something of a request.
  func evaluationBudget(_ stage: RequestStage, limit: Duration = evaluationLimit) -> EvaluationBudget {
    EvaluationBudget(limit: limit, stop: stage == .teardown ? evaluation.teardown : evaluation.requests)
  }

  /// Runs something that a signal may cut short, in a task of its own.
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
  static func outOfTime(_ subject: String, at range: SourceRange?) -> TemplateError {
    TemplateError(
      "evaluating \(subject) took longer than \(durationText(RunControl.evaluationLimit))", at: range,
      help: "make less of the texts that it works on")
  }
}
