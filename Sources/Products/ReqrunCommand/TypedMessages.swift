import CommandLineOptions
import OperatingSystem
import SpecExecution
import Synchronization
import Values

/// The lines of standard input as messages to a WebSocket.
final class TypedMessages: Sendable {
  /// The maximum time without a message, once the input has ended.
  private static let patience = Duration.seconds(5)
  /// The maximum number of bytes that wait to be sent, above which no more is read.
  private static let waitingLimit = 1 << 20

  private struct State {
    var sentCount = 0
    /// The number of messages since the first one was sent.
    var receivedCount = 0
    var lastReception = ContinuousClock.now
    /// The code of the server's close frame, and its masked reason.
    var closing: (code: Int, reason: String)?
  }

  private let state = Mutex(State())

  /// The error if the server has closed the WebSocket because of one (RFC 6455, section 7.4.1).
  var problem: String? {
    guard let (code, reason) = state.withLock({ $0.closing }), ![1000, 1001].contains(code) else { return nil }
    let why = reason.isEmpty ? "" : ": \(sanitizedForTerminal(reason))"
    return "error: the server closed the WebSocket with \(code)\(why)\n"
  }

  /// Notes a part of the exchange, and reads standard input once the WebSocket is open.
  func receive(_ part: ExchangePart, _ secrets: SecretRegistry, readsInput: Bool) {
    switch part {
    case .opened(let conversation): if readsInput { _ = startThread { self.read(for: conversation) } }
    case .message(let event) where event.message?.isSent == false:
      state.withLock { state in
        if event.type == "close", let code = event.message?.code {
          state.closing = (code, secrets.masked(event.data))
        }
        guard ["text", "binary"].contains(event.type), state.sentCount > 0 else { return }
        state.receivedCount += 1
        state.lastReception = .now
      }
    default: break
    }
  }

  private func read(for conversation: OpenConversation) {
    var rest: [UInt8] = []
    while case let bytes = StandardStream.input.read(), !bytes.isEmpty {
      var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      rest += lines.removeFirst()
      for line in lines {
        if !send(rest[...], conversation) { return }
        rest = Array(line)
      }
    }
    if !rest.isEmpty, !send(rest[...], conversation) { return }
    end(conversation)
  }

  /// Sends a line; false once the WebSocket is closed.
  private func send(_ line: ArraySlice<UInt8>, _ conversation: OpenConversation) -> Bool {
    while conversation.waitingCount > Self.waitingLimit { pause(for: .milliseconds(5)) }
    let text = String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    state.withLock { state in
      state.sentCount += 1
      state.lastReception = .now
    }
    return conversation.send(text)
  }

  /// Ends the conversation at the end of the input: at once on a terminal, else once there were as many messages as
  /// lines. An input without a line leaves the end to the server.
  private func end(_ conversation: OpenConversation) {
    if !StandardStream.input.isTerminal {
      if state.withLock({ $0.sentCount == 0 }) { return }
      while state.withLock({ $0.receivedCount < $0.sentCount && .now - $0.lastReception < Self.patience }) {
        pause(for: .milliseconds(5))
      }
    }
    conversation.close()
  }
}
