import CurlTransport
import HTTPSemantics
import TestSupport
import Testing

/// The ends of HTTP/2 streams, which libcurl's result doesn't always show.
@Suite(
  .enabled(if: LibcurlTransport.features.contains { $0 == ("ends of HTTP/2 streams", true) }, "needs nghttp2"),
  .timeLimit(.minutes(10)))
struct CurlStreamTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var method = HTTPMethod.get
    /// The frames of the response, as in a fault script.
    let frames: [String]
    /// The body, if that is whole.
    var body: String?
    /// The end of the message otherwise.
    var details: String?
  }

  private static let head = #"\0\0\x01\x01\x04\0\0\0\x01\x88"#
  private static let part = #"\0\0\x04\0\0\0\0\0\x01part"#
  private static let reset = #"\0\0\x04\x03\0\0\0\0\x01\0\0\0\0"#
  private static let broken = "the server sent a frame that is not valid"

  static let rows = [
    Row(testDescription: "END_STREAM", frames: [head, #"\0\0\x04\0\x01\0\0\0\x01part"#], body: "part"),
    Row(testDescription: "an empty frame", frames: [head, part, #"\0\0\0\0\x01\0\0\0\x01"#], body: "part"),
    Row(testDescription: "trailers", frames: [head, part, #"\0\0\x05\x01\x05\0\0\0\x01\x10\x01x\x01y"#], body: "part"),
    Row(
      testDescription: "a reset behind the end", frames: [head, #"\0\0\x04\0\x01\0\0\0\x01part"#, reset], body: "part"),
    Row(testDescription: "no body", frames: [#"\0\0\x01\x01\x05\0\0\0\x01\x88"#], body: ""),
    Row(testDescription: "204 and a reset", frames: [#"\0\0\x01\x01\x04\0\0\0\x01\x89"#, reset], body: ""),
    Row(testDescription: "HEAD and a reset", method: .head, frames: [head, reset], body: ""),
    Row(
      testDescription: "a length and a reset", frames: [#"\0\0\x05\x01\x04\0\0\0\x01\x88\x0f\x0d\x014"#, part, reset],
      body: "part"),
    Row(testDescription: "a reset", frames: [head, part, reset], details: "the server reset the stream (NO_ERROR)"),
    Row(testDescription: "a large frame", frames: [head, part, #"\0\x4e\x20\0\0\0\0\0\x01z"#], details: broken),
    Row(testDescription: "wrong padding", frames: [head, part, #"\0\0\x03\0\x08\0\0\0\x01\xffab"#], details: broken),
    Row(testDescription: "CONTINUATION alone", frames: [head, part, #"\0\0\0\x09\x04\0\0\0\x01"#], details: broken),
    Row(testDescription: "SETTINGS of 3 bytes", frames: [head, part, #"\0\0\x03\x04\0\0\0\0\0abc"#], details: broken),
    Row(
      testDescription: "broken compression", frames: [head, part, #"\0\0\x04\x01\x04\0\0\0\x01\xff\xff\xff\xff"#],
      details: broken),
    Row(testDescription: "HTTP/1.1", frames: [head, part, #"HTTP/1.1 400 Bad Request\r\n\r\n"#], details: broken),
  ]

  @Test("A body without a length is whole if its stream ended", arguments: rows)
  func bodies(_ row: Row) async throws {
    let frames = [#"\0\0\0\x04\0\0\0\0\0"#] + row.frames
    let server = try FaultServer.start(
      frames.map { "send \"\($0)\"\nwait 100ms\n" }.joined() + "wait 500ms\nread\nclose")
    defer { server.stop() }
    var request = WireRequest(row.method, server, "/")
    request.options.httpVersion = .http2PriorKnowledge
    let sink = CollectingSink()
    let error = await LibcurlTransport().failure(request, into: sink)
    if let body = row.body {
      #expect(error == nil)
      #expect(sink.text == body)
    } else {
      #expect(error?.kind == .reset)
      #expect(
        error?.message == "the HTTP/2 stream broke before the whole body had come: \(row.details ?? "")")
    }
  }

  @Test(
    "A server that speaks HTTP/2 isn't said to lack it",
    arguments: [
      (#"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"#, "the HTTP/2 connection ended without a response"),
      (#"\0\0\x04\x03\0\0\0\0\x01\0\0\0\x07"#, "the server reset the HTTP/2 stream: REFUSED_STREAM"),
      (#"\0\0\x04\x03\0\0\0\0\x01\0\0\0\x08"#, "the server reset the HTTP/2 stream: CANCEL"),
      (#"\0\0\x04\x03\0\0\0\0\x01\0\0\0\x0d"#, "the server reset the HTTP/2 stream: HTTP_1_1_REQUIRED"),
    ])
  func causes(_ frame: String, _ message: String) async throws {
    let server = try FaultServer.start(
      """
      send "\\0\\0\\0\\x04\\0\\0\\0\\0\\0"
      wait 200ms
      send "\(frame)"
      hang
      /
      send "\\0\\0\\0\\x04\\0\\0\\0\\0\\0"
      close
      """)
    defer { server.stop() }
    var request = WireRequest(.get, server, "/")
    request.options.httpVersion = .http2PriorKnowledge
    let error = await LibcurlTransport().failure(request)
    #expect(error?.message == message)
    #expect(error?.help?.contains("http_version: 2") != true)
  }
}
