import Dispatch
import HTTPSemantics
import LocalServer
import SpecExecution
import Synchronization
import WebSocket

/// Passes the messages of a WebSocket on in both directions, or the response of a target that opens none.
final class WebSocketRelay: ResponseSink, Sendable {
  private struct State {
    var response: ReceivedResponse?
    var respond: (@Sendable (ServerResponse) -> Void)?
    var reader = WebSocketReader(as: .client)
    /// The target's messages that the client has not got yet, and their size.
    var arrived: [WebSocketMessage] = []
    var waitingSize = 0
    var messages: [ReportedMessage] = []
    var notedSize = 0
    var isCut = false
    var isEnded = false
    var task: Task<Void, Never>?
  }

  /// The bytes that wait for a slow client, and those of a response that opens no WebSocket.
  private static let sizeLimit = 16 << 20
  /// The number of messages that are kept for observers; their bytes have the limit above.
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
  var messages: [ReportedMessage] { state.withLock(\.messages) }

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
    let message = ReportedMessage(message, isSent: isSent)
    state.withLock { state in
      state.notedSize += message.size
      state.isCut = state.isCut || state.notedSize > Self.sizeLimit || state.messages.count == Self.countLimit
      if state.isCut { return }
      state.messages.append(message)
    }
  }
}

extension ReportedMessage {
  /// A message as a whole, at this moment.
  fileprivate init(_ message: WebSocketMessage, isSent: Bool) {
    func whole(_ kind: Kind, _ text: String, code: Int? = nil) -> ReportedMessage {
      var result = ReportedMessage(time: .now, isSent: isSent, kind: kind, size: text.utf8.count)
      (result.text, result.code) = (text, code)
      return result
    }
    func whole(_ kind: Kind, _ bytes: [UInt8]) -> ReportedMessage {
      var result = ReportedMessage(time: .now, isSent: isSent, kind: kind, size: bytes.count)
      result.bytes = bytes
      return result
    }
    self =
      switch message {
      case .text(let text): whole(.text, text)
      case .data(let bytes): whole(.binary, bytes)
      case .ping(let bytes): whole(.ping, bytes)
      case .pong(let bytes): whole(.pong, bytes)
      case .close(let code, let reason): whole(.close, reason, code: code)
      }
  }
}
