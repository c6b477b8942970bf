import CLibMicroHTTPD
import Dispatch
import OperatingSystem
import Synchronization

/// The context of libmicrohttpd's callbacks, with the suspended connections.
final class ServerCore: Sendable {
  let respond: @Sendable (ServerRequest) -> ServerResponse

  private struct Waiting {
    var connections: [UInt64: UInt] = [:]
    var next: UInt64 = 0
    var isStopping = false
  }
  private let waiting = Mutex(Waiting())
  let webSockets = OpenWebSockets()
  private let timer = DispatchQueue(label: "reqrun.server.timer")

  /// The maximum size of a request body.
  static let bodyLimit = 64 << 20

  /// The maximum size of a request body in a file.
  static let storedLimit: Int64 = 16 << 30

  /// The maximum size in bytes of all request bodies in progress.
  private static let bodiesLimit = 256 << 20
  private let bodySize = Mutex(0)

  let isSecure: Bool
  /// Indicates whether large bodies are stored in files instead of being rejected.
  let storesBodies: Bool

  init(isSecure: Bool, storesBodies: Bool, _ respond: @escaping @Sendable (ServerRequest) -> ServerResponse) {
    (self.isSecure, self.storesBodies, self.respond) = (isSecure, storesBodies, respond)
  }

  var scheme: String { isSecure ? "https" : "http" }

  /// Reserves memory for a body; false if the limit is reached.
  func hold(_ count: Int) -> Bool {
    bodySize.withLock { size in
      guard size + count <= ServerCore.bodiesLimit else { return false }
      size += count
      return true
    }
  }

  func release(_ count: Int) { bodySize.withLock { $0 -= count } }

  /// Suspends the connection, so that it blocks no other, and returns the ticket to resume it; nil if the server stops.
  func suspend(_ connection: OpaquePointer) -> UInt64? {
    let pointer = UInt(bitPattern: connection)
    return waiting.withLock { waiting in
      guard !waiting.isStopping else { return nil }
      waiting.next += 1
      waiting.connections[waiting.next] = pointer
      MHD_suspend_connection(OpaquePointer(bitPattern: pointer))
      return waiting.next
    }
  }

  /// Suspends the connection for a time; false if the server stops.
  func suspend(_ connection: OpaquePointer, for duration: Duration) -> Bool {
    guard let ticket = suspend(connection) else { return false }
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    // A queue of its own, so that responses are on time even if the concurrency pool is busy.
    timer.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { self.resume(ticket) }
    return true
  }

  func resume(_ ticket: UInt64) {
    waiting.withLock { waiting in
      guard let pointer = waiting.connections.removeValue(forKey: ticket) else { return }
      MHD_resume_connection(OpaquePointer(bitPattern: pointer))
    }
  }

  /// Resumes suspended connections, and prevents further suspensions.
  func resumeAll() {
    waiting.withLock { waiting in
      waiting.isStopping = true
      for pointer in waiting.connections.values { MHD_resume_connection(OpaquePointer(bitPattern: pointer)) }
      waiting.connections = [:]
    }
  }
}

/// One request while it is received and answered; used by its connection's thread alone.
final class RequestInProgress {
  var request: ServerRequest
  var hasBegun = false
  var isTooLarge = false
  /// The response that a suspended connection gets when it is resumed.
  var delayed: ServerResponse?
  var awaited: AwaitedResponse?
  /// The conversation that begins once the response is sent.
  var conversation: (@Sendable (ServerWebSocket) -> Void)?

  init(target: String) {
    request = ServerRequest(target: target)
  }

  /// Takes a piece of the body; false if there is no room for it.
  func take(_ piece: UnsafeRawBufferPointer, of server: ServerCore) -> Bool {
    if var stored = request.stored {
      stored.count += Int64(piece.count)
      request.stored = stored
      return stored.count <= ServerCore.storedLimit && stored.file.append(piece) != nil
    }
    if request.body.count + piece.count <= ServerCore.bodyLimit, server.hold(piece.count) {
      request.body.append(contentsOf: piece)
      return true
    }
    let body = request.body
    server.release(body.count)
    request.body = []
    guard server.storesBodies else { return false }
    let file = TemporaryFile()
    request.stored = StoredBody(file: file, count: Int64(body.count + piece.count))
    return body.withUnsafeBytes({ file.append($0) }) != nil && file.append(piece) != nil
  }
}

/// The response of a suspended connection, from any thread.
final class AwaitedResponse: Sendable {
  let value = Mutex<ServerResponse?>(nil)
}

func serverBegin(
  _ core: UnsafeMutableRawPointer?, _ uri: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  let target = uri.map { String(cString: $0) } ?? "/"
  return Unmanaged.passRetained(RequestInProgress(target: target)).toOpaque()
}

func serverComplete(
  _ core: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
  guard let core, let pointer = context?.pointee else { return }
  let progress = Unmanaged<RequestInProgress>.fromOpaque(pointer).takeRetainedValue()
  Unmanaged<ServerCore>.fromOpaque(core).takeUnretainedValue().release(progress.request.body.count)
  context?.pointee = nil
}

/// Called once for the head, once for each piece of the body, once at its end, and again after a suspension.
func serverHandle(
  _ core: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
  _ uploadSize: UnsafeMutablePointer<Int>?, _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let core, let connection, let method, let uploadSize, let pointer = context?.pointee else { return .NO }
  let server = Unmanaged<ServerCore>.fromOpaque(core).takeUnretainedValue()
  let progress = Unmanaged<RequestInProgress>.fromOpaque(pointer).takeUnretainedValue()

  guard progress.hasBegun else {
    progress.hasBegun = true
    progress.request.method = String(cString: method)
    progress.request.isSecure = server.isSecure
    progress.request.headers = receivedHeaders(connection)
    let limit = server.storesBodies ? ServerCore.storedLimit : Int64(ServerCore.bodyLimit)
    if let length = progress.request.header("Content-Length").flatMap({ Int64($0) }), length > limit {
      return ServerResponse.tooLarge.queue(on: connection, of: server)
    }
    return .YES
  }
  if uploadSize.pointee > 0 {
    let piece = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
    progress.isTooLarge = progress.isTooLarge || !progress.take(piece, of: server)
    uploadSize.pointee = 0
    return .YES
  }
  func queue(_ response: ServerResponse) -> MHD_Result {
    if case .webSocket(let conversation) = response.body { progress.conversation = conversation }
    return response.queue(on: connection, of: server)
  }
  if progress.isTooLarge { return ServerResponse.tooLarge.queue(on: connection, of: server) }
  if let delayed = progress.delayed { return queue(delayed) }
  let response: ServerResponse
  if let awaited = progress.awaited {
    response = awaited.value.withLock { $0.take() } ?? .stopping
  } else {
    response = server.respond(progress.request)
  }
  if let begin = response.begin {
    let awaited = AwaitedResponse()
    progress.awaited = awaited
    guard let ticket = server.suspend(connection) else {
      return ServerResponse.stopping.queue(on: connection, of: server)
    }
    begin { response in
      awaited.value.withLock { $0 = response }
      server.resume(ticket)
    }
    return .YES
  }
  if response.delay > .zero {
    progress.delayed = response
    if server.suspend(connection, for: response.delay) { return .YES }
  }
  return queue(response)
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
