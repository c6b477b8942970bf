import Foundation
import HTTPMessages
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Exchanges by Foundation's URLSession, used in the one way that holds on Linux too.
///
/// Data tasks with a delegate and no completion handlers; no cookies, cache, credentials or timers of URLSession's own;
/// every redirect is refused at once, and every cancel goes through the serial queue of the delegates.
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
        // Cancelled before: the handler found nothing yet.
        if Task.isCancelled { exchange.cancel(.cancelled) }
        start(exchange)
      }
    } onCancel: {
      current.withLock { $0 }?.cancel(.cancelled)
    }
    return try result.get()
  }

  /// Sends the request of the exchange, which tells its end itself.
  package func start(_ exchange: SessionExchange) {
    let request = exchange.request
    if let error = request.framingFault ?? Self.capabilities.refusal(of: request) ?? Platform.refusal(of: request) {
      return exchange.finish(error)
    }
    do throws(TransportError) {
      let foundationRequest = try FoundationRequest(request).value
      let options = SessionOptions(request.options)
      // URLSession doesn't rewind a body when a kept connection turns out to be dead: such requests get a new one.
      let isFresh = !request.body.isEmpty
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
