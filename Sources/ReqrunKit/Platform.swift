import CurlTransport
import HTTPMessages

#if os(Linux)
  import WorkerTransport

  /// URLSession as it runs here: in a worker process of its own.
  func makeURLSessionTransport() -> (any Transport)? { WorkerClient() }

  private let urlSessionCapabilities = WorkerClient.capabilities
#else
  import URLSessionTransport

  /// URLSession as it runs here: in-process.
  func makeURLSessionTransport() -> (any Transport)? { SessionTransport() }

  private let urlSessionCapabilities = SessionTransport.capabilities
#endif

func transportCapabilities() -> [TransportCapabilities] {
  [urlSessionCapabilities, LibcurlTransport.capabilities]
}
