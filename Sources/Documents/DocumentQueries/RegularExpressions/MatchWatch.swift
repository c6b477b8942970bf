internal import CLibPCRE2
import OperatingSystem

/// Ends a search that takes too long. Between two checks a search may go through the whole text once.
struct MatchWatch {
  private let patience: Duration
  /// The number of callouts between two checks of the clock.
  private let interval: Int
  private var callouts = 0
  private var deadline: ContinuousClock.Instant?
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
    guard let deadline else {
      deadline = now + patience
      return false
    }
    return now > deadline
  }
}

/// The result of a callout: continue, or stop.
func checkWatch(_ watch: UnsafeMutableRawPointer) -> Int32 {
  watch.assumingMemoryBound(to: MatchWatch.self).pointee.isOver() ? PCRE2_ERROR_CALLOUT : 0
}
