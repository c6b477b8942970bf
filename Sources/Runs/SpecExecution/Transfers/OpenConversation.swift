import DocumentQueries

/// An open WebSocket for a person at a terminal, or a program at a pipe, who take part beside the spec.
package struct OpenConversation: Sendable {
  private let sink: StreamSink

  init(_ sink: StreamSink) { self.sink = sink }

  /// The number of bytes that wait to be sent.
  package var waitingCount: Int { sink.conversation?.waitingCount ?? 0 }

  /// Sends a text message; false once the WebSocket is closed.
  package func send(_ text: String) -> Bool { sink.conversation?.say(text) ?? false }

  /// Ends the conversation, which is not a failure.
  package func close() { if sink.end(.scripted) { sink.conversation?.close(1000) } }
}
