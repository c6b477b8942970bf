import HTTPSemantics
import OperatingSystem
import Synchronization
import Values

/// Receives the response that decides on the rest of the download.
final class DownloadSink: ResponseSink {
  enum Decision: Sendable {
    /// No response yet.
    case none
    /// The body is the file or a part of it; the head is that of a complete response.
    case accepted(ResponseHead, path: String)
    /// The response isn't the requested file, and is handled like any other.
    case refused
    /// The file must be requested from its beginning.
    case startOver(reason: String)
    /// The file would differ from what is expected.
    case differs(ResponseHead, DownloadDifference)
    case failed(TransportError)
  }

  private struct State {
    var decision = Decision.none
    /// The offset of the next byte.
    var position: Int64 = 0
    /// The offset from which others fetch, or where the file ends.
    var limit = Int64.max
    /// The end of the part that the response contains.
    var partEnd = Int64.max
    var refusedCount: Int64 = 0
  }

  private let task: DownloadTask
  /// The requested range; nil for the whole file.
  private let asked: Range<Int64>?
  private let queue: PieceQueue
  private let onAccepted: @Sendable () -> Void
  private let state = Mutex(State())

  /// - Parameter onAccepted: called as soon as the pieces are known.
  init(
    _ task: DownloadTask, asked: Range<Int64>?, queue: PieceQueue, onAccepted: @escaping @Sendable () -> Void
  ) {
    self.task = task
    self.asked = asked
    self.queue = queue
    self.onAccepted = onAccepted
  }

  var decision: Decision { state.withLock { $0.decision } }

  /// The missing rest of its piece.
  var rest: Range<Int64> { state.withLock { $0.position..<max($0.position, $0.limit) } }

  /// Indicates whether the length of the body is unknown and the download can't be resumed.
  var isOpenEnded: Bool { state.withLock { $0.limit == .max } }

  func receive(head: ResponseHead) -> SinkDecision {
    let (decision, piece) = decide(head)
    state.withLock { state in
      state.decision = decision
      (state.position, state.limit) = (piece.lowerBound, piece.upperBound)
    }
    switch decision {
    case .accepted:
      onAccepted()
      return .more
    case .refused: return task.refused.receive(head: head)
    case .none, .startOver, .differs, .failed: return .stop
    }
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    // A transport's calls are serial: only state that others read needs the lock.
    let state = state.withLock { $0 }
    switch state.decision {
    case .accepted: return store(chunk, state)
    case .refused: return pass(chunk)
    default: return .stop
    }
  }

