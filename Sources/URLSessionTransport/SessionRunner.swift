import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One URLSession and its delegate.
///
/// `@unchecked`: `exchanges` is touched on the delegates' serial queue alone, `session` set once before use.
final class SessionRunner: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let queue: OperationQueue
  private let configuration: URLSessionConfiguration
  private lazy var session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
  private var exchanges: [Int: SessionExchange] = [:]

  init(queue: OperationQueue, maxConnectionsPerHost: Int) {
    self.queue = queue
    configuration = .ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.urlCredentialStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpMaximumConnectionsPerHost = maxConnectionsPerHost
    configuration.timeoutIntervalForRequest = 86_400
    configuration.timeoutIntervalForResource = 86_400
    Platform.ignoreProxies(configuration)
  }

  /// Starts the task; the continuation is resumed once.
  func begin(_ exchange: SessionExchange, _ request: URLRequest, _ continuation: SessionExchange.Continuation) {
    queue.addOperation { [self] in
      exchange.continuation = continuation
      if let error = exchange.earlyEnd { return exchange.finish(error) }
      let task = session.dataTask(with: request)
      exchange.task = task
      exchanges[task.taskIdentifier] = exchange
      task.resume()
    }
  }

  /// Ends the exchange at once; may be called at any time.
  ///
  /// On the delegates' queue, since a cancel from elsewhere can meet a redirect under way and end the process.
  func cancel(_ exchange: SessionExchange, _ error: TransportError) {
    queue.addOperation { [self] in end(exchange, error) }
  }

  /// Ends the session once its tasks are over.
  func invalidate() {
    queue.addOperation { [self] in session.finishTasksAndInvalidate() }
  }

  /// Keeps the exchange's clocks until the task that runs this is cancelled.
  func watch(_ exchange: SessionExchange) async {
    while !Task.isCancelled, let deadline = exchange.clock.withLock({ $0.nearestDeadline }) {
      if deadline.instant <= .now { return cancel(exchange, deadline.error) }
      try? await Task.sleep(until: deadline.instant, clock: .continuous)
    }
  }

  // MARK: On the delegates' queue

  private func end(_ exchange: SessionExchange, _ error: TransportError?) {
    guard !exchange.isOver else { return }
    guard let task = exchange.task else {
      exchange.earlyEnd = error
      return
    }
    exchange.finish(error)
    task.cancel()
  }

  /// Nil once it is over.
  private func running(_ task: URLSessionTask) -> SessionExchange? {
    guard let exchange = exchanges[task.taskIdentifier], !exchange.isOver else { return nil }
    return exchange
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    if let exchange = running(dataTask), let response = response as? HTTPURLResponse {
      exchange.noteActivity()
      let head = FoundationResponse.head(response)
      if (100..<200).contains(head.status), head.status != 101 {
        exchange.sink.receive(informational: head)
      } else {
        exchange.noteHead()
        // 101 ends HTTP on this connection: nothing would ever complete the task.
        if exchange.sink.receive(head: head) == .stop || head.status == 101 { end(exchange, nil) }
      }
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let exchange = running(dataTask), exchange.hasHead else { return }
    exchange.noteActivity()
    exchange.bodyBytes += Int64(data.count)
    if let limit = exchange.request.limits.maxBodyBytes, exchange.bodyBytes > limit {
      return end(exchange, .bodyTooLarge(limit: limit))
    }
    let decision = data.withUnsafeBytes { exchange.sink.receive(body: $0) }
    if decision == .stop { end(exchange, nil) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    running(task)?.noteActivity()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // After a cancel the task no longer waits for this, and traps if it comes.
    guard running(task) != nil else { return }
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    running(task)?.wasChallenged = true
    completionHandler(Platform.disposition(challenge), nil)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let exchange = exchanges.removeValue(forKey: task.taskIdentifier), !exchange.isOver else { return }
    guard let error else {
      return exchange.finish(
        exchange.hasHead ? nil : TransportError(.reset, "the server closed the connection without an answer"))
    }
    // A refused challenge ends with "cancelled", behind the whole answer.
    let code = (error as NSError).code
    if exchange.wasChallenged, exchange.hasHead, code == NSURLErrorCancelled { return exchange.finish(nil) }
    exchange.finish(FoundationFailure(error, request: exchange.request).transportError)
  }
}
