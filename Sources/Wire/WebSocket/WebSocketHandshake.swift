import Cryptography
import Values

/// The request by which a client opens a WebSocket, and the check of the response (RFC 6455, section 4.1).
package struct WebSocketHandshake: Sendable {
  /// The value of `Sec-WebSocket-Key`.
  package let key: String
  /// The subprotocols that the client offers, the preferred one first.
  package let subprotocols: [String]
  /// The values of `Sec-WebSocket-Extensions`.
  private let extensions: [String]

  package init(subprotocols: [String] = [], extensions: [String] = []) {
    self.extensions = extensions
    key = base64Encoded((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    self.subprotocols = subprotocols
  }

  /// The headers of the request, but for extensions; those of its origin and of its credentials are those of any other.
  package var headers: [(name: String, value: String)] {
    var headers = [
      (name: "Upgrade", value: "websocket"), (name: "Connection", value: "Upgrade"),
      (name: "Sec-WebSocket-Key", value: key), (name: "Sec-WebSocket-Version", value: "13"),
    ]
    if !subprotocols.isEmpty {
      headers.append(("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", ")))
    }
    return headers
  }

  /// Checks a 101 response, and returns what the server has chosen.
  ///
  /// - Parameter values: the values of the lines of a header.
  package func check(
    _ values: (_ name: String) -> [String]
  ) throws(WebSocketError) -> (subprotocol: String?, compression: MessageCompression?) {
    if !hasToken("websocket", values("Upgrade")) {
      throw .handshake("the 101 response has no \"Upgrade: websocket\"", "4.1")
    }
    if !hasToken("upgrade", values("Connection")) {
      throw .handshake("the 101 response has no \"Connection: Upgrade\"", "4.1")
    }
    guard let accept = values("Sec-WebSocket-Accept").first else {
      throw .handshake("the 101 response has no \"Sec-WebSocket-Accept\"", "4.1")
    }
    if trimmingBlanks(accept[...]) != acceptValue(key) {
      throw .handshake("\"Sec-WebSocket-Accept\" doesn't belong to the key of the request", "4.1")
    }
    let compression = try compression(in: values("Sec-WebSocket-Extensions"))
    let chosen = values("Sec-WebSocket-Protocol").map { trimmingBlanks($0[...]) }
    guard let subprotocol = chosen.first else { return (nil, compression) }
    if chosen.count > 1 || !subprotocols.contains(subprotocol) {
      let offered = subprotocols.isEmpty ? "none is offered" : "offered: \(subprotocols.joined(separator: ", "))"
      throw .handshake("the server chooses the subprotocol \(chosen.joined(separator: ", ")), but \(offered)", "4.1")
    }
    return (subprotocol, compression)
  }

  /// The compression that the server has chosen; nil for none.
  private func compression(in lines: [String]) throws(WebSocketError) -> MessageCompression? {
    let chosen = ExtensionElement.list(lines)
    guard let first = chosen.first else { return nil }
    let offers = ExtensionElement.list(extensions)
    if let foreign = chosen.first(where: { element in !offers.contains { $0.name == element.name } }) {
      throw .handshake("the server uses the extension \(foreign.name), which isn't offered", "4.1")
    }
    if let unknown = chosen.first(where: { $0.name != MessageCompression.name }) {
      throw .handshake("the server uses the extension \(unknown.name), which is not supported", "9.1")
    }
    guard chosen.count == 1, let parameters = DeflateParameters(first),
      offers.compactMap({ DeflateParameters($0) }).contains(where: { parameters.isResponse(to: $0) })
    else { throw .compressionMismatch(lines.joined(separator: ", ")) }
    return MessageCompression(windowBits: parameters.clientBits ?? 15)
  }
}

/// A request for a WebSocket as a server reads it (RFC 6455, section 4.2.1).
package struct WebSocketRequest: Sendable {
  package let key: String
  /// The subprotocols that the client offers, the preferred one first.
  package let subprotocols: [String]
  /// The compression of messages; nil if none is offered that this server has.
  package let compression: MessageCompression?
  /// The parameters of the compression.
  private let parameters: DeflateParameters?

  /// Returns whether a request asks for a WebSocket, however wrongly.
  package static func isUpgrade(_ values: (_ name: String) -> [String]) -> Bool {
    hasToken("websocket", values("Upgrade"))
  }

  /// - Parameter values: the values of the lines of a header.
  package init(method: String, _ values: (_ name: String) -> [String]) throws(WebSocketError) {
    if method != "GET" { throw .handshake("the method is \(method), not GET", "4.1") }
    if !hasToken("websocket", values("Upgrade")) { throw .handshake("there is no \"Upgrade: websocket\"", "4.2.1") }
    if !hasToken("upgrade", values("Connection")) { throw .handshake("there is no \"Connection: Upgrade\"", "4.2.1") }
    if values("Sec-WebSocket-Version").map({ trimmingBlanks($0[...]) }) != ["13"] {
      throw .handshake("\"Sec-WebSocket-Version\" is not 13", "4.2.2")
    }
    let keys = values("Sec-WebSocket-Key").map { trimmingBlanks($0[...]) }
    guard keys.count == 1, let key = keys.first, base64Decoded(key)?.count == 16 else {
      throw .handshake("\"Sec-WebSocket-Key\" is not 16 bytes in base64", "4.2.1")
    }
    self.key = key
    subprotocols = tokens(values("Sec-WebSocket-Protocol"))
    parameters =
      ExtensionElement.list(values("Sec-WebSocket-Extensions")).lazy.compactMap { DeflateParameters($0) }.first
    compression = parameters.map { MessageCompression(windowBits: $0.serverBits ?? 15) }
  }

  /// The headers of the 101 response.
  package func responseHeaders(subprotocol: String?) -> [(name: String, value: String)] {
    [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", acceptValue(key))]
      + (subprotocol.map { [("Sec-WebSocket-Protocol", $0)] } ?? [])
      + (parameters.map { [("Sec-WebSocket-Extensions", $0.response)] } ?? [])
  }
}

/// The value of `Sec-WebSocket-Accept` for a key (RFC 6455, section 4.2.2).
private func acceptValue(_ key: String) -> String {
  base64Encoded(DigestAlgorithm.sha1.digest(of: key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
}

/// The members of lists in the lines of a header.
private func tokens(_ lines: [String]) -> [String] {
  lines.flatMap { $0.split(separator: ",") }.map { trimmingBlanks($0) }.filter { !$0.isEmpty }
}

private func hasToken(_ token: String, _ lines: [String]) -> Bool {
  tokens(lines).contains { equalsIgnoringCase($0, token) }
}
