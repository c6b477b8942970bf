import HTTPMessages
import Values

/// A part of a file that is sent by itself.
package struct FileSegment: Sendable, Hashable {
  package let range: Range<Int64>
  /// How often it was sent.
  package var attempts = 0

  package init(_ range: Range<Int64>) {
    self.range = range
  }

  package var length: Int64 { Int64(range.count) }
}

/// Says which segment of a file is sent next, and when one that failed is sent again: behind all others, after a while.
///
/// Where nothing comes through any more, nothing new is begun, so that what failed comes to its last attempt soon.
package struct SegmentQueue: Sendable {
  package typealias Instant = ContinuousClock.Instant

  package enum Turn: Sendable, Hashable {
    case send(FileSegment)
    /// Until then, or until one that is on its way comes back.
    case wait(until: Instant?)
    /// There is nothing left but what is on its way.
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
  /// Since the last one that came through.
  private var failuresInARow = 0
  /// One after the other that brought only a few bytes.
  private var slightSuccesses = 0
  /// What the server asked for.
  private var pauseEnd: Instant?

  /// - Parameters:
  ///   - length: of the file; an empty one has one segment.
  ///   - done: what needs not be sent.
  ///   - retries: how often a segment is sent again, and when.
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

  /// Nil while what is left waits for the first one to be measured, too.
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

  /// The server has it.
  package mutating func succeeded(_ segment: FileSegment, after time: Duration) {
    inFlight -= 1
    failuresInARow = 0
    slightSuccesses = 0
    sizing.note(segment.length, took: time)
  }

  /// The server has only the beginning of it: what follows is sent from there, at once, for such a server takes one byte
  /// after the other.
  ///
  /// - Returns: whether it is; else the server takes next to nothing each time.
  package mutating func succeeded(_ segment: FileSegment, upTo end: Int64) -> Bool {
    inFlight -= 1
    failuresInARow = 0
    slightSuccesses = end - segment.range.lowerBound < SegmentSizing.unit ? slightSuccesses + 1 : 0
    fresh.insert(end..<segment.range.upperBound)
    return slightSuccesses < retries.attempts
  }

  /// - Parameter pause: how long the server wants to be left alone; the next attempt is then due.
  /// - Returns: whether it is sent again; else all its attempts are used up.
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
  /// When a segment of an upload is sent again. What a server cannot do at all (501, 505) it cannot do later.
  package static func segments(retries: Int) -> RetryPolicy {
    RetryPolicy(
      attempts: max(0, retries).addingClamped(1), statuses: Set(500...599).union([408, 429]).subtracting([501, 505]),
      failures: .transient.union([.timeout(.resource)]), interval: .milliseconds(500), backoff: .exponential,
      maximumInterval: .seconds(30), maximumRequestedDelay: .seconds(120))
  }
}
