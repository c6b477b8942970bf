import CurlTransport
import HTTPMessages

#if os(Linux)
  import WorkerTransport

  /// URLSession as it runs here: in a worker process of its own.
  func makeURLSessionTransport() -> (any Transport)? { WorkerTransport() }

  func transportCapabilities() -> [TransportCapabilities] {
    [WorkerTransport.capabilities, LibcurlTransport.capabilities]
  }
#else
  import URLSessionTransport

  /// URLSession as it runs here: in-process.
  func makeURLSessionTransport() -> (any Transport)? { URLSessionTransport() }

  func transportCapabilities() -> [TransportCapabilities] {
    [URLSessionTransport.capabilities, LibcurlTransport.capabilities]
  }
#endif
