import Testing
import TestSupport
import WebSocket

/// The compression that a client with an offer and its server agree on.
private func agreed(_ offer: String, _ response: String? = nil) throws -> MessageCompression? {
  let handshake = WebSocketHandshake(extensions: [offer])
  let sent = handshake.headers + [("Sec-WebSocket-Extensions", offer)]
  let request = try WebSocketRequest(method: "GET") { name in sent.filter { $0.name == name }.map(\.value) }
  var received = request.responseHeaders(subprotocol: nil)
  if let response {
    received.removeAll { $0.name == "Sec-WebSocket-Extensions" }
    received.append(("Sec-WebSocket-Extensions", response))
  }
  return try handshake.check { name in received.filter { $0.name == name }.map(\.value) }.compression
}

@Suite("Compressed messages of WebSockets")
struct MessageCompressionTests {
  @Test(
    "Responses that fit the offer are accepted",
    arguments: [
      ("permessage-deflate", "permessage-deflate"),
      ("permessage-deflate", "Permessage-Deflate; server_no_context_takeover; client_no_context_takeover"),
      ("permessage-deflate", "permessage-deflate; server_max_window_bits=\"8\""),
      ("permessage-deflate; client_max_window_bits", "permessage-deflate; client_max_window_bits=9"),
      ("permessage-deflate; server_max_window_bits=10", "permessage-deflate ;server_max_window_bits = 9"),
      (
        "permessage-deflate; server_no_context_takeover, permessage-deflate; client_max_window_bits=12",
        "permessage-deflate; client_max_window_bits=12"
      ),
      ("x-other, permessage-deflate", "permessage-deflate"),
    ])
  func accepted(_ offer: String, _ response: String) throws {
    #expect(try agreed(offer, response) != nil)
  }

