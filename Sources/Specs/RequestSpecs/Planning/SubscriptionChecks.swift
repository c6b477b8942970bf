import Values

extension MergedChecks {
  /// Checks that the results of a GraphQL subscription are read as a stream.
  func checkSubscription(into bag: inout DiagnosticBag) {
    guard case .graphQL(let query, _, _, let connection, _)? = settings.body.value,
      settings.stream?.format != .websocket
    else { return }
    if let connection {
      bag.error(
        .orphanedKey, "only a WebSocket begins with the payload of `connection`", at: connection.range.firstLine,
        help: "write `stream: {format: websocket}`, and a URL that begins with ws:// or wss://")
    }
    guard isWhole, settings.stream == nil, case .field(let field) = query, let text = field.literal?.string,
      text.drop(while: \.isWhitespace).hasPrefix("subscription")
    else { return }
    bag.warning(
      .suspiciousStream, "the results of a subscription come as a stream, and the request reads none",
      at: field.range.firstLine,
      help: "add `stream: {format: websocket, until: …}` with a URL that begins with wss://, or `stream: {format: sse}`"
    )
  }
}
