import HTTPSemantics
import Values

/// A part of a file that is sent separately.
package struct FileSegment: Sendable, Hashable {
  package let range: Range<Int64>
  /// The number of times it was sent.
  package var attempts = 0

  package init(_ range: Range<Int64>) {
    self.range = range
  }

  package var length: Int64 { Int64(range.count) }
}

/// Determines the next segment of a file to send, and when to send a failed one again: after all others, and after a
/// delay.
///
/// Once nothing succeeds any more, no new segments are started, so that the failed ones use up their attempts soon.
package struct SegmentQueue: Sendable {
  package typealias Instant = ContinuousClock.Instant

  package enum Turn: Sendable, Hashable {
    case send(FileSegment)
    /// Waits until that time, or until a segment in flight ends.
    case wait(until: Instant?)
    /// Only segments in flight are left.
    case drained
  }

  private struct Failed {
    let segment: FileSegment
    let due: Instant
  }

  private let parallel: Int
  private let retries: RetryPolicy
  private var sizing: SegmentSizing
  private var fresh: ByteRanges
  private var failed: [Failed] = []
  private var inFlight = 0
  private var isEmptyFile: Bool
  /// The number of failures since the last success.
  private var failuresInARow = 0
  /// The number of consecutive successes with only a few bytes.
  private var slightSuccesses = 0
  /// The end of the pause that the server requested.
  private var pauseEnd: Instant?

  /// - Parameters:
  ///   - length: the file's length; an empty one has one segment.
  ///   - done: the ranges that needn't be sent.
  ///   - retries: the policy for sending a segment again.
  package init(length: Int64, done: ByteRanges = ByteRanges(), size: SegmentSize, parallel: Int, retries: RetryPolicy) {
    self.parallel = max(1, parallel)
    self.retries = retries
    sizing = SegmentSizing(size)
    fresh = done.missing(of: length)
    isEmptyFile = length == 0
  }

  package var isFinished: Bool { fresh.ranges.isEmpty && failed.isEmpty && inFlight == 0 && !isEmptyFile }

  package mutating func next(at now: Instant) -> Turn {
    if inFlight >= parallel { return .wait(until: nil) }
    if let end = pauseEnd, end > now { return .wait(until: end) }
    let isStuck = failuresInARow >= parallel && !failed.isEmpty
    if !isStuck, let segment = takeFresh() { return .send(begun(segment)) }
    if !isStuck, !fresh.ranges.isEmpty { return .wait(until: nil) }
    guard let index = failed.indices.min(by: { failed[$0].due < failed[$1].due }) else { return .drained }
    if failed[index].due > now { return .wait(until: failed[index].due) }
    return .send(begun(failed.remove(at: index).segment))
  }

  /// Nil also while the rest waits for the first segment to be measured.
  private mutating func takeFresh() -> FileSegment? {
    if isEmptyFile {
      isEmptyFile = false
      return FileSegment(0..<0)
    }
    guard let gap = fresh.ranges.first, sizing.isMeasured || inFlight == 0 else { return nil }
    let length = sizing.next(rest: fresh.count, parallel: parallel)
    let range = gap.lowerBound..<gap.lowerBound + min(Int64(gap.count), max(1, length))
    fresh.remove(range)
    return FileSegment(range)
  }

  private mutating func begun(_ segment: FileSegment) -> FileSegment {
    inFlight += 1
    var segment = segment
    segment.attempts += 1
    return segment
  }

  /// Notes that the server has stored the segment.
  package mutating func succeeded(_ segment: FileSegment, after time: Duration) {
    inFlight -= 1
    failuresInARow = 0
    slightSuccesses = 0
    sizing.note(segment.length, took: time)
  }

  /// Notes that the server has stored only the beginning of a segment: the rest is sent from there, immediately, since
  /// such a server accepts bytes only in order.
  ///
  /// - Returns: whether the rest is sent; false if the server stores next to nothing each time.
  package mutating func succeeded(_ segment: FileSegment, upTo end: Int64) -> Bool {
    inFlight -= 1
    failuresInARow = 0
    slightSuccesses = end - segment.range.lowerBound < SegmentSizing.unit ? slightSuccesses + 1 : 0
    fresh.insert(end..<segment.range.upperBound)
    return slightSuccesses < retries.attempts
  }

  /// - Parameter pause: the delay that the server requested; the next attempt is due after it.
  /// - Returns: whether the segment is sent again; false if all its attempts are used up.
  package mutating func failed(_ segment: FileSegment, at now: Instant, pause: Duration? = nil) -> Bool {
    inFlight -= 1
    failuresInARow += 1
    sizing.noteFailure()
    guard let delay = retries.delay(after: segment.attempts, requested: pause) else { return false }
    if pause != nil { pauseEnd = max(pauseEnd ?? now, now + delay) }
    failed.append(Failed(segment: segment, due: now + delay))
    return true
  }
}

extension RetryPolicy {
  /// The retry policy for segments of an upload. A server's permanent limitations (501, 505) aren't retried.
  package static func segments(retries: Int) -> RetryPolicy {
    RetryPolicy(
      attempts: max(0, retries).addingClamped(1), statuses: Set(500...599).union([408, 429]).subtracting([501, 505]),
      failures: .transient.union([.timeout(.resource)]), interval: .milliseconds(500), backoff: .exponential,
      maximumInterval: .seconds(30), maximumRequestedDelay: .seconds(120))
  }
}
