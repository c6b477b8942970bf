/// How large the segments of a file are.
package enum SegmentSize: Sendable, Hashable {
  /// All alike, but for the last.
  case fixed(Int64)
  /// What the first one takes says how large the others are.
  case automatic
}

/// Says how large the next segment is.
///
/// Automatic sizes follow what the segments before took, so that each takes some seconds: a failure then costs little,
/// and a round trip is little beside. They are multiples of 256 KiB, which some servers ask for.
package struct SegmentSizing: Sendable {
  package static let unit: Int64 = 256 << 10
  package static let largest: Int64 = 64 << 20
  package static let first: Int64 = 1 << 20
  package static let wantedTime: Duration = .seconds(4)

  private let size: SegmentSize
  private var automatic = SegmentSizing.first
  /// Whether what follows depends on a segment that is still on its way.
  package private(set) var isMeasured: Bool

  package init(_ size: SegmentSize) {
    self.size = size
    isMeasured = size != .automatic
  }

  /// - Parameters:
  ///   - rest: how many bytes are to be sent yet.
  ///   - parallel: among how many they are shared.
  package func next(rest: Int64, parallel: Int) -> Int64 {
    guard case .fixed(let size) = size else {
      // The last ones are to end together.
      let share = min(rest / Int64(max(1, parallel)), SegmentSizing.largest)
      return min(automatic, max(SegmentSizing.first, SegmentSizing.rounded(share, .up)))
    }
    return size
  }

  package mutating func note(_ bytes: Int64, took time: Duration) {
    guard size == .automatic, bytes > 0 else { return }
    isMeasured = true
    let wanted = Double(bytes) * max(1e-9, SegmentSizing.wantedTime / max(time, .nanoseconds(1)))
    // A short one tells little: no more than four times as large as it was.
    let bounded = min(wanted, Double(bytes) * 4, Double(SegmentSizing.largest))
    automatic = max(SegmentSizing.unit, SegmentSizing.rounded(Int64(bounded), .down))
  }

  /// Less is lost if what follows is smaller.
  package mutating func noteFailure() {
    guard size == .automatic else { return }
    automatic = max(SegmentSizing.unit, SegmentSizing.rounded(automatic / 2, .down))
  }

  private enum Direction { case up, down }

  private static func rounded(_ size: Int64, _ direction: Direction) -> Int64 {
    (direction == .up ? size + unit - 1 : size) / unit * unit
  }
}