  private func store(_ chunk: UnsafeRawBufferPointer, _ start: State) -> SinkDecision {
    var (position, limit) = (start.position, start.limit)
    var rest = chunk
    while !rest.isEmpty {
      if position == limit {
        // The connection continues with the next piece, unless another one has it.
        guard position < start.partEnd, let next = queue.take(at: position) else {
          state.withLock { ($0.position, $0.limit) = (position, limit) }
          return .stop
        }
        limit = min(next.upperBound, start.partEnd)
        queue.giveBack(limit..<next.upperBound)
      }
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(min(Int64(rest.count), limit - position))))
      do throws(TransportError) {
        try task.check(size: position + Int64(piece.count))
      } catch {
        let failure = Decision.failed(error)
        state.withLock { $0.decision = failure }
        return .stop
      }
      do throws(SystemProblem) {
        try task.store.write(piece, at: position)
      } catch {
        let failure = Decision.failed(.notWritten(task.partPath, error))
        state.withLock { $0.decision = failure }
        return .stop
      }
      position += Int64(piece.count)
      rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
      task.meter.advance(by: piece.count)
    }
    state.withLock { ($0.position, $0.limit) = (position, limit) }
    if let length = task.plan.length, position > length { return refuse(length: position, expected: length) }
    return .more
  }

  /// Rejects a body that is longer than expected.
  private func refuse(length: Int64, expected: Int64) -> SinkDecision {
    state.withLock { state in
      guard case .accepted(let head, _) = state.decision else { return }
      state.decision = .differs(head, .length(expected: expected, actual: length))
    }
    return .stop
  }

  private func pass(_ chunk: UnsafeRawBufferPointer) -> SinkDecision {
    let count = state.withLock { state in
      state.refusedCount += Int64(chunk.count)
      return state.refusedCount
    }
    if let limit = task.refusedLimit, count > limit {
      state.withLock { $0.decision = .failed(.bodyTooLarge(limit: limit)) }
      return .stop
    }
    return task.refused.receive(body: chunk)
  }

  func receive(trailers: HeaderFields) {
    if case .refused = decision { task.refused.receive(trailers: trailers) }
  }

  func restart() -> Bool {
    if case .refused = decision, !task.refused.restart() { return false }
    state.withLock { $0 = State() }
    return true
  }

  // MARK: the head

  private func decide(_ head: ResponseHead) -> (Decision, piece: Range<Int64>) {
    let nothing: Range<Int64> = 0..<0
    do throws(TransportError) {
      if let asked, head.status == 206 { return try decide(part: head, asked) }
      if asked != nil, head.status == 416 {
        return (.startOver(reason: "the server has no bytes there"), nothing)
      }
      guard task.accepts(head) else { return (.refused, nothing) }
      return try decide(whole: head)
    } catch {
      return (.failed(error), nothing)
    }
  }

  private func decide(whole head: ResponseHead) throws(TransportError) -> (Decision, piece: Range<Int64>) {
    if head.status == 206, !task.request.headers.contains("Range") { throw .unaskedPart(head) }
    let isDecoded = task.isDecoded(head)
    let total = isDecoded ? nil : head.headers.first("Content-Length").flatMap { Int64($0) }
    if let difference = difference(total) { return (.differs(head, difference), 0..<0) }
    if let total { try task.check(size: total) }
    let path = try task.place.path(for: head, from: task.url)
    let hasRanges = !isDecoded && !(head.headers.first("Accept-Ranges").map { equalsIgnoringCase($0, "none") } ?? false)
    let validator = hasRanges ? RangeValidator(head.headers) : nil
    if task.store.count > 0 {
      let isSame = task.store.validator.map { !$0.isContradicted(by: head.headers) } ?? false
      task.note(restart: isSame ? "the server sent all of it" : "the file has changed")
    }
    try restart(validator, total)
    return (.accepted(head, path: path), 0..<Int64.max)
  }

  private func decide(
    part head: ResponseHead, _ asked: Range<Int64>
  ) throws(TransportError) -> (Decision, piece: Range<Int64>) {
    let isGoingOn = task.store.count > 0
    func startOver(_ reason: String) -> (Decision, piece: Range<Int64>) { (.startOver(reason: reason), 0..<0) }
    guard let content = head.headers.first("Content-Range").flatMap({ ContentRange(parsing: $0) }),
      let bytes = content.bytes, bytes.lowerBound == asked.lowerBound, bytes.upperBound <= asked.upperBound,
      let total = content.total ?? task.store.total, !task.isDecoded(head)
    else { return startOver("the server sent another part than it was asked for") }
    if isGoingOn, task.store.validator?.isContradicted(by: head.headers) ?? true || total != task.store.total ?? total {
      return startOver("the file has changed")
    }
    let whole = head.asWhole(of: total)
    // A part that would not be accepted is requested as a whole file, and then checked as such.
    guard task.accepts(whole) else { return startOver("the response to a part was refused") }
    if let difference = difference(total) { return (.differs(whole, difference), 0..<0) }
    try task.check(size: total)
    let path = try task.place.path(for: whole, from: task.url)
    if isGoingOn {
      task.store.learn(total: total)
      task.note(resumed: task.store.count)
      task.meter.expect(total: total)
      task.meter.resume(at: task.store.count)
    } else {
      try restart(RangeValidator(head.headers), total)
    }
    return (.accepted(whole, path: path), piece(bytes))
  }

  /// The piece that this connection should fetch of its range; the rest is left for others.
  private func piece(_ bytes: Range<Int64>) -> Range<Int64> {
    state.withLock { $0.partEnd = bytes.upperBound }
    let gaps = task.store.gaps
    let missing = gaps.reduce(0) { $0 + Int64($1.count) }
    let mayShare = task.plan.parallel > 1 && task.store.validator != nil && missing >= 2 * PieceQueue.minPiece
    if mayShare || gaps.count > 1 || bytes.upperBound < gaps.last?.upperBound ?? 0 { task.store.scatter() }
    queue.share(gaps, among: mayShare ? task.plan.parallel : 1)
    // The last byte of a complete part file isn't in any gap.
    guard let own = queue.take(at: bytes.lowerBound) else { return bytes }
    let piece = own.clamped(to: bytes)
    queue.giveBack(piece.upperBound..<own.upperBound)
    return piece
  }

  private func difference(_ total: Int64?) -> DownloadDifference? {
    guard let expected = task.plan.length, let total, total != expected else { return nil }
    return .length(expected: expected, actual: total)
  }

  private func restart(_ validator: RangeValidator?, _ total: Int64?) throws(TransportError) {
    do throws(SystemProblem) {
      try task.store.restart(validator: validator, total: total)
    } catch {
      throw .notWritten(task.partPath, error)
    }
    task.meter.restart()
    if let total { task.meter.expect(total: total) }
  }
}

extension TransportError {
  /// A response with a part of the file, although all of it was requested (RFC 9110, section 15.3.7).
  fileprivate static func unaskedPart(_ head: ResponseHead) -> TransportError {
    let part = head.headers.first("Content-Range").map { ": Content-Range: \(Excerpt($0, limit: 80))" } ?? ""
    return TransportError(
      .invalidResponse, "the server sent a part of the file (status 206), and all of it was requested\(part)",
      help: "fix the server: it may send a part only if the request has a `Range`")
  }
}

extension ResponseHead {
  /// The head of a response with the whole file, derived from that of a part.
  fileprivate func asWhole(of total: Int64) -> ResponseHead {
    var whole = self
    whole.status = 200
    whole.reason = reason.isEmpty ? "" : "OK"
    whole.headers.removeAll("Content-Range")
    whole.headers.set("Content-Length", String(total))
    return whole
  }
}
