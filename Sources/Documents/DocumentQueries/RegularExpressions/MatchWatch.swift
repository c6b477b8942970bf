internal import CLibPCRE2
import OperatingSystem

/// Ends a search that takes too long. Between two checks a search may go through the whole text once.
///
/// The processor's time counts: no search fails because a machine is busy.
struct MatchWatch {
  private let patience: Duration
  /// The number of callouts between two checks of the clock.
  private let interval: Int
  private var callouts = 0
  /// The next look at the processor's time, which costs more than one at the clock; short searches need none.
  private var nextLook: ContinuousClock.Instant?
  /// The thread's time at which the search is over.
  private var end: Duration?
  private let meter: EvaluationMeter

  /// - Parameter length: the length of the text in bytes; a longer one may take longer.
  init(patience: Duration, length: Int, meter: EvaluationMeter) {
    self.meter = meter
    self.patience = patience + .milliseconds(length >> 12)
    interval = max(1, 64 >> min(length >> 22, 6))
  }

  mutating func isOver() -> Bool {
    callouts += 1
    guard callouts % interval == 0 else { return false }
    if meter.isOver(after: 64) { return true }
    let now = ContinuousClock.now
    guard let nextLook else {
      nextLook = now + .milliseconds(1)
      return false
    }
    guard now > nextLook else { return false }
    let time = threadTime()
    let end = end ?? time + patience
    (self.end, self.nextLook) = (end, now + (end - time))
    return time >= end
  }
}

/// The result of a callout: continue, or stop.
func checkWatch(_ watch: UnsafeMutableRawPointer) -> Int32 {
  watch.assumingMemoryBound(to: MatchWatch.self).pointee.isOver() ? PCRE2_ERROR_CALLOUT : 0
}
