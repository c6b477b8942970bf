import HTTPSemantics
import Synchronization
import Values

/// Records the URL of each exchange, so that its sink knows the target of redirects.
final class URLRecordingTransport: Transport {
  private let transport: any Transport
  private let noted: Mutex<HTTPURL>

  init(over transport: any Transport, first: HTTPURL) {
    self.transport = transport
    noted = Mutex(first)
  }

  var url: HTTPURL { noted.withLock { $0 } }

  func exchange(_ request: WireRequest, into sink: any ResponseSink) async throws(TransportError) -> ExchangeSummary {
    noted.withLock { $0 = request.url }
    return try await transport.exchange(request, into: sink)
  }
}
