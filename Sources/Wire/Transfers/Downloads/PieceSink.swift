import HTTPSemantics
import OperatingSystem
import Synchronization

/// Receives one piece of a file whose beginning came over another connection.
final class PieceSink: ResponseSink {
  enum Decision: Sendable {
    case none
    case accepted
    /// The server's file has changed.
    case changed
    case refused(status: Int)
    case failed(TransportError)
  }

  private struct State {
    var decision = Decision.none
    var position: Int64
  }

  private let task: DownloadTask
  private let piece: Range<Int64>
  private let state: Mutex<State>

  init(_ task: DownloadTask, _ piece: Range<Int64>) {
    self.task = task
    self.piece = piece
    state = Mutex(State(position: piece.lowerBound))
  }

  var decision: Decision { state.withLock { $0.decision } }
  var rest: Range<Int64> { state.withLock { $0.position..<piece.upperBound } }

  func receive(head: ResponseHead) -> SinkDecision {
    let decision = decide(head)
    state.withLock { $0.decision = decision }
    if case .accepted = decision { return .more }
    return .stop
  }

  private func decide(_ head: ResponseHead) -> Decision {
    switch head.status {
    case 206:
      guard let content = head.headers.first("Content-Range").flatMap({ ContentRange(parsing: $0) }),
        let bytes = content.bytes, bytes.lowerBound == piece.lowerBound, !task.isDecoded(head)
      else { return .refused(status: head.status) }
      let isSame = task.store.validator.map { !$0.isContradicted(by: head.headers) } ?? false
      return isSame && content.total ?? task.store.total == task.store.total ? .accepted : .changed
    case 200, 412, 416: return .changed
    default: return .refused(status: head.status)
    }
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    let position = state.withLock { $0.position }
    let bytes = UnsafeRawBufferPointer(
      rebasing: chunk.prefix(Int(min(Int64(chunk.count), piece.upperBound - position))))
    do throws(SystemProblem) {
      try task.store.write(bytes, at: position)
    } catch {
      state.withLock { $0.decision = .failed(.notWritten(task.partPath, error)) }
      return .stop
    }
    state.withLock { $0.position += Int64(bytes.count) }
    task.meter.advance(by: bytes.count)
    return bytes.count == chunk.count ? .more : .stop
  }

  func restart() -> Bool {
    state.withLock { $0 = State(position: piece.lowerBound) }
    return true
  }
}
