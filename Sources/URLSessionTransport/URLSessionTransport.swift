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
package final class URLSessionTransport: Transport {
  package static let capabilities = TransportCapabilities(
    kind: .urlsession, unsoundness: Platform.unsoundness, unsupported: Platform.unsupported)

  private static let maxConnectionsPerHost = 256

  private let queue: OperationQueue
  /// By the connections that a host may have.
  private let sessions = Mutex<[Int: SessionRunner]>([:])

  package init() {
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
  }

  deinit {
    sessions.withLock { sessions in
      for runner in sessions.values { runner.invalidate() }
    }
  }

  package func exchange(
    _ request: WireRequest, into sink: any ResponseSink
  ) async throws(TransportError) -> ExchangeSummary {
    if let error = request.framingFault ?? Self.capabilities.refusal(of: request) { throw error }
    let foundationRequest = try FoundationRequest(request).value
    // URLSession doesn't rewind a body when a kept connection turns out to be dead: such requests get a new one.
    let isFresh = request.body.length > 0
    let runner = isFresh ? SessionRunner(queue: queue, maxConnectionsPerHost: 1) : sharedRunner(request.options)
    let exchange = SessionExchange(request: request, sink: sink)
    let clock = Task { await runner.watch(exchange) }
    let result: Result<ExchangeSummary, TransportError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        runner.begin(exchange, foundationRequest, continuation)
      }
    } onCancel: {
      runner.cancel(exchange, .cancelled)
    }
    clock.cancel()
    if isFresh { runner.invalidate() }
    return try result.get()
  }

  private func sharedRunner(_ options: ConnectionOptions) -> SessionRunner {
    let limit = max(1, options.maxConnectionsPerHost ?? Self.maxConnectionsPerHost)
    return sessions.withLock { sessions in
      if let runner = sessions[limit] { return runner }
      let runner = SessionRunner(queue: queue, maxConnectionsPerHost: limit)
      sessions[limit] = runner
      return runner
    }
  }
}
