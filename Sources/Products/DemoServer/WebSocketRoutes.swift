import DocumentQueries
import LocalServer
import Values
import WebSocket

/// WebSockets (RFC 6455), with the first subprotocol that the client offers.
let webSocketRoutes: [Route] = [
  Route(
    "GET", "/websocket",
    "A WebSocket that repeats messages: in frames of ?piece= bytes, each after a ping with ?ping=,"
      + " and after ?after= messages (0) closes with ?close=CODE and ?reason="
  ) { call in
    let piece = max(1, Int(clamping: call.number("piece") ?? .max))
    let code = call.number("close").map { Int(clamping: $0) }
    let reason = call.request.parameter("reason") ?? ""
    if let code, !isSendable(closeCode: code) || reason.utf8.count > 100 {
      return .problem(400, "a close frame can't have the code \(code), or has a reason of more than 100 bytes")
    }
    let last = call.number("after") ?? 0
    let ping = call.request.parameter("ping").map { Array($0.utf8.prefix(100)) }
    return .webSocket(call.request) { socket, subprotocol in
      if let subprotocol {
        socket.send(.text(Value.object([("subprotocol", .text(subprotocol))]).jsonText().string))
      }
      var count: Int64 = 0
      while socket.isOpen {
        if let code, count >= last { return socket.close(code, reason) }
        guard let message = socket.receive() else { return }
        if case .pong = message { continue }
        if let ping { socket.send(.ping(ping)) }
        socket.send(message, pieceSize: piece)
        count += 1
      }
    }
  },
  Route(
    "GET", "/websocket/ticks/{n}",
    "A WebSocket with n JSON messages (at most 1000), one every ?interval= milliseconds (10), that then closes"
  ) { call in
    guard let count = call.integer("n", 0...1000) else {
      return .problem(400, "the number of messages is from 0 to 1000, not \"\(call["n"])\"")
    }
    let interval = Duration.milliseconds(min(10_000, call.number("interval") ?? 10))
    return .webSocket(call.request) { socket, _ in
      for number in 0..<count {
        if number > 0 { socket.rest(interval) }
        let tick = Value.object([("number", .integer(number + 1)), ("of", .integer(count))])
        socket.send(.text(tick.jsonText().string))
      }
      socket.close(1000, "done")
    }
  },
  Route(
    "GET", "/websocket/topics/{topic}",
    "A WebSocket with what is published at /api/topics/{topic}; its text messages that are JSON are published there"
  ) { call in
    let (topic, state) = (call["topic"], call.state)
    let first = state.messages(of: topic).count
    return .webSocket(call.request) { socket, _ in
      var next = first
      while socket.isOpen {
        if case .text(let text) = socket.receive(within: topicInterval) {
          guard let message = try? JSONDocument(parsing: Array(text.utf8)).root.value.jsonText().string,
            state.publish(message, to: topic) != nil
          else {
            return socket.close(1008, "not JSON, or more than a topic keeps")
          }
        }
        for message in state.messages(of: topic)[next...] {
          socket.send(.text(message))
          next += 1
        }
      }
    }
  },
  Route(
    "GET", "/websocket/graphql",
    "A WebSocket for a GraphQL subscription, which counts to the variable `to`, by graphql-transport-ws, or"
      + " ?protocol=graphql-ws"
  ) { call in
    let wanted = call.request.parameter("protocol") ?? "graphql-transport-ws"
    return .webSocket(call.request, choosing: { $0.contains(wanted) ? wanted : $0.first }) { socket, subprotocol in
      let isOlder = subprotocol == "graphql-ws"
      while case .text(let text)? = socket.receive() {
        guard let message = (try? JSONDocument(parsing: Array(text.utf8)))?.root else { return socket.close(4400) }
        let payload = message[member: "payload"]
        switch message[member: "type"]?.string {
        case "connection_init":
          if payload?[member: "token"]?.string == "wrong" { return socket.close(4403, "Forbidden") }
          socket.send(.text("{\"type\":\"connection_ack\"}"))
        case "subscribe", "start":
          let id = message[member: "id"]?.string ?? ""
          let query = payload?[member: "query"]?.string ?? ""
          let last = payload?[member: "variables"]?[member: "to"].flatMap { Int($0.string) } ?? 3
          subscribe(socket, id, query, to: min(last, 1000), type: isOlder ? "data" : "next")
        case "ping": socket.send(.text("{\"type\":\"pong\"}"))
        case "connection_terminate": return socket.close(1000)
        default: break
        }
      }
    }
  },
]

/// Sends the results of a subscription, or the error of one that asks for it.
private func subscribe(_ socket: ServerWebSocket, _ id: String, _ query: String, to last: Int, type: String) {
  func send(_ type: String, _ payload: Value?) {
    let members = [("id", Value.text(id)), ("type", .text(type))] + (payload.map { [("payload", $0)] } ?? [])
    socket.send(.text(Value.object(members).jsonText().string))
  }
  if query.contains("fail") {
    let place = Value.object([("line", .integer(1)), ("column", .integer(16))])
    let problem = Value.object([("message", .text("Cannot query field \"fail\".")), ("locations", .list([place]))])
    return send("error", .list([problem]))
  }
  for number in 0..<max(0, last) {
    send(type, .object([("data", .object([("count", .integer(number + 1))]))]))
  }
  send("complete", nil)
}
