import Foundation
import HTTPSemantics
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Performs exchanges with Foundation's URLSession, in the one way that works on Linux too.
///
/// It uses data tasks with a delegate and no completion handlers, without URLSession's own cookies, cache, credentials
/// or timers. Every redirect is rejected immediately, and every cancellation goes through the serial queue of the
/// delegates.
package final class SessionTransport: Transport {
  package static let capabilities = TransportCapabilities(
    kind: .urlsession, unsoundness: Platform.unsoundness, unsupported: Platform.unsupported)

  private let pool = SessionPool()
  private let deadlines = DeadlineTimer()

  package init() {}

  deinit { pool.invalidate() }

  package func exchange(
    _ request: WireRequest, into sink: any ResponseSink
  ) async throws(TransportError) -> ExchangeSummary {
    let current = Mutex<SessionExchange?>(nil)
    let result: Result<ExchangeSummary, TransportError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let exchange = SessionExchange(request, into: sink) { result, _ in continuation.resume(returning: result) }
        current.withLock { $0 = exchange }
        // Cancelled before: the handler found nothing to cancel.
        if Task.isCancelled { exchange.cancel(.cancelled) }
        start(exchange)
      }
    } onCancel: {
      current.withLock { $0 }?.cancel(.cancelled)
    }
    return try result.get()
  }

  /// Sends the request of the exchange, which reports its end itself.
  package func start(_ exchange: SessionExchange) {
    let request = exchange.request
    if let error = request.framingFault ?? Self.capabilities.refusal(of: request) ?? Platform.refusal(of: request) {
      return exchange.finish(error)
    }
    do throws(TransportError) {
      let foundationRequest = try FoundationRequest(request).value
      let options = SessionOptions(request.options)
      let isFresh = Platform.needsNewConnection(request)
      let session = try isFresh ? Session(options) : pool.take(options)
      deadlines.watch(exchange)
      exchange.begin(foundationRequest, in: session) { [pool, deadlines] exchange in
        deadlines.forget(exchange)
        if isFresh { session.invalidate() } else { pool.giveBack(session) }
      }
    } catch {
      exchange.finish(error)
    }
  }
}
