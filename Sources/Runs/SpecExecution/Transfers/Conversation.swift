import DocumentQueries
import HTTPSemantics
import RequestSpecs
import Synchronization
import Templates
import Values
import WebSocket

/// The client's end of a WebSocket's connections, one after another: what is sent, from any thread.
final class Conversation: Sendable {
  private struct State {
    var connection = UpgradedConnection()
    var writer = WebSocketWriter(as: .client)
    /// Indicates whether messages can be sent: the connection is open, and no close frame was sent.
    var isOpen = false
    /// Indicates whether `send` is done on this connection, so that messages of `during` follow.
    var isReady = false
    /// Open once that is so, or there is no further connection.
    var readiness = Latch()
    /// Indicates whether the spec has closed the conversation.
    var isClosedBySpec = false
    /// The messages sent since the events were listed.
    var unlisted: [StreamEvent] = []
    var sentCount = 0
    /// The reason why a message of `during` was not sent.
    var failure: AssertionReport?
    /// Open once a close frame is sent or received: the connection then ends soon.
    var closing = Latch()

    /// Ends sending on this connection.
    mutating func shut() {
      isOpen = false
      guard isReady else { return }
      (isReady, readiness) = (false, Latch())
    }
  }

  /// The maximum number of bytes that wait to be sent, above which pings have no reply.
  private static let waitingLimit = 1 << 20

  private let state = Mutex(State())
  private let log: MessageLog?

  /// - Parameter log: gets the messages that are sent.
  init(log: MessageLog?) { self.log = log }

  /// The number of bytes that wait to be sent.
  var waitingCount: Int { state.withLock { $0.connection.waitingCount } }

  var sentCount: Int { state.withLock { $0.sentCount } }
  var failure: AssertionReport? { state.withLock { $0.failure } }
  var isClosedBySpec: Bool { state.withLock { $0.isClosedBySpec } }

  /// Begins another connection.
  func begin() -> (connection: UpgradedConnection, closing: Latch) {
    state.withLock { state in
      state.shut()
      (state.connection, state.closing) = (UpgradedConnection(), Latch())
      return (state.connection, state.closing)
    }
  }

  /// - Parameter compression: that of messages, if the server has chosen one.
  func open(_ compression: MessageCompression?) {
    state.withLock { state in
      state.isOpen = true
      state.writer = WebSocketWriter(as: .client, compression: compression)
    }
  }

  /// Admits the messages of `during`, unless the connection is closed.
  func admit() {
    state.withLock { state in
      guard state.isOpen else { return }
      state.isReady = true
      state.readiness.open(true)
    }
  }

  /// Ends sending, since there is no connection any more.
  func end() { state.withLock { $0.shut() } }

  /// Ends the conversation: no other connection follows.
  func finish() {
    state.withLock { state in
      state.shut()
      state.readiness.open(false)
    }
  }

  func takeUnlisted() -> [StreamEvent] {
    state.withLock { state in
      defer { state.unlisted = [] }
      return state.unlisted
    }
  }

  // MARK: what the spec sends

  /// Sends a message of the spec, unless the connection is closed.
  func say(_ message: MessageSpec, in scope: FileScope) throws(MessageProblem) {
    if try !sends(message, in: scope) { throw MessageProblem(unsent: message) }
  }

  /// Sends a message of the spec; false if the connection is closed.
  ///
  /// - Parameter onceReady: whether not before the messages of `send`.
  private func sends(
    _ message: MessageSpec, in scope: FileScope, onceReady: Bool = false
  ) throws(MessageProblem) -> Bool {
    let resolved: (message: WebSocketMessage, event: StreamEvent)
    do throws(TemplateError) {
      resolved = try message.resolve(in: scope)
    } catch {
      throw MessageProblem(error, at: message.range)
    }
    let (writer, closing) = state.withLock { ($0.writer, $0.closing) }
    let frames: [UInt8]
    do throws(WebSocketError) {
      frames = try writer.frames(of: resolved.message)
    } catch {
      throw MessageProblem(error, "a message that can be sent", of: "stream send", at: message.range)
    }
    return state.withLock { state in
      // The frames are those of one connection.
      guard state.isOpen, state.closing === closing, state.isReady || !onceReady else { return false }
      state.connection.send(frames)
      log?.append(resolved.event)
      state.unlisted.append(resolved.event)
      state.sentCount += 1
      guard message.isClose else { return true }
      state.shut()
      state.isClosedBySpec = true
      state.closing.open(true)
      return true
    }
  }

