import Dispatch
import HTTPSemantics
import LocalServer
import Synchronization
import Values
import WebSocket

/// A message of a WebSocket that was passed on.
package struct RelayedMessage: Sendable {
  /// Indicates whether the client has sent it.
  let isSent: Bool
  let time: Timestamp
  let message: WebSocketMessage
}

/// Passes the messages of a WebSocket on in both directions, or the response of a target that opens none.
final class WebSocketRelay: ResponseSink, Sendable {
  private struct State {
    var response: ReceivedResponse?
    var respond: (@Sendable (ServerResponse) -> Void)?
    var reader = WebSocketReader(as: .client)
    /// The target's messages that the client has not got yet, and their size.
    var arrived: [WebSocketMessage] = []
    var waitingSize = 0
    var messages: [RelayedMessage] = []
    var notedSize = 0
    var isCut = false
    var isEnded = false
    var task: Task<Void, Never>?
  }

  /// The bytes that wait for a slow client, and those of a response that opens no WebSocket.
  private static let sizeLimit = 16 << 20
  /// The number of messages that are kept for observers, and the size limit is theirs, too.
  private static let countLimit = 10_000
  /// The longest time that a message of the target waits for the client's thread.
  private static let interval = Duration.milliseconds(5)

  private let connection: UpgradedConnection
  private let headers: @Sendable (ResponseHead) -> [(name: String, value: String)]
  private let writer = WebSocketWriter(as: .client)
  private let state: Mutex<State>
  private let ended = DispatchSemaphore(value: 0)

  init(
    _ connection: UpgradedConnection, headers: @escaping @Sendable (ResponseHead) -> [(name: String, value: String)],
    _ respond: @escaping @Sendable (ServerResponse) -> Void
  ) {
    (self.connection, self.headers) = (connection, headers)
    state = Mutex(State(respond: respond))
  }

  /// The response so far.
  var received: ReceivedResponse? { state.withLock(\.response) }

  /// The messages of both directions, in the order in which they were passed on.
  var messages: [RelayedMessage] { state.withLock(\.messages) }

  /// The reason why not all of them are there.
  var cut: String? {
    state.withLock(\.isCut) ? "its messages are more than \(Self.countLimit), or \(Self.sizeLimit >> 20) MiB" : nil
  }

  func run(_ work: @escaping @Sendable (WebSocketRelay) async -> Void) {
    let task = Task.detached { await work(self) }
    state.withLock { $0.task = task }
  }

  // MARK: the transport's side

  func receive(head: ResponseHead) -> SinkDecision {
    let respond = state.withLock { state in
      state.response = ReceivedResponse(head: head)
      return head.status == 101 ? state.respond.take() : nil
    }
    respond?(
      ServerResponse(
        status: 101, headers: headers(head) + [("Upgrade", "websocket")], body: .webSocket { self.converse($0) }))
    return .more
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    state.withLock { state in
      guard let status = state.response?.head.status, state.waitingSize + chunk.count <= Self.sizeLimit else {
        return .stop
      }
      state.waitingSize += chunk.count
      guard status == 101 else {
        state.response?.body += chunk
        state.response?.size += chunk.count
        return .more
      }
      var arrived: [WebSocketMessage] = []
      let isSound =
        (try? state.reader.read(chunk) {
          arrived.append($0); return true
        }) != nil
      state.arrived += arrived
      return isSound ? .more : .stop
    }
  }

  /// Ends the conversation, or the response.
  func finish(_ failure: String?) {
    let (respond, response) = state.withLock { state in
      state.isEnded = true
      return (state.respond.take(), state.response)
    }
    ended.signal()
    guard let respond else { return }
    guard let response, failure == nil else {
      return respond(.problem(502, "the target has not responded: \(failure ?? "the exchange has ended")"))
    }
    respond(ServerResponse(status: response.head.status, headers: headers(response.head), body: .bytes(response.body)))
  }

  // MARK: the server's side

  private func converse(_ socket: ServerWebSocket) {
    while socket.isOpen {
      let (arrived, isEnded) = state.withLock { state in
        defer { (state.arrived, state.waitingSize) = ([], 0) }
        return (state.arrived, state.isEnded)
      }
      for message in arrived {
        note(message, isSent: false)
        if case .close(let code, let reason) = message { socket.close(code, reason) } else { socket.send(message) }
      }
      if arrived.isEmpty, isEnded { socket.close(1011, "the target is gone") }
      guard let message = socket.receive(within: Self.interval) else { continue }
      note(message, isSent: true)
      send(message)
    }
    if let (code, reason) = socket.closing { note(.close(code: code, reason: reason), isSent: true) }
    send(.close(code: socket.closing.map(\.code) ?? 1000, reason: socket.closing?.reason ?? ""))
    // The target replies, and then ends the connection.
    _ = ended.wait(timeout: .now() + 1)
    state.withLock(\.task)?.cancel()
  }

  private func send(_ message: WebSocketMessage) {
    if let frames = try? writer.frames(of: message) { connection.send(frames) }
  }

  private func note(_ message: WebSocketMessage, isSent: Bool) {
    state.withLock { state in
      state.notedSize += message.size
      state.isCut = state.isCut || state.notedSize > Self.sizeLimit || state.messages.count == Self.countLimit
      if state.isCut { return }
      state.messages.append(RelayedMessage(isSent: isSent, time: .now, message: message))
    }
  }
}

extension WebSocketMessage {
  fileprivate var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .data(let bytes), .ping(let bytes), .pong(let bytes): bytes.count
    case .close(_, let reason): reason.utf8.count
    }
  }
}

extension RelayedMessage {
  /// The message as Chromium writes it: binary data in base64, the time in seconds.
  var entry: Value {
    let (opcode, data): (Int, String) =
      switch message {
      case .text(let text): (1, text)
      case .data(let bytes): (2, base64Encoded(bytes))
      case .close(_, let reason): (8, reason)
      case .ping(let bytes): (9, base64Encoded(bytes))
      case .pong(let bytes): (10, base64Encoded(bytes))
      }
    let seconds = "\(time.seconds).\(padded(Int(time.nanoseconds / 1000), 6))"
    var members: [(String, Value)] = [
      ("type", .text(isSent ? "send" : "receive")), ("time", .number(Number(lexeme: seconds))),
      ("opcode", .integer(opcode)), ("data", .text(Text(data))),
    ]
    if case .close(let code?, _) = message { members.append(("_code", .integer(code))) }
    return .mapping(Mapping(members))
  }
}
