import Foundation
import HTTPSemantics

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One plain URLSession: without its own cookies, cache, credentials or timers.
final class Session: Sendable {
  let options: SessionOptions
  private let session: URLSession
  private let delegate: SessionDelegate

  init(_ options: SessionOptions) throws(TransportError) {
    self.options = options
    delegate = SessionDelegate(try Platform.Security(options))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.urlCredentialStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpMaximumConnectionsPerHost = options.maxConnectionsPerHost
    configuration.timeoutIntervalForRequest = FoundationRequest.endlessTimeout
    configuration.timeoutIntervalForResource = FoundationRequest.endlessTimeout
    Platform.configure(configuration, options)
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
  }

  /// A task that hasn't started; its delegate calls reach the exchange.
  func task(_ request: URLRequest, for exchange: SessionExchange) -> URLSessionDataTask {
    let task = session.dataTask(with: request)
    delegate.add(exchange, task)
    return task
  }

  /// Runs an operation on the delegates' queue.
  ///
  /// All cancellations use it, since one from elsewhere can meet a redirect in progress and crash the process.
  func perform(_ operation: @escaping @Sendable () -> Void) { delegate.queue.addOperation(operation) }

  /// The reason why the server's certificate was rejected, for an exchange that waited for the same connection.
  func refusal(of request: WireRequest) -> TransportError? { delegate.security.refusal(of: request) }

  /// Ends the session once its tasks are over; it accepts no new ones.
  func invalidate() { session.finishTasksAndInvalidate() }
}
