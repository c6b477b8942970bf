import Testing
import Values
import WebSocket

/// The values of the lines of a header among these.
private func values(_ headers: [(name: String, value: String)]) -> (String) -> [String] {
  { name in headers.filter { equalsIgnoringCase($0.name, name) }.map(\.value) }
}

/// A change of a correct response, and the message for it.
private struct ResponseCase: Sendable, CustomTestStringConvertible {
  let name: String
  let header: String
  let lines: [String]
  let problem: String?

  var testDescription: String { name }
}

private let responseCases = [
  ResponseCase(name: "other case", header: "Upgrade", lines: ["WebSocket"], problem: nil),
  ResponseCase(name: "one of a list", header: "Connection", lines: ["keep-alive", "a, UPGRADE"], problem: nil),
  ResponseCase(
    name: "no upgrade", header: "Upgrade", lines: [], problem: "the 101 response has no \"Upgrade: websocket\""),
  ResponseCase(
    name: "another protocol", header: "Upgrade", lines: ["h2c"],
    problem: "the 101 response has no \"Upgrade: websocket\""),
  ResponseCase(
    name: "another connection", header: "Connection", lines: ["close"],
    problem: "the 101 response has no \"Connection: Upgrade\""),
  ResponseCase(
    name: "no accept key", header: "Sec-WebSocket-Accept", lines: [],
    problem: "the 101 response has no \"Sec-WebSocket-Accept\""),
  ResponseCase(
    name: "the accept key of another key", header: "Sec-WebSocket-Accept", lines: ["s3pPLMBiTxaQ9kYGzzhZRbK+xOo="],
    problem: "\"Sec-WebSocket-Accept\" doesn't belong to the key of the request"),
  ResponseCase(
    name: "an extension", header: "Sec-WebSocket-Extensions", lines: ["x-other; a=1"],
    problem: "the server uses the extension x-other, which isn't offered"),
  ResponseCase(name: "an offered subprotocol", header: "Sec-WebSocket-Protocol", lines: [" b "], problem: nil),
  ResponseCase(
    name: "another subprotocol", header: "Sec-WebSocket-Protocol", lines: ["c"],
    problem: "the server chooses the subprotocol c, but offered: a, b"),
  ResponseCase(
    name: "two subprotocols", header: "Sec-WebSocket-Protocol", lines: ["a", "b"],
    problem: "the server chooses the subprotocol a, b, but offered: a, b"),
]

@Suite("Handshakes of WebSockets")
struct WebSocketHandshakeTests {
  @Test("A server's response is the one that the client expects")
  func agreement() throws {
    let handshake = WebSocketHandshake(subprotocols: ["a", "b"])
    #expect(base64Decoded(handshake.key)?.count == 16)
    #expect(handshake.key != WebSocketHandshake().key)
    let request = try WebSocketRequest(method: "GET", values(handshake.headers))
    #expect(request.subprotocols == ["a", "b"])
    #expect(try handshake.check(values(request.responseHeaders(subprotocol: "b"))).subprotocol == "b")
    #expect(try handshake.check(values(request.responseHeaders(subprotocol: nil))).subprotocol == nil)
  }

  @Test("The accept key is that of RFC 6455, section 1.3")
  func acceptKey() throws {
    let request = try WebSocketRequest(
      method: "GET",
      values([
        ("upgrade", "websocket"), ("connection", "Upgrade"), ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
      ]))
    let accept = request.responseHeaders(subprotocol: nil).first { $0.name == "Sec-WebSocket-Accept" }
    #expect(accept?.value == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test("A response is checked by RFC 6455, section 4.1", arguments: responseCases)
  private func response(_ example: ResponseCase) throws {
    let handshake = WebSocketHandshake(subprotocols: ["a", "b"])
    let request = try WebSocketRequest(method: "GET", values(handshake.headers))
    var headers = request.responseHeaders(subprotocol: nil).filter { $0.name != example.header }
    headers += example.lines.map { (example.header, $0) }
    do throws(WebSocketError) {
      _ = try handshake.check(values(headers))
      #expect(example.problem == nil)
    } catch {
      #expect(error.message == example.problem)
      #expect(error.section == "RFC 6455, section 4.1")
    }
  }

  @Test("A subprotocol that nobody has offered is named")
  func unasked() throws {
    let handshake = WebSocketHandshake()
    let request = try WebSocketRequest(method: "GET", values(handshake.headers))
    let error = #expect(throws: WebSocketError.self) {
      try handshake.check(values(request.responseHeaders(subprotocol: "soap")))
    }
    #expect(error?.message == "the server chooses the subprotocol soap, but none is offered")
  }

  @Test(
    "A request is checked by RFC 6455, section 4.2.1",
    arguments: [
      ("GET", "Upgrade", "h2c", "there is no \"Upgrade: websocket\""),
      ("GET", "Connection", "close", "there is no \"Connection: Upgrade\""),
      ("GET", "Sec-WebSocket-Version", "8", "\"Sec-WebSocket-Version\" is not 13"),
      ("GET", "Sec-WebSocket-Key", "AAAA", "\"Sec-WebSocket-Key\" is not 16 bytes in base64"),
      ("POST", "X", "", "the method is POST, not GET"),
    ])
  func request(_ method: String, _ header: String, _ value: String, _ problem: String) {
    let headers = WebSocketHandshake().headers.filter { $0.name != header } + [(header, value)]
    let error = #expect(throws: WebSocketError.self) { try WebSocketRequest(method: method, values(headers)) }
    #expect(error?.message == problem)
  }
}
