import LocalServer
import DocumentQueries
import Synchronization
import Values

/// Streams of events.
let eventRoutes: [Route] = [
  Route(
    "GET", "/events/{n}",
    "n server-sent events (at most 1000), one every ?interval= milliseconds (10), ?each= of them on a connection"
  ) { call in
    guard let count = call.integer("n", 0...1000) else {
      return .problem(400, "the number of events is from 0 to 1000, not \"\(call["n"])\"")
    }
    let interval = Duration.milliseconds(min(10_000, call.number("interval") ?? 10))
    let seen = min(count, call.lastEventNumber ?? 0)
    let last = call.number("each").map { min(count, seen + Int(min($0, 1000))) } ?? count
    // After the last event, 204 asks the client not to reconnect (WHATWG HTML, section 9.2.3).
    if seen == count { return ServerResponse(status: 204) }
    let position = Mutex(seen)
    return .events { isFirst in
      position.withLock { number in
        guard number < last else { return .end }
        number += 1
        let data = Value.object([("number", .integer(number)), ("of", .integer(count))]).jsonText().string
        let event = Array("\(isFirst ? "retry: 10\n" : "")event: tick\nid: \(number)\ndata: \(data)\n\n".utf8)
        return isFirst ? .bytes(event) : .bytesAfter(interval, event)
      }
    }
  },
  Route("GET", "/api/topics/{topic}", "What is published there, as server-sent events, until the client has enough") {
    call in
    let topic = call["topic"]
    let state = call.state
    let position = Mutex(
      (next: call.lastEventNumber ?? state.messages(of: topic).count, silence: Duration.zero))
    return .events { isFirst in
      position.withLock { position in
        let messages = state.messages(of: topic)
        guard position.next < messages.count else {
          position.silence += topicInterval
          // Writing to it detects a connection that was closed meanwhile.
          guard isFirst || position.silence >= .seconds(1) else { return .wait(topicInterval) }
          position.silence = .zero
          return .bytes(Array(": listening\n\n".utf8))
        }
        let message = messages[position.next]
        position = (position.next + 1, .zero)
        return .bytes(Array("event: published\nid: \(position.next)\ndata: \(message)\n\n".utf8))
      }
    }
  },
  Route("POST", "/api/topics/{topic}", "Publishes a JSON body to the topic's listeners") { call in
    guard let message = call.request.jsonBody?.jsonText().string else { return .problem(400, "the body is not JSON") }
    let topic = call["topic"]
    guard let count = call.state.publish(message, to: topic) else {
      return .problem(
        507, "a topic keeps at most \(topicLimit) messages, and all topics together \(topicSizeLimit) bytes")
    }
    return .json(.object([("id", .integer(count)), ("topic", .text(topic))]), status: 202)
  },
]

/// The interval at which a listener checks for new messages.
let topicInterval = Duration.milliseconds(10)
private let topicLimit = 1000
private let topicSizeLimit = 16 << 20

extension DemoState {
  /// The messages that were published to a topic.
  func messages(of topic: String) -> [String] { withContents { $0.topics[topic] ?? [] } }

  /// Publishes a message, and returns the number of those of its topic; nil if it is too much to keep.
  func publish(_ message: String, to topic: String) -> Int? {
    withContents { contents in
      let size = topic.utf8.count + message.utf8.count
      guard contents.topics[topic, default: []].count < topicLimit, contents.topicSize + size <= topicSizeLimit else {
        return nil
      }
      contents.topicSize += size
      contents.topics[topic, default: []].append(message)
      return contents.topics[topic]?.count
    }
  }
}

extension RouteCall {
  /// The number of the last event that the client received; nil if it sends none, or no number.
  fileprivate var lastEventNumber: Int? {
    request.header("Last-Event-ID").flatMap { Int($0) }.map { max(0, $0) }
  }

  /// A non-negative number among the query's parameters; nil if it isn't one.
  func number(_ name: String) -> Int64? {
    request.parameter(name).flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}

extension ServerResponse {
  /// - Parameter next: returns the next piece; called again after each.
  fileprivate static func events(_ next: @escaping @Sendable (_ isFirst: Bool) -> LivePiece) -> ServerResponse {
    ServerResponse(
      headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")], body: .live(next))
  }
}
