import HTTPMessages
import HTTPSemantics
import Synchronization

/// The pieces of a file that are still to be fetched.
final class PieceQueue: Sendable {
  enum End: Sendable {
    case failed(ExchangeFailure)
    /// It is no longer the file that was begun.
    case changed
  }

  private struct State {
    /// In the order of the file.
    var pieces: [Range<Int64>] = []
    var taken = 0
    var failuresInARow = 0
    var end: End?
  }

  private let state = Mutex(State())

  /// Pieces are worth a request of their own from here on.
  static let leastPiece: Int64 = 1 << 20
  private static let largestPiece: Int64 = 64 << 20
  private static let mostFailuresInARow = 5

  /// Cuts gaps into pieces for so many connections, a few for each, so that none waits long for the last one.
  static func pieces(of gaps: [Range<Int64>], connections: Int) -> [Range<Int64>] {
    let total = gaps.reduce(0) { $0 + Int64($1.count) }
    let size = min(max(total / Int64(max(1, connections) * 4), leastPiece), largestPiece)
    return gaps.flatMap { gap in
      let count = max(1, Int64(gap.count) / size)
      return (0..<count).map { index in
        let start = gap.lowerBound + index * size
        return start..<(index == count - 1 ? gap.upperBound : start + size)
      }
    }
  }

  func add(_ pieces: [Range<Int64>]) {
    state.withLock { $0.pieces = ($0.pieces + pieces).sorted { $0.lowerBound < $1.lowerBound } }
  }

  /// The last one, since the first connection works its way from the beginning; nil where nothing is left to do.
  func take() -> Range<Int64>? {
    state.withLock { state in
      guard state.end == nil, let piece = state.pieces.popLast() else { return nil }
      state.taken += 1
      return piece
    }
  }

  /// The piece that begins there, if nobody has it.
  func take(at position: Int64) -> Range<Int64>? {
    state.withLock { state in
      guard state.end == nil, let index = state.pieces.firstIndex(where: { $0.lowerBound == position }) else {
        return nil
      }
      state.taken += 1
      return state.pieces.remove(at: index)
    }
  }

  func giveBack(_ rest: Range<Int64>) {
    if !rest.isEmpty { add([rest]) }
  }

  func noteSuccess() { state.withLock { $0.failuresInARow = 0 } }

  /// How long to wait before the next attempt; nil where it is no use.
  func noteFailure(_ failure: ExchangeFailure, mayPass: Bool) -> Duration? {
    state.withLock { state in
      state.failuresInARow += 1
      if state.failuresInARow > PieceQueue.mostFailuresInARow || !mayPass {
        if state.end == nil { state.end = .failed(failure) }
        return nil
      }
      return .milliseconds(100 << state.failuresInARow)
    }
  }

  func stop(_ end: End) { state.withLock { if $0.end == nil { $0.end = end } } }

  var end: End? { state.withLock { $0.end } }
  /// How many pieces were begun.
  var taken: Int { state.withLock { $0.taken } }
}
