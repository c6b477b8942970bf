import DemoServer
import Foundation
import Testing
import Values
import WebSocket

/// The rest of a conversation whose frames are all sent at once, until the server ends it.
private func converse(_ url: String, _ messages: [WebSocketMessage], subprotocols: [String] = []) async throws
  -> [WebSocketMessage]
{
  let handshake = WebSocketHandshake(subprotocols: subprotocols)
  let frames = try messages.flatMap { try WebSocketWriter(as: .client).frames(of: $0) }
  // A request without a length has no body: what follows are frames, which the server gets with the request.
  let response = try await send("GET", url, headers: handshake.headers.map { ($0.name, $0.value) }, body: frames)
  #expect(response.status == 101)
  _ = try handshake.check { name in response.header(name).map { [$0] } ?? [] }
  var reader = WebSocketReader(as: .client)
  var received: [WebSocketMessage] = []
  _ = try response.body.withUnsafeBytes { bytes in
    try reader.read(bytes) {
      received.append($0)
      return true
    }
  }
  return received
}

@Suite("The demo server's WebSockets")
struct WebSocketTests {
  private let bye = WebSocketMessage.close(code: 1000, reason: "bye")

  @Test("Messages are repeated, in fragments and with pings if wanted, until the client closes")
  func echo() async throws {
    let server = try DemoAPI.start()
    let sent: [WebSocketMessage] = [.text("H\u{E9}llo"), .data([0, 255]), .text("")]
    #expect(try await converse(server.address + "/websocket", sent + [bye]) == sent + [bye])
    let pieces = try await converse(server.address + "/websocket?piece=1&ping=p", sent + [bye])
    #expect(pieces == sent.flatMap { [.ping([0x70]), $0] } + [bye])
    #expect(try await converse(server.address + "/websocket", [.ping([7]), bye]) == [.pong([7]), bye])
    let large = WebSocketMessage.text(String(repeating: "x", count: 1 << 20))
    #expect(try await converse(server.address + "/websocket", [large, bye]) == [large, bye])
  }

  @Test("The server greets with a subprotocol, and closes with a wanted code")
  func closing() async throws {
    let server = try DemoAPI.start()
    let found = try await converse(
      server.address + "/websocket?close=4001&reason=enough&after=1", [.text("a"), .text("b")],
      subprotocols: ["soap", "rest"])
    #expect(
      found == [.text("{\"subprotocol\":\"soap\"}"), .text("a"), .close(code: 4001, reason: "enough")])
    let ticks = try await converse(server.address + "/websocket/ticks/2?interval=1", [])
    #expect(
      ticks == [
        .text("{\"number\":1,\"of\":2}"), .text("{\"number\":2,\"of\":2}"), .close(code: 1000, reason: "done"),
      ])
  }

  @Test("What is published is sent to all who listen")
  func topics() async throws {
    let server = try DemoAPI.start()
    async let listener = converse(server.address + "/websocket/topics/a", [.text("{\"n\": 1}"), .text("no")])
    let found = try await listener
    #expect(found == [.text("{\"n\":1}"), .close(code: 1008, reason: "not JSON, or more than a topic keeps")])
    let stored = try await send("POST", server.address + "/api/topics/a", json: "2")
    #expect(stored.value("id") == "2")
  }

  @Test("A wrong frame ends the conversation with its code")
  func violation() async throws {
    let server = try DemoAPI.start()
    let handshake = WebSocketHandshake()
    let headers = handshake.headers.map { ($0.name, $0.value) }
    let response = try await send("GET", server.address + "/websocket", headers: headers, body: [0x81, 1, 0x61])
    var reader = WebSocketReader(as: .client)
    _ = try response.body.withUnsafeBytes { bytes in
      try reader.read(bytes) {
        #expect($0 == .close(code: 1002, reason: "the client doesn't mask a frame"))
        return false
      }
    }
  }

  @Test("Requests that open no WebSocket are problems")
  func problems() async throws {
    let server = try DemoAPI.start()
    let plain = try await send("GET", server.address + "/websocket")
    #expect(plain.status == 426)
    #expect(plain.header("Upgrade") == "websocket")
    #expect(plain.header("Sec-WebSocket-Version") == "13")
    #expect(plain.value("detail") == "this endpoint is a WebSocket: there is no \"Upgrade: websocket\"")
    #expect(try await send("GET", server.address + "/websocket?close=1005").status == 400)
    #expect(try await send("GET", server.address + "/websocket/ticks/-1").status == 400)
  }

  @Test("Open WebSockets end with their server")
  func stopping() async throws {
    let server = try DemoAPI.start()
    async let found = converse(server.address + "/websocket", [.text("a")])
    try await Task.sleep(for: .milliseconds(50))
    server.stop()
    _ = try await found
  }
}
