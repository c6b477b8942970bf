import DocumentQueries
import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Templates
import Values
import WebSocket

/// A WebSocket's side of a stream: its handshake, its messages, and the course of `send`.
extension StreamSink {
  /// The state of a WebSocket between its messages; it belongs to the transport's thread.
  struct Course {
    var handshake = WebSocketHandshake()
    /// The rest of `send`.
    var script: ArraySlice<MessageSpec> = []
    /// The conditions that `send` waits for; nil if it doesn't wait.
    var awaited: [ResolvedCondition]?
    /// Indicates whether what arrives is dropped, since the connection violates the protocol.
    var isBroken = false
    var receivedCount = 0
    /// The number of waits that were met.
    var waitCount = 0
    /// Indicates whether the run ends.
    var isCutShort = false
    /// The time at which the connection ends, once the conversation is over.
    var end: ContinuousClock.Instant?
    /// Indicates whether both ends have sent a close frame.
    var isClosedByBoth = false
    /// The close frame of the server.
    var closing: (code: Int?, reason: String)?
    /// The reason why the conversation failed.
    var problem: MessageProblem?
    /// Indicates whether an observer knows that it is open.
    var isAnnounced = false
    /// The course of a GraphQL subscription, once the server has chosen its protocol.
    var subscription: SubscriptionCourse?
  }

  /// Begins another connection: its request asks for a WebSocket.
  func beginConversation(_ request: OutgoingRequest, _ connection: UpgradedConnection) -> OutgoingRequest {
    let offered = request.headers.values("Sec-WebSocket-Protocol").flatMap { $0.split(separator: ",") }
    frames = WebSocketReader(as: .client)
    course = Course(
      handshake: WebSocketHandshake(
        subprotocols: stream.subprotocols
          + (stream.subscription == nil ? [] : SubscriptionCourse.Dialect.allCases.map(\.rawValue))
          + offered.map { String($0.filter { $0 != " " }) },
        extensions: request.headers.values("Sec-WebSocket-Extensions")),
      script: stream.messages[...], receivedCount: course.receivedCount)
    var request = request
    for (name, value) in course.handshake.headers { request.headers.set(name, value) }
    request.body = .upgrade(connection)
    return request
  }

  /// Returns whether the response opens the WebSocket; a 101 response that doesn't is a failure.
  func opensConversation(_ head: ResponseHead) -> Bool {
    do throws(WebSocketError) {
      let (subprotocol, compression) = try course.handshake.check { head.headers.values($0) }
      if compression != nil { frames = WebSocketReader(as: .client, decompresses: true) }
      conversation?.open(compression)
      guard let subscription = stream.subscription else { return true }
      guard let dialect = subprotocol.flatMap(SubscriptionCourse.Dialect.init) else {
        let known = SubscriptionCourse.Dialect.allCases.map(\.rawValue).joined(separator: " or ")
        failSubscription(
          "a server that speaks \(known)", subprotocol.map { "the subprotocol \($0)" } ?? "no subprotocol")
        conversation?.close(1002)
        return false
      }
      course.subscription = SubscriptionCourse(
        dialect, query: subscription.query.string, connection: subscription.connection?.string)
      return true
    } catch {
      fail(MessageProblem(error, "a WebSocket's handshake", at: stream.range))
      return false
    }
  }

  func receive(messages chunk: UnsafeRawBufferPointer) -> SinkDecision {
    if course.isBroken { return .more }
    if ending != nil, isOverdue() { return .stop }
    do throws(WebSocketError) {
      let isOpen = try frames.read(chunk) { receive($0) }
      return course.isCutShort || !isOpen && course.isClosedByBoth ? .stop : .more
    } catch {
      course.isBroken = true
      conversation?.close(error.closeCode)
      fail(MessageProblem(error, "messages of the WebSocket protocol", at: stream.range))
      return .more
    }
  }

  /// Ends the conversation unless a reason was noted before.
  func finish(_ reason: StreamEnd) {
    if end(reason) { close() }
  }

  /// Ends the subscription, if there is one, and the connection.
  private func close() {
    for text in course.subscription?.closing ?? [] { _ = conversation?.say(text) }
    conversation?.close(1000)
  }

  /// Ends the connection of a stream that has ended: a WebSocket's by a close frame.
  func hangUp(_ connection: Task<ConnectedStream, Never>) {
    if conversation?.close(1000) ?? true { connection.cancel() }
  }

  /// Notes how the connection ended.
  func endConversation() {
    conversation?.end()
    listSent()
  }

  /// Returns whether the connection ended within a message, which is a failure.
  func isCutWithinMessage() -> Bool {
    guard conversation != nil, ending == nil, frames.isWithinMessage else { return false }
    do throws(WebSocketError) {
      try frames.finish()
    } catch {
      course.problem = MessageProblem(error, "messages of the WebSocket protocol", at: stream.range)
    }
    return true
  }

  private func fail(_ problem: MessageProblem) {
    if ending == nil { course.problem = problem }
    finish(.failed)
  }

