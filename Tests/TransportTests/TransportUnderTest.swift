import CurlTransport
import HTTPMessages
import TestSupport
import Testing
import WorkerTransport

/// The transports that must behave alike, but where a capability says otherwise.
enum TransportUnderTest: String, CaseIterable, CustomTestStringConvertible {
  case curl
  #if os(Linux)
    case worker
  #endif

  var testDescription: String { rawValue }

  func make() -> any Transport {
    switch self {
    case .curl: LibcurlTransport()
    #if os(Linux)
      case .worker: WorkerTransport()
    #endif
    }
  }

  var capabilities: TransportCapabilities {
    switch self {
    case .curl: LibcurlTransport.capabilities
    #if os(Linux)
      case .worker: WorkerTransport.capabilities
    #endif
    }
  }
}

extension WireRequest {
  /// A request for a path (and query) of the server.
  init(
    _ method: HTTPMethod = .get, _ server: FaultServer, _ target: String, headers: [(String, String)] = [],
    body: RequestBody = .none, limits: ExchangeLimits = ExchangeLimits(total: .seconds(20))
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
  func failure(_ request: WireRequest, into sink: any ResponseSink = CollectingSink()) async -> TransportError? {
    do {
      _ = try await exchange(request, into: sink)
      return nil
    } catch {
      return error
    }
  }
}
