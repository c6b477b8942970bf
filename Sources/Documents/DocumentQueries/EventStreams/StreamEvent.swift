import Values

/// The format in which a response contains events.
package enum EventStreamFormat: String, Sendable, CaseIterable {
  /// Server-sent events (WHATWG HTML, section 9.2).
  case sse
  /// One JSON value per line.
  case ndjson
  /// One event per line.
  case text
  /// The messages of a WebSocket (RFC 6455), which no ``EventReader`` reads.
  case websocket
}

package struct StreamEvent: Sendable, Hashable {
  /// The event's type, `message` by default; nil for lines.
  package var type: String?
  /// The last event ID when the event was dispatched; nil except for server-sent events.
  package var id: String?
  /// The lines of data, joined by line feeds; the line itself in formats with one event per line; a message's text, its
  /// bytes in base64, or the reason of a close frame.
  package var data: String
  /// Indicates whether the data is a JSON text.
  package var isJSON: Bool
  /// The other parts of a message; nil except for a WebSocket's.
  package var message: MessagePart?

  /// The parts of a WebSocket's message that no other event has.
  package struct MessagePart: Sendable, Hashable {
    package let isSent: Bool
    /// The code of a close frame, if it has one.
    package let code: Int?

    package init(isSent: Bool, code: Int? = nil) {
      self.isSent = isSent
      self.code = code
    }
  }

  package init(type: String? = nil, id: String? = nil, data: String, isJSON: Bool = false) {
    self.type = type
    self.id = id
    self.data = data
    self.isJSON = isJSON
  }

  /// Creates the event of a WebSocket's message.
  ///
  /// - Parameters:
  ///   - type: `text`, `binary`, `ping`, `pong` or `close`.
  ///   - data: the text, the bytes in base64, or the reason of a close frame.
  package init(message type: String, _ data: String, isSent: Bool, code: Int? = nil) {
    self.init(
      type: type, data: data, isJSON: type == "text" && mayBeJSON(data) && jsonProblem(Array(data.utf8)) == nil)
    message = MessagePart(isSent: isSent, code: code)
  }

  /// The name of the member with the ``data``.
  package var dataName: String {
    guard message != nil else { return "data" }
    return type == "text" ? "text" : type == "close" ? "reason" : "data"
  }

  /// The event as a JSON object without missing members: `{event, id, data, json}`, or for a message
  /// `{direction, type, code, reason, text, json, data}`; `json` is the data as written.
  package var jsonText: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(2 * data.utf8.count + 64)
    func append(_ name: String, _ value: String) {
      text += (text.isEmpty ? "{\"" : ",\"").utf8
      text += name.utf8
      text += "\":\"".utf8
      text += jsonEscaped(value).utf8
      text.append(UInt8(ascii: "\""))
    }
    if let message { append("direction", message.isSent ? "sent" : "received") }
    if let type { append(message == nil ? "event" : "type", type) }
    if let code = message?.code { text += ",\"code\":\(code)".utf8 }
    if let id { append("id", id) }
    if message == nil || !data.isEmpty || type == "text" || type == "binary" { append(dataName, data) }
    if isJSON {
      text += ",\"json\":".utf8
      text += withoutMark(data.utf8)
    }
    text.append(UInt8(ascii: "}"))
    return text
  }
}

/// The text without a byte order mark, which a JSON text may begin with, but not inside another.
private func withoutMark(_ text: String.UTF8View) -> Substring.UTF8View {
  text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text[...]
}

/// Returns the reason why a text can't be embedded in an event as JSON; nil if it can.
func jsonProblem(_ bytes: [UInt8]) -> JSONParseError? {
  do throws(JSONParseError) {
    _ = try JSONDocument(parsing: bytes)
    // An event is in an object within a list.
    let depth = bytes.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    if depth > JSONDocument.depthLimit - 2 {
      _ = try JSONDocument(parsing: Array("[[".utf8) + bytes + Array("]]".utf8))
    }
    return nil
  } catch {
    return error
  }
}

/// Returns whether a text begins like a JSON value.
func mayBeJSON(_ text: String) -> Bool {
  guard let first = text.utf8.first(where: { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }) else {
    return false
  }
  switch first {
  case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "t"),
    UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "0")...UInt8(ascii: "9"):
    return true
  default: return false
  }
}
