import Synchronization

/// Counts what of a segment is on its way: each byte once, though a redirect or a challenge sends it again, and none that
/// the server has not taken in the end.
final class SegmentMeter: Sendable {
  private struct State {
    var count: Int64 = 0
    var isSettled = false
  }

  private let length: Int64
  private let meter: TransferMeter
  private let state = Mutex(State())

  init(length: Int64, of meter: TransferMeter) {
    self.length = length
    self.meter = meter
  }

  func advance(by count: Int) {
    let step = state.withLock { state in
      let step = state.isSettled ? 0 : min(Int64(count), length - state.count)
      state.count += step
      return step
    }
    if step > 0 { meter.advance(by: Int(step)) }
  }

  /// - Parameter count: how many bytes the server has of it.
  func settle(at count: Int64) {
    let difference = state.withLock { state in
      state.isSettled = true
      return count - state.count
    }
    if difference != 0 { meter.advance(by: Int(difference)) }
  }
}
