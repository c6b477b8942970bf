import CLibCurl
import HTTPSemantics
import OperatingSystem

/// Performs exchanges with libcurl: one thread for each `curl_multi`, shared connections, a new easy handle for each
/// exchange.
package final class LibcurlTransport: Transport {
  private let pools: ConnectionPools
  private let trust: CertificateTrust

  /// - Parameters:
  ///   - certificateAuthorities: a PEM file of trusted issuers; nil uses those that `CURL_CA_BUNDLE`, `SSL_CERT_FILE`
  /// and `SSL_CERT_DIR` name, or else the system's.
  ///   - parallel: the number of requests that may be in flight at a time: as many connections stay open.
  package init(certificateAuthorities: String? = nil, parallel: Int = 0) {
    pools = ConnectionPools(maxIdle: max(256, parallel))
    trust =
      certificateAuthorities.map { CertificateTrust(replacesFile: true, file: $0, folder: nil) } ?? .current
  }

  private static let preparation: Void = {
    // If no thread can be started, the first use loads it.
    _ = startThread { _ = Libcurl.isReady }
  }()

  /// Loads libcurl on a thread of its own while files are read. Starting another thread meanwhile blocks: the loader
  /// holds a lock that this needs.
  package static func prepare() { _ = preparation }

  /// Executors that run tasks on libcurl's threads, each for one thing to do at a time, since that delays all exchanges
  /// of its thread. They must not outlive the transport; none without libcurl.
  package func executors(_ count: Int) -> [any ExchangeExecutor] { Libcurl.isReady ? pools.own(count).map(\.loop) : [] }

  package static var isInstalled: Bool { Libcurl.isReady }

  /// The versions of libcurl and of the libraries that it uses.
  package static var versionText: String {
    Libcurl.isReady ? String(cString: curl_version()) : "libcurl is not installed"
  }

  package func exchange(
    _ request: WireRequest, into sink: any ResponseSink
  ) async throws(TransportError) -> ExchangeSummary {
    let (transfer, pool) = try transfer(for: request, into: sink)
    // The throwing forms of both functions would erase the type of the error.
    let result: Result<ExchangeSummary, TransportError> = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        pool.loop.begin(transfer, continuation)
      }
    } onCancel: {
      pool.loop.cancel(transfer)
    }
    return try result.get()
  }

  /// The transfer, and the pool in which it takes place.
  private func transfer(
    for request: WireRequest, into sink: any ResponseSink
  ) throws(TransportError) -> (CurlTransfer, ConnectionPool) {
    guard Libcurl.isReady else { throw Libcurl.absence }
    if let fault = request.framingFault ?? Self.refusal(of: request) { throw fault }
    let pool = try pools.pool(for: request.options)
    return (try CurlTransfer(request: request, sink: sink, trust: trust, addresses: pool.loop.addresses), pool)
  }
}
