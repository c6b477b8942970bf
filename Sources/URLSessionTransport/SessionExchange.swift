import Foundation
import HTTPMessages
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One exchange inside a URLSession.
///
/// `@unchecked`: all but `clock` is touched on the delegates' serial queue alone.
final class SessionExchange: @unchecked Sendable {
  typealias Continuation = CheckedContinuation<Result<ExchangeSummary, TransportError>, Never>

  let request: WireRequest
  let sink: any ResponseSink
  let clock: Mutex<ExchangeClock>

  var task: URLSessionDataTask?
  var continuation: Continuation?
  /// Why the exchange ended before its task began.
  var earlyEnd: TransportError?
  /// Once set, nothing more of the task counts, and a redirect handler must not be called any more.
  private(set) var isOver = false
  var hasHead = false
  var wasChallenged = false
  var bodyBytes: Int64 = 0
  private var timings = ExchangeTimings()

  init(request: WireRequest, sink: any ResponseSink) {
    self.request = request
    self.sink = sink
    clock = Mutex(ExchangeClock(request.limits))
  }

  func noteActivity() { clock.withLock { $0.noteActivity() } }

  func noteHead() {
    hasHead = true
    timings.firstByte = clock.withLock { $0.elapsed }
  }

  func finish(_ error: TransportError?) {
    isOver = true
    timings.total = clock.withLock { $0.elapsed }
    continuation?.resume(returning: error.map { .failure($0) } ?? .success(ExchangeSummary(timings: timings)))
    continuation = nil
  }
}
