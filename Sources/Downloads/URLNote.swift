import HTTPMessages
import Synchronization

/// Notes for which URL an exchange is, so that its sink knows where redirects led.
final class URLNote: Transport {
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
