import CLibMicroHTTPD
import Dispatch
import OperatingSystem
import Synchronization
import WebSocket

/// A WebSocket of a client of this server, used by the thread of its conversation alone.
package final class ServerWebSocket {
  private let socket: UpgradedSocket
  private var reader = WebSocketReader(as: .server)
  private var writer = WebSocketWriter(as: .server)
  private var received: ArraySlice<WebSocketMessage> = []
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  /// False once either end has closed it, or the connection is over.
  package private(set) var isOpen = true
  /// The close frame of the client.
  package private(set) var closing: (code: Int?, reason: String)?

  /// - Parameter early: what the client has sent before the response.
  init(_ socket: UpgradedSocket, early: [UInt8]) {
    self.socket = socket
    early.withUnsafeBytes { read($0) }
  }

  /// Begins with compressed messages, which a client sends once it has the response.
  func compress(_ compression: MessageCompression) {
    reader = WebSocketReader(as: .server, decompresses: true)
    writer = WebSocketWriter(as: .server, compression: compression)
  }

  /// The next message, or pong; nil if the time is up, or the client has closed the WebSocket. Replies to pings and to
  /// close frames.
  ///
  /// - Parameter limit: nil for any time.
  package func receive(within limit: Duration? = nil) -> WebSocketMessage? {
    let end = limit.map { ContinuousClock.now + $0 }
    while isOpen {
      while let message = received.popFirst() {
        switch message {
        case .ping(let bytes): send(.pong(bytes))
        case .close(let code, let reason):
          closing = (code, reason)
          close(code, reason)
          return nil
        default: return message
        }
      }
      guard socket.waitToRead(until: end) else { return nil }
      readMore()
      if let end, end <= .now, received.isEmpty { return nil }
    }
    return nil
  }

  /// Waits, and drops messages that arrive meanwhile.
  package func rest(_ duration: Duration) {
    let end = ContinuousClock.now + duration
    while isOpen, .now < end { _ = receive(within: end - .now) }
  }

  /// - Parameter pieceSize: the maximum payload of a frame in bytes.
  package func send(_ message: WebSocketMessage, pieceSize: Int = .max) {
    guard isOpen, let frames = try? writer.frames(of: message, pieceSize: pieceSize), socket.send(frames) else {
      isOpen = false
      return
    }
  }

  /// Sends a close frame, unless the client already has one.
  package func close(_ code: Int?, _ reason: String = "") {
    send(.close(code: code, reason: reason))
    isOpen = false
  }

  private func readMore() {
    let count = buffer.withUnsafeMutableBytes { socket.read(into: $0) }
    guard let count else {
      isOpen = false
      return
    }
    buffer.withUnsafeBytes { read(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  private func read(_ bytes: UnsafeRawBufferPointer) {
    do {
      _ = try reader.read(bytes) {
        received.append($0)
        return true
      }
    } catch {
      close(error.closeCode, error.message)
    }
  }

  /// Waits at most a second for the client to close its end: unread bytes would reset the connection, and the client
  /// might lose what was sent.
  func finish() {
    socket.finishSending()
    let end = ContinuousClock.now + .seconds(1)
    while .now < end, socket.waitToRead(until: end), buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) != nil {}
  }
}

/// The WebSockets of a server, which end with it.
final class OpenWebSockets: Sendable {
  private struct State {
    var sockets: [Int32] = []
    var isStopping = false
  }
  private let state = Mutex(State())
  private let conversations = DispatchGroup()

  /// Runs a conversation on a thread of its own, and then closes the connection.
  func run(_ socket: UpgradedSocket, _ handle: OpaquePointer, _ conversation: @escaping @Sendable () -> Void) {
    let closing = UInt(bitPattern: handle)
    let isRunning = state.withLock { state in
      if state.isStopping { return false }
      state.sockets.append(socket.descriptor)
      conversations.enter()
      return true
    }
    func close() { reqrun_MHD_close_upgraded(OpaquePointer(bitPattern: closing)) }
    guard isRunning else { return close() }
    let hasStarted = startThread { [self] in
      conversation()
      forget(socket)
      reqrun_MHD_close_upgraded(OpaquePointer(bitPattern: closing))
      conversations.leave()
    }
    if hasStarted { return }
    forget(socket)
    close()
    conversations.leave()
  }

  /// The descriptor may be another's from now on.
  private func forget(_ socket: UpgradedSocket) {
    state.withLock { state in state.sockets.removeAll { $0 == socket.descriptor } }
  }

  /// Ends all connections, waits for the threads of their conversations, and admits no more.
  func closeAll() {
    state.withLock { state in
      state.isStopping = true
      for descriptor in state.sockets { UpgradedSocket(descriptor).end() }
    }
    conversations.wait()
  }
}

/// Called once the 101 response is sent.
func serverUpgrade(
  _ core: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
  _ early: UnsafePointer<CChar>?, _ earlySize: Int, _ descriptor: Int32, _ handle: OpaquePointer?
) {
  guard let core, let context, let handle else { return }
  let server = Unmanaged<ServerCore>.fromOpaque(core).takeUnretainedValue()
  let progress = Unmanaged<RequestInProgress>.fromOpaque(context).takeUnretainedValue()
  let early = Array(UnsafeRawBufferPointer(start: early, count: earlySize))
  let socket = UpgradedSocket(descriptor)
  let conversation = progress.conversation
  server.webSockets.run(socket, handle) {
    let webSocket = ServerWebSocket(socket, early: early)
    conversation?(webSocket)
    webSocket.finish()
  }
}

extension ServerResponse {
  /// Opens a WebSocket if the request asks for one.
  ///
  /// - Parameter choose: chooses one of the subprotocols that the client offers; by default the first.
  package static func webSocket(
    _ request: ServerRequest, choosing choose: ([String]) -> String? = { $0.first },
    _ converse: @escaping @Sendable (ServerWebSocket, _ subprotocol: String?) -> Void
  ) -> ServerResponse {
    do {
      let opening = try WebSocketRequest(method: request.method) { name in
        request.headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
      }
      let subprotocol = choose(opening.subprotocols)
      // libmicrohttpd adds `Connection`.
      let headers = opening.responseHeaders(subprotocol: subprotocol).filter { $0.name != "Connection" }
      return ServerResponse(
        status: 101, headers: headers,
        body: .webSocket { socket in
          if let compression = opening.compression { socket.compress(compression) }
          converse(socket, subprotocol)
        })
    } catch {
      return .problem(426, "this endpoint is a WebSocket: \(error.message)").with("Upgrade", "websocket")
        .with("Sec-WebSocket-Version", "13")
    }
  }
}
