import CurlTransport
import HTTPSemantics
import Values

#if os(Linux)
  import WorkerTransport
#else
  import URLSessionTransport
#endif

/// The transports that must behave alike, but where a capability says otherwise.
package enum TransportUnderTest: String, CaseIterable, CustomStringConvertible {
  case curl
  #if os(Linux)
    /// URLSession, in a process of its own.
    case worker
  #else
    case session
  #endif

  package var description: String { rawValue }

  package func make() -> any Transport {
    switch self {
    case .curl: LibcurlTransport()
    #if os(Linux)
      case .worker: WorkerClient()
    #else
      case .session: SessionTransport()
    #endif
    }
  }

  package var capabilities: TransportCapabilities {
    switch self {
    case .curl: LibcurlTransport.capabilities
    #if os(Linux)
      case .worker: WorkerClient.capabilities
    #else
      case .session: SessionTransport.capabilities
    #endif
    }
  }
}

extension WireRequest {
  /// A request for a path (and query) of the server.
  package init(
    _ method: HTTPMethod = .get, _ server: FaultServer, _ target: String, headers: [(String, String)] = [],
    body: RequestBody = .none, limits: ExchangeLimits = ExchangeLimits(total: .seconds(120))
  ) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let url = HTTPURL(
      scheme: "http", host: "127.0.0.1", port: Int(server.port), path: parts[0],
      query: parts.count > 1 ? parts[1] : nil)
    self.init(method: method, url: url, headers: HeaderFields(headers), body: body, limits: limits)
  }
}

extension Transport {
  /// The error of an exchange that must fail; nil if it doesn't.
  package func failure(_ request: WireRequest, into sink: any ResponseSink = CollectingSink()) async -> TransportError?
  {
    do {
      _ = try await exchange(request, into: sink)
      return nil
    } catch {
      return error
    }
  }
}
