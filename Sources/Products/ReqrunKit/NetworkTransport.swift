import CurlTransport
import HTTPSemantics
import OperatingSystem
import Synchronization
import Values

/// The network, by libcurl, for a ``Transport`` of your own that signs, logs, records or breaks what passes through it.
///
/// A request of a run keeps its limits and connection options, such as `tls` and `proxy`, whatever is changed in it.
public struct NetworkTransport: Transport {
  private let curl = LibcurlTransport()

  /// Creates a transport with connections of its own, which all requests share.
  public init() {}

  /// Sends a request, and returns its response as it is, even if that is a redirect.
  ///
  /// - Throws: a ``TransportFailure``.
  public func response(to request: TransportRequest) async throws -> TransportResponse {
    do throws(TransportError) {
      let sink = WholeResponse()
      let summary = try await curl.exchange(try wireRequest(request), into: sink)
      let (received, body) = sink.content.withLock { $0 }
      guard let head = received else { throw TransportError(.invalidResponse, "there is no response") }
      var response = TransportResponse(
        status: head.status, headers: Headers(head.headers.fields.map { ($0.name, $0.value) }), body: body)
      response.exchange.content = (head, summary)
      return response
    } catch {
      throw TransportFailure(error)
    }
  }

  private func wireRequest(_ request: TransportRequest) throws(TransportError) -> WireRequest {
    guard let method = HTTPMethod(request.method) else {
      throw TransportError(.invalidRequest, "\(request.method) is not a method")
    }
    let url: HTTPURL
    do throws(URLProblem) {
      url = try HTTPURL(parsing: request.url)
    } catch {
      throw TransportError(.invalidRequest, error.message)
    }
    var wire =
      request.wire.content
      ?? WireRequest(
        method: method, url: url,
        limits: ExchangeLimits(idle: .seconds(60), total: .seconds(300), maxBodyBytes: 1 << 30))
    if wire.url != url { (wire.url, wire.requestTarget) = (url, nil) }
    wire.method = method
    wire.headers = HeaderFields(request.headers.map { ($0.name, $0.value) })
    if !request.body.isEmpty || !wire.body.isNone { wire.body = .bytes(request.body) }
    return wire
  }
}

/// Keeps a response in memory.
private final class WholeResponse: ResponseSink {
  let content = Mutex<(head: ResponseHead?, body: [UInt8])>((nil, []))

  func receive(head: ResponseHead) -> SinkDecision {
    content.withLock { $0.head = head }
    return .more
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    content.withLock { $0.body.append(contentsOf: chunk) }
    return .more
  }

  func restart() -> Bool {
    content.withLock { $0 = (nil, []) }
    return true
  }
}
