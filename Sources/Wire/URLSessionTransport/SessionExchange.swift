import Foundation
import HTTPSemantics
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One exchange inside a URLSession.
///
/// The sink is called on the delegates' serial queue alone, and never after the end.
package final class SessionExchange: Sendable {
  package typealias Completion = @Sendable (Result<ExchangeSummary, TransportError>, _ task: TaskState) -> Void

  /// The state of the task when the exchange is over.
  package enum TaskState: Sendable {
    case ended
    /// The task is cancelled but hasn't ended: until then libcurl may still be processing the response.
    case ending
  }

  private struct State {
    var running: (task: URLSessionDataTask, session: Session)?
    var onEnd: (@Sendable (SessionExchange) -> Void)?
    /// The error that ends the exchange before its task has started.
    var earlyEnd: TransportError?
    /// True once nothing more of the task counts; then a redirect handler must not be called any more.
    var isOver = false
    var onTaskEnd: (@Sendable () -> Void)?
    var hasHead = false
    var wasChallenged = false
    /// The reason why a challenge was rejected.
    var refusal: TransportError?
    var bodyBytes: Int64 = 0
    var clock: ExchangeClock
    var summary = ExchangeSummary()
  }

  let request: WireRequest
  private let sink: any ResponseSink
  private let completion: Completion
  private let state: Mutex<State>

  /// - Parameters:
  ///   - onTaskEnd: called once after a completion with `ending`.
  ///   - completion: called once, on any thread.
  package init(
    _ request: WireRequest, into sink: any ResponseSink, onTaskEnd: (@Sendable () -> Void)? = nil,
    completion: @escaping Completion
  ) {
    self.request = request
    self.sink = sink
    self.completion = completion
    state = Mutex(State(onTaskEnd: onTaskEnd, clock: ExchangeClock(request.limits)))
  }

  // MARK: From any thread

  /// Ends the exchange immediately.
  package func cancel(_ error: TransportError) {
    let session: Session? = state.withLock { state in
      if state.running == nil { state.earlyEnd = state.earlyEnd ?? error }
      return state.isOver ? nil : state.running?.session
    }
    session?.perform { self.end(error) }
  }

  var nearestDeadline: ExchangeClock.Deadline? { state.withLock { $0.isOver ? nil : $0.clock.nearestDeadline } }

  /// Starts the task, unless the exchange has been cancelled; `onEnd` is called in any case.
  func begin(_ request: URLRequest, in session: Session, onEnd: @escaping @Sendable (SessionExchange) -> Void) {
    // Not under the lock: creating a task can wait for the others.
    let task = session.task(request, for: self)
    let earlyEnd = state.withLock { state in
      state.onEnd = onEnd
      if state.earlyEnd == nil { state.running = (task, session) }
      return state.earlyEnd
    }
    guard let earlyEnd else { return task.resume() }
    finish(earlyEnd)
    session.perform { task.cancel() }
  }

  /// Finishes the exchange; only the first call counts.
  func finish(_ error: TransportError?, task: TaskState = .ended) {
    let end: (summary: ExchangeSummary, onEnd: (@Sendable (SessionExchange) -> Void)?)? = state.withLock { state in
      guard !state.isOver else { return nil }
      state.isOver = true
      state.summary.timings.total = state.clock.elapsed
      defer {
        state.running = nil
        state.onEnd = nil
      }
      return (state.summary, state.onEnd)
    }
    guard let end else { return }
    end.onEnd?(self)
    completion(error.map { .failure($0) } ?? .success(end.summary), task)
  }

  // MARK: On the delegates' queue

  var isOver: Bool { state.withLock { $0.isOver } }
  var hasHead: Bool { state.withLock { $0.hasHead } }

  /// Ends the exchange and its task.
  func end(_ error: TransportError?) {
    guard let task = state.withLock({ $0.isOver ? nil : $0.running?.task }) else { return }
    finish(error, task: .ending)
    task.cancel()
  }

  func noteActivity() { state.withLock { $0.clock.noteActivity() } }

  func noteSent(bodyBytes: Int64) {
    noteActivity()
    sink.sent(bodyBytes: bodyBytes)
  }

  func noteChallenge(refusal: TransportError? = nil) {
    state.withLock { state in
      state.wasChallenged = true
      state.refusal = refusal ?? state.refusal
    }
  }

  /// Adds the platform's facts about the exchange.
  func note(_ add: (inout ExchangeSummary) -> Void) { state.withLock { add(&$0.summary) } }

  func receive(_ response: HTTPURLResponse) {
    let head = FoundationResponse.head(response)
    if let fault = head.framingFault { return end(fault) }
    guard head.status >= 200 || head.status == 101 else {
      noteActivity()
      return sink.receive(informational: head)
    }
    state.withLock { state in
      state.clock.noteActivity()
      state.hasHead = true
      state.summary.timings.firstByte = state.clock.elapsed
    }
    // 101 ends HTTP on this connection: nothing would ever complete the task.
    if sink.receive(head: head) == .stop || head.status == 101 { end(nil) }
  }

  func receive(_ data: Data) {
    let (hasHead, count) = state.withLock { state in
      state.clock.noteActivity()
      state.bodyBytes += Int64(data.count)
      return (state.hasHead, state.bodyBytes)
    }
    guard hasHead else { return }
    if let limit = request.limits.maxBodyBytes, count > limit { return end(.bodyTooLarge(limit: limit)) }
    if data.withUnsafeBytes({ sink.receive(body: $0) }) == .stop { end(nil) }
  }

  /// Handles the task's end.
  func complete(_ error: (any Error)?) {
    let onTaskEnd = state.withLock { state in
      defer { state.onTaskEnd = nil }
      return state.isOver ? state.onTaskEnd : nil
    }
    if let onTaskEnd { return onTaskEnd() }
    let (hasHead, wasChallenged, ownRefusal, session) = state.withLock {
      ($0.hasHead, $0.wasChallenged, $0.refusal, $0.running?.session)
    }
    guard let error else { return finish(hasHead ? nil : .responseLost) }
    let isCancelled = (error as NSError).code == NSURLErrorCancelled
    // The challenge may have been that of another exchange, for a connection that both waited for.
    let refusal = ownRefusal ?? (isCancelled ? session?.refusal(of: request) : nil)
    guard isCancelled, wasChallenged || refusal != nil else {
      return finish(FoundationFailure(error, request: request, hasHead: hasHead).transportError)
    }
    // A rejected challenge ends with "cancelled", after the whole response.
    finish(refusal ?? (hasHead ? nil : .challenged))
  }
}
