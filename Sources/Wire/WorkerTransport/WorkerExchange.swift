import HTTPSemantics
import Synchronization

/// One exchange in a worker process.
///
/// The sink is called by the worker's reading thread alone.
final class WorkerExchange: Sendable {
  enum Outcome: Sendable {
    case finished(Result<ExchangeSummary, TransportError>)
    /// The worker has ended. Without `wasStarted` the request was not sent.
    case workerEnded(WorkerEnd, wasStarted: Bool, hadCompany: Bool, hasHead: Bool)
    /// Stopped by the client: the worker was still busy with a finished exchange, or with this one if that `isAlone`.
    /// The timeout is that of this exchange, if it has passed meanwhile.
    case workerRetired(wasStarted: Bool, hasHead: Bool, timeout: TransportError?, isAlone: Bool)
  }

  private struct State {
    var continuation: CheckedContinuation<Outcome, Never>?
    /// Its number in the worker, once assigned.
    var id: UInt32?
    var isOver = false
    var isStarted = false
    /// Indicates whether the sink has received a part of the response.
    var hasHead = false
    var clock: ExchangeClock
  }

  let request: WireRequest
  private let sink: any ResponseSink
  private let state: Mutex<State>

  init(_ request: WireRequest, sink: any ResponseSink, _ continuation: CheckedContinuation<Outcome, Never>) {
    self.request = request
    self.sink = sink
    state = Mutex(State(continuation: continuation, clock: ExchangeClock(request.limits)))
  }

  var id: UInt32? {
    get { state.withLock { $0.id } }
    set { state.withLock { $0.id = newValue } }
  }

  var isOver: Bool { state.withLock { $0.isOver } }
  var nearestDeadline: ExchangeClock.Deadline? { state.withLock { $0.clock.nearestDeadline } }

  /// The extra time before our own deadlines, since the worker enforces them.
  private static let grace = Duration.milliseconds(500)

  func isOverdue(_ now: ContinuousClock.Instant) -> Bool {
    nearestDeadline.map { $0.instant + Self.grace <= now } ?? false
  }

  /// Indicates whether the request may have been sent. The worker reports this for those that must not be sent twice.
  var mayBeSent: Bool { request.method.isSafe || state.withLock { $0.isStarted } }

  /// Finishes the exchange; only the first call counts.
  func finish(_ result: Result<ExchangeSummary, TransportError>) { settle { _ in .finished(result) } }

  func workerEnded(_ end: WorkerEnd, wasStarted: Bool, hadCompany: Bool) {
    settle { .workerEnded(end, wasStarted: wasStarted, hadCompany: hadCompany, hasHead: $0) }
  }

  func workerRetired(wasStarted: Bool, isAlone: Bool = false) {
    let timeout = nearestDeadline.flatMap { $0.instant <= .now ? $0.error : nil }
    settle { .workerRetired(wasStarted: wasStarted, hasHead: $0, timeout: timeout, isAlone: isAlone) }
  }

  private func settle(_ outcome: (_ hasHead: Bool) -> Outcome) {
    let (continuation, hasHead) = state.withLock { state in
      state.isOver = true
      defer { state.continuation = nil }
      return (state.continuation, state.hasHead)
    }
    continuation?.resume(returning: outcome(hasHead))
  }

  enum Step {
    case goOn
    /// The worker is done with the exchange.
    case over
    /// The exchange is over on this side: the worker must be notified.
    case stop
  }

  /// Handles a frame of the worker.
  func take(_ frame: WorkerFrame) -> Step {
    let isOver = state.withLock { state in
      state.clock.noteActivity()
      switch frame {
      case .started: state.isStarted = true
      case .head, .informational: state.hasHead = true
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
    case .sent(_, let count) where !isOver: sink.sent(bodyBytes: count)
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