  /// Handles a message; returns whether more are wanted.
  private func receive(_ message: WebSocketMessage) -> Bool {
    let event = StreamEvent(message, isSent: false)
    exchange.collector.messages?.append(event)
    if case .text(let text) = message, course.subscription != nil {
      follow(text)
      return !course.isCutShort
    }
    observe(.message(event))
    switch message {
    case .text, .data: hear(event)
    case .ping(let bytes):
      conversation?.reply(to: bytes)
      // The events of a subscription are its payloads.
      if course.subscription == nil { hear(event) }
    case .pong: if course.subscription == nil { hear(event) }
    case .close(let code, let reason):
      let wasClosed = conversation?.close(code) ?? true
      if course.subscription != nil, ending == nil, let code, ![1000, 1001].contains(code) {
        failSubscription(
          "a subscription that the server completes", "the close code \(code)" + (reason.isEmpty ? "" : ": \(reason)"))
      }
      hear(event)
      course.closing = (code, reason)
      course.isClosedByBoth = wasClosed
    }
    return !course.isCutShort
  }

  /// Shows a part of the exchange to an observer.
  func observe(_ part: ExchangePart) { exchange.context.onExchange?(part, exchange.scope.registry) }

  /// Takes an event, unless the conversation is over.
  private func hear(_ event: StreamEvent) {
    if ending != nil { return }
    if ["text", "binary", "next"].contains(event.type) { course.receivedCount += 1 }
    listSent()
    if note(event) {
      follow(event)
      if ending == nil { _ = endsStream(event, number: course.receivedCount) }
    } else if ending == nil {
      course.isCutShort = true
    }
    if ending != nil { close() }
  }

  // MARK: GraphQL

  /// Goes on with a subscription.
  private func follow(_ text: String) {
    for step in course.subscription?.receive(text) ?? [] {
      switch step {
      case .send(let text):
        _ = conversation?.say(text)
        // Requests of `during` may cause the first result.
        beginDuring()
      case .event(let type, let payload):
        var event = StreamEvent(message: type, payload, isSent: false)
        event.isJSON = true
        observe(.message(event))
        hear(event)
      case .failure(let problem):
        failSubscription("a subscription by a protocol of GraphQL", problem)
      case .end:
        hear(StreamEvent(message: "complete", "", isSent: false))
        finish(.completed)
      }
    }
  }

  private func failSubscription(_ expected: String, _ actual: String) {
    fail(MessageProblem(expected, actual, of: "stream", at: stream.range))
  }

  /// Begins the conversation: with the first message of a subscription, else with `send`.
  func begin() {
    if let opening = course.subscription?.opening { _ = conversation?.say(opening) }
    proceed()
  }

  /// Returns whether a server that goes on sending had its time to reply to a close frame.
  private func isOverdue() -> Bool {
    let end = course.end ?? .now + StreamConnections.closingTime
    course.end = end
    return .now > end
  }

  // MARK: send

  /// Sends what follows until there is something to wait for.
  func proceed() {
    while let step = course.script.first {
      do throws(MessageProblem) {
        if case .until(let conditions, _) = step.content {
          course.awaited = try resolved(conditions)
          return
        }
        try conversation?.say(step, in: exchange.scope)
      } catch {
        return fail(error)
      }
      course.script.removeFirst()
    }
    listSent()
    if stream.endsWithScript { return finish(.scripted) }
    if course.subscription != nil { return }
    beginDuring()
    if !course.isAnnounced {
      course.isAnnounced = true
      observe(.opened(OpenConversation(self)))
    }
  }

  /// Begins the requests of `during`, or goes on with their messages.
  private func beginDuring() {
    conversation?.admit()
    opening.open(true)
  }

  /// Goes on with `send` if it waits for this message.
  private func follow(_ event: StreamEvent) {
    guard let awaited = course.awaited, let step = course.script.first, isMet(awaited, by: event) == true else {
      return
    }
    course.awaited = nil
    if case .until(_, let captures) = step.content {
      do throws(MessageProblem) {
        for capture in captures { try take(capture, from: event) }
      } catch {
        return fail(error)
      }
    }
    course.script.removeFirst()
    course.waitCount += 1
    proceed()
  }

  private func resolved(_ conditions: EventConditions) throws(MessageProblem) -> [ResolvedCondition] {
    do throws(TemplateError) {
      return try conditions.resolve(in: exchange.scope)
    } catch {
      throw MessageProblem(error, at: conditions.range)
    }
  }

  private func take(_ capture: MessageCapture, from event: StreamEvent) throws(MessageProblem) {
    do {
      let path = try capture.path.resolve(in: exchange.scope)
      let nodes = try path.nodes(in: JSONDocument(parsing: event.jsonText))
      let share = StorageBudget.Share(of: exchange.context.storage)
      try share.takeMemory(nodes.valueMemory)
      let values = nodes.map { exchange.scope.registry.filtered($0.value) }
      if let value = path.isSingular ? values.first : .list(values) {
        return exchange.scope.capture(capture.name, value, share: share)
      }
    } catch let error as TemplateError {
      throw MessageProblem(error, at: capture.range)
    } catch {
      throw MessageProblem("a value to capture from \(capture.path.text)", "\(error)", at: capture.range)
    }
    throw MessageProblem(
      "a value to capture from \(capture.path.text)", "nothing", of: "capture \(capture.name)", at: capture.range)
  }
}
