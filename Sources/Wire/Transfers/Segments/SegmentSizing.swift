/// The size of a file's segments.
package enum SegmentSize: Sendable, Hashable {
  /// The same for all, except for the last.
  case fixed(Int64)
  /// Determined by the time that the first one takes.
  case automatic
}

/// Determines the size of the next segment.
///
/// Automatic sizes adapt to the duration of previous segments, so that each takes some seconds: a failure then costs
/// little, and so does a round trip. They are multiples of 256 KiB, which some servers require.
package struct SegmentSizing: Sendable {
  package static let unit: Int64 = 256 << 10
  package static let largest: Int64 = 64 << 20
  package static let first: Int64 = 1 << 20
  package static let wantedTime: Duration = .seconds(4)

  private let size: SegmentSize
  private var automatic = SegmentSizing.first
  /// Indicates whether the next size doesn't depend on a segment in flight.
  package private(set) var isMeasured: Bool

  package init(_ size: SegmentSize) {
    self.size = size
    isMeasured = size != .automatic
  }

  /// - Parameters:
  ///   - rest: the number of bytes that remain to be sent.
  ///   - parallel: the number of connections that share them.
  package func next(rest: Int64, parallel: Int) -> Int64 {
    guard case .fixed(let size) = size else {
      // The last ones should end at the same time.
      let share = min(rest / Int64(max(1, parallel)), SegmentSizing.largest)
      return min(automatic, max(SegmentSizing.first, SegmentSizing.rounded(share, .up)))
    }
    return size
  }

  package mutating func note(_ bytes: Int64, took time: Duration) {
    guard size == .automatic, bytes > 0 else { return }
    isMeasured = true
    let wanted = Double(bytes) * max(1e-9, SegmentSizing.wantedTime / max(time, .nanoseconds(1)))
    // A short one isn't representative: at most four times its size.
    let bounded = min(wanted, Double(bytes) * 4, Double(SegmentSizing.largest))
    automatic = max(SegmentSizing.unit, SegmentSizing.rounded(Int64(bounded), .down))
  }

  /// Reduces the size, so that a failure loses less.
  package mutating func noteFailure() {
    guard size == .automatic else { return }
    automatic = max(SegmentSizing.unit, SegmentSizing.rounded(automatic / 2, .down))
  }

  private enum Direction { case up, down }

  private static func rounded(_ size: Int64, _ direction: Direction) -> Int64 {
    (direction == .up ? size + unit - 1 : size) / unit * unit
  }
}
