import HTTPSemantics
import LocalServer
import OperatingSystem
import Synchronization
import Values

/// A response as a proxy has received it.
package struct ReceivedResponse: Sendable {
  package let head: ResponseHead
  /// The decoded body, or the beginning of a large one.
  package internal(set) var body: [UInt8] = []
  /// The number of its decoded bytes.
  package internal(set) var size = 0

  package var isWhole: Bool { body.count == size }
}

/// Hands a response over to the server as it arrives. The server holds it: a client that is gone ends the exchange.
final class ResponseRelay: Sendable {
  let sink: RelaySink
  private let running = Mutex<Task<Void, Never>?>(nil)

  init(
    isBodiless: Bool, headers: @escaping @Sendable (ResponseHead) -> [(name: String, value: String)],
    _ respond: @escaping @Sendable (ServerResponse) -> Void
  ) {
    sink = RelaySink(isBodiless: isBodiless, headers: headers)
    sink.onHead { response in
      guard case .live = response.body else { return respond(response) }
      var response = response
      // It retains this object as long as the response is sent.
      response.body = .live(length: self.sink.length) { _ in self.sink.next() }
      respond(response)
    }
  }

  func run(_ work: @escaping @Sendable (RelaySink) async -> Void) {
    let task = Task.detached { [sink] in await work(sink) }
    running.withLock { $0 = task }
  }

  deinit {
    running.withLock { $0?.cancel() }
  }
}

/// The pieces of a response between the transport and the server.
final class RelaySink: ResponseSink {
  private enum Piece {
    case bytes([UInt8])
    case stored(Range<Int64>)
  }

  private struct State {
    var response: ReceivedResponse?
    var respond: (@Sendable (ServerResponse) -> Void)?
    var pieces: ArraySlice<Piece> = []
    /// The bytes of the pieces in memory.
    var count = 0
    /// The announced length of the body; nil if it isn't known, or is that of what was decoded.
    var length: Int?
    var isEnded = false
    var failure: String?
  }

  /// The bytes of a body that are kept for observers.
  private static let keptSize = 4 << 20
  /// The bytes that wait in memory for a slow client; more are in a temporary file.
  private static let waitingSize = 8 << 20

  private let isBodiless: Bool
  private let headers: @Sendable (ResponseHead) -> [(name: String, value: String)]
  private let state = Mutex(State())
  private let file = TemporaryFile()

  init(isBodiless: Bool, headers: @escaping @Sendable (ResponseHead) -> [(name: String, value: String)]) {
    (self.isBodiless, self.headers) = (isBodiless, headers)
  }

  func onHead(_ respond: @escaping @Sendable (ServerResponse) -> Void) { state.withLock { $0.respond = respond } }

  /// The response so far.
  var received: ReceivedResponse? { state.withLock(\.response) }

  /// The announced length of the body.
  var length: Int? { state.withLock(\.length) }

  /// The reason why the response is not whole.
  var failure: String? { state.withLock(\.failure) }

  // MARK: the transport's side

  func receive(head: ResponseHead) -> SinkDecision {
    let respond = state.withLock { state in
      state.response = ReceivedResponse(head: head)
      if !head.headers.contains("Content-Encoding") {
        state.length = head.headers.onlyValue("Content-Length").flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
      }
      return hasBody(head) && state.length != 0 ? state.respond.take() : nil
    }
    respond?(ServerResponse(status: head.status, headers: headers(head), body: .live { _ in .end }))
    return .more
  }

  private func hasBody(_ head: ResponseHead) -> Bool { !isBodiless && head.status != 204 && head.status != 304 }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    state.withLock { state in
      guard var response = state.response.take() else { return .stop }
      if response.isWhole, response.size + chunk.count <= Self.keptSize { response.body += chunk }
      response.size += chunk.count
      state.response = response
      if state.count + chunk.count > Self.waitingSize {
        guard let range = file.append(chunk) else {
          state.failure = "no temporary file can be written"
          return .stop
        }
        state.pieces.append(.stored(range))
      } else {
        state.count += chunk.count
        state.pieces.append(.bytes(Array(chunk)))
      }
      return .more
    }
  }

  /// Ends the response, with the reason if it is not whole.
  func finish(_ failure: String?) {
    let (respond, response) = state.withLock { state in
      state.isEnded = true
      state.failure = state.failure ?? failure
      return (state.respond.take(), state.response)
    }
    guard let respond else { return }
    guard let head = response?.head, failure == nil else {
      return respond(.problem(502, "the target has not responded: \(failure ?? "the exchange has ended")"))
    }
    respond(ServerResponse(status: head.status, headers: headers(head)))
  }

  // MARK: the server's side

  /// The next piece for the client. The last one waits for the end of the exchange, which a served client would cancel.
  func next() -> LivePiece {
    let piece: Piece? = state.withLock { state in
      guard let piece = state.pieces.first, state.isEnded || state.pieces.count > 1 || state.length == nil else {
        return nil
      }
      state.pieces.removeFirst()
      // A slice retains what was removed of it.
      if state.pieces.isEmpty { state.pieces = [] }
      if case .bytes(let bytes) = piece { state.count -= bytes.count }
      return piece
    }
    switch piece {
    case .bytes(let bytes)?: return .bytes(bytes)
    case .stored(let range)?:
      var isRead = false
      let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
        isRead = file.read(into: UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound)
        count = isRead ? range.count : 0
      }
      return isRead ? .bytes(bytes) : .failed
    case nil:
      let (isEnded, failure) = state.withLock { ($0.isEnded && $0.pieces.isEmpty, $0.failure) }
      if !isEnded { return .wait(.milliseconds(2)) }
      return failure == nil ? .end : .failed
    }
  }
}
