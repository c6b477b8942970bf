import HTTPMessages
import Synchronization
import WorkerProtocol

/// One exchange that a worker process runs.
///
/// The sink is called by the worker's reader thread alone.
final class WorkerExchange: Sendable {
  enum Outcome: Sendable {
    case finished(Result<ExchangeSummary, TransportError>)
    /// The worker is gone. Without `wasStarted` the request was not sent.
    case workerEnded(WorkerEnd, wasStarted: Bool, hadCompany: Bool, hasHead: Bool)
  }

  private struct State {
    var continuation: CheckedContinuation<Outcome, Never>?
    /// Set if the end came before the continuation.
    var outcome: Outcome?
    var isOver = false
    var isStarted = false
    var hasHead = false
    var clock: ExchangeClock
  }

  private let sink: any ResponseSink
  private let state: Mutex<State>

  init(limits: ExchangeLimits, sink: any ResponseSink) {
    self.sink = sink
    state = Mutex(State(clock: ExchangeClock(limits)))
  }

  var isStarted: Bool { state.withLock { $0.isStarted } }
  var nearestDeadline: ExchangeClock.Deadline? { state.withLock { $0.clock.nearestDeadline } }

  func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
    let outcome: Outcome? = state.withLock { state in
      if state.outcome == nil { state.continuation = continuation }
      return state.outcome
    }
    if let outcome { continuation.resume(returning: outcome) }
  }

  /// Only the first end counts.
  func finish(_ result: Result<ExchangeSummary, TransportError>) { settle { _ in .finished(result) } }

  func workerEnded(_ end: WorkerEnd, hadCompany: Bool) {
    settle { state in
      .workerEnded(end, wasStarted: state.isStarted, hadCompany: hadCompany, hasHead: state.hasHead)
    }
  }

  private func settle(_ outcome: (State) -> Outcome) {
    let (continuation, result) = state.withLock { state in
      guard !state.isOver else { return (nil as CheckedContinuation<Outcome, Never>?, nil as Outcome?) }
      state.isOver = true
      let result = outcome(state)
      state.outcome = result
      defer { state.continuation = nil }
      return (state.continuation, result)
    }
    if let continuation, let result { continuation.resume(returning: result) }
  }

  enum Step {
    case goOn
    /// Over, as far as the worker is concerned.
    case over
    /// Over on this side: the worker is to be told.
    case stop
  }

  /// Takes a frame of the worker's.
  func take(_ frame: WorkerFrame) -> Step {
    let isOver = state.withLock { state in
      state.clock.noteActivity()
      switch frame {
      case .started: state.isStarted = true
      case .head: state.hasHead = true
      default: break
      }
      return state.isOver
    }
    switch frame {
    case .done(_, let summary):
      finish(.success(summary))
      return .over
    case .failed(_, let error):
      finish(.failure(error))
      return .over
    case .informational(_, let head) where !isOver: sink.receive(informational: head)
    case .head(_, let head) where !isOver: return decide(sink.receive(head: head))
    case .body(_, let bytes) where !isOver: return decide(bytes.withUnsafeBytes { sink.receive(body: $0) })
    case .trailers(_, let fields) where !isOver: sink.receive(trailers: fields)
    default: break
    }
    return .goOn
  }

  private func decide(_ decision: SinkDecision) -> Step {
    guard decision == .stop else { return .goOn }
    var timings = ExchangeTimings()
    timings.total = state.withLock { $0.clock.elapsed }
    finish(.success(ExchangeSummary(timings: timings)))
    return .stop
  }
}
