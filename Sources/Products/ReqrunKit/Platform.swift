import CurlTransport
import HTTPSemantics

#if os(Linux)
  import WorkerTransport

  /// URLSession on this platform: in a worker process.
  func makeURLSessionTransport() -> (any HTTPSemantics.Transport)? { WorkerClient() }

  /// The executor of the thread on which its responses arrive: there is one.
  func urlSessionExecutors(of transport: (any HTTPSemantics.Transport)?, _ count: Int) -> [any ExchangeExecutor] {
    (transport as? WorkerClient).map { count == 1 ? [$0.executor] : [] } ?? []
  }

  /// The reason why URLSession cannot be used in this installation.
  func urlSessionProblem() -> TransportError? {
    do throws(TransportError) {
      _ = try WorkerClient.installedWorker()
      return nil
    } catch {
      return error
    }
  }

  private let urlSessionCapabilities = WorkerClient.capabilities
#else
  import URLSessionTransport

  /// URLSession on this platform: in-process.
  func makeURLSessionTransport() -> (any HTTPSemantics.Transport)? { SessionTransport() }

  /// A delegate's queue isn't one of our threads.
  func urlSessionExecutors(of transport: (any HTTPSemantics.Transport)?, _ count: Int) -> [any ExchangeExecutor] { [] }

  func urlSessionProblem() -> TransportError? { nil }

  private let urlSessionCapabilities = SessionTransport.capabilities
#endif

func transportCapabilities() -> [TransportCapabilities] {
  [urlSessionCapabilities, LibcurlTransport.capabilities]
}
