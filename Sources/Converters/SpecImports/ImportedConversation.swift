import RequestSpecs

/// A message of a WebSocket in another tool.
enum ImportedMessage {
  case sent(ImportedText)
  /// Bytes in base64.
  case sentBytes(ImportedText)
  /// The wait for messages of the server.
  case awaited(_ type: String = "text", count: Int = 1)
}

extension ImportedRequest {
  /// Indicates whether its URL is that of a WebSocket.
  var opensWebSocket: Bool {
    guard case .text(let text)? = url.parts.first else { return false }
    return text.lowercased().hasPrefix("ws://") || text.lowercased().hasPrefix("wss://")
  }

  /// The time to listen for what other tools show until they are closed.
  private static let listening = "5s"

  /// Makes it the opening of a WebSocket, with the messages that follow.
  mutating func openWebSocket(_ messages: [ImportedMessage]) {
    method = nil
    body = nil
    var members: [(key: String, value: ImportedValue)] = [("format", .text("websocket"))]
    if !messages.isEmpty { members.append(("send", .list(messages.flatMap(\.values)))) }
    // A conversation whose last word is the server's ends with it.
    if case .awaited? = messages.last {} else { members.append(("timeout", .text(Self.listening))) }
    settings.set(.stream, .mapping(members))
  }

  /// Takes over the messages of a later request on the same connection; false if it has more than messages.
  mutating func goOn(with later: ImportedRequest) -> Bool {
    guard later.opensWebSocket, later.expect.isEmpty, later.conditionalExpect.isEmpty, later.captures.isEmpty,
      later.variables.isEmpty, later.settings.count == 1, let next = later.settings[.stream]?.members,
      var members = settings[.stream]?.members
    else { return false }
    if case .list(let messages)? = next.first(where: { $0.key == "send" })?.value {
      if let place = members.firstIndex(where: { $0.key == "send" }), case .list(let earlier) = members[place].value {
        members[place].value = .list(earlier + messages)
      } else {
        members.insert(("send", .list(messages)), at: 1)
      }
    }
    // What comes last decides how the conversation ends.
    members.removeAll { $0.key == "timeout" }
    if let timeout = next.first(where: { $0.key == "timeout" }) { members.append(timeout) }
    settings.set(.stream, .mapping(members))
    comments += (later.name.map { [$0] } ?? []) + later.comments
    untranslated += later.untranslated
    return true
  }

  /// Removes the headers of the handshake, but for the subprotocols that it offers.
  mutating func prepareHandshake() {
    guard case .mapping(var members)? = settings[.stream] else { return }
    let offered = takeHeader("Sec-WebSocket-Protocol")
    headers.removeAll { header in
      let name = header.name.literal?.lowercased() ?? ""
      return ["connection", "content-length", "content-type", "upgrade"].contains(name)
        || name.hasPrefix("sec-websocket-")
    }
    guard let offered else { return }
    let names = offered.literal?.split(separator: ",").map { ImportedValue.text(String($0).trimmed) }
    members.insert(("subprotocol", names.map { $0.count == 1 ? $0[0] : .list($0) } ?? .text(offered)), at: 1)
    settings.set(.stream, .mapping(members))
  }

  /// Makes a request to the URL of a WebSocket one that opens it; its body is the first message.
  mutating func openWebSocketOfURL() {
    guard opensWebSocket, settings[.stream] == nil else { return }
    switch body {
    case .text(let text)?, .json(let text)?: openWebSocket([.sent(text)])
    case nil: openWebSocket([])
    default:
      remark("bodies of WebSockets", url.source)
      openWebSocket([])
    }
  }
}

extension ImportedMessage {
  fileprivate var values: [ImportedValue] {
    switch self {
    case .awaited(let type, let count):
      let wait = ImportedValue.mapping([("until", .mapping([("type", .text(type))]))])
      return Array(repeating: wait, count: min(count, 1000))
    case .sentBytes(let text): return [.mapping([("data", .text(text))])]
    case .sent(let text):
      if text.hasPrefix("{") || text.hasPrefix("["), let value = text.json { return [.mapping([("json", value)])] }
      return [.mapping([("text", .text(text))])]
    }
  }
}
