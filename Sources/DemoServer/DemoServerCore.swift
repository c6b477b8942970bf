import CLibMicroHTTPD
import Dispatch
import Synchronization

/// What libmicrohttpd's callbacks reach: the routes, the state, and the connections that wait.
final class DemoServerCore: Sendable {
  private let routes = RouteTable.all
  private let state = DemoState()

  private struct Waiting {
    var connections: [UInt64: UInt] = [:]
    var next: UInt64 = 0
    var isStopping = false
  }
  private let waiting = Mutex(Waiting())
  private let timer = DispatchQueue(label: "reqrun.demo-server.timer")

  /// The largest request body that is kept.
  static let bodyLimit = 64 << 20

  /// In bytes, of all requests that are under way.
  private static let bodiesLimit = 256 << 20
  private let bodySize = Mutex(0)

  /// Whether so much more of a body may be kept.
  func hold(_ count: Int) -> Bool {
    bodySize.withLock { size in
      guard size + count <= DemoServerCore.bodiesLimit else { return false }
      size += count
      return true
    }
  }

  func letGo(_ count: Int) { bodySize.withLock { $0 -= count } }

  func answer(_ request: DemoRequest) -> DemoResponse {
    routes.answer(request, state)
  }

  /// Suspends the connection until the time is over, so that it holds up no other; false if the server stops.
  func suspend(_ connection: OpaquePointer, for duration: Duration) -> Bool {
    let pointer = UInt(bitPattern: connection)
    let ticket: UInt64? = waiting.withLock { waiting in
      guard !waiting.isStopping else { return nil }
      waiting.next += 1
      waiting.connections[waiting.next] = pointer
      MHD_suspend_connection(OpaquePointer(bitPattern: pointer))
      return waiting.next
    }
    guard let ticket else { return false }
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    // A queue of its own, so that answers come on time even if the concurrency pool is busy.
    timer.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { self.resume(ticket) }
    return true
  }

  private func resume(_ ticket: UInt64) {
    waiting.withLock { waiting in
      guard let pointer = waiting.connections.removeValue(forKey: ticket) else { return }
      MHD_resume_connection(OpaquePointer(bitPattern: pointer))
    }
  }

  /// Resumes what waits, and lets nothing wait from now on.
  func resumeAll() {
    waiting.withLock { waiting in
      waiting.isStopping = true
      for pointer in waiting.connections.values { MHD_resume_connection(OpaquePointer(bitPattern: pointer)) }
      waiting.connections = [:]
    }
  }
}

/// One request while it is read and answered; only the thread of its connection touches it.
private final class RequestInProgress {
  var request: DemoRequest
  var hasBegun = false
  var isTooLarge = false
  /// The answer that a suspended connection gets when it is resumed.
  var delayed: DemoResponse?

  init(target: String) {
    request = DemoRequest(target: target)
  }
}

func demoServerBegin(
  _ core: UnsafeMutableRawPointer?, _ uri: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  let target = uri.map { String(cString: $0) } ?? "/"
  return Unmanaged.passRetained(RequestInProgress(target: target)).toOpaque()
}

func demoServerComplete(
  _ core: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
  guard let core, let pointer = context?.pointee else { return }
  let progress = Unmanaged<RequestInProgress>.fromOpaque(pointer).takeRetainedValue()
  Unmanaged<DemoServerCore>.fromOpaque(core).takeUnretainedValue().letGo(progress.request.body.count)
  context?.pointee = nil
}

/// Called once for the head, once for each piece of the body, once when all is there, and again after a wait.
func demoServerHandle(
  _ core: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
  _ uploadSize: UnsafeMutablePointer<Int>?, _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let core, let connection, let method, let uploadSize, let pointer = context?.pointee else { return .NO }
  let server = Unmanaged<DemoServerCore>.fromOpaque(core).takeUnretainedValue()
  let progress = Unmanaged<RequestInProgress>.fromOpaque(pointer).takeUnretainedValue()

  guard progress.hasBegun else {
    progress.hasBegun = true
    progress.request.method = String(cString: method)
    progress.request.headers = receivedHeaders(connection)
    if let length = progress.request.header("Content-Length").flatMap({ Int($0) }), length > DemoServerCore.bodyLimit {
      return DemoResponse.tooLarge.queue(on: connection, of: server)
    }
    return .YES
  }
  if uploadSize.pointee > 0 {
    let isTooLarge = progress.request.body.count + uploadSize.pointee > DemoServerCore.bodyLimit
    if progress.isTooLarge || isTooLarge || !server.hold(uploadSize.pointee) {
      progress.isTooLarge = true
      server.letGo(progress.request.body.count)
      progress.request.body = []
    } else {
      progress.request.body.append(contentsOf: UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee))
    }
    uploadSize.pointee = 0
    return .YES
  }
  if progress.isTooLarge { return DemoResponse.tooLarge.queue(on: connection, of: server) }
  if let delayed = progress.delayed { return delayed.queue(on: connection, of: server) }
  let response = server.answer(progress.request)
  if response.delay > .zero {
    progress.delayed = response
    if server.suspend(connection, for: response.delay) { return .YES }
  }
  return response.queue(on: connection, of: server)
}

private func receivedHeaders(_ connection: OpaquePointer) -> [(name: String, value: String)] {
  var headers: [(name: String, value: String)] = []
  withUnsafeMutablePointer(to: &headers) { pointer in
    _ = MHD_get_connection_values(
      connection, .HEADER_KIND,
      { headers, _, name, value in
        guard let headers, let name else { return .YES }
        headers.assumingMemoryBound(to: [(name: String, value: String)].self).pointee.append(
          (String(cString: name), value.map { String(cString: $0) } ?? ""))
        return .YES
      }, pointer)
  }
  return headers
}
