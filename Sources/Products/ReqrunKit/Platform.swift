import CurlTransport
import HTTPMessages

#if os(Linux)
  import WorkerTransport

  /// URLSession as it runs here: in a worker process of its own.
  func makeURLSessionTransport() -> (any HTTPMessages.Transport)? { WorkerClient() }

  /// The thread on which its responses arrive: there is one.
  func urlSessionExecutors(of transport: (any HTTPMessages.Transport)?, _ count: Int) -> [any ExchangeExecutor] {
    (transport as? WorkerClient).map { count == 1 ? [$0.executor] : [] } ?? []
  }

  /// Why URLSession cannot be used, as the program is installed.
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

  /// URLSession as it runs here: in-process.
  func makeURLSessionTransport() -> (any HTTPMessages.Transport)? { SessionTransport() }

  /// A delegate's queue is none of our threads.
  func urlSessionExecutors(of transport: (any HTTPMessages.Transport)?, _ count: Int) -> [any ExchangeExecutor] { [] }

  func urlSessionProblem() -> TransportError? { nil }

  private let urlSessionCapabilities = SessionTransport.capabilities
#endif

func transportCapabilities() -> [TransportCapabilities] {
  [urlSessionCapabilities, LibcurlTransport.capabilities]
}