  /// Sends a text message that is not the spec's; false if the connection is closed.
  func say(_ text: String) -> Bool {
    state.withLock { state in
      guard state.isOpen, let frames = try? state.writer.frames(of: .text(text)) else { return false }
      state.connection.send(frames)
      log?.append(StreamEvent(.text(text), isSent: true))
      return true
    }
  }

  /// Sends the messages that follow a request of `during`, until one can't be sent.
  func say(_ messages: [MessageSpec], in scope: FileScope) async {
    guard failure == nil else { return }
    do throws(MessageProblem) {
      for message in messages { try await sayOnceReady(message, in: scope) }
    } catch {
      let report = error.report(in: scope)
      state.withLock { $0.failure = report }
    }
  }

  /// Sends a message on this connection or, where one has ended, on the next.
  private func sayOnceReady(_ message: MessageSpec, in scope: FileScope) async throws(MessageProblem) {
    repeat {
      let readiness = state.withLock { $0.readiness }
      if await !readiness.wait() { throw MessageProblem(unsent: message) }
    } while try !sends(message, in: scope, onceReady: true)
  }

  // MARK: what the protocol demands

  /// Replies to a ping (RFC 6455, section 5.5.2).
  func reply(to payload: [UInt8]) {
    state.withLock { state in
      guard state.isOpen, state.connection.waitingCount < Conversation.waitingLimit,
        let frames = try? state.writer.frames(of: .pong(payload))
      else { return }
      state.connection.send(frames)
      log?.append(StreamEvent(.pong(payload), isSent: true))
    }
  }

  /// Closes the connection unless it is closed (RFC 6455, section 7.1.2).
  ///
  /// - Parameter code: nil for none, as in the reply to a close frame without one.
  /// - Returns: whether a close frame was sent before.
  @discardableResult func close(_ code: Int?) -> Bool {
    state.withLock { state in
      defer { state.closing.open(true) }
      guard state.isOpen else { return true }
      state.shut()
      if let frames = try? state.writer.frames(of: .close(code: code, reason: "")) { state.connection.send(frames) }
      log?.append(StreamEvent(.close(code: code, reason: ""), isSent: true))
      return false
    }
  }
}

/// The reason why a message of a spec could not be sent, or what it waits for is not there.
struct MessageProblem: Error {
  let subject: String
  let expected: String
  let actual: String
  var help: String?
  let range: SourceRange?

  init(
    _ expected: String, _ actual: String, help: String? = nil, of subject: String = "stream send",
    at range: SourceRange?
  ) {
    self.subject = subject
    (self.expected, self.actual, self.help, self.range) = (expected, actual, help, range)
  }

  init(unsent message: MessageSpec) {
    self.init("an open connection to send this on", "the conversation had ended", at: message.range)
  }

  init(_ error: WebSocketError, _ expected: String, of subject: String = "stream", at range: SourceRange) {
    self.init(expected, "\(error.message) (\(error.section))", of: subject, at: range)
  }

  init(_ error: TemplateError, at range: SourceRange) {
    self.init("a value for each template", "\(error.message)", help: error.help, at: error.range ?? range)
  }

  func report(in scope: FileScope) -> AssertionReport {
    AssertionReport(
      subject: subject, range: range?.firstLine, expected: expected,
      actual: shownLine(of: scope.registry.masked(message: actual)), hint: help)
  }
}

extension MessageSpec {
  /// The message, and its event.
  func resolve(
    in scope: FileScope
  ) throws(TemplateError) -> (message: WebSocketMessage, event: StreamEvent) {
    func text(_ text: Text) -> String {
      scope.registry.add(text)
      return text.string
    }
    let message: WebSocketMessage
    switch content {
    case .json(let value): message = .text(text(jsonBody(try value.resolve(in: scope), options: EncodingOptions())))
    case .text(let field): message = .text(text(try field.resolve(in: scope)))
    case .data(let field):
      // The event has the base64 as it is written, by which a secret in it is known.
      let base64 = text(try field.resolve(in: scope))
      return (.data(base64Decoded(base64) ?? []), StreamEvent(message: "binary", base64, isSent: true))
    case .ping(let field): message = .ping(Array(text(try field.resolve(in: scope)).utf8))
    case .close(let field, let reason):
      message = .close(code: try field.resolve(in: scope), reason: text(try reason?.resolve(in: scope) ?? Text("")))
    case .until: throw TemplateError("a wait is not sent", at: range)
    }
    return (message, StreamEvent(message, isSent: true))
  }
}
