import HTTPSemantics
import Synchronization

/// The pieces of a file that remain to be fetched.
final class PieceQueue: Sendable {
  enum End: Sendable {
    case failed(ExchangeFailure)
    /// The server's file has changed since the start.
    case changed
  }

  private struct State {
    /// Ranges that nobody fetches yet, in the order of the file; pieces are cut from them.
    var gaps: [Range<Int64>] = []
    var pieceSize = Int64.max
    var taken = 0
    var failuresInARow = 0
    var end: End?

    /// The number of pieces of a gap: all have one size, except for the last, which includes the remainder.
    func count(_ gap: Range<Int64>) -> Int64 { max(1, Int64(gap.count) / pieceSize) }
  }

  private let state = Mutex(State())

  /// The minimum size of a piece that is worth its own request.
  static let minPiece: Int64 = 1 << 20
  private static let maxPiece: Int64 = 64 << 20
  /// Attempts are counted from the last one that received something.
  static let retries = RetryPolicy(
    attempts: 6, statuses: [408, 429, 500, 502, 503, 504], failures: .transient, interval: .milliseconds(200),
    backoff: .exponential)

  /// Divides gaps, in order, among that many connections: a few pieces for each, so that none waits long for the last
  /// one. A single connection takes a gap as a whole.
  func share(_ gaps: [Range<Int64>], among connections: Int) {
    state.withLock { state in
      state.gaps = gaps
      guard connections > 1 else { return }
      // Doesn't overflow: gaps are disjoint, so that their sum doesn't exceed the total that the server announced.
      let total = gaps.reduce(0) { $0 + Int64($1.count) }
      let size = total / Int64(connections) / 4
      state.pieceSize = min(max(size, PieceQueue.minPiece), PieceQueue.maxPiece)
    }
  }

  /// The last piece, since the first connection proceeds from the beginning; nil if none is left.
  func take() -> Range<Int64>? {
    state.withLock { state in
      guard state.end == nil, let gap = state.gaps.popLast() else { return nil }
      state.taken += 1
      let start = gap.lowerBound + (state.count(gap) - 1) * state.pieceSize
      if start > gap.lowerBound { state.gaps.append(gap.lowerBound..<start) }
      return start..<gap.upperBound
    }
  }

  /// The piece that begins there, if nobody fetches it.
  func take(at position: Int64) -> Range<Int64>? {
    state.withLock { state in
      guard state.end == nil, let index = state.gaps.firstIndex(where: { $0.lowerBound == position }) else {
        return nil
      }
      state.taken += 1
      let gap = state.gaps[index]
      guard state.count(gap) > 1 else { return state.gaps.remove(at: index) }
      let end = position + state.pieceSize
      state.gaps[index] = end..<gap.upperBound
      return position..<end
    }
  }

  func giveBack(_ rest: Range<Int64>) {
    guard !rest.isEmpty else { return }
    state.withLock { state in
      let place = state.gaps.firstIndex { $0.lowerBound > rest.lowerBound } ?? state.gaps.endIndex
      state.gaps.insert(rest, at: place)
    }
  }

  func noteSuccess() { state.withLock { $0.failuresInARow = 0 } }

  /// The delay before the next attempt; nil if another one is pointless.
  func noteFailure(_ failure: ExchangeFailure, mayPass: Bool) -> Duration? {
    state.withLock { state in
      state.failuresInARow += 1
      if mayPass, let delay = PieceQueue.retries.delay(after: state.failuresInARow) { return delay }
      if state.end == nil { state.end = .failed(failure) }
      return nil
    }
  }

  func stop(_ end: End) { state.withLock { if $0.end == nil { $0.end = end } } }

  var end: End? { state.withLock { $0.end } }
  /// The number of pieces taken.
  var taken: Int { state.withLock { $0.taken } }
}