  @Test(
    "Other responses are refused, with the reason",
    arguments: [
      ("x-other", "permessage-deflate", "the server uses the extension permessage-deflate, which isn't offered"),
      ("x-other", "x-other; a=1", "the server uses the extension x-other, which is not supported"),
      ("permessage-deflate", "permessage-deflate; client_max_window_bits=15", nil),
      ("permessage-deflate; client_max_window_bits", "permessage-deflate; client_max_window_bits", nil),
      ("permessage-deflate; client_max_window_bits=10", "permessage-deflate; client_max_window_bits=11", nil),
      ("permessage-deflate; server_max_window_bits=10", "permessage-deflate", nil),
      ("permessage-deflate; server_max_window_bits=10", "permessage-deflate; server_max_window_bits=11", nil),
      ("permessage-deflate; server_no_context_takeover", "permessage-deflate", nil),
      ("permessage-deflate", "permessage-deflate; server_no_context_takeover=1", nil),
      ("permessage-deflate", "permessage-deflate; server_max_window_bits", nil),
      ("permessage-deflate", "permessage-deflate; server_max_window_bits=7", nil),
      ("permessage-deflate", "permessage-deflate; server_max_window_bits=16", nil),
      ("permessage-deflate", "permessage-deflate; server_max_window_bits=08", nil),
      ("permessage-deflate", "permessage-deflate; server_no_context_takeover; server_no_context_takeover", nil),
      ("permessage-deflate", "permessage-deflate; unknown", nil),
      ("permessage-deflate", "permessage-deflate;", nil),
      ("permessage-deflate", "permessage-deflate, permessage-deflate", nil),
      ("permessage-deflate; wrong", "permessage-deflate", nil),
    ] as [(String, String, String?)])
  func refused(_ offer: String, _ response: String, _ problem: String?) {
    let error = #expect(throws: WebSocketError.self) { try agreed(offer, response) }
    #expect(error?.message == problem ?? "the server chooses \(response), which doesn't fit the offer")
    if problem == nil { #expect(error?.section == "RFC 7692, section 7.1") }
  }

  @Test(
    "A server accepts the first offer that it understands",
    arguments: [
      ("permessage-deflate", true), ("permessage-deflate; client_max_window_bits; client_no_context_takeover", true),
      ("permessage-deflate; wrong, permessage-deflate; server_no_context_takeover; server_max_window_bits=9", true),
      ("permessage-deflate; server_max_window_bits=8", true), ("x-other", false), ("", false),
      ("permessage-deflate; server_max_window_bits", false), ("permessage-deflate; wrong", false),
    ])
  func server(_ offer: String, _ isAccepted: Bool) throws {
    #expect(try (agreed(offer) != nil) == isAccepted)
  }

  @Test(
    "What is written with any window is read again, and what doesn't become shorter is sent as it is", arguments: 8...15
  )
  func roundTrip(_ bits: Int) throws {
    let offer = "permessage-deflate; client_max_window_bits"
    let compression = try #require(try agreed(offer, "permessage-deflate; client_max_window_bits=\(bits)"))
    let text = String(repeating: "hello \u{1F600} ", count: 5000)
    let noise = WebSocketMessage.data((0..<1000).map { _ in UInt8.random(in: 0...255) })
    for role in [WebSocketRole.client, .server] {
      let writer = WebSocketWriter(as: role, compression: compression)
      var reader = WebSocketReader(as: role == .client ? .server : .client, decompresses: true)
      for message in [.text(text), .text(""), noise, .text(text), .ping([1]), .data([7])] as [WebSocketMessage] {
        let bytes = try writer.frames(of: message, pieceSize: 100)
        #expect(try messages(bytes, &reader, size: 77) == [message])
      }
      let isShort = try writer.frames(of: .text(text)).count < 5000
      #expect(isShort == (bits > 8))
      #expect(try writer.frames(of: noise)[0] == 0x82)
    }
  }

  @Test("A small message that becomes a large one is an error at the limit")
  func bomb() throws {
    let compression = try #require(try agreed("permessage-deflate"))
    let bytes = try WebSocketWriter(as: .server, compression: compression).frames(
      of: .data([UInt8](repeating: 0, count: 64 << 20)))
    #expect(bytes.count < 100_000)
    var reader = WebSocketReader(as: .client, decompresses: true)
    let error = #expect(throws: WebSocketError.self) { try messages(bytes, &reader, size: 4096) }
    #expect(error?.message == "a message has more than 16777216 bytes")
    #expect(error?.closeCode == 1009)
    reader = WebSocketReader(as: .client, limit: 64 << 20, decompresses: true)
    #expect(try messages(bytes, &reader).count == 1)
  }

  @Test("A message at the limit may be longer while it is compressed")
  func stored() throws {
    let data = [UInt8](repeating: 7, count: 1000)
    let block = [0x00, 0xE8, 0x03, 0x17, 0xFC] + data + [0x00]
    let frame = [0xC2, 126, UInt8(block.count >> 8), UInt8(block.count & 0xFF)] + block
    var reader = WebSocketReader(as: .client, limit: 1000, decompresses: true)
    #expect(try messages(frame, &reader) == [.data(data)])
    reader = WebSocketReader(as: .client, limit: 999, decompresses: true)
    #expect(throws: WebSocketError.self) { try messages(frame, &reader) }
  }

  @Test(
    "Many tiny compressed frames take time by their number alone",
    arguments: [
      ("messages", [0xC1, 1, 0], []), ("last blocks", [0x00, 2, 3, 0], [0x41, 0]),
      ("empty blocks", [0x00, 5, 0, 0, 0, 0xFF, 0xFF], [0x41, 0]),
    ] as [(String, [UInt8], [UInt8])])
  func linearity(_ name: String, _ frame: [UInt8], _ start: [UInt8]) throws {
    let growth = try growth(to: 100_000) { count in
      var reader = WebSocketReader(as: .client, decompresses: true)
      _ = try messages(start + Array(repeatElement(frame, count: count).joined()), &reader, size: 4096)
    }
    #expect(growth < 1.5)
  }
}
