import Foundation
import HTTPSemantics
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Forwards a session's delegate calls to the task's exchange.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
  let security: Platform.Security
  /// A serial queue.
  let queue: OperationQueue
  private let exchanges = Mutex<[Int: SessionExchange]>([:])

  init(_ security: Platform.Security) {
    self.security = security
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.qualityOfService = .userInitiated
  }

  func add(_ exchange: SessionExchange, _ task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
  }

  /// The exchange of a task; nil once it is over.
  func running(_ task: URLSessionTask) -> SessionExchange? {
    guard let exchange = exchanges.withLock({ $0[task.taskIdentifier] }), !exchange.isOver else { return nil }
    return exchange
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse { running(dataTask)?.receive(response) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    running(dataTask)?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    running(task)?.noteSent(bodyBytes: totalBytesSent)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    guard Platform.callsHandlersOfEndedTasks || running(task) != nil else { return }
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let exchange = running(task) else { return completionHandler(.cancelAuthenticationChallenge, nil) }
    security.respond(to: challenge, for: exchange, completionHandler)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    exchange.complete(error)
  }
}
