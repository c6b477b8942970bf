import Testing
import WebSocket

@Suite("Frames that are written")
struct WebSocketWriterTests {
  @Test(
    "Every length is written in its shortest form, and read by the other end",
    arguments: [
      (0, 2), (1, 2), (125, 2), (126, 4), (127, 4), (65_535, 4), (65_536, 10), (1 << 20, 10),
    ], [WebSocketRole.client, .server])
  func lengths(_ example: (count: Int, head: Int), _ role: WebSocketRole) throws {
    let message = WebSocketMessage.data((0..<example.count).map { UInt8(truncatingIfNeeded: $0) })
    let bytes = try WebSocketWriter(as: role).frames(of: message)
    #expect(bytes.count == example.count + example.head + (role == .client ? 4 : 0))
    var reader = WebSocketReader(as: role == .client ? .server : .client)
    #expect(try messages(bytes, &reader, size: 1000) == [message])
  }

  @Test(
    "Control frames and texts are read as they were written",
    arguments: [
      .text("Zo\u{EB} \u{1F600}"), .ping([1, 2]), .pong([]), .close(code: 4000, reason: "over"),
      .close(code: nil, reason: ""),
    ] as [WebSocketMessage])
  func others(_ message: WebSocketMessage) throws {
    for (writer, reader) in [(WebSocketRole.client, WebSocketRole.server), (.server, .client)] {
      var reader = WebSocketReader(as: reader)
      #expect(try messages(WebSocketWriter(as: writer).frames(of: message), &reader) == [message])
    }
  }

  @Test("A message in fragments is the same message")
  func fragments() throws {
    let writer = WebSocketWriter(as: .server)
    let bytes = try writer.frames(of: .text("H\u{E9}llo"), pieceSize: 2)
    #expect(bytes == frame(0x01, [0x48, 0xC3]) + frame(0x00, [0xA9, 0x6C]) + frame(0x80, "lo"))
    #expect(try writer.frames(of: .text(""), pieceSize: 2) == frame(0x81))
    var reader = WebSocketReader(as: .client)
    #expect(try messages(bytes, &reader) == [.text("H\u{E9}llo")])
  }

  @Test("Each frame of a client has a mask of its own")
  func masks() throws {
    let writer = WebSocketWriter(as: .client)
    let masks = try Set((0..<100).map { _ in try Array(writer.frames(of: .text("x"))[2..<6]) })
    #expect(masks.count > 95)
  }

  @Test(
    "Frames that RFC 6455 forbids are not written",
    arguments: [
      (.ping([UInt8](repeating: 0, count: 126)), "a ping frame has more than 125 bytes"),
      (.pong([UInt8](repeating: 0, count: 126)), "a pong frame has more than 125 bytes"),
      (
        .close(code: 1000, reason: String(repeating: "x", count: 124)),
        "a close frame has more than 125 bytes"
      ),
      (.close(code: 1006, reason: ""), "a close frame has the code 1006, which can't be sent"),
      (.close(code: -1, reason: ""), "a close frame has the code -1, which can't be sent"),
      (.close(code: 70_000, reason: ""), "a close frame has the code 70000, which can't be sent"),
    ] as [(WebSocketMessage, String)])
  func forbidden(_ message: WebSocketMessage, _ problem: String) {
    let error = #expect(throws: WebSocketError.self) { try WebSocketWriter(as: .client).frames(of: message) }
    #expect(error?.message == problem)
  }
}
