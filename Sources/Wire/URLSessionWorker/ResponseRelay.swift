import HTTPSemantics
import Synchronization
import URLSessionTransport
import WorkerTransport

/// Forwards a response as it arrives, a short one in one piece.
///
/// Sending blocks while `reqrun` doesn't read, so that nothing accumulates in between.
final class ResponseRelay: ResponseSink {
  /// The length below which a response is sent only at its end.
  private static let shortResponse = 16 * 1024

  private struct State {
    var frames = FrameEncoder()
    var isShort = false
  }

  private let id: UInt32
  private let channel: FrameChannel
  /// Indicates whether the response has no body, being one to HEAD.
  private let isHead: Bool
  private let state = Mutex(State())

  init(id: UInt32, channel: FrameChannel, isHead: Bool) {
    self.id = id
    self.channel = channel
    self.isHead = isHead
  }

  func receive(informational head: ResponseHead) {
    pass { $0.append(.informational(self.id, head)) }
  }

  func receive(head: ResponseHead) -> SinkDecision {
    let length = head.headers.first("Content-Length").flatMap { Int($0) }
    let isShort = isHead || [204, 304].contains(head.status) || length.map { $0 < Self.shortResponse } ?? false
    state.withLock { $0.isShort = isShort }
    return pass { $0.append(.head(self.id, head)) }
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    pass { $0.append(body: chunk, of: self.id) }
  }

  func receive(trailers: HeaderFields) {
    pass { $0.append(.trailers(self.id, trailers)) }
  }

  /// A short body isn't worth a message.
  func sent(bodyBytes: Int64) {
    if bodyBytes >= 64 << 10 { pass { $0.append(.sent(self.id, bodyBytes)) } }
  }

  func finish(_ result: Result<ExchangeSummary, TransportError>, _ task: SessionExchange.TaskState) {
    if case .ending = task {
      pass { $0.append(.ending(self.id)) }
    }
    state.withLock { $0.isShort = false }
    switch result {
    case .success(let summary): pass { $0.append(.done(self.id, summary)) }
    case .failure(let error): pass { $0.append(.failed(self.id, error)) }
    }
  }

  @discardableResult
  private func pass(_ write: (inout FrameEncoder) -> Void) -> SinkDecision {
    let frames: [UInt8] = state.withLock { state in
      write(&state.frames)
      // Decoding can make a short one long.
      return state.isShort && state.frames.count < Self.shortResponse ? [] : state.frames.take()
    }
    return frames.isEmpty || channel.send(frames) ? .more : .stop
  }
}
