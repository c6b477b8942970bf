import Foundation
import HTTPSemantics
import Values

extension SessionDelegate {
  @objc(URLSession:task:didReceiveInformationalResponse:)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
  ) {
    running(task)?.receive(response)
  }

  @objc(URLSession:task:didFinishCollectingMetrics:)
  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    // One exchange is one transaction; after a rejected challenge or a dead connection the last one counts.
    guard let exchange = running(task), let transaction = metrics.transactionMetrics.last else { return }
    let chain = exchange.request.options.wantsCertificates ? security.chain(for: exchange.request.url) : nil
    exchange.note { summary in
      summary.add(transaction)
      summary.certificateChain = chain
    }
  }
}

extension ExchangeSummary {
  fileprivate mutating func add(_ metrics: URLSessionTaskTransactionMetrics) {
    func time(_ date: Date?) -> Duration? {
      guard let date, let start = metrics.fetchStartDate else { return nil }
      return .seconds(max(0, date.timeIntervalSince(start)))
    }
    if !metrics.isReusedConnection {
      timings.nameLookup = time(metrics.domainLookupEndDate)
      // The end of the connection is that of its TLS.
      timings.connect = time(metrics.secureConnectionStartDate ?? metrics.connectEndDate)
      timings.tls = time(metrics.secureConnectionEndDate)
    }
    timings.firstByte = time(metrics.responseStartDate) ?? timings.firstByte
    remoteAddress = address(metrics.remoteAddress, metrics.remotePort)
    localAddress = address(metrics.localAddress, metrics.localPort)
    wasConnectionReused = metrics.isReusedConnection
    wireBodyBytes = metrics.countOfResponseBodyBytesReceived
  }

  private func address(_ host: String?, _ port: Int?) -> String? {
    guard let host, let port else { return nil }
    return hostAndPort(host, port)
  }
}
